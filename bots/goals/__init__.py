"""Goals: parse them, plan them at least cost, carry them out."""
