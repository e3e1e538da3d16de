"""Experiments: talks played from a written scenario, logged completely, replayed and measured."""
