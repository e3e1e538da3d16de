"""Small talk between bots of several daemons, as it is whispered from one to the other.

Only words cross the server, and no receipt marks them as small talk. So they begin with a mark that
the hearer removes:

    (small talk: rain?) It has begun to rain.      would like a reply
    (small talk: rain) It has begun to rain.       as others hear it who are near
    (small talk) High time, Alice.                 the reply
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_MARKED = re.compile(
    r"\(small talk(?:: (?P<topic>[a-z_]{1,20})(?P<asks>\?)?)?\) (?P<text>.+)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class SmallTalkHeard:
    """Words that a bot of another daemon said unasked."""

    speaker: str
    text: str
    topic: str = ""
    """What it is about, as the speaker's daemon puts it; '' of a reply."""
    asks: bool = False
    """Whether the hearer is to reply."""


def marked(text: str, topic: str = "", *, asks: bool = False) -> str:
    """Words of small talk for a bot of another daemon."""
    about = f": {topic}{'?' if asks else ''}" if topic else ""
    return f"(small talk{about}) {text}"


def small_talk_in(speaker: str, text: str) -> SmallTalkHeard | None:
    """The small talk that a bot of another daemon whispered; None for other words."""
    found = _MARKED.fullmatch(text)
    return found and SmallTalkHeard(
        speaker, found["text"], found["topic"] or "", asks=found["asks"] is not None
    )
