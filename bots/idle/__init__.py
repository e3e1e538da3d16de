"""What bots do and say of their own accord."""
