"""Plays a scenario in a simulated world and simulated time, with the machine of real talks.

`TalkRunner` waits for tasks, timers and sockets. Here the time of every event is known as soon as
it is decided, so a queue in order of time takes the runner's place: thousands of turns a second,
and the same run for the same seed.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, closing
from dataclasses import replace
from datetime import timedelta
from functools import partial
from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bots.access.origin import Level
from bots.chat.message import Message, Utterance
from bots.clock import MS_PER_S, Times
from bots.experiments import actors, paid_models
from bots.experiments.actors import TAKES_S, Actor, Asked, Heard
from bots.experiments.log import SEEN_EVERY_MS, LogRecorder, Transition
from bots.experiments.own_functions import ScenarioRules
from bots.experiments.runs import PreparedRun, machine_for, recording
from bots.experiments.scenario import (
    ExperimentFailed,
    Member,
    PersonLine,
    Scenario,
    Schedule,
    ScheduledEvent,
    ScheduledStep,
    Task,
)
from bots.responder.case.persona import Persona, PersonaFiles
from bots.talks.live.prompt import TurnContext, scene_of
from bots.talks.live.runner import Answer, Machine
from bots.talks.live.thinker import NoMemory, TalkThinker
from bots.talks.machine import events
from bots.talks.machine.events import Participant, TalkEffect, TalkEvent
from bridge.causes import Cause
from bridge.fake import FakeWorld, VirtualClock
from bridge.fake.sensing import take_snapshot
from bridge.fake.terrain import Drop
from bridge.world import BotName, Death, PlayerName, Position, WorldSnapshot

if TYPE_CHECKING:
    from bots.experiments.seats import Seats

MOST_STEPS = 1_000  # per turn that the caps allow; a talk with more does not end

Callback: TypeAlias = Callable[[], None]


class Simulation:
    """One run; `run` plays it to the end."""

    def __init__(
        self,
        scenario: Scenario,
        machine: Machine,
        players: Players,
        world: SimulatedWorld,
        recorder: LogRecorder,
    ) -> None:
        self._scenario, self._machine, self._players = scenario, machine, players
        self._world, self._recorder = world, recorder
        self._agenda: list[tuple[int, int, Callback]] = []
        """Callbacks in order of time; those of the same time in the order they were entered."""
        self._numbers = itertools.count()
        self._now_ms = 0
        self._schedule = Schedule(scenario)
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._thinking: set[int] = set()
        self._saying: set[int] = set()
        self._alarms = 0
        self._ended = False

    def run(self) -> int:
        """Play to the end; returns how many of the scenario's events never became due. Raises
        ExperimentFailed if the talk does not end."""
        self._record_positions()
        for at_ms, step in self._schedule.timed:
            self._enter(at_ms, partial(self._do, step))
        self._carry_out(None, self._machine.start(0))
        steps = MOST_STEPS * (self._scenario.caps.turns + 10)
        # Lines that are being said when the talk ends are still delivered.
        while self._agenda and (not self._ended or self._saying):
            self._now_ms, _, callback = heapq.heappop(self._agenda)
            self._world.pass_to(self._now_ms)
            callback()
            steps -= 1
            if not steps:
                raise ExperimentFailed("the talk does not end")
        return self._schedule.left

    def _enter(self, after_ms: int, callback: Callback) -> None:
        at_ms = self._now_ms + max(0, after_ms)
        heapq.heappush(self._agenda, (at_ms, next(self._numbers), callback))

    # --- to the machine and back -----------------------------------------------------

    def _tell(self, event: TalkEvent) -> None:
        if not self._ended or isinstance(event, events.Delivered):
            self._carry_out(event, self._machine.take(event, self._now_ms))

    def _carry_out(self, event: TalkEvent | None, effects: Sequence[TalkEffect]) -> None:
        self._recorder.transition(Transition(self._now_ms, event, tuple(effects)))
        for effect in effects:
            match effect:
                case events.Think():
                    self._think(effect)
                case events.CancelThinking():
                    self._thinking.discard(effect.turn)
                case events.Say():
                    hearing = self._players.say(effect.speaker, effect.text, effect.to)
                    self._saying.add(effect.line)
                    lasts_s = len(effect.text) / self._scenario.talk.saying_characters_per_s
                    self._enter(round(lasts_s * MS_PER_S), partial(self._said, effect, hearing))
                case events.WakeAt():
                    self._alarms += 1
                    wait_ms = effect.at_ms - self._now_ms
                    self._enter(wait_ms, partial(self._ring, self._alarms))
                case events.Ended():
                    self._ended = True
                case _:  # Announce and SpeakerChosen only need to be recorded
                    pass

    def _ring(self, alarm: int) -> None:
        """A later `WakeAt` replaces an earlier one."""
        if alarm == self._alarms:
            self._tell(events.TimePassed())

    # --- turns -----------------------------------------------------------------------

    def _think(self, effect: events.Think) -> None:
        answer, outcome = self._players.think(effect)
        # The answer's own time, else a random one; drawn anyway, to keep other turns the same.
        by_chance = self._pace.uniform(*self._scenario.talk.thinking_s)
        took_ms = round(float(answer.facts.get(TAKES_S, by_chance)) * MS_PER_S)
        self._thinking.add(effect.turn)
        self._enter(took_ms, partial(self._answer, effect, answer, outcome, took_ms))
        for step in self._schedule.during(effect.turn):
            self._enter(took_ms // 2, partial(self._do, step))

    def _answer(
        self,
        effect: events.Think,
        answer: Answer,
        outcome: events.Answered | events.AnswerFailed,
        took_ms: int,
    ) -> None:
        """Report the words; those of a cancelled turn only if they cost something."""
        if effect.turn in self._thinking or answer.tokens or answer.cost_usd:
            self._recorder.answer(self._now_ms, effect, answer, took_ms)
            self._thinking.discard(effect.turn)
            self._tell(outcome)

    def _said(self, effect: events.Say, hearing: Mapping[str, str | None]) -> None:
        self._saying.discard(effect.line)
        for step in self._schedule.after(effect.turn):
            self._enter(0, partial(self._do, step))
        self._tell(events.Delivered(effect.line, hearing))

    # --- the scenario's steps ---------------------------------------------------------

    def _do(self, step: ScheduledStep) -> None:
        if self._ended or isinstance(step, Task):  # an estimate has nobody who works
            return
        if isinstance(step, PersonLine):
            if step.name in self._players.present:
                to = self._players.others(step.name)
                hearing = self._players.say(step.name, step.text, to)
                self._tell(events.Spoke(step.name, step.text, hearing))
        elif step.who in self._players.present or step.do == "join" or not step.who:
            self._act(step)
            self._record_positions()

    def _act(self, event: ScheduledEvent) -> None:
        match event.do:
            case "walk":
                self._world.walk(event.who, self._position(event))
                self._enter(SEEN_EVERY_MS, self._watch_walks)
            case "teleport":
                self._world.teleport(event.who, self._position(event))
            case "lose_lines":
                self._world.deaf ^= {event.who}
            case "join":
                if (who := self._players.join(event.who)) is not None:
                    self._tell(events.Joined(who))
            case "leave":
                if self._players.leave(event.who):
                    self._tell(events.Left(event.who, event.why or "left"))
            case _:
                self._tell(talk_event(event))

    def _watch_walks(self) -> None:
        """Record positions until nobody walks any more."""
        self._record_positions()
        if self._world.walking:
            self._enter(SEEN_EVERY_MS, self._watch_walks)

    def _record_positions(self) -> None:
        self._recorder.positions(self._now_ms, self._world.positions)

    def _position(self, event: ScheduledEvent) -> Position:
        assert event.to is not None  # a scenario without is refused
        return Position(*self._scenario.point(event.to))


OF_TALK: dict[str, Callable[[str], TalkEvent]] = {
    "busy": events.BecameBusy,
    "free": events.BecameFree,
    "pause": events.Paused,
    "resume": events.Resumed,
    "end": events.EndAsked,
}


def talk_event(event: ScheduledEvent) -> TalkEvent:
    """The talk's event for a scenario event that does not concern the world."""
    who = event.who or "the scenario"
    if event.do == "end" and event.why:
        return events.EndAsked(who, event.why)
    return OF_TALK[event.do](who)


Standing: TypeAlias = list[float | str]
"""x, y, z in blocks and the dimension, as a log line holds them."""


class SimulatedClock(VirtualClock):
    def __init__(self) -> None:
        super().__init__(auto=False)
        self.at_ms = 0

    def monotonic(self) -> float:
        return self.at_ms / MS_PER_S


class Walk(NamedTuple):
    """In a straight line at constant speed."""

    begin: Position
    end: Position
    begin_ms: int
    end_ms: int

    def at(self, at_ms: int) -> Position:
        if at_ms >= self.end_ms:
            return self.end
        done = (at_ms - self.begin_ms) / (self.end_ms - self.begin_ms)
        a, b = self.begin, self.end
        ways = ((a.x, b.x), (a.y, b.y), (a.z, b.z))
        return Position(*(start + (end - start) * done for start, end in ways))


class SimulatedWorld:
    """A `FakeWorld` in which the simulation moves everybody and carries every whisper."""

    def __init__(self, hearing_range: float, walking_blocks_per_s: float) -> None:
        self.clock = SimulatedClock()
        self.fake = FakeWorld(self.clock)
        self.deaf: set[str] = set()
        """Players who receive no lines."""
        self._range, self._speed = hearing_range, walking_blocks_per_s
        self._walks: dict[str, Walk] = {}
        self._arrived: set[str] = set()
        self.fake.watchers.append(self)

    def enter(self, name: str, position: Position) -> None:
        self.fake.enter(PlayerName(name), position)

    def leave(self, name: str) -> None:
        self._walks.pop(name, None)
        self.fake.leave(PlayerName(name))

    def teleport(self, name: str, position: Position) -> None:
        self._walks.pop(name, None)
        self.fake.teleport(name, position)

    def walk(self, name: str, to: Position) -> int:
        """Start walking; returns the milliseconds until the arrival."""
        begin, now_ms = self.fake.body(name).position, self.clock.at_ms
        needs_ms = round(begin.distance_to(to) / self._speed * MS_PER_S)
        self._walks[name] = Walk(begin, to, now_ms, now_ms + needs_ms)
        return needs_ms

    def pass_to(self, at_ms: int) -> None:
        """Move the clock to `at_ms`, and everybody who walks."""
        self.clock.at_ms = at_ms
        for name, walk in list(self._walks.items()):
            self.fake.teleport(name, walk.at(at_ms))
            if at_ms >= walk.end_ms:
                del self._walks[name]

    @property
    def walking(self) -> bool:
        return bool(self._walks)

    @property
    def positions(self) -> dict[str, Standing]:
        return {
            name: standing_at(body.position, body.dimension)
            for name, body in self.fake.bodies.items()
        }

    def snapshot(self, name: str) -> WorldSnapshot:
        return take_snapshot(self.fake, self.fake.body(name), 0)

    def near(self, name: str, others: Iterable[str]) -> frozenset[str]:
        return frozenset(other for other in others if self._reason(name, other) is None)

    def say(self, speaker: str, to: Iterable[str], text: str) -> dict[str, str | None]:
        """Whisper to everybody in range; for each None, or why they did not hear it."""
        found = {name: self._reason(speaker, name) for name in to}
        for name in (name for name, reason in found.items() if reason is None):
            self._arrived.clear()
            if name not in self.deaf:
                self.fake.whisper(PlayerName(speaker), PlayerName(name), text)
            found[name] = None if name in self._arrived else "undelivered"
        return found

    def _reason(self, speaker: str, to: str) -> str | None:
        bodies = self.fake.bodies
        one, other = bodies.get(PlayerName(speaker)), bodies.get(PlayerName(to))
        if one is None or other is None:
            return "player_not_found"
        if not self.fake.sees(one, other):
            return "entity_not_available"
        far = one.position.distance_to(other.position) > self._range
        return "out_of_range" if far else None

    def whispered(self, sender: PlayerName, to: PlayerName, text: str) -> None:
        """Called by the world; the events below concern nobody here."""
        self._arrived.add(to)

    def joined(self, player: PlayerName) -> None: ...
    def left(self, player: PlayerName) -> None: ...
    def chatted(self, sender: PlayerName, text: str) -> None: ...
    def looked_around(self) -> None: ...
    def changed_health(self, player: PlayerName) -> None: ...
    def hurt(self, player: PlayerName, lost: float, cause: Cause | None) -> None: ...
    def given(self, player: PlayerName, drop: Drop, count: int) -> None: ...
    def handed(self, giver: PlayerName, taker: PlayerName) -> None: ...
    def placed(self, player: PlayerName, block: str, position: Position) -> None: ...
    def died(self, player: PlayerName, death: Death, cause: Cause | None) -> None: ...
    def removed(self, player: PlayerName, text: str, key: str) -> None: ...


def standing_at(position: Position, dimension: str) -> Standing:
    return [round(position.x, 2), round(position.y, 2), round(position.z, 2), dimension]


class Players:
    def __init__(
        self,
        scenario: Scenario,
        world: SimulatedWorld,
        cast: Mapping[str, Actor],
        wait: Callable[[Coroutine[Any, Any, Answer]], Answer],
    ) -> None:
        """`wait` runs an answer that has to be awaited to its end."""
        self._scenario, self._world, self._actors, self._wait = scenario, world, cast, wait
        self._roster = {who.name: who for who in scenario.roster}
        self.present = [name for name in self._roster if name in scenario.present]
        """The names of those who take part now."""
        self._heard: dict[str, list[Heard]] = {name: [] for name in self._roster}
        """By participant the lines that it heard or said."""
        self._thought_for: dict[str, frozenset[str] | None] = {}
        """By speaker, who alone may hear its next line."""
        self._rngs = {name: own_rng(scenario.seed, name) for name in self._roster}
        self._homes = {who.name: who.at for who in scenario.players}
        for name in self.present:
            self._enter(name)

    def join(self, name: str) -> Participant | None:
        """Add a participant; None if already present."""
        if name in self.present:
            return None
        self.present.append(name)
        self._enter(name)
        return self._roster[name]

    def leave(self, name: str) -> bool:
        """Remove a participant; False if not present."""
        if name not in self.present:
            return False
        self.present.remove(name)
        self._world.leave(name)
        return True

    def think(self, effect: events.Think) -> tuple[Answer, events.Answered | events.AnswerFailed]:
        """The speaker's words and the event that reports them, without delay."""
        try:
            found = self._actors[effect.speaker](self._asked(effect))
            answer = self._wait(found) if isawaitable(found) else found
        except actors.ThinkingFailed as failed:
            facts = {**failed.facts, "failed": str(failed)}
            return Answer("", facts=facts), events.AnswerFailed(effect.turn, str(failed))
        self._thought_for[effect.speaker] = answer.hearers
        return answer, events.Answered(
            effect.turn, answer.text, answer.nominates, answer.tokens, answer.cost_usd
        )

    def say(self, speaker: str, text: str, to: Sequence[str]) -> dict[str, str | None]:
        """Say a line from where everybody stands now; for each None, or why it was not heard."""
        only = self._thought_for.pop(speaker, None)
        told = [name for name in to if only is None or name in only]
        hearing = self._world.say(speaker, told, text)
        meant = (name for name, why_not in hearing.items() if why_not in (None, "undelivered"))
        line = Heard(speaker, text, actors.said_among(speaker, meant))
        self._heard[speaker].append(line)
        for name, why_not in hearing.items():
            if why_not is None:
                self._heard[name].append(line)
        return {name: hearing.get(name, "not_told") for name in to}

    def others(self, name: str) -> tuple[str, ...]:
        return tuple(other for other in self.present if other != name)

    def _enter(self, name: str) -> None:
        self._world.enter(name, Position(*self._scenario.point(self._homes[name])))

    def _asked(self, effect: events.Think) -> Asked:
        name = effect.speaker
        others = self.others(name)
        return Asked(
            name=name,
            turn=effect.turn,
            round=effect.round,
            why=effect.why,
            say_goodbye=effect.say_goodbye,
            heard=self._heard[name],
            others=others,
            near=self._world.near(name, others),
            topic=self._scenario.talk.topic,
            rng=self._rngs[name],
        )


def own_rng(seed: int, name: str) -> random.Random:
    """The random numbers of one participant, independent of what others draw."""
    return random.Random(f"{seed}:{name}")


class ScenarioPersonas(PersonaFiles):
    """The personas of a scenario, in place of a daemon's files."""

    def __init__(self, cast: Sequence[Member]) -> None:
        super().__init__(Path())
        self._cast = {member.name: member.as_persona for member in cast}

    def read(self, name: str) -> Persona:
        return self._cast[name]


class ModelBots:
    """The bots of one run that ask a model, with the prompts and rules of a real talk.

    The talk waits while a model answers; the seconds it took count as the turn's in the simulated
    time."""

    def __init__(
        self, scenario: Scenario, paid: paid_models.PaidModels, world: SimulatedWorld
    ) -> None:
        self._scenario, self._paid, self._world = scenario, paid, world
        self._bots = frozenset(member.name for member in scenario.cast)
        self._personas = ScenarioPersonas(scenario.cast)
        self._scenes: dict[int, dict[str, Any]] = {}
        """By round the scene as the first bot senses it."""

    async def think(self, asked: Asked) -> Answer:
        scenario, paid = self._scenario, self._paid
        if asked.round not in self._scenes:
            seen = self._world.snapshot(scenario.cast[0].name)
            self._scenes[asked.round] = scene_of(seen)
        seats = [
            Participant(name, "bot" if name in self._bots else "person") for name in asked.others
        ]
        context = TurnContext(
            asked.others,
            self._scenes[asked.round],
            asked.topic,
            asked.why,
            asked.say_goodbye,
            asked.view,
            may_follow=scenario.policy.may_follow(asked.name, seats),
        )
        name, now = BotName(asked.name), self._world.clock.now()
        history: list[Message] = []
        for number, line in enumerate(asked.heard, 1):
            # A model sees the order of lines, not their times.
            at, sources = now + timedelta(milliseconds=number), line.sources
            said = Utterance(number, line.speaker, line.text, "conversation", at, sources=sources)
            history.append(Message(name, number, said, at))

        async def look() -> WorldSnapshot:
            return self._world.snapshot(name)

        senses = actors.CastSenses(name, look, history)
        thinker = TalkThinker(
            paid.engine,
            self._personas,
            self._bots,
            asked.rng,
            lambda _origin: Level.TRUSTED,
            paid.cut_s,
            NoMemory(),
            paid.limits,
        )
        planned = paid_models.as_planned(thinker, scenario, paid.own)[asked.name]

        def is_busy(found: Answer) -> bool:
            return found.facts.get("source") == "rules" and found.facts["why"] in paid_models.BUSY

        answer = await paid_models.patiently(lambda: planned.think(senses, context), is_busy)
        facts = answer.facts
        if facts.get("source") != "rules":  # which take the scenario's time
            facts = {**facts, TAKES_S: facts.get("seconds", 0.0)}
        return replace(answer, facts=facts, hearers=asked.near)


def simulate(
    prepared: PreparedRun,
    out: Path,
    opening: paid_models.Opening | None = None,
    seats: Seats | None = None,
) -> None:
    """Play it in the simulated world. Without models, bots that should ask one use rules. Raises
    ExperimentFailed, LogError or ScenarioError, and what `opening` the models does."""
    scenario, talk = prepared.scenario, prepared.scenario.talk
    world = SimulatedWorld(talk.hearing_range, talk.walking_blocks_per_s)
    with closing(asyncio.Runner()) as loop, ExitStack() as stack:  # a loop begins when it is used
        paid = paid_models.without_model(Times.real())
        if opening is not None:
            models = AsyncExitStack()
            paid = loop.run(models.enter_async_context(opening))
            stack.callback(lambda: loop.run(models.aclose()))
        bots = ModelBots(scenario, paid, world)

        def actor_of(member: Member) -> Actor:
            actor = actors.scripted_actor(member, prepared.folder, seats)
            if actor is None and member.mind == "model":
                actor = bots.think
            if actor is None:
                actor = actors.by_rules(member.as_persona, partial(world.snapshot, member.name))
            is_opener = scenario.opener == member.name
            return actors.opening_with(scenario.opening_words, actor) if is_opener else actor

        cast = {member.name: actor_of(member) for member in scenario.cast}
        machine = machine_for(scenario, ScenarioRules.of(scenario, prepared.folder).asked)
        with recording(prepared, out, paid.used) as recorder:
            recorder.checked(paid.checks)
            players = Players(scenario, world, cast, loop.run)
            left = Simulation(scenario, machine, players, world, recorder).run()
            recorder.end(left, paid.charged_usd if opening else None)
