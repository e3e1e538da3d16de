"""Answers in time and within the budget, whatever the model does."""
