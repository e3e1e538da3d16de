"""`!info …`: what a bot senses, as text and data."""
