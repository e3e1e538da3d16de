"""The HTTP face of the daemon: loopback, token, JSON."""
