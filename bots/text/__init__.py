"""Text: cleaning, splitting into chat lines, suggestions, plain faults."""
