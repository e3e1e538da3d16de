"""Plans without a bot, from a world given as JSON."""
