"""What a model is shown for a decision: visible lines, summaries, surroundings."""
