"""What a bot can do with its hands, put together from single actions within one job."""
