"""Builds the question of a decision: what never changes first, what changes fastest last.

    system     rules: the same for all bots, so that they can be cached, with the tools
    character  persona and memory: the same in every question of a bot
    turns      summaries · recent lines · advice, events, the lines to answer, knowledge, senses

What stands before the advice is the same in the next question of a conversation, until a line is
an hour old or a summary is made.

Whatever anybody said, names included, reaches the model as JSON in user turns. Reasoning, tool
calls and senses are never carried over to the next decision.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace

from bots.access.sources import FACTS, LevelOf, Sources, joined, names_of
from bots.access.visibility import InView, Visibility
from bots.chat.message import PUBLIC, Circle, Message, newest_lines, with_one
from bots.clock import Times
from bots.responder.case.case import Advice, Case, Knowledge, Known, Moment, Prompt
from bots.responder.case.inbox import EventReport
from bots.responder.case.quoting import (
    MAX_TOKENS,
    SENSES,
    Retelling,
    asker_row,
    character_of,
    event_row,
    line_row,
    quoted,
    shortened,
    shown,
)
from bots.responder.prompt.learning import Learns
from bots.responder.prompt.summaries import Notes, Summariser, SummaryStorage, notes_for, sources_of
from bots.text.numbers import seconds_ago
from llm.engine import context
from llm.engine.context import LIMITS, Limits, Line, first_within, folded, newest_within
from llm.engine.decision import Decision
from llm.engine.engine import Engine
from llm.model import Question, Turn
from llm.prompts import REPLY

WHOLE_EVENTS = 5  # the newest; older ones are folded into one line
LINES_TOKENS = 2_000  # for the lines to answer; the newest are kept
ADVICE_TOKENS = 400


class ContextPrompts:
    """Builds the questions of all bots, with summaries that keep them short."""

    def __init__(
        self,
        engine: Engine,
        summaries: SummaryStorage,
        level_of: LevelOf,
        bots: Container[str],
        times: Times,
        advice: Advice,
        knowledge: Knowledge,
        learns: Learns,
        limits: Limits = LIMITS,
    ) -> None:
        """`bots` are the names of all known bots."""
        self._tokens, self._level_of = engine.tokens.tokens, level_of
        self._bots, self._times = bots, times
        self._limits = limits
        self._summariser = Summariser(
            engine, summaries, times.stopwatch, times.sleep, limits, learns, level_of
        )
        self._advice, self._knowledge = advice, knowledge

    async def prompt(self, case: Case) -> Prompt:
        notes = await self.notes(case.bot, case.view, _circle(case))
        earlier = self._earlier(case, notes)
        turns = context.shown(earlier, self._tokens, self._limits)
        advice = self.advice(case.bot, case.view)
        before = (*((Turn("user", "\n".join(notes.rows)),) if notes.rows else ()), *turns)
        turn = case.turn
        heard = turn.lines or [event.text for event in turn.events]
        speaker = "" if turn.from_fellow else turn.speaker
        known = await self.known(Moment(case.bot, case.view, " ".join(heard), speaker, case.world))
        planned = (quoted({"advice": text}) for text, _ in advice)
        last = Turn("user", "\n".join([*planned, *self._now(case, known)]))
        who = character_of(case.persona)
        said = (*before, last)
        question = Question(REPLY, said, MAX_TOKENS, character=who, steady=len(before))
        noted = (sources for _, sources in advice)
        earlier_told = (notes.sources, known.sources, *map(sources_of, earlier))
        told = joined((*earlier_told, *noted, case.state.sources))
        events = self._happened(case, (*case.events, *case.turn.events))
        happened = joined(event.sources for event in events)
        return Prompt(question, InView(told | happened, _asked_with(case)), known)

    def decided(self, case: Case, decision: Decision) -> None:
        self._summariser.look(case.bot, case.history)

    def used(self, case: Case, prompt: Prompt) -> None:
        self.counts(case.bot, prompt.known, case.turn.work)

    async def known(self, moment: Moment) -> Known:
        """What the bot knows that matters now and may be shown."""
        return await self._knowledge.about(moment)

    def counts(self, bot: str, known: Known, work: str) -> None:
        """Count what a model has decided with; returns at once."""
        self._knowledge.used(bot, known, work)

    async def notes(self, bot: str, view: Visibility, circle: Circle) -> Notes:
        """The summaries that a view may show, for an answer in this conversation."""
        chains = await self._summariser.of(bot)
        return notes_for(chains, circle, view, self._level_of, self._times.clock())

    def advice(self, bot: str, view: Visibility) -> Sequence[tuple[str, Sources]]:
        """What reflection made of plan and outlook and a view may show, and where it comes from."""
        found = self._advice.about(bot, view)
        fitting = first_within([text for text, _ in found], self._tokens, ADVICE_TOKENS)
        return list(found[: len(fitting)])

    def talked(self, bot: str, history: Sequence[Message]) -> None:
        """Begin the summaries that are due; returns at once."""
        self._summariser.look(bot, history)

    async def forget(self, bot: str, person: str, until: int) -> int:
        """Forget a bot's notes of a person, as of that line; how many they were."""
        return await self._summariser.forget(bot, person, until)

    async def aclose(self) -> None:
        """End the summaries under way, and what is being counted."""
        await self._summariser.aclose()
        await self._knowledge.aclose()

    def _earlier(self, case: Case, notes: Notes) -> list[Line]:
        """The newest lines before those to answer that the view shows."""
        asked = {message.sequence for message in case.turn.messages}

        def may_be_shown(message: Message) -> bool:
            is_earlier = message.was_said and message.sequence not in asked
            return is_earlier and case.view.shows(message.utterance.sources, self._level_of)

        def is_shown(message: Message) -> bool:
            return not notes.tell_of(message) and may_be_shown(message)

        most, own_ones = self._limits.most_turns, self._limits.summarise_after
        newest = newest_lines(case.history, _circle(case), most, own_ones, is_shown)
        earlier = filter(may_be_shown, reversed(case.history))
        newest = _with_last_of(case.turn.speaker, newest, earlier, most)
        told = Retelling(_circle(case), self._bots, self._times.clock())
        return [line for message in newest if (line := told.line_of(message)) is not None]

    def _happened(self, case: Case, events: Iterable[EventReport]) -> list[EventReport]:
        """Events as the view shows them; none in a public answer."""
        told = list[EventReport]()
        for one in () if case.turn.public else events:
            if not case.view.shows(one.sources, self._level_of):
                # Without the words of its result, which repeats arguments that somebody chose.
                words = "It is done." if one.success else "It failed."
                one = replace(one, text=words, sources=FACTS)
            told.append(one)
        return told

    def _now(self, case: Case, known: Known) -> Iterator[str]:
        turn = case.turn
        events = self._happened(case, case.events)
        if older := events[:-WHOLE_EVENTS]:
            yield quoted({"earlier_events": folded([event.text for event in older])})
        for event in (*events[-WHOLE_EVENTS:], *self._happened(case, turn.events)):
            yield event_row(event, seconds_ago(self._times.stopwatch() - event.at_s))
        lines = [line_row(turn.speaker, shortened(line)) for line in turn.lines]
        yield from newest_within(lines, self._tokens, LINES_TOKENS)
        yield asker_row(turn, case.level)
        yield from (*known.lines, SENSES, shown(case.state.text))


def _with_last_of(
    speaker: str, newest: list[Message], newest_first: Iterable[Message], most: int
) -> list[Message]:
    """At most so many lines, the speaker's last one for sure: what the end of a job is about stays
    in sight, however much was said since, and also when a summary tells of it."""
    if any(message.utterance.speaker == speaker for message in newest):
        return newest
    last = next((one for one in newest_first if one.utterance.speaker == speaker), None)
    if last is None:
        return newest
    others = newest[1:] if len(newest) == most else newest
    return sorted([last, *others], key=lambda one: one.sequence)


def _circle(case: Case) -> Circle:
    """The conversation that the answer belongs to."""
    return PUBLIC if case.turn.public else with_one(case.turn.speaker)


def _asked_with(case: Case) -> Sources:
    """Of the lines to answer."""
    turn = case.turn
    if not turn.messages:
        return FACTS
    asked = {message.sequence for message in turn.messages}
    said = Sources.said_by(turn.origin, case.level, names_of(turn.origin))
    heard = [one.utterance.sources for one in case.history if one.sequence in asked]
    return joined(heard) if len(heard) == len(asked) else said
