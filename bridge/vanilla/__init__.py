"""Facts of vanilla that no data package has, as JSON that Python and the scripts both read."""
