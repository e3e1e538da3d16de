"""The summaries that a prompt shows: of its own conversation, then the newest of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from bots.access.origin import is_operator
from bots.access.sources import LevelOf, Sources, is_plain, joined
from bots.access.visibility import Visibility
from bots.chat.message import Circle, Message
from bots.clock import EPOCH
from bots.responder.case.quoting import quoted, when
from llm.engine.context import Line, Summary

MOST_OF_OTHERS = 3
"""Summaries of other conversations that a prompt shows."""
MOST_CIRCLES = 100
"""Conversations of one kind whose summaries are kept; the oldest are forgotten."""

Chains: TypeAlias = Mapping[Circle, tuple[Summary, ...]]
"""A bot's summaries by conversation, each oldest first; the newest conversation last."""

Note: TypeAlias = tuple[Circle, Summary]


@dataclass(frozen=True, slots=True)
class Notes:
    """Summaries, oldest first."""

    notes: tuple[Note, ...]
    until: Mapping[Circle, int]
    """By conversation, the number of the last line that they tell of."""
    now: datetime

    @classmethod
    def of(cls, notes: Sequence[Note], now: datetime) -> Notes:
        oldest_first = tuple(sorted(notes, key=lambda note: note[1].until))
        until = {circle: summary.until for circle, summary in oldest_first}
        return cls(oldest_first, until, now)

    def tell_of(self, message: Message) -> bool:
        """Whether a line need not be shown any more."""
        return message.sequence <= self.until.get(message.circle, -1)

    @property
    def sources(self) -> Sources:
        return joined(sources_of(summary) for _, summary in self.notes)

    @property
    def rows(self) -> list[str]:
        """As a model is shown them. One without words stands where notes were forgotten."""
        return [_row(circle, one, self.now) for circle, one in self.notes if one.text]


NO_NOTES = Notes((), {}, EPOCH)


def sources_of(part: Line | Summary) -> Sources:
    """Where the words of a line, or of all lines in a summary, come from."""
    return joined(one for one in part.sources if isinstance(one, Sources))


def notes_for(
    chains: Chains, circle: Circle, view: Visibility, level_of: LevelOf, now: datetime
) -> Notes:
    """What a view may show, for an answer in this conversation."""
    own = [(circle, one) for one in chains.get(circle, ()) if _shows(view, one, level_of)]
    others = (
        (other, one)
        for other in reversed(list(chains))
        if other != circle
        for one in reversed(chains[other])
        if one.text and _shows(view, one, level_of)
    )
    return Notes.of([*own, *islice(others, MOST_OF_OTHERS)], now)


def _shows(view: Visibility, summary: Summary, level_of: LevelOf) -> bool:
    return view.shows(sources_of(summary), level_of)


def _row(circle: Circle, summary: Summary, now: datetime) -> str:
    among, at = _among(circle), summary.at
    return quoted(
        {
            "notes": summary.text,
            **({"among": among} if among else {}),
            **(when(at, now) if at else {}),
        }
    )


def _among(circle: Circle) -> str:
    """The conversation in words; '' where its name is more than a fact."""
    match circle.kind:
        case "one" if is_operator(circle.name):
            return "the operator"
        case "one" if is_plain(circle.name):
            return circle.name
        case "talk":
            return "a group talk"
        case "public":
            return "everybody"
    return ""
