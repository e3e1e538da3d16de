"""The participants of a simulated talk: who is present, what each has heard, their actors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bots.experiments.actors.actor import (
    Actor,
    Asked,
    Heard,
    HeardLines,
    ThinkingFailed,
    said_among,
)
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.simulation.world import SimulatedWorld
from bots.talks.live.ports import Answer
from bots.talks.machine.events import Answered, AnswerFailed, Participant, Think
from bridge.world import Position


class Players:
    """The participants of one run."""

    def __init__(
        self, scenario: Scenario, world: SimulatedWorld, actors: Mapping[str, Actor]
    ) -> None:
        self._scenario, self._world, self._actors = scenario, world, actors
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
            answer = self._actors[effect.speaker](self._asked(effect))
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
