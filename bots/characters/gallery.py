"""The characters that come with townsfolk, `examples/characters/`: a file each.

They are read when the program starts, so a daemon that runs out of files still knows them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_HOME = Path(__file__).parent
_NAME = re.compile(r"^# (\w+)$", re.MULTILINE | re.ASCII)


@cache
def gallery() -> Mapping[str, str]:
    """Each character's text by its name, in the order of names."""
    return {file.stem.capitalize(): _text(file) for file in sorted(_folder().glob("*.md"))}


def find(name: str) -> str | None:
    """The text of the character of this name, however it is spelt."""
    return gallery().get(name.capitalize())


def renamed(text: str, name: str) -> str:
    """A character's text for a bot of this name; one without a heading stays as it is."""
    found = _NAME.search(text)
    return text if found is None else with_name(text, found[1], name)


def with_name(text: str, old: str, new: str) -> str:
    """The text with a name replaced wherever it stands as a word of its own."""
    word = rf"(?<![A-Za-z0-9_]){re.escape(old)}(?![A-Za-z0-9_])"
    return re.sub(word, lambda _: new, text)


def _folder() -> Path:
    installed = _HOME / "texts"
    return installed if installed.exists() else _HOME.parent.parent / "examples" / "characters"


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8").strip()
