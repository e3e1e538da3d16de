"""Cleans a model's text before it is said."""

from __future__ import annotations

import re

from bots.text.sanitise import sanitise
from bridge.foreign_json import NotJson, read_object
from llm.engine.sentences import shortened

LONGEST = 320  # characters: fits four chat lines of any Minecraft version

_QUOTES = {'"': '"', "“": "”", "「": "」", "'": "'"}


def spoken(text: str, bot: str) -> str:
    """Plain words: no leading `/` or `!`, no speaker's name, no quotes, cut to `LONGEST`."""
    words = sanitise(_unwrapped(text.strip()))
    words = re.sub(rf"^\**{re.escape(bot)}\**\s*[:：]\s*", "", words, flags=re.IGNORECASE)
    if len(words) > 1 and _QUOTES.get(words[0]) == words[-1]:
        words = words[1:-1]
    return shortened(words.lstrip("/!！／ ").strip(), LONGEST)


def _unwrapped(text: str) -> str:
    """The words out of a JSON object of the shape the model was shown."""
    if not text.startswith("{"):
        return text
    try:
        says = read_object(text).get("says")
    except NotJson:
        return text
    return says if isinstance(says, str) else text
