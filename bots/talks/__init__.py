"""Talks of several: who speaks next, who hears it, and when it ends."""
