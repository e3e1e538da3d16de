"""What one decision is about: the lines and events that wait, and the world around."""
