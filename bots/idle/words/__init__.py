"""Sentences of small talk, made from what was seen."""
