"""What bots of several daemons whisper to each other as bots.

Only words cross the server, and no receipt marks them as small talk. So they begin with a mark that
the hearer removes:

    (small talk: rain?) It has begun to rain.      would like a reply
    (small talk: rain) It has begun to rain.       as others hear it who are near
    (small talk) High time, Alice.                 the reply

Daemons that share no cluster know nothing of each other. A bot says what it is to whoever chats
with it, and asks who talks like a bot; from then on the two know each other:

    You are right, Carl. By the way, I am Alice, a townsfolk bot.     ends an answer
    !status from a bot                                    the asker is a bot, too
    I am Alice, a townsfolk bot.                          to whoever said or asked that
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bots.text.closing import Closing, in_language_of

ASKING = "!status from a bot"
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


INTRODUCTION: Closing = ("I am {name}, a townsfolk bot.", "私は{name}、townsfolkのボットです。")


BESIDE: Closing = ("By the way, ", "ちなみに、")
"""What leads over to it from an answer."""


def introduction(name: str, answered: str = "") -> str:
    """What a bot says of itself, in the language of what it answers."""
    return in_language_of(answered, INTRODUCTION, name=name)


def introduces_itself(speaker: str, text: str) -> bool:
    """Whether the line ends with the speaker's own introduction."""
    return text.endswith(tuple(one.format(name=speaker) for one in INTRODUCTION))


def is_introduction(speaker: str, text: str) -> bool:
    """Whether the line is that and nothing else."""
    return text in [one.format(name=speaker) for one in INTRODUCTION]


def says_it_is_a_bot(speaker: str, text: str) -> bool:
    """Whether somebody says so of themselves, as only bots put it."""
    is_marked = small_talk_in(speaker, text) is not None
    return text == ASKING or is_marked or introduces_itself(speaker, text)


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
