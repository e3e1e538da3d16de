"""The study of docs/study.md in AutoGen, for `benchmarks.study_beside`: needs autogen-agentchat.

Five agents retell a story in a round; with a reach each hears its neighbours alone. AutoGen has no
places, so the agents leave out what was said too far away.
"""

import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from statistics import mean

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.conditions import MaxMessageTermination
from autogen_agentchat.messages import BaseChatMessage, TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import CancellationToken

STORY = "A red cow walked slowly over the long bridge at night."
WRONG = ("green", "pig", "ran", "seven", "under", "noon")
PLACES = {"Ann": 0, "Ben": 10, "Cleo": 20, "Dan": 30, "Eve": 40}


class Reteller(BaseChatAgent):  # type: ignore[misc]
    def __init__(self, name: str, reach: float, rng: random.Random) -> None:
        super().__init__(name, description=name)
        self._reach, self._rng, self._heard = reach, rng, [STORY] if name == "Ann" else []

    @property
    def produced_message_types(self) -> Sequence[type[BaseChatMessage]]:
        return (TextMessage,)

    async def on_messages(
        self, messages: Sequence[BaseChatMessage], cancellation_token: CancellationToken
    ) -> Response:
        for message in messages:
            away = abs(PLACES[self.name] - PLACES.get(message.source, 0))
            if away <= self._reach and isinstance(message, TextMessage):
                self._heard.append(message.content)
        words = self._heard[0].rstrip(".").split()
        if self._rng.random() < 0.5:
            words[self._rng.randrange(len(words))] = self._rng.choice(WRONG)
        return Response(chat_message=TextMessage(content=" ".join(words) + ".", source=self.name))

    async def on_reset(self, cancellation_token: CancellationToken) -> None:
        self._heard.clear()


async def kept(reach: float, seed: int, turns: int) -> float:
    agents = [Reteller(name, reach, random.Random(f"{seed}:{name}")) for name in PLACES]
    team = RoundRobinGroupChat(agents, termination_condition=MaxMessageTermination(turns + 1))
    talk = await team.run(task=TextMessage(content=STORY, source="Ann"))
    last = [said.content for said in talk.messages if said.source == "Eve"][-1].split()
    return mean(word in last for word in STORY.split())


async def main(seeds: int, turns: int) -> None:
    began_s = time.perf_counter()
    found = {
        reach: mean([await kept(reach, seed, turns) for seed in range(seeds)]) for reach in (60, 12)
    }
    print(json.dumps({"seconds": time.perf_counter() - began_s, "kept": found}))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
