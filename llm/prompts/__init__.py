"""The instructions we send to models: a file each, read when the program starts.

They are read no later, so a daemon that runs out of files or of disk still knows its words.
"""

from __future__ import annotations

from importlib.resources import files
from string import Template


def _text(name: str) -> str:
    return (files(__name__) / f"{name}.md").read_text(encoding="utf-8").strip()


REPLY = _text("reply")
CHARACTER = Template(_text("character"))
"""Follows the instructions that all bots share, of a reply and of reflection."""
TALK = Template(_text("talk"))
SMALL_TALK = Template(_text("small_talk"))
SUMMARY = _text("summary")
BRIEFING = _text("briefing")
PERIODIC = _text("periodic")
