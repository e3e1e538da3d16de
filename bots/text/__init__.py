"""From an answer to chat lines: cleaned, split, paced."""
