"""What to do how often, and in which order, so that goals are reached at least cost."""
