"""Summaries of old lines: made in the background, shown in prompts, stored."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Protocol, TypeAlias

import structlog

from bots.access.origin import is_operator
from bots.access.sources import FACTS, LevelOf, Sources, as_text, from_text, is_plain, joined
from bots.access.visibility import Visibility
from bots.chat.message import Circle, Message, with_one
from bots.clock import EPOCH, Sleep, Stopwatch, moment
from bots.errors import StoreError
from bots.owned_tasks import OwnedTasks
from bots.responder.case.inbox import in_one_line
from bots.responder.case.quoting import line_of, quoted, shown, when
from bots.responder.limits import among_bots
from bots.responder.prompt.learning import Learns, Noted, read_noted
from bots.store.database import Store
from bots.store.table import Row, readable
from bots.text.word_match import says
from llm.engine.context import Due, Limits, Line, Summary, due, shortened, told_until
from llm.engine.decision import Matter, no_words
from llm.engine.engine import Engine
from llm.model import Question, Turn
from llm.prompts import SUMMARY

log = structlog.get_logger()

MOST_OF_OTHERS = 3
"""Summaries of other conversations that a prompt shows."""
MOST_CIRCLES = 100
"""Conversations of one kind whose summaries are kept; the oldest are forgotten."""

Chains: TypeAlias = Mapping[Circle, tuple[Summary, ...]]
"""A bot's summaries by conversation, each oldest first; the newest conversation last."""

Note: TypeAlias = tuple[Circle, Summary]
REPLY_FIRST_S = 0.5  # head start of the answer that made a summary due
WITHIN_S = 30.0  # for one summary; nobody waits for it
AGAIN_AFTER_S = 60.0  # after one failed
MAX_TOKENS = 800  # 500 characters of Japanese are about as many tokens; thinking included
MOST_AT_ONCE = 3  # calls in a row: lines, then older summaries, then what came meanwhile


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
        return [_note_row(circle, one, self.now) for circle, one in self.notes if one.text]


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


def _note_row(circle: Circle, summary: Summary, now: datetime) -> str:
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


class SummaryStorage(Protocol):
    """Summaries by bot and conversation; both methods raise StoreError."""

    async def load(self, bot: str) -> Chains:
        """The summaries as they were last stored."""
        ...

    async def store(self, bot: str, circle: Circle, summaries: Sequence[Summary]) -> None:
        """Replace those of a conversation by these."""
        ...


class SqliteSummaries:
    """A `SummaryStorage` in the database."""

    def __init__(self, store: Store) -> None:
        self._database = store

    async def load(self, bot: str) -> Chains:
        return await self._database.read(lambda connection: _load(connection, bot))

    async def store(self, bot: str, circle: Circle, summaries: Sequence[Summary]) -> None:
        await self._database.write(lambda connection: _store(connection, bot, circle, summaries))


def _load(connection: sqlite3.Connection, bot: str) -> Chains:
    rows = connection.execute(
        "SELECT until, text, sources, circle, name, (SELECT heard_at FROM hearings"
        " WHERE bot = summaries.bot AND sequence = until) FROM summaries WHERE bot = ?"
        " ORDER BY until",
        (bot,),
    )
    chains = dict[Circle, tuple[Summary, ...]]()
    for circle, summary in readable(rows, _note, "summaries"):
        chains[circle] = (*chains.pop(circle, ()), summary)
    return chains


def _note(row: Row) -> Note:
    until, text, sources, circle, name, heard_at = row
    at = None if heard_at is None else moment(heard_at)
    return Circle.read(circle, name), Summary(until, text, frozenset({from_text(sources)}), at)


def _store(
    connection: sqlite3.Connection, bot: str, circle: Circle, summaries: Sequence[Summary]
) -> None:
    of_circle = (bot, *circle)
    connection.execute("DELETE FROM summaries WHERE bot = ? AND circle = ? AND name = ?", of_circle)
    connection.executemany(
        "INSERT INTO summaries (bot, circle, name, until, text, sources) VALUES (?, ?, ?, ?, ?, ?)",
        [(*of_circle, one.until, one.text, as_text(sources_of(one))) for one in summaries],
    )
    # Keep so many conversations of this kind.
    kind = (bot, circle.kind)
    connection.execute(
        "DELETE FROM summaries WHERE bot = ? AND circle = ? AND name NOT IN"
        " (SELECT name FROM summaries WHERE bot = ? AND circle = ?"
        " GROUP BY name ORDER BY max(until) DESC, name LIMIT ?)",
        (*kind, *kind, MOST_CIRCLES),
    )


Key: TypeAlias = tuple[str, Circle]
"""A bot and one of its conversations."""


class Summariser:
    """The summaries of all bots, read from storage once."""

    def __init__(
        self,
        engine: Engine,
        storage: SummaryStorage,
        stopwatch: Stopwatch,
        sleep: Sleep,
        limits: Limits,
        learns: Learns,
        level_of: LevelOf,
    ) -> None:
        self._limits, self._learns, self._level_of = limits, learns, level_of
        self._engine, self._storage = engine, storage
        self._stopwatch, self._sleep = stopwatch, sleep
        self._known: dict[str, dict[Circle, tuple[Summary, ...]]] = {}
        self._at_work: set[Key] = set()
        self._not_before: dict[Key, float] = {}
        self._tasks = OwnedTasks()

    async def of(self, bot: str) -> Chains:
        """A bot's summaries; none when they cannot be read."""
        if bot not in self._known:
            try:
                stored = await self._storage.load(bot)
            except StoreError as fault:
                log.warning("summaries.not_read", bot=bot, why=str(fault))
                return {}
            self._known.setdefault(bot, dict(stored))
        return self._known[bot]

    def look(self, bot: str, history: Sequence[Message]) -> None:
        """Begin the summaries that this history makes due."""
        if bot not in self._known or not self._engine.has_model:
            return
        recent = {message.circle for message in history[-self._limits.most_turns :]}
        for circle, messages in self._untold(bot, history).items():
            self._begin((bot, circle), messages, is_over=circle not in recent)

    async def forget(self, bot: str, person: str, until: int) -> int:
        """Forget the notes of conversations with a person, and those that name them; how many
        they were. No note is made of what was said with the person up to `until`."""
        await self.of(bot)
        chains, own = self._known.setdefault(bot, {}), with_one(person)
        gone = 0
        for circle in {*chains, own}:
            chain = chains.get(circle, ())
            kept = tuple(one for one in chain if circle != own and not says(one.text, person))
            if len(kept) == len(chain) and circle != own:
                continue
            gone += sum(1 for one in chain if one.text) - len(kept)
            told = until if circle == own else chain[-1].until
            self._keep((bot, circle), (*kept, Summary(told, "", frozenset({FACTS}))))
            await self._store((bot, circle))
        return gone

    async def aclose(self) -> None:
        """End the summaries under way."""
        await self._tasks.aclose()

    def _untold(self, bot: str, history: Sequence[Message]) -> dict[Circle, list[Message]]:
        """The lines by conversation that no summary tells of."""
        until = {circle: told_until(chain) for circle, chain in self._known[bot].items()}
        found: dict[Circle, list[Message]] = {}
        for message in history:
            if message.sequence > until.get(message.circle, -1) and message.was_said:
                found.setdefault(message.circle, []).append(message)
        return found

    def _begin(self, key: Key, messages: Sequence[Message], *, is_over: bool) -> None:
        bot, circle = key
        is_long = len(self._known[bot].get(circle, ())) > self._limits.most_summaries
        enough = self._limits.worth_noting if is_over else self._limits.summarise_after
        may_be_due = is_long or len(messages) >= enough  # `due` decides
        if key in self._at_work or not may_be_due:
            return
        if self._stopwatch() < self._not_before.get(key, 0.0):
            return
        self._at_work.add(key)
        work = self._shorten(key, messages, is_over=is_over)
        task = self._tasks.start(work, f"summary of {bot}")
        task.add_done_callback(lambda _: self._at_work.discard(key))

    async def _shorten(self, key: Key, messages: Sequence[Message], *, is_over: bool) -> None:
        lines = [line for message in messages if (line := line_of(message)) is not None]
        await self._sleep(REPLY_FIRST_S)
        bot, circle = key
        for _ in range(MOST_AT_ONCE):
            chain = self._known[bot].get(circle, ())
            if (found := due(lines, chain, self._limits, is_over=is_over)) is None:
                return
            noted = await self._noted(bot, found)
            if not noted.note:
                now_s = self._stopwatch()
                self._not_before = {
                    k: until for k, until in self._not_before.items() if until > now_s
                }
                self._not_before[key] = now_s + AGAIN_AFTER_S
                return
            if self._known[bot].get(circle, ()) is not chain:  # it was forgotten meanwhile
                return
            # A summary remembers what its lines come from together, not each of them.
            notes = shortened(chain, found, noted.note)
            self._keep(
                key, tuple(replace(one, sources=frozenset({sources_of(one)})) for one in notes)
            )
            await self._store(key)
            told = {part.until for part in found.parts}
            said = [message for message in messages if message.sequence in told]
            await self._learns.learn(bot, noted.learnt, sources_of(found.done("")), said)

    def _keep(self, key: Key, chain: tuple[Summary, ...]) -> None:
        bot, circle = key
        chains = self._known[bot]
        chains.pop(circle, None)  # so that the newest conversation comes last
        chains[circle] = chain
        alike = [other for other in chains if other.kind == circle.kind]
        for oldest in alike[:-MOST_CIRCLES]:
            del chains[oldest]

    async def _noted(self, bot: str, found: Due) -> Noted:
        """A summary in one line, with what is worth keeping; without words when the model made
        none."""
        payer = among_bots(bot, sources_of(found.done("")), self._level_of)
        matter = Matter("summary", payer, question_of(found), WITHIN_S)
        decision = await self._engine.decide(matter, no_words)
        noted = read_noted("\n".join(map(shown, decision.text.splitlines())))
        return replace(noted, note=in_one_line(noted.note))

    async def _store(self, key: Key) -> None:
        bot, circle = key
        try:
            await self._storage.store(bot, circle, self._known[bot][circle])
        except StoreError as fault:  # it is in memory until the program ends
            log.warning("summaries.not_stored", bot=bot, why=str(fault))


def question_of(found: Due) -> Question:
    """The question that what is due is shortened by."""
    rows = "\n".join(_row(part) for part in found.parts)
    return Question(SUMMARY, (Turn("user", rows),), MAX_TOKENS)


def _row(part: Line | Summary) -> str:
    """One row of data; others' lines are quoted already."""
    if isinstance(part, Summary):
        return quoted({"notes": part.text})
    return quoted({"you_said": part.turn.text}) if part.turn.role == "assistant" else part.turn.text
