"""What a bot sees, drawn: a region of the world, a lens, and pixels. Pure, and by numpy alone."""
