"""The scenario file: its keys, their meaning and checks."""
