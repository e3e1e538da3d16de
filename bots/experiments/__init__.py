"""Experiments: a written scene is played, everything in it is kept, and it can be studied."""
