"""Builds townsfolk with hatchling, and says first when Python is too old.

Without this an older Python hears of conflicting dependencies, and never of itself. It must load
on old Pythons."""

import sys

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    found = ".".join(map(str, sys.version_info[:3]))
    needed = ".".join(map(str, OLDEST))
    sys.exit(
        f"townsfolk needs Python {needed} or newer, and this is Python {found}. Install a newer "
        f"one, remove the environment and make it anew: python{needed} -m venv .venv"
    )

from hatchling.build import *  # noqa: E402, F403
