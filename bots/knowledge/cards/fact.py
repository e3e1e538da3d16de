"""What cards are made of: facts about a person or a place, each with where it comes from.

A fact that somebody told holds their words, and is no more than what they said. One that the bot
saw or did itself holds names and numbers alone. People's lines are read here, English and Japanese:
where they live, what they like, want and promise, what to call them; whatever is not plainly said
is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias, get_args

from bots.access.origin import Operator, Person, is_operator
from bots.access.sources import Sources
from bots.text.language import normal
from bots.text.printable import excerpt
from bots.text.spelling import expanded
from bots.words.heard import heard

Kind: TypeAlias = Literal[
    "lives",
    "called",
    "own",
    "likes",
    "dislikes",
    "wishes",
    "promised",
    "was_promised",
    "asked_for",
    "gave",
    "got",
    "noted",
    "happened",
    "visited",
]
"""In the order in which a card tells them. own: their family, animals, age, birthday. noted: what
a model found worth keeping. happened, visited: at a place."""
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_OF_A_KIND = 8
"""Facts of one kind on a card; the oldest are forgotten."""
OF_WHICH_ONE_HOLDS: frozenset[Kind] = frozenset({"lives", "called", "visited"})
"""Of these what somebody said last takes the place of what they said before."""
ONE_GIFT_WITHIN = timedelta(minutes=10)
"""What changes hands so soon after the same thing is counted with it."""
ANOTHER_VISIT_AFTER = timedelta(hours=6)
JUST_COME = timedelta(minutes=10)
"""So long it is worth a word how long somebody was away."""
LONGEST = 90  # characters of a line that says something of its speaker
LONGEST_WORDS = 48
SHORTEST_WISH = 8
_SAID: tuple[Kind, ...] = ("lives", "called", "likes", "dislikes", "promised")
"""Those whose words a line has."""
_SENTENCES = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


class Subject(NamedTuple):
    """Whom or what a fact is about."""

    what: Literal["person", "place"]
    name: str
    """A person's exact name; the key of a place."""


def of_person(name: str) -> Subject:
    return Subject("person", name)


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that is known of somebody or some place."""

    about: Subject
    kind: Kind
    words: str
    """What it is, as short as it was said: at the lake."""
    at: datetime
    """When it was said, or happened."""
    sources: Sources
    said: str = ""
    """The line it was told by; '' where nobody said it."""
    count: int = 0
    """Of items that changed hands."""

    @property
    def teller(self) -> str:
        """The one person whose words these are; '' where they are nobody's, several people's, or
        what a model made of them."""
        if not self.said:
            return ""
        match list(self.sources.origins):
            case [Person(name)]:
                return name
            case [Operator()] if is_operator(self.about.name):
                return self.about.name  # nobody else's lines go onto such a card
        return ""

    def outdates(self, other: Fact) -> bool:
        """Whether nothing of the other is left beside this newer one."""
        is_same_kind = self.kind == other.kind
        says_same = normal(self.words) == normal(other.words) and self.sources == other.sources
        if is_same_kind and not self.count and says_same:
            return True
        by_same = self.teller == other.teller and self.sources.origins == other.sources.origins
        return is_same_kind and self.kind in OF_WHICH_ONE_HOLDS and by_same

    def continues(self, other: Fact) -> bool:
        """Whether both are parts of one gift."""
        is_gift = self.kind == other.kind and self.count > 0 and self.words == other.words
        return is_gift and self.at - other.at <= ONE_GIFT_WITHIN and self.sources == other.sources


@dataclass(frozen=True, slots=True)
class Meeting:
    """When a bot met a person."""

    first_at: datetime
    began_at: datetime
    """The newest visit began; before that it had not seen the person for hours."""
    last_at: datetime
    before_at: datetime | None = None
    """When the visit before that ended; None: there was none."""

    @classmethod
    def first(cls, at: datetime) -> Meeting:
        return cls(at, at, at)

    def again(self, at: datetime) -> Meeting:
        """The person is here at a moment."""
        if at <= self.last_at:
            return replace(self, first_at=min(self.first_at, at))
        if self.is_over(at):
            return Meeting(self.first_at, at, at, self.last_at)
        return replace(self, last_at=at)

    def is_over(self, now: datetime) -> bool:
        """Whether the newest visit is over."""
        return now - self.last_at >= ANOTHER_VISIT_AFTER

    def before(self, now: datetime) -> datetime | None:
        """The last time before the visit that is going on; None: it is the first."""
        return self.last_at if self.is_over(now) else self.before_at

    def away(self, now: datetime) -> timedelta:
        """How long the person had been away who came just now."""
        if self.is_over(now):
            return now - self.last_at
        has_just_come = now - self.began_at < JUST_COME
        return self.began_at - self.before_at if self.before_at and has_just_come else timedelta()


def with_facts(known: tuple[Fact, ...], new: Iterable[Fact]) -> tuple[Fact, ...]:
    """A card's facts with more of them, oldest first: each once, of each kind the newest."""
    for fact in new:
        before = next((one for one in reversed(known) if fact.continues(one)), None)
        if before is not None:
            fact = replace(fact, count=fact.count + before.count)
        others = [one for one in known if one is not before and not fact.outdates(one)]
        alike = [one for one in others if one.kind == fact.kind]
        dropped = alike[0] if len(alike) >= MOST_OF_A_KIND else None
        known = (*(one for one in others if one is not dropped), fact)
    return known


class Told(NamedTuple):
    """Something that a line tells of its speaker."""

    kind: Kind
    words: str


def told_in(line: str) -> Iterator[Told]:
    """What a line tells of its speaker; nothing from questions."""
    for sentence in _SENTENCES.findall(expanded(line)):
        if heard("told.asks").search(sentence):
            continue
        for clause in heard("told.and").split(sentence):
            yield from _told(clause.strip(" 　.!。！"))


def _told(clause: str) -> Iterator[Told]:
    has_told = False
    for kind in _SAID:
        found = heard(f"told.{kind}").search(clause)
        words = "" if found is None else next(filter(None, found.groups()), "")
        words = excerpt(heard("told.end").sub("", words), LONGEST_WORDS)
        if words and not heard("told.nothing").fullmatch(normal(words)):
            has_told = True
            yield Told(kind, words)
    if not has_told and len(clause) <= LONGEST and heard("told.own").search(normal(clause)):
        has_told = True
        yield Told("own", clause)
    if not has_told and SHORTEST_WISH <= len(clause) <= LONGEST and _wishes(clause):
        yield Told("wishes", excerpt(clause, LONGEST))


def _wishes(clause: str) -> bool:
    """Whether it is a wish and no order, which mostly says how many."""
    is_order = any(letter.isdigit() for letter in clause)
    return not is_order and heard("told.wishes").search(clause) is not None
