"""The commands of a bot; what belongs together shares a file. `catalogue` loads them all."""
