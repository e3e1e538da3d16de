"""What is said about what: the topic, whose words others take up, and what is claimed to be heard.

Judged by the words by which a line is found again. Two are one if they begin alike, as bridge and
bridges."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import dist
from operator import attrgetter
from typing import Any

from bots.experiments.log import SEEN_EVERY_MS
from bots.experiments.timeline import Line
from bots.text.language import normal
from bots.text.search_words import asked_words
from bots.words.heard import heard

WITHIN_LINES = 3  # after a line, in which others take up its words
ALIKE_LETTERS = 5
WALKED_BETWEEN = 6.0  # blocks: one record to the next, at a sprint


@cache
def words_of(text: str) -> frozenset[str]:
    """The words that carry meaning, by their beginnings."""
    return frozenset(word[:ALIKE_LETTERS] for word in asked_words(text))


def topic_kept(lines: Sequence[Line], topic: str) -> float | None:
    """The share of the lines after the first that have a word of the topic or of the first line;
    None where these have none."""
    about = words_of(topic).union(*(words_of(line.text) for line in lines[:1]))
    rest = lines[1:]
    if not about or not rest:
        return None
    return sum(not about.isdisjoint(words_of(line.text)) for line in rest) / len(rest)


def taken_up(lines: Sequence[Line]) -> dict[str, int]:
    """For each speaker, in how many lines others who heard it took up, within three lines, a word
    that this speaker brought in."""
    new = _new_words(lines)
    found: Counter[str] = Counter()
    for place, line in enumerate(lines):
        own = words_of(line.text)
        before = range(max(0, place - WITHIN_LINES), place)
        found.update(
            {
                lines[earlier].speaker
                for earlier in before
                if line.speaker in lines[earlier].heard_by and not own.isdisjoint(new[earlier])
            }
        )
    return dict(sorted(found.items()))


def _new_words(lines: Sequence[Line]) -> list[frozenset[str]]:
    """For each line, its words that no line before has."""
    said, found = set[str](), []
    for line in lines:
        found.append(words_of(line.text) - said)
        said |= words_of(line.text)
    return found


@dataclass(frozen=True, slots=True)
class Claims:
    """Lines such as “you told me of the bridge”. True: the speaker had heard that one say a word of
    it; where it has no word that carries meaning, had heard that one at all."""

    true: int
    false: int


def claims(lines: Sequence[Line], named: Callable[[str], str | None]) -> Claims:
    """`named` gives the participant of this name. “You” is whom the speaker heard last."""
    found = Counter(
        _is_true(line, whose, lines[:place])
        for place, line in enumerate(lines)
        for whose in _claimed(line, lines[:place], named)
    )
    return Claims(found[True], found[False])


def _claimed(
    line: Line, before: Sequence[Line], named: Callable[[str], str | None]
) -> Iterable[str]:
    """Who is said to have told the speaker something."""
    match = heard("talk.claims").search(normal(line.text))
    if match is None or not (who := next(filter(None, match.groups()), "")):
        return []
    if heard("talk.you").fullmatch(who):
        others = (one.speaker for one in reversed(before) if line.speaker in one.heard_by)
        return [next(others, "")]
    one = named(who)
    return [one] if one and one != line.speaker else []


def _is_true(line: Line, whose: str, before: Sequence[Line]) -> bool:
    told = [one for one in before if one.speaker == whose and line.speaker in one.heard_by]
    about = words_of(line.text) - words_of(whose)
    said = frozenset[str]().union(*(words_of(one.text) for one in told))
    return bool(told) and (not about or not about.isdisjoint(said))


@dataclass(frozen=True, slots=True)
class Setting:
    """What the numbers of a talk need to know of its world."""

    topic: str
    hearing_range: float
    """Blocks."""
    stood: Sequence[Stood]


@dataclass(frozen=True, slots=True)
class Stood:
    """Where everybody stood from a moment on."""

    at_ms: int
    places: Mapping[str, Sequence[Any]]
    """{name: x, y, z, dimension}."""


def hearing_violations(lines: Sequence[Line], setting: Setting) -> int | None:
    """How many (line, hearer) pairs were heard though the two stood too far apart, or in different
    dimensions, at every moment from which it was recorded while the line was said; 0 in a sound
    run, None where nothing was recorded. Who walks may be a second's walk from there."""
    if not setting.stood:
        return None
    return sum(
        _was_away(line.speaker, name, _while_said(line, setting.stood), setting.hearing_range)
        for line in lines
        for name in line.heard_by
    )


def _while_said(line: Line, stood: Sequence[Stood]) -> Sequence[Stood]:
    """The last record before the line, those while it was said, and the next."""
    first = max(0, bisect_right(stood, line.at_ms, key=attrgetter("at_ms")) - 1)
    last = bisect_left(stood, line.done_ms + SEEN_EVERY_MS, key=attrgetter("at_ms"))
    return stood[first : max(first + 1, last)]


def _was_away(one: str, other: str, seen: Sequence[Stood], hearing_range: float) -> bool:
    pairs = [(each.places.get(one), each.places.get(other)) for each in seen]
    known = [(mine, theirs) for mine, theirs in pairs if mine and theirs]
    walks = any(pair != known[0] for pair in known[1:])
    reach = hearing_range + (2 * WALKED_BETWEEN if walks else 0)
    return bool(known) and all(
        mine[3] != theirs[3] or dist(mine[:3], theirs[:3]) > reach for mine, theirs in known
    )
