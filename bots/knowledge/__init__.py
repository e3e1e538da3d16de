"""What bots know: what they were told to remember, what they saw, and what they made of it."""
