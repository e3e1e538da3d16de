"""What of public chat concerns a bot."""
