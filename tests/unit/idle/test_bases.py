"""Where people have built, a bot asks once whose it is; a yes makes an area of it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.rig import run_json

from bots.access.origin import Level
from bots.access.origin import Person as PersonOf
from bots.app import Daemon
from bots.clock import Times
from bots.idle.life import AGAIN_AFTER_S, FREE_FOR_S
from bots.responder.asking_back import AskedFor, Confirmations
from bots.responder.case.inbox import PendingTurn
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    PermissionSettings,
    Settings,
    TalkSettings,
)
from bots.words import sentence
from bridge.fake import FakeBridge, FakeWorld, Person, VirtualClock
from bridge.world import PlayerName, Position

ASKED, ASKED_JA = (sentence("asking.is_yours", language) for language in ("en", "ja"))
A_WHILE_S = AGAIN_AFTER_S + FREE_FOR_S
ENOUGH_S = 3 * FREE_FOR_S
OWNED = PermissionSettings(owners=("Olga",), trusted=("Alex",))


class Square:
    """Alice beside a wall in a simulated world, and who comes by."""

    def __init__(self, folder: Path) -> None:
        self.world = FakeWorld(VirtualClock())
        self._folder = folder
        self.build(10)

    def build(self, x: int) -> None:
        """A wall of cobblestone."""
        for z in range(6, 12):
            for y in (64, 65, 66):
                self.world.set_block(Position(x, y, z), "cobblestone")

    def comes(self, name: str, x: float = 6.5) -> Person:
        return self.world.person(name, Position(x, 64, 8.5))

    @asynccontextmanager
    async def day(
        self, *names: str, permissions: PermissionSettings = OWNED, **idle: Any
    ) -> AsyncIterator[Daemon]:
        settings = Settings(
            data_dir=self._folder,
            bots=BotsSettings(names=names or ("Alice",)),
            dashboard=DashboardSettings(enabled=False),
            llm=LlmSettings(briefing=False),
            idle=IdleSettings(
                **{"enabled": True, "gather": False, "roam": 1.0, "every_s": 300.0, **idle}
            ),
            talk=TalkSettings(small_talk=False),
            permissions=permissions,
        )
        bridge, times = FakeBridge(self.world), Times.of(self.world.clock)
        async with Daemon(settings, bridge=bridge, model=None, times=times) as daemon:
            await daemon.all_joined()
            yield daemon

    async def until(self, met: Callable[[], object], within_s: float = A_WHILE_S) -> bool:
        """Let time pass; whether it came to that."""
        for _ in range(round(within_s)):
            if met():
                return True
            await self.world.clock.sleep(1)
        return bool(met())


@pytest.fixture
def square(tmp_path: Path) -> Square:
    return Square(tmp_path)


def questions(person: Person) -> list[str]:
    return [line.text for line in person.inbox if line.text in (ASKED, ASKED_JA)]


async def answered(square: Square, person: Person, words: str, bot: str = "Alice") -> str:
    """What a bot says to an answer."""
    before = len(person.inbox)
    person.whisper(bot, words)
    assert await square.until(lambda: len(person.inbox) > before)
    return person.inbox[before].text


async def test_a_yes_leaves_the_place_alone_by_the_name_of_whoever_said_it(square: Square) -> None:
    olga = square.comes("Olga")
    async with square.day() as daemon:
        assert not await square.until(lambda: questions(olga), FREE_FOR_S - 5)
        assert await square.until(lambda: questions(olga))
        said = await answered(square, olga, "yes!")
        assert said.startswith("I touch nothing in Olga's base from now on")
        (area,) = daemon.bot("Alice").areas.all()
        assert (area.name, area.rule, area.by) == ("Olga's base", "forbid", "Olga")
        assert all(area.zone.has(Position(10, 65, z)) for z in range(6, 12))
        dug = await run_json(daemon.bot("Alice"), "!primitive digBlock 10 64 8")
        assert dug["reason"] == "forbidden_area"


@pytest.mark.parametrize("answer", ["no", "what do you mean?", None])
async def test_anything_else_makes_no_area_and_nobody_is_asked_again(
    square: Square, answer: str | None
) -> None:
    olga = square.comes("Olga")
    async with square.day() as daemon:
        assert await square.until(lambda: questions(olga))
        if answer:
            await answered(square, olga, answer)
        await square.world.clock.sleep(A_WHILE_S)
        assert daemon.bot("Alice").areas.all() == ()
    async with square.day():  # nor after the next start
        await square.world.clock.sleep(A_WHILE_S)
    assert questions(olga) == [ASKED]


async def test_another_place_is_asked_about_too(square: Square) -> None:
    olga = square.comes("Olga")
    async with square.day() as daemon:
        assert await square.until(lambda: questions(olga))
        await answered(square, olga, "yes")
        square.build(210)
        square.world.teleport("Alice", Position(208.5, 64, 8.5))
        olga.move_to(Position(206.5, 64, 8.5))
        assert await square.until(lambda: len(questions(olga)) == 2)
        await answered(square, olga, "yes")
        names = {area.name for area in daemon.bot("Alice").areas.all()}
        assert names == {"Olga's base", "Olga's base 2"}


async def test_a_person_is_asked_in_the_language_they_speak(square: Square) -> None:
    olga = square.comes("Olga")
    async with square.day():
        await answered(square, olga, "こんにちは")
        assert await square.until(lambda: questions(olga))
        assert questions(olga) == [ASKED_JA]
        await answered(square, olga, "はい")


async def test_an_owner_is_asked_before_others_and_strangers_are_not(square: Square) -> None:
    mallory, alex = square.comes("Mallory", 8.5), square.comes("Alex", 7.5)
    olga = square.comes("Olga", 4.5)
    async with square.day("Alice", "Bob"):
        assert await square.until(lambda: questions(olga))
        await square.world.clock.sleep(ENOUGH_S)
    assert [len(questions(one)) for one in (olga, alex, mallory)] == [1, 0, 0]


async def test_with_strangers_alone_nobody_is_asked(square: Square) -> None:
    mallory = square.comes("Mallory")
    async with square.day():
        await square.world.clock.sleep(ENOUGH_S)
    assert questions(mallory) == []


async def test_one_is_not_asked_while_another_question_is_open(square: Square) -> None:
    square.build(210)
    olga = square.comes("Olga")
    async with square.day("Alice", "Bob"):
        square.world.teleport("Bob", Position(7.5, 64, 8.5))
        assert await square.until(lambda: questions(olga))
        square.build(30)
        await square.world.clock.sleep(AGAIN_AFTER_S - 10)
        assert len(questions(olga)) == 1


@pytest.mark.parametrize("how", ["setting", "quiet", "area", "few", "ours", "open"])
async def test_a_bot_may_have_no_reason_to_ask(square: Square, how: str) -> None:
    olga = square.comes("Olga")
    async with square.day(ask_about_builds=how != "setting") as daemon:
        alice = daemon.bot("Alice")
        match how:
            case "quiet":
                alice.quiet = True
            case "area":
                await run_json(alice, "!area allow wall 10 64 8 8")
            case "open":
                asked = alice.services.get(Confirmations)
                assert asked is not None
                turn = PendingTurn("Olga", PersonOf(PlayerName("Olga")), 0.0)
                asked.ask(turn, AskedFor("stop", {}, Level.TRUSTED, None))
            case "few":
                for z in range(8, 12):
                    for y in (64, 65, 66):
                        square.world.set_block(Position(10, y, z), "air")
            case "ours":
                for z in range(6, 12):
                    for y in (64, 65, 66):
                        await alice.placements.add(
                            "cobblestone", "cobblestone", Position(10, y, z), "overworld"
                        )
        await square.world.clock.sleep(ENOUGH_S)
    assert questions(olga) == []


async def test_a_bot_at_work_asks_nothing(square: Square) -> None:
    olga = square.comes("Olga")
    async with square.day():
        olga.whisper("Alice", "!navigation follow Olga")
        await square.world.clock.sleep(ENOUGH_S)
        assert questions(olga) == []
