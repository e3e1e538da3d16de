"""The folder of a run: writing, reading and replaying it."""
