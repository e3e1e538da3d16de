"""How a bot answers what it hears: by its model, by rules, always in time."""
