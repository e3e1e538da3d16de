"""`townsfolk top`: a running daemon in the terminal."""
