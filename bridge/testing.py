"""A pytest plugin: the `fake_bridge` fixture for tests of your own."""
