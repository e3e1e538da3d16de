"""Plays a scenario in a simulated world, faster than real time."""
