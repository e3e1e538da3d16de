"""What was said once, who heard it, and each bot's view of that."""
