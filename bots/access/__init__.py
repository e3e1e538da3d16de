"""Who may do what: origins, levels, rate limits."""
