"""How this program is called where it was started, for hints that can be copied."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path

NAME = "townsfolk"
COMMANDS = (
    "up|init|exec|say|chat|prompt|plan|doctor|login|log|logs|status|stop|help|stats|mcp|bots|"
    "experiment|vis|top|backup|restore"
)
_HINT = re.compile(rf"\b{NAME} (?=(?:{COMMANDS})\b)")


def as_typed(text: str) -> str:
    """The text, its commands written as they must be typed here.

    In a virtual environment that is not activated, `townsfolk` alone is not found."""
    return _HINT.sub(lambda _: f"{called()} ", text)


def called() -> str:
    """The name of this program, or the path by which it was started where its name would not
    find it."""
    typed, found = Path(sys.argv[0]), shutil.which(NAME)
    with suppress(OSError):
        if typed.name != NAME or (found is not None and typed.samefile(found)):
            return NAME
    return shlex.quote(sys.argv[0])
