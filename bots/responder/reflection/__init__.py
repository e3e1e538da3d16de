"""Background thinking: a briefing when a bot joins, an analysis every few rounds."""
