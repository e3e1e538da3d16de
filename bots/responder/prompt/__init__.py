"""Decisions: what happens to a bot in, what it says and does out."""
