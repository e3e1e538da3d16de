"""Plays a scenario with real bots on a server."""
