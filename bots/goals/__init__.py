"""Goals: what is wanted, how to get it at least cost, and carrying it out."""
