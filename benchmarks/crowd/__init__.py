"""What a hundred bots cost."""

from benchmarks.soak import TESTS

__all__ = ["TESTS"]  # the fault harness, which `benchmarks.soak` has put in reach
