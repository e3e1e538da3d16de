"""Declares commands, parses their arguments, checks permission, and runs them."""
