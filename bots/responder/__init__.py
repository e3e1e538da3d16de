"""How a bot answers what it hears: by its model or by rules, always in time."""
