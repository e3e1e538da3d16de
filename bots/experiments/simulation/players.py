"""Everybody in a simulated talk: who takes part, what each has heard, what speaks for each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bots.experiments.actors.actor import Actor, Asked, Ear, ThinkingFailed
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.simulation.ground import Ground
from bots.talks.live.stage import Thought
from bots.talks.machine.events import Answered, AnswerFailed, Participant, Think
from bridge.world import Position


class Players:
    """The participants of one run."""

    def __init__(self, scenario: Scenario, ground: Ground, actors: Mapping[str, Actor]) -> None:
        self._scenario, self._ground, self._actors = scenario, ground, actors
        self._roster = {who.name: who for who in scenario.roster}
        self.present = [name for name in self._roster if name in scenario.present]
        """Those who take part now."""
        self._ears = {name: Ear() for name in self._roster}
        self._rngs = {name: own_rng(scenario.seed, name) for name in self._roster}
        self._homes = {who.name: who.at for who in scenario.players}
        for name in self.present:
            self._enter(name)

    def join(self, name: str) -> Participant | None:
        """The one who joins; None when there already."""
        if name in self.present:
            return None
        self.present.append(name)
        self._enter(name)
        return self._roster[name]

    def leave(self, name: str) -> bool:
        """Whether they were there."""
        if name not in self.present:
            return False
        self.present.remove(name)
        self._ground.leave(name)
        return True

    def think(self, wish: Think) -> tuple[Thought, Answered | AnswerFailed]:
        """What comes of a turn, at once; how long it takes is another matter."""
        try:
            thought = self._actors[wish.speaker](self._asked(wish))
        except ThinkingFailed as failed:
            facts = {**failed.facts, "failed": str(failed)}
            return Thought("", facts=facts), AnswerFailed(wish.turn, str(failed))
        return thought, Answered(
            wish.turn, thought.text, thought.nominates, thought.tokens, thought.cost_usd
        )

    def voice(self, speaker: str, text: str, to: Sequence[str]) -> dict[str, str | None]:
        """Say it where everybody stands now; for each None, or why it was not heard."""
        hearing = self._ground.say(speaker, to, text)
        self._ears[speaker].say(speaker, text)
        for name, why_not in hearing.items():
            if why_not is None:
                self._ears[name].hear(speaker, text)
        return hearing

    def others(self, name: str) -> tuple[str, ...]:
        return tuple(other for other in self.present if other != name)

    def _enter(self, name: str) -> None:
        self._ground.enter(name, Position(*self._scenario.point(self._homes[name])))

    def _asked(self, wish: Think) -> Asked:
        name, ear = wish.speaker, self._ears[wish.speaker]
        others = self.others(name)
        return Asked(
            name=name,
            turn=wish.turn,
            round=wish.round,
            why=wish.why,
            say_goodbye=wish.say_goodbye,
            heard=ear.heard,
            new=ear.new,
            others=others,
            near=self._ground.near(name, others),
            topic=self._scenario.talk.topic,
            rng=self._rngs[name],
        )


def own_rng(seed: int, name: str) -> random.Random:
    """Chance of one participant: others' turns do not change what it draws."""
    return random.Random(f"{seed}:{name}")
