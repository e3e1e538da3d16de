"""Hours of people, talks, goals and faults, and whether anything grows with them."""

import sys
from pathlib import Path

TESTS = str(Path(__file__).parents[2] / "tests")
if TESTS not in sys.path:
    sys.path.append(TESTS)  # the fault harness lies there
