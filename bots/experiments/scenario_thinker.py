"""Finds words for real bots in an experiment: from the scenario, or as outside of experiments."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from time import monotonic

from bots.chat.message import AnyDelivery, Delivery, GroupDelivery, Message
from bots.experiments.actors import TAKES_S, Actor, Asked, Heard, cast_view
from bots.experiments.scenario import Scenario
from bots.experiments.simulated_world import own_rng
from bots.responder.case.case import Senses
from bots.talks.live.prompt import TurnContext
from bots.talks.live.runner import Answer
from bots.talks.live.thinker import Thinker
from bridge.world import BotName, WorldSnapshot


@dataclass(slots=True)
class CastSenses:
    """A bot of an experiment, which shows a line only where those hear it who heard that too."""

    name: BotName
    bot: Senses
    history: list[Message]

    async def snapshot(self) -> WorldSnapshot:
        return await self.bot.snapshot()

    def get_conversation_history(self) -> list[Message]:
        return self.history

    def attended_history(self) -> list[Message]:
        return self.history


class ScenarioThinker:
    """Asks a bot's actor, or `otherwise` for a bot without one."""

    def __init__(
        self,
        scenario: Scenario,
        actors: Mapping[str, Actor],
        otherwise: Thinker,
        bots: Callable[[str], Senses],
    ) -> None:
        self._scenario, self._actors, self._otherwise = scenario, actors, otherwise
        self._bots = bots
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._rngs = {member.name: own_rng(scenario.seed, member.name) for member in scenario.cast}
        self._opened = False
        self._turns: defaultdict[str, int] = defaultdict(int)

    async def think(self, bot: Senses, context: TurnContext) -> Answer:
        """The bot's words, after the scenario's time. Raises ThinkingFailed or BridgeError."""
        if bot.name == self._scenario.opener and not self._opened:
            self._opened = True
            return Answer(self._scenario.opening_words, facts={"source": "opening"})
        begun_s, by_chance_s = monotonic(), self._pace.uniform(*self._scenario.talk.thinking_s)
        answer = await self._answer(bot, context)
        if answer.facts.get("source") == "model":  # which took its own time
            return answer
        takes_s = float(answer.facts.get(TAKES_S, by_chance_s))
        await asyncio.sleep(max(0.0, takes_s - (monotonic() - begun_s)))
        return replace(answer, facts={**answer.facts, "seconds": round(takes_s, 3)})

    async def _answer(self, bot: Senses, context: TurnContext) -> Answer:
        actor, world = self._actors.get(bot.name), await bot.snapshot()
        if actor is not None:
            return actor(self._asked(bot, context, world))
        near = self._near(context, world)
        cast = CastSenses(bot.name, bot, self._with_cast(bot))
        answer = await self._otherwise.think(cast, replace(context, view=cast_view(near)))
        return replace(answer, hearers=near)

    def _with_cast(self, bot: Senses) -> list[Message]:
        """The bot's history, each line for those of the cast who heard it."""
        heard = {
            name: {message.utterance.id for message in self._bots(name).get_conversation_history()}
            for name in self._rngs
        }

        def of_cast(message: Message) -> Message:
            said = message.utterance
            if said.sources.audience is None and not _meant(said.delivery):
                return message  # public chat
            bots = {name for name, numbers in heard.items() if said.id in numbers}
            audience = {said.speaker, *bots, *_meant(said.delivery)}
            sources = replace(said.sources, audience=frozenset(audience))
            return replace(message, utterance=replace(said, sources=sources))

        return [of_cast(message) for message in bot.get_conversation_history()]

    def _near(self, context: TurnContext, world: WorldSnapshot) -> frozenset[str]:
        reach = self._scenario.talk.hearing_range
        in_reach = {p.name for p in world.players if (world.distance_to(p) or 0.0) <= reach}
        unseen = {p.name for p in world.players if p.position is None}
        return frozenset(in_reach - unseen).intersection(context.others)

    def _asked(self, bot: Senses, context: TurnContext, world: WorldSnapshot) -> Asked:
        heard = [said for m in bot.get_conversation_history() if (said := _line(m)) is not None]
        own = [place for place, line in enumerate(heard, 1) if line.speaker == bot.name]
        self._turns[bot.name] += 1
        return Asked(
            name=bot.name,
            turn=self._turns[bot.name],
            round=0,
            why=context.why,
            say_goodbye=context.say_goodbye,
            heard=heard,
            new=heard[own[-1] :] if own else heard,
            others=context.others,
            near=self._near(context, world),
            topic=context.topic,
            rng=self._rngs[bot.name],
        )


def _meant(delivery: AnyDelivery | None) -> frozenset[str]:
    match delivery:
        case Delivery(target=target):
            return frozenset({target})
        case GroupDelivery(hearers=hearers):
            return frozenset(hearer.name for hearer in hearers)
    return frozenset()


def _line(message: Message) -> Heard | None:
    """A line of the talk; None for other entries of a history."""
    if message.utterance.kind != "conversation" or message.text is None:
        return None
    return Heard(message.utterance.speaker, message.text)
