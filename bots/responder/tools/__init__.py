"""Commands as tools that a model can call."""
