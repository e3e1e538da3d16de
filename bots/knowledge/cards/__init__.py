"""What a bot knows of each person and place, made from what it heard, did and saw."""
