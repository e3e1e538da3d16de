"""What a bot does by itself to stay alive, whatever else it is at."""
