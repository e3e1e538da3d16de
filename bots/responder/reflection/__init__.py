"""Thinking beside the talk: a briefing when a bot joins, an analysis every few rounds."""
