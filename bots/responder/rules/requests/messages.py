"""Lines that ask to tell somebody something; only a model can carry them out."""

from __future__ import annotations

import re

from bots.text.language import normal

_TO_TELL = re.compile(
    r"^(?:\W*(?:please|hey|ok|okay|can you|could you|would you)\b)*\W*(?:\w+,\s*)?(?:please\s+)?"
    r"(?:tell|ask|say|whisper|greet|warn|remind)\b"
    r"|(?:に|へ).{0,60}(?:伝えて|言って|教えて|聞いて|話して)"
)


def asks_to_tell(lines: list[str]) -> bool:
    """Whether the newest line asks to tell somebody something."""
    return bool(lines) and _TO_TELL.search(normal(lines[-1])) is not None
