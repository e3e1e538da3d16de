"""Commands given to a real bot on its platform, and a player to give things to."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from actions.stage import Scene
from contract.arena import eventually
from support.rig import never_back

from bots.access.origin import KnownBots, Level
from bots.access.permissions import Permissions
from bots.bot.agenda import AllAgendas
from bots.bot.all_bots import VersionFacts, Vitals
from bots.bot.areas import Areas
from bots.bot.bot import HEARING_RANGE, Bot
from bots.bot.chests import Chests
from bots.bot.locations import AllLocations
from bots.bot.perils import AllPerils
from bots.bot.placements import AllPlacements
from bots.chat.answers import Answers
from bots.chat.attendance import Attendance
from bots.chat.conversation import Conversation
from bots.chat.governor import Governor, Listener
from bots.chat.receipts import Receipts
from bots.clock import Times, utc_now
from bots.commands.catalogue import handle_chat_command
from bots.knowledge.store import AllKnowledge
from bots.observability.trace import TraceLog
from bots.store.database import Store
from bots.vision.studio import Studio
from bots.vision.texture_store import ChosenTextures
from bridge.events import ActionFinished
from bridge.port import ServerAddress
from bridge.world import BotName, Position, WorldSnapshot


class Commanded:
    """A bot of the program on the body of a scene."""

    def __init__(self, scene: Scene, bot: Bot) -> None:
        self.scene, self.bot = scene, bot

    @classmethod
    @asynccontextmanager
    async def on(cls, scene: Scene, folder: Path) -> AsyncIterator["Commanded"]:
        store = await Store.open(folder / "commanded.sqlite")
        commanded = cls(scene, await _bot(scene, store))
        hearing = asyncio.create_task(commanded._hear_ends())
        yield commanded
        hearing.cancel()
        with suppress(asyncio.CancelledError):
            await hearing
        await commanded.bot.aclose()
        await store.aclose()

    async def run(self, text: str) -> dict[str, Any]:
        return (await handle_chat_command(self.bot, "tester", text)).as_json()

    async def begin(self, text: str) -> asyncio.Task[dict[str, Any]]:
        """A command whose first action is under way."""
        running = asyncio.create_task(self.run(text))

        async def look() -> bool | None:
            return self.bot.actions.current is not None or None

        await eventually(look)
        return running

    @asynccontextmanager
    async def visitor(self, name: str, at: Position) -> AsyncIterator[BotName]:
        """Another player on the platform, whom the bot sees."""
        stage, visitor = self.scene.stage, BotName(name)
        await stage.bridge.spawn(visitor, ServerAddress("127.0.0.1", stage.server.port))
        await self.put(visitor, at)
        yield visitor
        await stage.bridge.despawn(visitor)

    async def put(self, visitor: BotName, at: Position) -> None:
        """Teleport the visitor; the bot sees them there when this returns."""

        async def look() -> bool | None:
            await self.scene.stage.server.admin("teleport", player=visitor, x=at.x, y=at.y, z=at.z)
            player = (await self.bot.snapshot()).player(visitor)
            there = player and player.position and player.position.distance_to(at) < 1
            return there or None

        await eventually(look)

    async def sees(self, visitor: BotName, within: float) -> WorldSnapshot:
        """A moment at which the visitor is so near."""

        async def look() -> WorldSnapshot | None:
            world = await self.bot.snapshot()
            player = world.player(visitor)
            distance = None if player is None else world.distance_to(player)
            return None if distance is None or distance > within else world

        return await eventually(look)

    async def _hear_ends(self) -> None:
        heard = 0
        while True:
            with suppress(TimeoutError):
                ends = await self.scene.stage.log.take(
                    heard + 1, ActionFinished, bot=self.scene.bot
                )
                heard += 1
                self.bot.actions.finished(ends[-1])


async def _bot(scene: Scene, store: Store) -> Bot:
    loop = asyncio.get_running_loop()
    times, trace = Times(utc_now, loop.time, asyncio.sleep, random.Random(1)), TraceLog(utc_now)
    bot = Bot(
        scene.bot,
        scene.stage.bridge,
        conversation=await Conversation.load(store, utc_now),
        governor=_governor(scene, times),
        receipts=Receipts(),
        answers=Answers(times.stopwatch),
        fallback="none",
        permissions=Permissions(),
        locations=(await AllLocations.load(store)).of(scene.bot),
        agenda=(await AllAgendas.load(store, utc_now, trace)).of(scene.bot),
        placements=(await AllPlacements.load(store, Attendance())).of(scene.bot),
        chests=await Chests.load(store, utc_now),
        areas=await Areas.load(store, utc_now),
        perils=(await AllPerils.load(store, utc_now)).of(scene.bot),
        knowledge=AllKnowledge(store, utc_now, lambda _origin: Level.PLAYER).of(scene.bot),
        vitals=Vitals(),
        version_facts=VersionFacts(),
        times=times,
        trace=trace,
        known_bots=KnownBots(),
        hearing_range=HEARING_RANGE,
        quiet=False,
        public_notice="off",
    )
    bot.services.provide(Studio, Studio(ChosenTextures(None)))
    return bot


def _governor(scene: Scene, times: Times) -> Governor:
    async def send(to: Listener, line: str) -> None:
        assert to is not None, "nothing is said in public here"
        await scene.stage.bridge.whisper(scene.bot, to, line)

    return Governor(
        send,
        version=lambda: "1.16.5",
        rank=lambda _speaker: 1,
        back=never_back,
        stopwatch=times.stopwatch,
        sleep=times.sleep,
        pace=False,
    )
