"""Finds participants that a line calls by name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bots.next_speaker import normalised
from bots.talks.machine.events import Participant

SHORTEST_NAME = 2  # a name of one letter or kana would match in every other word


def addressed(words: str, candidates: Iterable[Participant]) -> tuple[str, ...]:
    """Candidates whose username or display name occurs in the words, first mentioned first."""
    folded = _folded(words)
    found = ((_first(folded, one), one.name) for one in candidates)
    return tuple(name for at, name in sorted((at, name) for at, name in found if at is not None))


def person_named(words: str, tag: str, people: Sequence[Participant], *, names_bot: bool) -> str:
    """The person to whom words give the floor: by their tag, or by a question; '' for nobody.

    `names_bot`: the words name a bot, which comes before a person who is only alike."""
    if any(tag == one.name for one in people):
        return tag
    if names_bot:
        return ""
    if tag:
        return next((one.name for one in people if normalised(one.name) == normalised(tag)), "")
    asks = words.rstrip().endswith(("?", "？"))
    return next(iter(addressed(words, people)), "") if asks else ""


def _first(folded: str, one: Participant) -> int | None:
    starts = (_pattern(name).search(folded) for name in {one.name, one.display_name} if name)
    return min((match.start() for match in starts if match), default=None)


@lru_cache(maxsize=1024)
def _pattern(name: str) -> re.Pattern[str]:
    """A name in Latin letters must be a word of its own; Japanese particles may follow directly."""
    folded = _folded(name)
    if len(folded) < SHORTEST_NAME:
        return re.compile(r"(?!)")
    before = "(?<![A-Za-z0-9_])" if re.match(r"[A-Za-z0-9_]", folded) else ""
    after = "(?![A-Za-z0-9_])" if re.search(r"[A-Za-z0-9_]\Z", folded) else ""
    return re.compile(before + re.escape(folded) + after)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
