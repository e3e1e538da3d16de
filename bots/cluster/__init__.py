"""Several daemons as one: the bus between them, and who owns which bot."""
