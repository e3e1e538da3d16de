"""Where a text that was cut off can end without sounding cut off."""

from __future__ import annotations

import re

SHORTEST_PARTIAL = 8  # characters; less says nothing

_BORDER = re.compile(r"[.!?](?=\s|$)|[。！？]")


def up_to_last_sentence(text: str) -> str:
    """The whole sentences of a cut text; '' when they are too few to be worth saying."""
    borders = list(_BORDER.finditer(text))
    whole = text[: borders[-1].end()].strip() if borders else ""
    return whole if len(whole) >= SHORTEST_PARTIAL else ""


def shortened(text: str, limit: int) -> str:
    """At most `limit` characters: whole sentences when one fits, else cut with an ellipsis."""
    if len(text) <= limit:
        return text
    return up_to_last_sentence(text[:limit]) or text[: limit - 1].rstrip() + "…"
