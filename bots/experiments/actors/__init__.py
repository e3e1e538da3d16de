"""What speaks for each bot of a scenario: written cues, a module, rules or a model."""
