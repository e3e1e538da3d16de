"""The daemon's HTTP interface: loopback, token, JSON."""
