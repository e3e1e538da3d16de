"""One analysis: asks the model with what a thread may see; returns a thought."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, LevelOf, Sources, joined, of_name
from bots.access.visibility import LevelOfPlayer, Visibility
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.clock import Times
from bots.errors import CommandError
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.responder.case.case import NOTHING_KNOWN, Knowledge, Known, Moment
from bots.responder.case.inbox import in_one_line
from bots.responder.case.persona import Persona, PersonaFiles
from bots.responder.case.quoting import SENSES, Retelling, character_of, quoted, shown
from bots.responder.case.world_state import State, look_around, state_of
from bots.responder.prompt.learning import Learns
from bots.responder.records.record import DecisionRecorder
from bots.responder.reflection.thought import (
    SCHEMA,
    Conclusion,
    Note,
    Thought,
    Thread,
    read_conclusion,
)
from bridge.errors import BridgeError
from bridge.world import PlayerName, WorldSnapshot
from llm.engine.budget import Payer
from llm.engine.decision import Decision, Matter, no_words
from llm.engine.engine import Engine
from llm.model import Question, Turn
from llm.prompts import BRIEFING, PERIODIC

log = structlog.get_logger()

SYSTEMS = {"briefing": BRIEFING, "periodic": PERIODIC}
MAX_TOKENS = 3_000  # thinking included
MOST_LINES = 40
LONGEST_LINE = 500  # characters, quoted
WITHIN_S = 60.0  # for one analysis; nobody waits for it
LOOK_WITHIN_S = 5.0
LAST_LINES = 5  # what the bot knows is looked for by their words


@dataclass(frozen=True, slots=True)
class Seen:
    """What a thread is shown."""

    lines: Sequence[Message]
    """The lines it may see, oldest first; the newest `MOST_LINES` go into the question."""
    former: Thought | None
    notes: Sequence[Note]
    at_work: str | None
    """The job under way."""
    senses: str
    told: Retelling
    """How the lines are told."""
    known: Known = NOTHING_KNOWN


def question_of(thread: Thread, persona: Persona, seen: Seen) -> Question:
    """Whoever is not content with a thought has it made anew from the same lines: they come
    first."""
    lines = tuple(Turn("user", row) for row in _lines(seen))
    rows = [
        *_former(seen.former),
        *(quoted({"from": note.by, "told_you": note.text}) for note in seen.notes),
    ]
    rows += [quoted({"at_work": seen.at_work})] if seen.at_work else []
    rows += [*seen.known.lines, SENSES, shown(seen.senses)]
    return Question(
        SYSTEMS[thread],
        (*lines, Turn("user", "\n".join(rows))),
        MAX_TOKENS,
        schema=SCHEMA,
        character=character_of(persona),
        steady=len(lines),
    )


def _lines(seen: Seen) -> Iterator[str]:
    for message in seen.lines[-MOST_LINES:]:
        line = seen.told.line_of(message)
        if line is not None and len(line.turn.text) <= LONGEST_LINE:
            own = line.turn.role == "assistant"
            yield quoted({"you_said": line.turn.text}) if own else line.turn.text


def _former(former: Thought | None) -> Iterator[str]:
    if former is None:
        return
    yield quoted({"you_thought_before": former.summary})
    if former.plan:
        steps = "; ".join(former.plan)
        yield quoted({"plan_before": steps, "approved": former.status == "approved"})


_PLAYER = re.compile(r"\bp[1-9]\d*\b")


@dataclass(frozen=True, slots=True)
class _Shown:
    """What a thread may see of a bot's world."""

    lines: Sequence[Message]
    state: State
    may_be_read: Callable[[str], bool]
    """Whether a player's name may be shown; others appear by short name only."""
    world: WorldSnapshot | None
    players: frozenset[str] = frozenset()

    def spelled_out(self, text: str) -> str:
        """Text for people and later prompts: short names replaced."""

        def named(short: re.Match[str]) -> str:
            return short[0] if self.may_be_read(self.state.ids.meant(short[0])) else "somebody"

        return self.state.ids.spelled_out(_PLAYER.sub(named, text))

    def named_in(self, text: str) -> frozenset[str]:
        """The players it names: a name is a word that its owner chose."""
        return frozenset(name for name in self.players if name in text)


@dataclass(frozen=True, slots=True)
class Reflector:
    """Runs the analyses of all bots."""

    engine: Engine
    personas: PersonaFiles
    recorder: DecisionRecorder
    level_of: LevelOf
    standing_of: LevelOfPlayer
    times: Times
    knowledge: Knowledge
    learns: Learns

    async def think(
        self,
        bot: Bot,
        thread: Thread,
        level: Level,
        former: Thought | None,
        notes: Sequence[Note],
        *,
        is_asked_for: bool = False,
    ) -> Thought | str:
        """The new thought; or why there is none, as in `Decision.why`.

        Strangers pay for what their lines alone bring about."""
        shown = await self._shown(bot, level)
        persona = await self.personas.current(bot.name)
        job = bot.jobs.current
        at_work = job.name if job else None
        told = Retelling(None, bot.known_bots, self.times.clock())
        known = await self.knowledge.about(_moment(bot, level, shown))
        seen = Seen(shown.lines, former, notes, at_work, shown.state.text, told, known)
        by_strangers = level < Level.TRUSTED and not is_asked_for
        payer = Payer(bot.name, None, background=True, asker="stranger" if by_strangers else None)
        matter = Matter(thread, payer, question_of(thread, persona, seen), WITHIN_S)
        decision = await self.engine.decide(matter, no_words)
        if decision.source != "rules":
            self.knowledge.used(bot.name, known, thread)
        answered = read_conclusion(decision.text) if decision.source == "model" else None
        plans = answered if thread == "briefing" else None
        goal = await _goal(bot, plans.goal) if plans else ""
        seen_of = _sources(shown.lines, former, notes) | known.sources
        if answered is not None:
            await self._learn(bot, answered, shown, seen_of)
        # Nothing is awaited from here on, so whoever finds the record finds the thought too.
        made = self._record(bot, thread, decision, answered)
        if answered is None:
            return decision.why or "unreadable"
        summary = shown.spelled_out(answered.summary)
        plan = tuple(map(shown.spelled_out, plans.plan)) if plans else ()
        names = shown.named_in(" ".join([summary, *plan]))
        named = joined(self._of_name(bot, name) for name in names)
        return Thought(
            thread,
            level,
            self.times.clock(),
            summary,
            plan,
            goal,
            "proposed" if plan or goal else "noted",
            seen_of | named,
            tuple(notes),
            made,
        )

    async def _learn(self, bot: Bot, answered: Conclusion, shown: _Shown, seen_of: Sources) -> None:
        """Keep what it found worth keeping, as a conclusion from all it was shown."""
        found = [
            one.model_copy(update={"what": shown.spelled_out(in_one_line(one.what))})
            for one in answered.worth_keeping
        ]
        names = shown.named_in(" ".join(f"{one.about} {one.what}" for one in found))
        named = joined(self._of_name(bot, name) for name in names)
        await self.learns.learn(bot.name, found, seen_of | named, shown.lines)

    async def _shown(self, bot: Bot, level: Level) -> _Shown:
        """What the bot heard from speakers at or above a level, and what it senses."""

        view, history = Visibility(level), bot.attended_history()

        def may_be_read(name: str) -> bool:
            return view.shows(self._of_name(bot, name), self.level_of)

        def shown(name: str) -> Sources | None:
            return self._of_name(bot, name) if may_be_read(name) else None

        lines = [
            message for message in history if view.shows(message.utterance.sources, self.level_of)
        ]
        world, around = await look_around(bot, LOOK_WITHIN_S)
        players = frozenset(player.name for player in world.players) if world else frozenset()
        return _Shown(lines, state_of(world, shown, around), may_be_read, world, players)

    def _of_name(self, bot: Bot, name: str) -> Sources:
        """Where a player's name comes from."""
        return FACTS if name in bot.known_bots else of_name(Person(PlayerName(name)), self.level_of)

    def _record(
        self, bot: Bot, thread: Thread, decision: Decision, answered: Conclusion | None
    ) -> int:
        sure = answered.confidence if answered else None
        others = answered.alternatives if answered else ()
        return self.recorder.analysed(
            bot.name, thread, decision, confidence=sure, alternatives=others
        )


def _moment(bot: Bot, level: Level, shown: _Shown) -> Moment:
    """What the newest lines are about."""
    words = " ".join(message.text or "" for message in shown.lines[-LAST_LINES:])
    return Moment(bot.name, Visibility(level), words, world=shown.world)


def _sources(lines: Sequence[Message], former: Thought | None, notes: Sequence[Note]) -> Sources:
    """Where the words of a thought come from, those of its former one included."""
    said = joined(message.utterance.sources for message in lines)
    told = joined(note.sources for note in notes)
    return said | told | (former.sources if former else FACTS)


async def _goal(bot: Bot, asked: str) -> str:
    """The proposed goal, if it exists in this version of the world; else ''."""
    if not asked:
        return ""
    try:
        goals = parse_goals(asked, (await planner_for(bot)).domain)
    except (CommandError, BridgeError) as error:
        log.info("goal.not_proposed", bot=bot.name, why=str(error))
        return ""
    return " ".join(map(str, goals))
