"""Who takes part in a talk, in which order around the table, which bots are busy, and whom a line
calls by name.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

from bots.next_speaker import normalised
from bots.talks.machine.events import Participant

SHORTEST_NAME = 2  # a name of one letter or kana would match in every other word


class Participants:
    """The seats of a talk. Whoever leaves keeps a place in the order; rounds go on from there."""

    def __init__(self, roster: Iterable[Participant]) -> None:
        self._seats = {one.name: one for one in roster}
        self._busy: set[str] = set()
        self._seat(self._seats)

    def _seat(self, names: Collection[str]) -> None:
        """These are present from now on: asked often, changed rarely."""
        self._present = frozenset(names)
        self.present = tuple(one for one in self._seats.values() if one.name in self._present)
        self.names = tuple(one.name for one in self.present)
        self.bots = tuple(one.name for one in self.present if one.kind == "bot")
        self.has_people = any(one.kind == "person" for one in self.present)

    @property
    def free_bots(self) -> tuple[str, ...]:
        return tuple(name for name in self.bots if name not in self._busy)

    @property
    def is_talking(self) -> bool:
        """Whether at least two take part, one of them a bot."""
        return len(self._present) > 1 and bool(self.bots)

    def __contains__(self, name: str) -> bool:
        return name in self._present

    def is_bot(self, name: str) -> bool:
        return name in self._present and self._seats[name].kind == "bot"

    def is_person(self, name: str) -> bool:
        return name in self._present and self._seats[name].kind == "person"

    def others(self, name: str) -> tuple[str, ...]:
        return tuple(other for other in self.names if other != name)

    def seated(self, chosen: Callable[[str], bool]) -> list[Participant]:
        """The chosen ones of all who ever took part, in the order of the round."""
        return [one for one in self._seats.values() if chosen(one.name)]

    def after(self, name: str, candidates: Collection[str]) -> str | None:
        """The first candidate after this seat, going around the table; never `name` itself."""
        seats = list(self._seats)
        start = seats.index(name) + 1 if name in self._seats else 0
        around = seats[start:] + seats[:start]
        return next((seat for seat in around if seat in candidates and seat != name), None)

    def join(self, who: Participant) -> bool:
        """Take a seat, the former one if there was one; False if already present."""
        if who.name in self._present:
            return False
        self._seats[who.name] = who
        self._seat({*self._present, who.name})
        return True

    def leave(self, name: str) -> bool:
        if name not in self._present:
            return False
        self._seat(self._present - {name})
        self._busy.discard(name)
        return True

    def set_busy(self, name: str, busy: bool) -> None:
        if busy and name in self._present:
            self._busy.add(name)
        else:
            self._busy.discard(name)


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
