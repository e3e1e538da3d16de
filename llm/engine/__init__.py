"""Answers in time, whatever the model does."""
