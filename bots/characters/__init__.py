"""Characters of bots: the gallery, and files that others made."""
