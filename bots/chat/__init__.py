"""Speech: what was said, who heard it, and each bot's history of it."""
