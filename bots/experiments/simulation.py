"""Plays a scenario in a simulated world and simulated time, with the machine of real talks.

`TalkRunner` waits for tasks, timers and sockets. Here the time of every event is known as soon as
it is decided, so a queue in order of time takes the runner's place: thousands of turns a second,
and the same run for the same seed.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import isawaitable
from typing import Any, TypeAlias

from bots.clock import MS_PER_S
from bots.experiments.actors import TAKES_S, Actor, Asked, Heard, ThinkingFailed, said_among
from bots.experiments.log import SEEN_EVERY_MS, LogRecorder, Transition
from bots.experiments.scenario import (
    ExperimentFailed,
    PersonLine,
    Scenario,
    Schedule,
    ScheduledEvent,
    ScheduledStep,
    Task,
)
from bots.talks.live.runner import Answer, Machine
from bots.talks.machine.events import (
    Answered,
    AnswerFailed,
    BecameBusy,
    BecameFree,
    CancelThinking,
    Delivered,
    EndAsked,
    Ended,
    Joined,
    Left,
    Participant,
    Paused,
    Resumed,
    Say,
    Spoke,
    TalkEffect,
    TalkEvent,
    Think,
    TimePassed,
    WakeAt,
)
from bridge.causes import Cause
from bridge.fake import FakeWorld, VirtualClock
from bridge.fake.sensing import take_snapshot
from bridge.fake.terrain import Drop
from bridge.world import Death, PlayerName, Position, WorldSnapshot

MOST_STEPS = 1_000  # per turn that the caps allow; a talk with more does not end

Callback: TypeAlias = Callable[[], None]


class Agenda:
    """Callbacks in order of time; those of the same time in the order they were entered."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._callbacks: list[tuple[int, int, Callback]] = []
        self._numbers = itertools.count()

    def enter(self, after_ms: int, callback: Callback) -> None:
        """Call this `after_ms` from now."""
        at_ms = self.now_ms + max(0, after_ms)
        heapq.heappush(self._callbacks, (at_ms, next(self._numbers), callback))

    def next(self) -> Callback | None:
        """Advance to the next callback and return it; None if there is none."""
        if not self._callbacks:
            return None
        self.now_ms, _, callback = heapq.heappop(self._callbacks)
        return callback


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
        self._agenda = Agenda()
        self._schedule = Schedule(scenario)
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._thinking: set[int] = set()
        self._saying: set[int] = set()
        self._alarms = 0
        self._ended = False

    def run(self) -> int:
        """Play to the end; returns how many of the scenario's events never became due.

        Raises ExperimentFailed if the talk does not end."""
        self._record_positions()
        for at_ms, step in self._schedule.timed:
            self._agenda.enter(at_ms, partial(self._do, step))
        self._carry_out(None, self._machine.start(0))
        steps = MOST_STEPS * (self._scenario.caps.turns + 10)
        # Lines that are being said when the talk ends are still delivered.
        while (not self._ended or self._saying) and (callback := self._agenda.next()) is not None:
            self._world.pass_to(self._agenda.now_ms)
            callback()
            steps -= 1
            if not steps:
                raise ExperimentFailed("the talk does not end")
        return self._schedule.left

    # --- to the machine and back -----------------------------------------------------

    def _tell(self, event: TalkEvent) -> None:
        if not self._ended or isinstance(event, Delivered):
            self._carry_out(event, self._machine.take(event, self._agenda.now_ms))

    def _carry_out(self, event: TalkEvent | None, effects: Sequence[TalkEffect]) -> None:
        self._recorder.transition(Transition(self._agenda.now_ms, event, tuple(effects)))
        for effect in effects:
            match effect:
                case Think():
                    self._think(effect)
                case CancelThinking():
                    self._thinking.discard(effect.turn)
                case Say():
                    hearing = self._players.say(effect.speaker, effect.text, effect.to)
                    self._saying.add(effect.line)
                    lasts_s = len(effect.text) / self._scenario.talk.saying_characters_per_s
                    self._agenda.enter(
                        round(lasts_s * MS_PER_S), partial(self._said, effect, hearing)
                    )
                case WakeAt():
                    self._alarms += 1
                    wait_ms = effect.at_ms - self._agenda.now_ms
                    self._agenda.enter(wait_ms, partial(self._ring, self._alarms))
                case Ended():
                    self._ended = True
                case _:  # Announce and SpeakerChosen only need to be recorded
                    pass

    def _ring(self, alarm: int) -> None:
        """A later `WakeAt` replaces an earlier one."""
        if alarm == self._alarms:
            self._tell(TimePassed())

    # --- turns -----------------------------------------------------------------------

    def _think(self, effect: Think) -> None:
        answer, outcome = self._players.think(effect)
        # The answer's own time, else a random one; drawn anyway, to keep other turns the same.
        by_chance = self._pace.uniform(*self._scenario.talk.thinking_s)
        took_ms = round(float(answer.facts.get(TAKES_S, by_chance)) * MS_PER_S)
        self._thinking.add(effect.turn)
        self._agenda.enter(took_ms, partial(self._answer, effect, answer, outcome, took_ms))
        for step in self._schedule.during(effect.turn):
            self._agenda.enter(took_ms // 2, partial(self._do, step))

    def _answer(
        self, effect: Think, answer: Answer, outcome: Answered | AnswerFailed, took_ms: int
    ) -> None:
        """Report the words; those of a cancelled turn only if they cost something."""
        if effect.turn in self._thinking or answer.tokens or answer.cost_usd:
            self._recorder.answer(self._agenda.now_ms, effect, answer, took_ms)
            self._thinking.discard(effect.turn)
            self._tell(outcome)

    def _said(self, effect: Say, hearing: Mapping[str, str | None]) -> None:
        self._saying.discard(effect.line)
        for step in self._schedule.after(effect.turn):
            self._agenda.enter(0, partial(self._do, step))
        self._tell(Delivered(effect.line, hearing))

    # --- the scenario's steps ---------------------------------------------------------

    def _do(self, step: ScheduledStep) -> None:
        if self._ended or isinstance(step, Task):  # an estimate has nobody who works
            return
        if isinstance(step, PersonLine):
            if step.name in self._players.present:
                to = self._players.others(step.name)
                hearing = self._players.say(step.name, step.text, to)
                self._tell(Spoke(step.name, step.text, hearing))
        elif step.who in self._players.present or step.do == "join" or not step.who:
            self._act(step)
            self._record_positions()

    def _act(self, event: ScheduledEvent) -> None:
        match event.do:
            case "walk":
                self._world.walk(event.who, self._position(event))
                self._agenda.enter(SEEN_EVERY_MS, self._watch_walks)
            case "teleport":
                self._world.teleport(event.who, self._position(event))
            case "lose_lines":
                self._world.deaf ^= {event.who}
            case "join":
                if (who := self._players.join(event.who)) is not None:
                    self._tell(Joined(who))
            case "leave":
                if self._players.leave(event.who):
                    self._tell(Left(event.who, event.why or "left"))
            case _:
                self._tell(talk_event(event))

    def _watch_walks(self) -> None:
        """Record positions until nobody walks any more."""
        self._record_positions()
        if self._world.walking:
            self._agenda.enter(SEEN_EVERY_MS, self._watch_walks)

    def _record_positions(self) -> None:
        self._recorder.positions(self._agenda.now_ms, self._world.positions)

    def _position(self, event: ScheduledEvent) -> Position:
        assert event.to is not None  # a scenario without is refused
        return Position(*self._scenario.point(event.to))


def talk_event(event: ScheduledEvent) -> TalkEvent:
    """The talk's event for a scenario event that does not concern the world."""
    match event.do:
        case "busy":
            return BecameBusy(event.who)
        case "free":
            return BecameFree(event.who)
        case "pause":
            return Paused(event.who or "the scenario")
        case "resume":
            return Resumed(event.who or "the scenario")
        case _:
            return EndAsked(event.who or "the scenario", event.why or "asked")


Standing: TypeAlias = list[float | str]
"""x, y, z in blocks and the dimension, as a log line holds them."""


class SimulatedClock(VirtualClock):
    """A clock that the simulation sets."""

    def __init__(self) -> None:
        super().__init__(auto=False)
        self.at_ms = 0

    def monotonic(self) -> float:
        return self.at_ms / MS_PER_S


@dataclass(frozen=True, slots=True)
class Walk:
    """A walk in a straight line at constant speed."""

    begin: Position
    end: Position
    begin_ms: int
    end_ms: int

    def at(self, at_ms: int) -> Position:
        if at_ms >= self.end_ms:
            return self.end
        done = (at_ms - self.begin_ms) / (self.end_ms - self.begin_ms)
        a, b = self.begin, self.end
        return Position(
            a.x + (b.x - a.x) * done, a.y + (b.y - a.y) * done, a.z + (b.z - a.z) * done
        )


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
        """Where everybody stands, by name."""
        return {
            name: standing_at(body.position, body.dimension)
            for name, body in self.fake.bodies.items()
        }

    def snapshot(self, name: str) -> WorldSnapshot:
        return take_snapshot(self.fake, self.fake.body(name), 0)

    def near(self, name: str, others: Iterable[str]) -> frozenset[str]:
        """Those who would hear this player now."""
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

    # --- called by the world -----------------------------------------------------

    def whispered(self, sender: PlayerName, to: PlayerName, text: str) -> None:
        self._arrived.add(to)

    def joined(self, player: PlayerName) -> None:
        """Nothing to do, as for all events below."""

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
    """The participants of one run."""

    def __init__(
        self,
        scenario: Scenario,
        world: SimulatedWorld,
        actors: Mapping[str, Actor],
        wait: Callable[[Coroutine[Any, Any, Answer]], Answer],
    ) -> None:
        """`wait` runs an answer that has to be awaited to its end."""
        self._scenario, self._world, self._actors = scenario, world, actors
        self._wait = wait
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

    def think(self, effect: Think) -> tuple[Answer, Answered | AnswerFailed]:
        """The speaker's words and the event that reports them, without delay."""
        try:
            found = self._actors[effect.speaker](self._asked(effect))
            answer = self._wait(found) if isawaitable(found) else found
        except ThinkingFailed as failed:
            facts = {**failed.facts, "failed": str(failed)}
            return Answer("", facts=facts), AnswerFailed(effect.turn, str(failed))
        self._thought_for[effect.speaker] = answer.hearers
        return answer, Answered(
            effect.turn, answer.text, answer.nominates, answer.tokens, answer.cost_usd
        )

    def say(self, speaker: str, text: str, to: Sequence[str]) -> dict[str, str | None]:
        """Say a line from where everybody stands now; for each None, or why it was not heard."""
        only = self._thought_for.pop(speaker, None)
        told = [name for name in to if only is None or name in only]
        hearing = self._world.say(speaker, told, text)
        meant = (name for name, why_not in hearing.items() if why_not in (None, "undelivered"))
        line = Heard(speaker, text, said_among(speaker, meant))
        self._heard[speaker].append(line)
        for name, why_not in hearing.items():
            if why_not is None:
                self._heard[name].append(line)
        return {name: hearing.get(name, "not_told") for name in to}

    def others(self, name: str) -> tuple[str, ...]:
        return tuple(other for other in self.present if other != name)

    def _enter(self, name: str) -> None:
        self._world.enter(name, Position(*self._scenario.point(self._homes[name])))

    def _asked(self, effect: Think) -> Asked:
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
