"""Measures and transcripts of a recorded run."""
