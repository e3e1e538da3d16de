"""Plays a scenario in a simulated world, in its own time: the same machine, nothing waited for.

The runner of real talks (bots/talk/runner.py) waits for tasks, timers and sockets. Here whatever
will happen is known with its moment as soon as it is decided, so an agenda in order of time
takes the runner's place: thousands of turns a second, and the same run for the same seed.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

from bots.experiments.actors.cues import TAKES_S
from bots.experiments.log.event_log import Moment
from bots.experiments.log.recorder import SEEN_EVERY_MS
from bots.experiments.scenario.errors import ExperimentFailed
from bots.experiments.scenario.parts import Event
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.scenario.schedule import Deed, Schedule, Utter
from bots.experiments.simulation.ground import Ground
from bots.experiments.simulation.players import Players, own_rng
from bots.talks.live.runner import Machine
from bots.talks.live.stage import Thought
from bots.talks.machine.events import (
    Answered,
    AnswerFailed,
    BecameBusy,
    BecameFree,
    Delivered,
    DropThought,
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

MS_PER_S = 1_000
MOST_STEPS = 1_000  # for each turn the caps allow; more is a talk that does not end


class Recorder(Protocol):
    """Is told what happens, in order."""

    def moment(self, moment: Moment) -> None: ...
    def thought(self, at_ms: int, wish: Think, thought: Thought, took_ms: int) -> None: ...
    def positions(self, at_ms: int, positions: Mapping[str, Any]) -> None: ...


class Simulation:
    """One run; `run` plays it to its end."""

    def __init__(
        self,
        scenario: Scenario,
        machine: Machine,
        players: Players,
        ground: Ground,
        recorder: Recorder,
    ) -> None:
        self._scenario, self._machine, self._players = scenario, machine, players
        self._ground, self._recorder = ground, recorder
        self._agenda = Agenda()
        self._schedule = Schedule(scenario)
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._thinking: set[int] = set()
        self._saying: set[int] = set()
        self._alarms = 0
        self._ended = False

    def run(self) -> int:
        """How many of the scenario's events never came. Raises ExperimentFailed when the talk
        does not end."""
        self._tell_positions()
        for at_ms, deed in self._schedule.timed:
            self._agenda.enter(at_ms, partial(self._do, deed))
        self._go_on(None, self._machine.start(0))
        steps = MOST_STEPS * (self._scenario.caps.turns + 10)
        while not self._over and (step := self._agenda.next()) is not None:
            self._ground.pass_to(self._agenda.now_ms)
            step()
            steps -= 1
            if not steps:
                raise ExperimentFailed("the talk does not come to its end")
        return self._schedule.left

    @property
    def _over(self) -> bool:
        """Words that are being said when a talk ends are said to their end."""
        return self._ended and not self._saying

    # --- to the machine and back -----------------------------------------------------

    def _tell(self, happening: TalkEvent) -> None:
        if not self._ended or isinstance(happening, Delivered):
            self._go_on(happening, self._machine.take(happening, self._agenda.now_ms))

    def _go_on(self, happening: TalkEvent | None, wishes: Sequence[TalkEffect]) -> None:
        self._recorder.moment(Moment(self._agenda.now_ms, happening, tuple(wishes)))
        for wish in wishes:
            match wish:
                case Think():
                    self._think(wish)
                case DropThought():
                    self._thinking.discard(wish.turn)
                case Say():
                    self._say(wish)
                case WakeAt():
                    self._alarms += 1
                    wait_ms = wish.at_ms - self._agenda.now_ms
                    self._agenda.enter(wait_ms, partial(self._ring, self._alarms))
                case Ended():
                    self._ended = True
                case _:  # announcements and decisions are for the record, which has them
                    pass

    def _ring(self, alarm: int) -> None:
        """A later wish to be woken replaces an earlier one."""
        if alarm == self._alarms:
            self._tell(TimePassed())

    # --- turns -----------------------------------------------------------------------

    def _think(self, wish: Think) -> None:
        thought, outcome = self._players.think(wish)
        took_ms = self._takes_ms(thought)
        self._thinking.add(wish.turn)
        self._agenda.enter(took_ms, partial(self._answer, wish, thought, outcome, took_ms))
        for deed in self._schedule.during(wish.turn):
            self._agenda.enter(took_ms // 2, partial(self._do, deed))

    def _takes_ms(self, thought: Thought) -> int:
        """As told, else by chance; drawn for each turn, so that a told one changes no other."""
        by_chance = self._pace.uniform(*self._scenario.talk.thinking_s)
        return round(float(thought.facts.get(TAKES_S, by_chance)) * MS_PER_S)

    def _answer(
        self, wish: Think, thought: Thought, outcome: Answered | AnswerFailed, took_ms: int
    ) -> None:
        """Words that nobody waits for any more are told only if they cost something."""
        if wish.turn in self._thinking or thought.tokens or thought.cost_usd:
            self._recorder.thought(self._agenda.now_ms, wish, thought, took_ms)
            self._thinking.discard(wish.turn)
            self._tell(outcome)

    def _say(self, wish: Say) -> None:
        hearing = self._players.voice(wish.speaker, wish.text, wish.to)
        self._saying.add(wish.line)
        lasts_s = len(wish.text) / self._scenario.talk.saying_characters_per_s
        self._agenda.enter(round(lasts_s * MS_PER_S), partial(self._said, wish, hearing))

    def _said(self, wish: Say, hearing: Mapping[str, str | None]) -> None:
        self._saying.discard(wish.line)
        for deed in self._schedule.after(wish.turn):
            self._agenda.enter(0, partial(self._do, deed))
        self._tell(Delivered(wish.line, hearing))

    # --- what the scenario lets happen -------------------------------------------------

    def _do(self, deed: Deed) -> None:
        if self._ended:
            return
        if isinstance(deed, Utter):
            self._utter(deed)
        elif deed.who in self._players.present or deed.do == "join" or not deed.who:
            self._act(deed)
            self._tell_positions()

    def _utter(self, said: Utter) -> None:
        if said.name in self._players.present:
            to = self._players.others(said.name)
            hearing = self._players.voice(said.name, said.text, to)
            self._tell(Spoke(said.name, said.text, hearing))

    def _act(self, event: Event) -> None:
        match event.do:
            case "walk":
                self._ground.walk(event.who, self._position(event))
                self._agenda.enter(SEEN_EVERY_MS, self._watch_walks)
            case "teleport":
                self._ground.teleport(event.who, self._position(event))
            case "lose_lines":
                self._ground.deaf ^= {event.who}
            case "join":
                if (who := self._players.join(event.who)) is not None:
                    self._tell(Joined(who))
            case "leave":
                if self._players.leave(event.who):
                    self._tell(Left(event.who, event.why or "left"))
            case _:
                self._tell(plain_happening(event))

    def _watch_walks(self) -> None:
        """Keep where everybody is until nobody walks."""
        self._tell_positions()
        if self._ground.walking:
            self._agenda.enter(SEEN_EVERY_MS, self._watch_walks)

    def _tell_positions(self) -> None:
        self._recorder.positions(self._agenda.now_ms, self._ground.positions)

    def _position(self, event: Event) -> Position:
        assert event.to is not None  # a scenario without is refused
        return Position(*self._scenario.point(event.to))


def plain_happening(event: Event) -> TalkEvent:
    """The happening of an event that concerns the talk alone."""
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


Step: TypeAlias = Callable[[], None]


class Agenda:
    """Steps of one moment come in the order in which they were entered."""

    def __init__(self) -> None:
        self.now_ms = 0
        self._steps: list[tuple[int, int, Step]] = []
        self._numbers = itertools.count()

    def enter(self, after_ms: int, step: Step) -> None:
        """Have this done so much later than now."""
        at_ms = self.now_ms + max(0, after_ms)
        heapq.heappush(self._steps, (at_ms, next(self._numbers), step))

    def next(self) -> Step | None:
        """The next step, its moment having come; None when nothing is left."""
        if not self._steps:
            return None
        self.now_ms, _, step = heapq.heappop(self._steps)
        return step
