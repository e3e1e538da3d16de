"""What bots of several daemons whisper to each other as bots.

Only words cross the server, and no receipt marks them as small talk. So they begin with a mark that
the hearer removes:

    (small talk: rain?) It has begun to rain.      would like a reply
    (small talk: rain) It has begun to rain.       as others hear it who are near
    (small talk) High time, Alice.                 the reply

Daemons that share no cluster know nothing of each other. A bot says what it is to whoever chats
with it, and asks who talks like a bot; from then on the two know each other:

    You are right, Carl. By the way, I am Alice, a bot …     ends an answer
    !status from a bot                                the asker is a bot, too
    I am Alice, a bot …                               to whoever said or asked that

The sentences are `between` in bots/words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bots.text.language import tongue_of
from bots.words import sentence

ASKING = "!status from a bot"
TONGUES = ("en", "ja", "zh")
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


def introduction(name: str, answered: str = "") -> str:
    """What a bot says of itself, in the language of what it answers."""
    return sentence("between.introduction", tongue_of(answered), name=name)


def with_introduction(name: str, words: str) -> str:
    """An answer that ends with it."""
    told = introduction(name, words)
    return sentence("between.beside", tongue_of(words), words=words, told=told)


def introduces_itself(speaker: str, text: str) -> bool:
    """Whether the line ends with the speaker's own introduction."""
    return text.endswith(_introductions(speaker))


def is_introduction(speaker: str, text: str) -> bool:
    """Whether the line is that and nothing else."""
    return text in _introductions(speaker)


def _introductions(name: str) -> tuple[str, ...]:
    """In every language."""
    return tuple(sentence("between.introduction", tongue, name=name) for tongue in TONGUES)


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
