"""What a bot can be told: one command = one file. `catalogue` loads them all."""
