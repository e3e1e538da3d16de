"""The running daemon: a session for each bot, their roster, and the wiring."""
