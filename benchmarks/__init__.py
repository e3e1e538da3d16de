"""Measured, not asserted: ratios inside one run."""
