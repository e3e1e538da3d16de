"""Settings: sections, defaults, and loading from flags, environment and file."""
