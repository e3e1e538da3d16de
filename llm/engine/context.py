"""The part of a conversation that a model is shown: recent turns, and summaries of older ones.

    |<- summaries ->|<------- not summarised yet ------->|
    oldest ........................................ newest
                    of these at most `most_turns` are shown; when they are more than
                    `summarise_after`, all but the newest `keep` are due, and all of them
                    when the conversation is over

Summaries are made beside the talk: until one is there the window is longer, never without end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate, takewhile
from typing import TypeAlias, TypeVar

from llm.model import Turn

T = TypeVar("T")
Tokens: TypeAlias = Callable[[str], int]
"""The likely tokens of a text."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a context gets."""

    most_turns: int = 20
    summarise_after: int = 10
    keep: int = 5
    """So many of the newest turns are never summarised."""
    turns_tokens: int = 3_000
    """Of all turns together; the newest turn is shown whatever its length."""
    most_summaries: int = 3
    """With one more, the oldest two are due to become one."""
    summary_chars: int = 500
    worth_noting: int = 4
    """Lines of a conversation that is over; fewer are forgotten."""
    most_due: int = 40
    """Lines that one summary is made of; of more, the oldest are forgotten."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a talk."""

    until: int
    """Its number; it grows from line to line, not always by one."""
    turn: Turn
    sources: frozenset[Hashable] = frozenset()
    """Where its words come from; the caller knows what these mean."""
    at: datetime | None = None
    """When it was heard."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A stretch of a conversation, summarised."""

    until: int
    """The number of its last line."""
    text: str
    sources: frozenset[Hashable] = frozenset()
    """As of its lines."""
    at: datetime | None = None
    """When its last line was heard; None where nobody knows."""


@dataclass(frozen=True, slots=True)
class Due:
    """What one summary is to be made of, oldest first: lines, or the oldest summaries."""

    parts: tuple[Line, ...] | tuple[Summary, ...]

    @property
    def older(self) -> tuple[Summary, ...]:
        """The summaries that it takes the place of."""
        return tuple(part for part in self.parts if isinstance(part, Summary))

    def done(self, text: str) -> Summary:
        last = self.parts[-1]
        return Summary(last.until, text, frozenset().union(*self._sources), last.at)

    @property
    def _sources(self) -> Iterator[frozenset[Hashable]]:
        return (part.sources for part in self.parts)


def shown(lines: Sequence[Line], tokens: Tokens, limits: Limits = LIMITS) -> tuple[Turn, ...]:
    """The newest turns, oldest first, as far as there is room."""
    turns = [line.turn for line in lines[-limits.most_turns :]]
    return newest_within(turns, lambda turn: tokens(turn.text), limits.turns_tokens)


def due(
    lines: Iterable[Line],
    summaries: Sequence[Summary],
    limits: Limits = LIMITS,
    *,
    is_over: bool = False,
) -> Due | None:
    """What is to be shortened next; None when all is short enough.

    Older summaries come first: their number is bounded even when nothing can be shortened."""
    if len(summaries) > limits.most_summaries:
        return Due(tuple(summaries[:2]))
    fresh = not_in(summaries, lines)
    if is_over:
        return Due(tuple(fresh[-limits.most_due :])) if len(fresh) >= limits.worth_noting else None
    if len(fresh) <= limits.summarise_after:
        return None
    return Due(tuple(fresh[: -limits.keep][-limits.most_due :]))


def shortened(summaries: Sequence[Summary], found: Due, text: str) -> tuple[Summary, ...]:
    """The summaries with what was due in its new, short form."""
    if found.older:
        return (found.done(text), *summaries[len(found.older) :])
    return (*summaries, found.done(text))


def told_until(summaries: Sequence[Summary]) -> int:
    """The number of the last line that is in a summary; -1 when there is none."""
    return summaries[-1].until if summaries else -1


def newest_within(items: Sequence[T], tokens: Callable[[T], int], most: int) -> tuple[T, ...]:
    """The newest of these that together fit; the very newest always."""
    total, kept = 0, 0
    for item in reversed(items):
        total += tokens(item)
        if kept and total > most:
            break
        kept += 1
    return tuple(items[len(items) - kept :])


def first_within(texts: Sequence[str], tokens: Tokens, most: int) -> tuple[str, ...]:
    """The first of these that together fit."""
    totals = accumulate(tokens(text) for text in texts)
    return tuple(texts[: len(list(takewhile(lambda total: total <= most, totals)))])


def folded(events: Sequence[str], longest: int = LIMITS.summary_chars) -> str:
    """Old events in one line of at most `longest` characters: each once, the newest for sure."""
    times, told = Counter(events), ""
    for event in dict.fromkeys(reversed(events)):
        part = f"{event} ×{times[event]}" if times[event] > 1 else event
        longer = f"{part} / {told}" if told else part[:longest]
        if len(longer) > longest:
            break
        told = longer
    return told


def not_in(summaries: Sequence[Summary], lines: Iterable[Line]) -> list[Line]:
    """The lines that no summary tells of."""
    until = told_until(summaries)
    return [line for line in lines if line.until > until]
