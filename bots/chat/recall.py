"""Finding lines again in all that a bot ever heard and did.

words of the question ─▶ lines that hold them: rare words count more
   ─▶ those that whoever hears of them may know; nothing else counts from here on
   ─▶ lines beside these: an answer seldom repeats the words of its question
   ─▶ more for those of who is asked about, and of the time that is named
"""

from __future__ import annotations

import math
import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

from bots.access.origin import called
from bots.access.sources import MayKnow, Sources, anything, from_text
from bots.chat import recall_sql as sql
from bots.chat.conversation_sql import encode
from bots.chat.message import Message
from bots.clock import microseconds
from bots.text.search_words import asked_words, names_in, weight_of
from bots.text.when import Time, time_in, without_time

MOST = 1_000  # lines of one answer
USUAL = 10
LOOKED_AT = 80  # lines at once, the best by their words
WITH_NEIGHBOURS = 30  # of them, the best
MOST_WORDS = 24  # of a question
MOST_ALIKE = 1_500  # lines by words in all: more words than that find nothing rarer
FROM_BEFORE, FROM_AFTER = 0.5, 0.2  # of the line before and after, as measured on English talks
BESIDE_WITHIN_US = 15 * 60 * 1_000_000  # later, it is another talk
ASKED_ABOUT = 1.5  # times as much for lines of those who are asked about
AT_THE_TIME = 2.0
CHATTER = 0.5  # what bots say of their own accord
ASKS = 0.7  # a question is seldom the answer
USUAL_LENGTH = 60  # characters

_OF_ASKER = re.compile(r"\b(?:i|my|me|mine|i'm|i've|we|our)\b|私|僕|俺|わたし|ぼく|自分")
_OF_BOT = re.compile(r"\b(?:you|your|yours)\b|君|あなた|きみ")


@dataclass(frozen=True, slots=True)
class Search:
    """What is to be found."""

    words: str
    limit: int = USUAL
    offset: int = 0
    """How many of the best are left out: those of earlier pages."""
    speaker: str | None = None
    """Only what this one said."""
    since: datetime | None = None
    until: datetime | None = None
    before: int | None = None
    """Only lines before this sequence."""
    asker: str | None = None
    """Whom “my” means."""
    may_know: MayKnow = anything
    """Whether those who hear of a line may know it."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A line that was found."""

    message: Message

    @property
    def speaker(self) -> str:
        return self.message.speaker

    @property
    def text(self) -> str:
        """The words; of a note that is no words, its JSON."""
        return self.message.text or encode(self.message.utterance.content)

    @property
    def sequence(self) -> int:
        return self.message.sequence

    @property
    def timestamp(self) -> int:
        """When it was heard, milliseconds since 1970."""
        return self.message.timestamp

    @property
    def sources(self) -> Sources:
        return self.message.utterance.sources

    @property
    def where(self) -> str:
        """Among whom it was said: one, talk, near or public."""
        return self.message.circle.kind

    def as_json(self) -> dict[str, Any]:
        return {
            "sequence": self.sequence,
            "speaker": self.speaker,
            "text": self.text,
            "type": self.message.type,
            "timestamp": self.timestamp,
            "iso": self.message.iso,
            "where": {"kind": self.where, "name": self.message.circle.name},
        }


Scores: TypeAlias = Mapping[int, float]


@dataclass(frozen=True, slots=True)
class _Question:
    """A search as it is understood."""

    search: Search
    span: sql.Span
    terms: Sequence[str]
    about: frozenset[str]
    """Those who are asked about, case-blind."""
    time: Time | None


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
    named = sql.speakers_among(connection, span, names_in(rest))
    words = asked_words(" ".join(part for part in _parts(rest) if part not in named))
    if not words and time is not None:  # it asks for that time and nothing else
        within = sql.span_of(
            connection, bot, since=time.since, until=time.until, before=search.before
        )
        span = within or span
    if not words and search.speaker is None and len(named) == 1:
        search = replace(search, speaker=next(iter(named)))
    about = frozenset({*named, *_meant(rest, bot, search.asker)} - {""})
    return _Question(search, span, words[:MOST_WORDS], about, time)


def _parts(text: str) -> Iterator[str]:
    """Names apart from what is written next to them."""
    return (part for part in re.split(r"([a-z0-9_.]{2,})", text) if part.strip())


def _meant(text: str, bot: str, asker: str | None) -> Iterator[str]:
    if asker is not None and _OF_ASKER.search(text):
        yield called(asker).casefold()
    if _OF_BOT.search(text):
        yield bot.casefold()


def _ranked(connection: sqlite3.Connection, question: _Question) -> Iterator[int]:
    """The numbers of lines that may be known, best first."""
    scores = _by_words(connection, question) if question.terms else _newest(connection, question)
    best = [id_ for _, id_ in sorted(((worth, id_) for id_, worth in scores.items()), reverse=True)]
    given = set[int]()
    for start in range(0, len(best), LOOKED_AT):
        for id_ in _better(connection, question, scores, best[start : start + LOOKED_AT]):
            if id_ not in given:
                given.add(id_)
                yield id_


def _by_words(connection: sqlite3.Connection, question: _Question) -> Scores:
    """What the words of each line are worth."""
    total, looked_at = question.span.end - question.span.first + 1, 0
    scores: defaultdict[int, float] = defaultdict(float)
    for term, ids in sorted(_holders(connection, question), key=lambda one: len(one[1])):
        if scores and looked_at + len(ids) > MOST_ALIKE:
            break
        looked_at += len(ids)
        worth = weight_of(term) * math.log(1 + total / (len(ids) + 0.5))
        for id_ in ids:
            scores[id_] += worth
    return scores


def _holders(
    connection: sqlite3.Connection, question: _Question
) -> list[tuple[str, Collection[int]]]:
    """The lines that hold each word. Of words that very many lines hold, the newest, and those
    that hold all such words, however old."""
    span, speaker = question.span, question.search.speaker
    holders: dict[str, Collection[int]] = {
        term: sql.lines_with(connection, span, term, speaker) for term in question.terms
    }
    usual = [term for term, ids in holders.items() if len(ids) >= sql.MOST_OF_A_WORD]
    if len(usual) > 1:
        together = sql.lines_with_all(connection, span, usual, speaker)
        holders.update({term: {*holders[term], *together} for term in usual})
    return list(holders.items())


def _newest(connection: sqlite3.Connection, question: _Question) -> Scores:
    search = question.search
    most = min(MOST_ALIKE, search.offset + search.limit + LOOKED_AT)
    if search.speaker is not None:
        ids = sql.lines_by(connection, question.span, search.speaker, most)
    else:
        ids = sql.newest_lines(connection, question.span, most)
    return dict.fromkeys(ids, 0.0)


def _better(
    connection: sqlite3.Connection, question: _Question, scores: Scores, ids: Sequence[int]
) -> list[int]:
    """These lines and those beside them, best first; only what may be known."""
    lines = _known(connection, question, ids)
    if not question.terms:
        return sorted((i for i in lines if _fits(question, lines[i])), reverse=True)
    worth = {i: _own(scores[i], line) for i, line in lines.items()}
    for i, share in _spread(connection, question, lines, worth).items():
        worth[i] = worth.get(i, 0.0) + share
    better = {i: worth[i] * _weight(question, line) for i, line in lines.items() if i in worth}
    return sorted((i for i in better if _fits(question, lines[i])), key=lambda i: (-better[i], -i))


def _spread(
    connection: sqlite3.Connection,
    question: _Question,
    lines: dict[int, sql.Line],
    worth: Scores,
) -> Scores:
    """What the best lines add to those beside them, which are added to `lines`."""
    best = list(worth)[:WITH_NEIGHBOURS]
    pairs = list[tuple[int, int, float]]()
    for i, before, after in sql.beside(connection, question.span, best):
        pairs += [(i, before, FROM_AFTER)] if before is not None else []
        pairs += [(i, after, FROM_BEFORE)] if after is not None else []
    lines.update(_known(connection, question, {to for _, to, _ in pairs} - lines.keys()))
    added: defaultdict[int, float] = defaultdict(float)
    for i, to, share in pairs:
        if to in lines and abs(lines[to].heard_at - lines[i].heard_at) <= BESIDE_WITHIN_US:
            added[to] += share * worth[i]
    return added


def _known(
    connection: sqlite3.Connection, question: _Question, ids: Iterable[int]
) -> dict[int, sql.Line]:
    """Those of these lines that may be known, in the order of the numbers given."""
    may_know = _remembered(question.search.may_know)
    found = {line.id: line for line in sql.details(connection, question.span, ids)}
    return {i: found[i] for i in ids if i in found and may_know(found[i].sources)}


def _own(score: float, line: sql.Line) -> float:
    """Of its own words: in a long line each counts a little less."""
    return score / (0.75 + 0.25 * line.length / USUAL_LENGTH)


def _weight(question: _Question, line: sql.Line) -> float:
    """How much more or less a line counts for who said it, and when."""
    weight, time = 1.0, question.time
    if called(line.speaker).casefold() in question.about:
        weight *= ASKED_ABOUT
    if time and microseconds(time.since) <= line.heard_at < microseconds(time.until):
        weight *= AT_THE_TIME
    if line.kind == "small_talk":
        weight *= CHATTER
    return weight * ASKS if line.asks else weight


def _fits(question: _Question, line: sql.Line) -> bool:
    """Lines beside others, and those of clocks that were set back, may be out of bounds."""
    search, span = question.search, question.span
    if search.speaker is not None and not _is(line.speaker, search.speaker):
        return False
    if search.since is not None and line.heard_at < microseconds(search.since):
        return False
    if search.until is not None and line.heard_at >= microseconds(search.until):
        return False
    return span.first <= line.id < span.end


def _is(speaker: str, name: str) -> bool:
    return called(speaker).casefold() == called(name).casefold()


def _remembered(may_know: MayKnow) -> Callable[[str | None], bool]:
    """Most lines have one of few sources."""
    known: dict[str | None, bool] = {}

    def knows(sources: str | None) -> bool:
        if sources not in known:
            known[sources] = may_know(from_text(sources))
        return known[sources]

    return knows
