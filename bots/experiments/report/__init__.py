"""What an experiment shows: one page with pictures, and tables for other programs."""
