"""Records of decisions: written, read back and measured."""
