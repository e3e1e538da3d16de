"""Real bots of an experiment think as its scenario says; what it leaves open, as they always do."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from time import monotonic

from bots.chat.message import Message
from bots.experiments.actors.actor import Actor, Asked, Heard
from bots.experiments.actors.cues import TAKES_S
from bots.experiments.scenario.scenario import Scenario
from bots.experiments.simulation.players import own_rng
from bots.responder.decide import Senses
from bots.talks.live.prompt import Occasion
from bots.talks.live.stage import Thought
from bots.talks.live.thinking import Thinks
from bridge.world import WorldSnapshot


class CastThinking:
    """Asks a bot's actor, or `otherwise` where it has none."""

    def __init__(self, scenario: Scenario, actors: Mapping[str, Actor], otherwise: Thinks) -> None:
        self._scenario, self._actors, self._otherwise = scenario, actors, otherwise
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._rngs = {member.name: own_rng(scenario.seed, member.name) for member in scenario.cast}
        self._opened = False
        self._turns: defaultdict[str, int] = defaultdict(int)

    async def think(self, bot: Senses, occasion: Occasion) -> Thought:
        """Takes as long as the scenario says. Raises ThinkingFailed, or BridgeError."""
        if bot.name == self._scenario.opener and not self._opened:
            self._opened = True
            return Thought(self._scenario.opening_words, facts={"source": "opening"})
        begun_s, by_chance_s = monotonic(), self._pace.uniform(*self._scenario.talk.thinking_s)
        thought = await self._thought(bot, occasion)
        if thought.facts.get("source") == "model":  # took its own time
            return thought
        takes_s = float(thought.facts.get(TAKES_S, by_chance_s))
        await asyncio.sleep(max(0.0, takes_s - (monotonic() - begun_s)))
        return replace(thought, facts={**thought.facts, "seconds": round(takes_s, 3)})

    async def _thought(self, bot: Senses, occasion: Occasion) -> Thought:
        actor = self._actors.get(bot.name)
        if actor is None:
            return await self._otherwise.think(bot, occasion)
        return actor(self._asked(bot, occasion, await bot.snapshot()))

    def _asked(self, bot: Senses, occasion: Occasion, world: WorldSnapshot) -> Asked:
        heard = [said for m in bot.get_conversation_history() if (said := _line(m)) is not None]
        own = [place for place, line in enumerate(heard, 1) if line.speaker == bot.name]
        reach = self._scenario.talk.hearing_range
        in_reach = {p.name for p in world.players if (world.distance_to(p) or 0.0) <= reach}
        unseen = {p.name for p in world.players if p.position is None}
        self._turns[bot.name] += 1
        return Asked(
            name=bot.name,
            turn=self._turns[bot.name],
            round=0,
            why=occasion.why,
            say_goodbye=occasion.say_goodbye,
            heard=heard,
            new=heard[own[-1] :] if own else heard,
            others=occasion.others,
            near=frozenset(in_reach - unseen).intersection(occasion.others),
            topic=occasion.topic,
            rng=self._rngs[bot.name],
        )


def _line(message: Message) -> Heard | None:
    """What was said in the talk; None for what else a history holds."""
    if message.utterance.kind != "conversation" or message.text is None:
        return None
    return Heard(message.utterance.speaker, message.text)
