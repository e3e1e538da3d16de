"""Finds lines in everything that a bot ever heard and did.

words of the question ─▶ lines that hold them: rare words count more
   ─▶ those that whoever hears of them may know; nothing else counts from here on
   ─▶ lines beside these: an answer seldom repeats the words of its question
   ─▶ more for those of who is asked about, and of the time that is named

Who is asked about is told by the exact name. A name that nobody has so means the only one who has
it in another case: of `papa` and `PAPA`, neither is `Papa`. The index knows names case-blind; what
it finds of twins is told apart by the lines.
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from heapq import heapify, heappop
from itertools import chain
from typing import Any, TypeAlias

from bots.access.origin import called
from bots.access.sources import MayKnow, Sources, anything, from_text
from bots.chat import recall_sql as sql
from bots.chat.conversation_sql import encode
from bots.chat.message import Message
from bots.clock import microseconds
from bots.text.search_words import asked_words, names_in, weight_of
from bots.text.when import Time, time_in, without_time

MOST = 1_000  # lines in an answer
USUAL = 10
CANDIDATES = 24  # lines that we rank together, chosen by their words
WITH_NEIGHBOURS = 12  # we also rank the lines next to this many best candidates
MOST_WORDS = 24  # words of a question that we search for
MOST_USUAL = 2  # common words for which we also search older lines
EARLIER_SHARES = (0.5, 0.3)
"""A line gets these shares of the words in the line before it and in the one before that."""
LATER_SHARES = (0.3, 0.2)  # the same for the next two lines
ASIDE_SHARE = 0.3  # the same for a neighbouring line of another conversation
HALF_AT = 0.5  # a word with this share gets half of its full weight
BESIDE_WITHIN_US = 15 * 60 * 1_000_000  # after a longer pause a new talk begins
ASKED_ABOUT = 2.0  # factor for lines of the people in the question
FOR_THEM = 1.5  # factor for episodes that these people asked for
AT_THE_TIME = 2.0
UNASKED = 0.5
"""Factor for lines that bots say unasked, and for answers of rules."""
CHATTER = frozenset({"small_talk", "by_rules", "system_info"})
BESIDE_AT_LEAST = 0.25  # neighbours below this share of the best score are no results of their own
ASKS = 0.8  # factor for questions, which are seldom the answer

_OF_ASKER = re.compile(r"\b(?:i|my|me|mine|i'm|i've)\b|私|僕|俺|わたし|ぼく|自分")
_OF_BOT = re.compile(r"\b(?:you|your|yours)\b|君|あなた|きみ")


@dataclass(frozen=True, slots=True)
class Search:
    """What to search for."""

    words: str
    limit: int = USUAL
    offset: int = 0
    """The number of results on earlier pages."""
    speaker: str | None = None
    """Only lines of this speaker."""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    """Only lines before this sequence."""
    asker: str | None = None
    """The person whom “my” means."""
    episodes: bool = False
    """Only episodes: what the bot did or saw."""
    may_know: MayKnow = anything
    """Whether those who hear of a line may know it."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A result."""

    message: Message

    @property
    def speaker(self) -> str:
        return self.message.speaker

    @property
    def text(self) -> str:
        """The words, of an episode in English; of another note that is no words, its JSON."""
        said = self.message.utterance
        return said.told[0] if said.told else encode(said.content)

    @property
    def sequence(self) -> int:
        return self.message.sequence

    @property
    def timestamp_ms(self) -> int:
        """When it was heard, milliseconds since 1970."""
        return self.message.timestamp_ms

    @property
    def sources(self) -> Sources:
        return self.message.utterance.sources

    @property
    def where(self) -> str:
        """Among whom it was said: one, talk, near or public."""
        return self.message.circle.kind

    @property
    def episode(self) -> Mapping[str, Any] | None:
        """What the bot did, or saw happen: `Episode.as_json` of `bots/bot/episode.py`."""
        content = self.message.utterance.content
        if isinstance(content, str) or self.message.type != "episode":
            return None
        episode: Mapping[str, Any] = content.get("episode", {})
        return episode

    def as_json(self) -> dict[str, Any]:
        line = {
            "sequence": self.sequence,
            "speaker": self.speaker,
            "text": self.text,
            "type": self.message.type,
            "timestamp": self.timestamp_ms,
            "iso": self.message.iso,
            "where": {"kind": self.where, "name": self.message.circle.name},
        }
        return line if self.episode is None else {**line, "episode": self.episode}


Worths: TypeAlias = Mapping[str, float]
"""The weight of each word of a question. Rare words weigh more."""
Held: TypeAlias = Mapping[int, Collection[str]]
"""The words of a question that occur in a line."""


@dataclass(frozen=True, slots=True)
class _Question:
    """A search after we have read it."""

    search: Search
    span: sql.Span
    terms: Sequence[str]
    speaker: str | None
    """Whose lines alone are wanted."""
    named: frozenset[str]
    """Those whose names it holds."""
    about: frozenset[str]
    """The people in the question: those, and whom “my” and “your” mean."""
    time: Time | None
    """The time that is named."""
    within: sql.Span | None
    """Where its hearings lie."""
    by: tuple[Collection[str], ...]
    """What else a line is to hold: the word for its speaker, or that of episodes."""
    since_us: float
    until_us: float
    may_know: Callable[[str], bool]
    """Of stored sources."""


def recall(
    connection: sqlite3.Connection, bot: str, search: Search, now: datetime
) -> list[Recalled]:
    """The lines that fit, best first; without words to search for, the newest first."""
    question = _understood(connection, bot, search, now)
    if question is None:
        return []
    wanted = search.offset + min(search.limit, MOST)
    found = list[int]()
    for one in _ranked(connection, question):
        found.append(one)
        if len(found) >= wanted:
            break
    page = sql.messages(connection, question.span, found[search.offset :])
    return [Recalled(message) for message in page]


def _understood(
    connection: sqlite3.Connection, bot: str, search: Search, now: datetime
) -> _Question | None:
    time = time_in(search.words, now)
    rest = without_time(search.words, time)
    span = sql.span_of(
        connection, bot, since=search.since, until=search.until, before=search.before
    )
    if span is None:
        return None
    left = {name.casefold() for name in names_in(rest)}
    spelt = (name for name in names_in(search.words) if name.casefold() in left)
    named = frozenset(
        name
        for name in sql.speakers_called(connection, span, spelt)
        if sql.lines_with(connection, span, [sql.speaker_word(name)])
    )
    no_words = {name.casefold() for name in named}
    parts = re.split(r"([a-z0-9_.]{2,})", rest)  # names separate from letters next to them
    words = asked_words(" ".join(one for one in parts if one.strip() and one not in no_words))
    within = None if time is None else sql.narrowed(connection, span, time.since, time.until)
    since, until = search.since, search.until
    if not words and time is not None and within is not None:  # it asks for nothing but that time
        span = within
        since = time.since if since is None else max(since, time.since)
        until = time.until if until is None else min(until, time.until)
    speaker = None
    if search.speaker is not None:
        speaker = next(iter(sql.speakers_called(connection, span, [search.speaker])), None)
        if speaker is None:
            return None
    elif not (words or search.episodes) and len(named) == 1:
        (speaker,) = named
    about = sql.speakers_called(connection, span, _meant(rest, bot, search.asker))
    return _Question(
        search,
        span,
        words[:MOST_WORDS],
        speaker,
        named,
        named | about,
        time,
        within,
        tuple(_narrowing(speaker, named, search.episodes)),
        -math.inf if since is None else microseconds(since),
        math.inf if until is None else microseconds(until),
        cache(lambda sources: search.may_know(from_text(sources))),  # most lines share a few
    )


def _narrowing(
    speaker: str | None, named: Collection[str], episodes: bool
) -> Iterator[Collection[str]]:
    """What else a line is to hold."""
    if speaker is not None:
        yield [sql.speaker_word(speaker)]
    if episodes:
        yield [sql.EPISODE_WORD]
        if named:
            yield [sql.speaker_word(name) for name in named]


def _meant(text: str, bot: str, asker: str | None) -> Iterator[str]:
    if asker is not None and _OF_ASKER.search(text):
        yield asker
    if _OF_BOT.search(text):
        yield bot


def _ranked(connection: sqlite3.Connection, question: _Question) -> Iterator[int]:
    """The ids of results that the hearers may know, best first."""
    if not question.terms:
        yield from _newest(connection, question)
        return
    worths, held = _holders(connection, question)
    given = set[int]()
    for id_ in chain(
        _best(connection, question, worths, held), _others(connection, question, held)
    ):
        if id_ not in given:
            given.add(id_)
            yield id_


def _best(
    connection: sqlite3.Connection, question: _Question, worths: Worths, held: Held
) -> Iterator[int]:
    """The lines that are looked at, and those beside them."""
    favoured = set[int]()  # by who is asked about, or of the time that is named
    if len(held) > CANDIDATES and question.about:
        favoured.update(sql.lines_with(connection, question.span, question.terms, _them(question)))
    if len(held) > CANDIDATES and question.within is not None:
        favoured.update(sql.lines_with(connection, question.within, question.terms, *question.by))
    best = [
        (-sum(map(worths.__getitem__, terms)) * (ASKED_ABOUT if id_ in favoured else 1), -id_)
        for id_, terms in held.items()
    ]
    heapify(best)
    while best:
        some = [-heappop(best)[1] for _ in range(min(CANDIDATES, len(best)))]
        yield from _better(connection, question, worths, held, some)


def _them(question: _Question) -> list[str]:
    """The words that stand for those who are asked about."""
    return [sql.speaker_word(name) for name in question.about]


def _others(connection: sqlite3.Connection, question: _Question, held: Held) -> Iterator[int]:
    """All other lines that hold one of the words, the newest first."""
    for some in sql.all_lines_with(connection, question.span, question.terms, *question.by):
        known = _known(connection, question, [id_ for id_ in some if id_ not in held])
        yield from (id_ for id_, line in known.items() if _fits(question, line))


def _holders(connection: sqlite3.Connection, question: _Question) -> tuple[Worths, Held]:
    """What each word weighs, and the lines that hold it, those of the rarest word first."""
    span, by = question.span, question.by
    newest = {term: sql.lines_with(connection, span, [term], *by) for term in question.terms}
    worths = {term: _worth(term, ids, span) for term, ids in newest.items()}
    every = sorted(newest, key=lambda term: -worths[term])
    usual = [term for term in every if len(newest[term]) >= sql.MOST_OF_A_WORD]
    rare = [term for term in every if newest[term] and term not in usual]
    ids = {term: set(found) for term, found in newest.items()}
    for term in usual[:MOST_USUAL]:
        ids[term].update(_older(connection, question, term, rare))
    for words in {tuple(usual[:2]), tuple(usual)} if len(usual) > 1 else ():
        together = sql.lines_with(connection, span, *([word] for word in words), *by)
        for term in words:
            ids[term].update(together)
    held = defaultdict[int, list[str]](list)
    for term in every:
        for id_ in ids[term]:
            held[id_].append(term)
    return worths, held


def _older(
    connection: sqlite3.Connection, question: _Question, term: str, rare: Sequence[str]
) -> list[int]:
    """Lines with a word that so many hold that the newest of them are not enough: those that hold
    a rare word too, or are by who is asked about, and those of the time that is named."""
    span, by = question.span, question.by
    found = sql.lines_with(connection, span, [term], [*rare, *_them(question)], *by)
    if question.within is not None:
        found += sql.lines_with(connection, question.within, [term], *by)
    return found


def _worth(term: str, newest: Sequence[int], span: sql.Span) -> float:
    """Of a word; how many lines hold one that very many do is told from the newest of them."""
    total, count = span.end - span.first + 1, float(len(newest))
    if len(newest) >= sql.MOST_OF_A_WORD:
        count *= total / max(1, span.end - newest[-1])
    return weight_of(term) * math.log(1 + total / (count + 0.5))


def _newest(connection: sqlite3.Connection, question: _Question) -> Iterator[int]:
    """All lines that the hearers may know, newest first."""
    span, by = question.span, question.by
    every = sql.all_lines_with(connection, span, *by) if by else sql.all_lines(connection, span)
    for some in every:
        known = _known(connection, question, some)
        yield from (id_ for id_, line in known.items() if _fits(question, line))


def _better(
    connection: sqlite3.Connection,
    question: _Question,
    worths: Worths,
    held: Held,
    ids: Sequence[int],
) -> list[int]:
    """These lines and those beside them, best first; only what may be known."""
    lines = _known(connection, question, ids)
    words = {id_: dict.fromkeys(held[id_], 1.0) for id_ in lines}
    for id_, to, share in _beside(connection, question, lines):
        of_it = words.setdefault(to, {})
        for term in held[id_]:
            of_it[term] = of_it.get(term, 0.0) + share
    better = {  # a line that has a word counts once, lines beside that count in shares
        id_: _weight(question, lines[id_])
        * sum(worths[t] * (h * (1 + HALF_AT) / (h + HALF_AT)) for t, h in of_it.items())
        for id_, of_it in words.items()
        if _fits(question, lines[id_])
    }
    least = BESIDE_AT_LEAST * max(better.values(), default=0.0)
    worth_it = [  # also lines without any of the words
        id_
        for id_ in better
        if id_ in held or (lines[id_].kind not in CHATTER and better[id_] >= least)
    ]
    return sorted(worth_it, key=lambda id_: (-better[id_], -id_))


def _beside(
    connection: sqlite3.Connection, question: _Question, lines: dict[int, sql.Line]
) -> list[tuple[int, int, float]]:
    """The best of these lines, their neighbours, and the share that each neighbour gets.

    Adds neighbours to `lines` that are not there yet."""
    best = list(lines)[:WITH_NEIGHBOURS]
    pairs = list[tuple[int, int, float]]()
    for id_, before, after in sql.beside(connection, question.span, best, len(EARLIER_SHARES)):
        pairs += [(id_, to, share) for to, share in zip(before, LATER_SHARES, strict=False)]
        pairs += [(id_, to, share) for to, share in zip(after, EARLIER_SHARES, strict=False)]
        pairs += [
            (id_, to, ASIDE_SHARE) for to in (id_ - 1, id_ + 1) if to not in (*before, *after)
        ]
    lines.update(_known(connection, question, {to for _, to, _ in pairs} - lines.keys()))
    return [
        (id_, to, share)
        for id_, to, share in pairs
        if to in lines and abs(lines[to].heard_at - lines[id_].heard_at) <= BESIDE_WITHIN_US
    ]


def _known(
    connection: sqlite3.Connection, question: _Question, ids: Iterable[int]
) -> dict[int, sql.Line]:
    """Those of these lines that may be known, in the order of the numbers given."""
    found = {line.id: line for line in sql.details(connection, ids)}
    return {i: found[i] for i in ids if i in found and question.may_know(found[i].sources)}


def _weight(question: _Question, line: sql.Line) -> float:
    """A factor for the speaker and the time of a line."""
    weight = ASKS if line.asks else 1.0
    if called(line.speaker) in question.about:
        weight *= ASKED_ABOUT
    if line.kind == "episode" and line.asked_by is not None:
        weight *= FOR_THEM if called(line.asked_by) in question.about else 1.0
    time = question.time
    if time and microseconds(time.since) <= line.heard_at < microseconds(time.until):
        weight *= AT_THE_TIME
    return weight * UNASKED if line.kind in CHATTER else weight


def _fits(question: _Question, line: sql.Line) -> bool:
    """Lines beside others, and those of clocks that were set back, may be out of bounds."""
    if question.search.episodes:
        whose = {called(line.speaker), called(line.asked_by or "")}
        if line.kind != "episode" or (question.named and whose.isdisjoint(question.named)):
            return False
    return (
        question.since_us <= line.heard_at < question.until_us
        and line.id in question.span
        and (question.speaker is None or called(line.speaker) == question.speaker)
    )
