"""What a bot did and saw happen, noted in its history and told."""
