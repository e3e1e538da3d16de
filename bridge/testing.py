"""Where a checkout that was installed as 0.1.0 looks for the pytest plugin: see townsfolk.testing.

Without this module pytest would not start there until it is installed again."""

from townsfolk.testing import fake_bridge, fake_world, virtual_clock

__all__ = ["fake_bridge", "fake_world", "virtual_clock"]
