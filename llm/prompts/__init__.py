"""The instructions we send to models: a file each, read when the program starts.

They are read no later, so a daemon that runs out of files or of disk still knows its words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from types import MappingProxyType


def _text(name: str) -> str:
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()


REPLY = _text("reply")
CHARACTER = Template(_text("character"))
"""Follows the instructions that all bots share, of a reply and of reflection."""
_NAME = re.compile(r"^<!-- (\w+) -->$", re.MULTILINE)
_, *_named = _NAME.split(_text("talk"))
TALK_PARTS: Mapping[str, str] = MappingProxyType(
    {name: part.strip() for name, part in zip(_named[::2], _named[1::2], strict=True)}
)
"""By name, in order: an experiment may replace any of them."""
SMALL_TALK = Template(_text("small_talk"))
SUMMARY = _text("summary")
JUDGE = Template(_text("judge"))
BRIEFING = _text("briefing")
PERIODIC = _text("periodic")
