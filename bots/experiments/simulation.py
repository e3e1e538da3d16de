"""Plays a scenario in a simulated world and simulated time, with the machine of real talks.

`TalkRunner` waits for tasks, timers and sockets. Here the time of every event is known as soon as
it is decided, so a queue in order of time takes the runner's place: thousands of turns a second,
and the same run for the same seed.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

from bots.clock import MS_PER_S
from bots.experiments.actors import TAKES_S
from bots.experiments.log import SEEN_EVERY_MS, Transition
from bots.experiments.scenario import (
    ExperimentFailed,
    PersonLine,
    Scenario,
    Schedule,
    ScheduledEvent,
    ScheduledStep,
    Task,
)
from bots.experiments.simulated_world import Players, SimulatedWorld, own_rng
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
from bridge.world import Position

MOST_STEPS = 1_000  # per turn that the caps allow; a talk with more does not end

Callback: TypeAlias = Callable[[], None]


class Recorder(Protocol):
    """Records what happens, in order."""

    def transition(self, transition: Transition) -> None: ...
    def answer(self, at_ms: int, effect: Think, answer: Answer, took_ms: int) -> None: ...
    def positions(self, at_ms: int, positions: Mapping[str, Any]) -> None: ...


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
        recorder: Recorder,
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
        while not self._over and (callback := self._agenda.next()) is not None:
            self._world.pass_to(self._agenda.now_ms)
            callback()
            steps -= 1
            if not steps:
                raise ExperimentFailed("the talk does not end")
        return self._schedule.left

    @property
    def _over(self) -> bool:
        """Lines that are being said when the talk ends are still delivered."""
        return self._ended and not self._saying

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
                    self._say(effect)
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

    def _say(self, effect: Say) -> None:
        hearing = self._players.say(effect.speaker, effect.text, effect.to)
        self._saying.add(effect.line)
        lasts_s = len(effect.text) / self._scenario.talk.saying_characters_per_s
        self._agenda.enter(round(lasts_s * MS_PER_S), partial(self._said, effect, hearing))

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
