"""The townsfolk themselves: what they say, remember, answer and do."""
