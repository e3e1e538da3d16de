"""The simulated world of an experiment, and the players in it."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeAlias

from bots.clock import MS_PER_S
from bots.experiments.actors import (
    Actor,
    Asked,
    Heard,
    HeardLines,
    ThinkingFailed,
    said_among,
)
from bots.experiments.scenario import Scenario
from bots.talks.live.runner import Answer
from bots.talks.machine.events import Answered, AnswerFailed, Participant, Think
from bridge.causes import Cause
from bridge.fake import FakeWorld, VirtualClock
from bridge.fake.sensing import take_snapshot
from bridge.fake.terrain import Drop
from bridge.world import Death, PlayerName, Position, WorldSnapshot

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
        return {name: self._whisper(speaker, name, text) for name in to}

    def _whisper(self, speaker: str, to: str, text: str) -> str | None:
        reason = self._reason(speaker, to)
        if reason is not None:
            return reason
        self._arrived.clear()
        if to not in self.deaf:
            self.fake.whisper(PlayerName(speaker), PlayerName(to), text)
        return None if to in self._arrived else "undelivered"

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
        self._heard = {name: HeardLines() for name in self._roster}
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
        self._heard[speaker].say(line)
        for name, why_not in hearing.items():
            if why_not is None:
                self._heard[name].hear(line)
        return {name: hearing.get(name, "not_told") for name in to}

    def others(self, name: str) -> tuple[str, ...]:
        return tuple(other for other in self.present if other != name)

    def _enter(self, name: str) -> None:
        self._world.enter(name, Position(*self._scenario.point(self._homes[name])))

    def _asked(self, effect: Think) -> Asked:
        name, lines = effect.speaker, self._heard[effect.speaker]
        others = self.others(name)
        return Asked(
            name=name,
            turn=effect.turn,
            round=effect.round,
            why=effect.why,
            say_goodbye=effect.say_goodbye,
            heard=lines.heard,
            new=lines.new,
            others=others,
            near=self._world.near(name, others),
            topic=self._scenario.talk.topic,
            rng=self._rngs[name],
        )


def own_rng(seed: int, name: str) -> random.Random:
    """The random numbers of one participant, independent of what others draw."""
    return random.Random(f"{seed}:{name}")
