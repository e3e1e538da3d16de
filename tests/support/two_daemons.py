"""Daemons that know nothing of each other, in one simulated world, and all that is said there."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bots.app import Daemon
from bots.clock import Times
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    LlmSettings,
    Settings,
)
from bridge import FakeBridge
from bridge.fake import FakeWorld, VirtualClock
from bridge.world import PlayerName, Position
from llm.function_model import FunctionModel
from llm.model import Question

Style = Callable[[int], str]
"""The words of a model's answer of this number."""
EVERYBODY = "*"
THINGS = {"poppy": (3, 5), "pumpkin": (15, 12), "torch": (6, 13)}
"""What idle bots speak of, and where it is."""


@dataclass(frozen=True, slots=True)
class Line:
    at_s: float
    speaker: str
    to: str
    text: str


@dataclass
class Ear:
    """Hears every line in the world."""

    world: FakeWorld
    lines: list[Line] = field(default_factory=list)

    def whispered(self, sender: PlayerName, to: PlayerName, text: str) -> None:
        self.lines.append(Line(self.world.clock.monotonic(), sender, to, text))

    def chatted(self, sender: PlayerName, text: str) -> None:
        self.lines.append(Line(self.world.clock.monotonic(), sender, EVERYBODY, text))

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_words, **_named: None

    def between(self, bots: Sequence[str]) -> list[Line]:
        """What these said to each other, or to everybody."""
        told = {*bots, EVERYBODY}
        return [one for one in self.lines if one.speaker in bots and one.to in told]


@dataclass(frozen=True, slots=True)
class Apart:
    """Some daemons of a bot each, in one world."""

    world: FakeWorld
    ear: Ear
    daemons: tuple[Daemon, ...]

    async def wait(self, seconds: float) -> None:
        await self.world.clock.sleep(seconds)

    def knows(self, bot: str, other: str) -> bool:
        """Whether a bot's daemon knows the other as a bot."""
        daemon = next(one for one in self.daemons if bot in one.settings.bots.names)
        return other in daemon.bot(bot).known_bots


@asynccontextmanager
async def daemons_apart(
    folder: Path,
    names: Sequence[str],
    *,
    model: tuple[Style, float] | None = None,
    each: Sequence[Mapping[str, Any]] = (),
    **sections: Any,
) -> AsyncIterator[Apart]:
    """A daemon for each name; their models answer in a style after so many seconds. `each` has
    what a daemon has of its own instead."""
    world = FakeWorld(VirtualClock(idle_s=0.003))
    for block, (x, z) in THINGS.items():
        world.set_block(Position(x, 64, z), block)
    ear = Ear(world)
    world.watchers.append(ear)

    def thinking(model: tuple[Style, float] | None) -> FunctionModel | None:
        if model is None:
            return None
        numbers, (style, after_s) = count(1), model

        async def answer(_question: Question) -> str:
            await world.clock.sleep(after_s)
            return style(next(numbers))

        return FunctionModel(answer)

    def daemon(name: str, seed: int) -> Daemon:
        own = {"model": model, **sections, **(each[seed] if each else {})}
        thinks = thinking(own.pop("model"))
        settings = Settings(
            data_dir=folder / name,
            bots=BotsSettings(names=(name,)),
            dashboard=DashboardSettings(enabled=False),
            llm=LlmSettings(briefing=False),
            **own,
        )
        bridge, times = FakeBridge(world), Times.of(world.clock, seed)
        return Daemon(settings, bridge=bridge, model=thinks, times=times)

    async with AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(daemon(name, seed)) for seed, name in enumerate(names)
        ]
        for one in made:
            assert await one.all_joined()
        yield Apart(world, ear, tuple(made))
