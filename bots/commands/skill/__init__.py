"""`!skill …`: what takes several actions: gather, craft, smelt, place, walk."""
