"""Language models: a port, its adapters, and the engine that keeps deadlines and budget."""
