"""The language model side: a port, its adapters, and the engine that keeps deadlines."""
