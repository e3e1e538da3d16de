"""Who may join a talk: of bots, anybody; with a person in it, whom that person lets in."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from support.daemons import Town
from support.live_talks import numbered, talking
from support.rig import until

from bots.settings.settings import PermissionSettings
from bots.talks.live.door import ANSWER_WITHIN_S, MOST_ASKING, Door
from bots.talks.machine.events import Participant
from bridge.fake import VirtualClock
from bridge.world import Position

HERE = Position(10.5, 64, 8.5)
MALLORY = Participant("Mallory", "person")


class Hall:
    """A door, and what those before and behind it are told."""

    def __init__(self, *persons: str) -> None:
        self.clock = VirtualClock()
        self.inside = [Participant("Alice", "bot"), *(Participant(p, "person") for p in persons)]
        self.told: list[tuple[str, str]] = []
        self.held: list[Callable[[], None]] | None = None
        """Where lines are held up: what is called once they are said."""
        self.door = Door(lambda: self.inside, self.inside.append, self._tell, self._sleep)

    def _tell(self, person: str, text: str, said: Callable[[], None] | None) -> None:
        self.told.append((person, text))
        if said is None:
            return
        if self.held is None:
            said()
        else:
            self.held.append(said)

    async def _sleep(self, seconds: float) -> None:
        await self.clock.sleep(seconds)

    async def asked(self) -> None:
        await until(lambda: bool(self.told))

    async def settled(self) -> str:
        """What the newcomer is told in the end."""
        await until(lambda: self.told[-1][0] == "Mallory")
        return self.told[-1][1]


@pytest.fixture
async def hall() -> AsyncIterator[Hall]:
    hall = Hall("Olga", "Tom")
    assert hall.door.knock(MALLORY)
    await hall.asked()
    yield hall
    await hall.door.aclose()


def test_bots_alone_let_anybody_in() -> None:
    assert Hall().door.is_open_to("Mallory")


def test_where_a_person_takes_part_newcomers_ask_but_the_operator_does_not() -> None:
    door = Hall("Olga").door
    assert not door.is_open_to("Mallory")
    assert door.is_open_to("@operator")


async def test_each_person_is_asked_and_one_yes_is_enough(hall: Hall) -> None:
    assert {name for name, _ in hall.told} == {"Olga", "Tom"}
    assert hall.door.answers("Olga", "no")
    assert hall.door.answers("Tom", "はい")
    assert await hall.settled() == "You are in the talk."
    assert MALLORY in hall.inside


async def test_when_all_say_no_the_newcomer_is_told_at_once(hall: Hall) -> None:
    hall.door.answers("Olga", "no")
    hall.door.answers("Tom", "no, Mallory")
    assert "Nobody" in await hall.settled()
    assert MALLORY not in hall.inside


async def test_silence_is_a_no(hall: Hall) -> None:
    for _ in range(5):
        await asyncio.sleep(0)
    await hall.clock.advance(ANSWER_WITHIN_S)
    assert "Nobody" in await hall.settled()
    assert not hall.door.answers("Olga", "yes")
    assert MALLORY not in hall.inside


async def test_neither_a_stranger_nor_the_newcomer_can_say_yes(hall: Hall) -> None:
    assert not hall.door.answers("Mallory", "yes")
    assert not hall.door.answers("Eve", "yes")
    assert MALLORY not in hall.inside


async def test_a_yes_to_something_else_lets_nobody_in(hall: Hall) -> None:
    """After other words a plain yes belongs to the talk; with the name it still counts."""
    assert not hall.door.answers("Olga", "shall we build a bridge?")
    assert not hall.door.answers("Olga", "yes")
    assert hall.door.answers("Olga", "yes Mallory")
    assert await hall.settled() == "You are in the talk."


@pytest.mark.parametrize("early", ["ok", "yes Mallory"])
async def test_what_was_said_before_the_question_lets_nobody_in(early: str) -> None:
    hall = Hall("Olga")
    hall.held = []
    assert hall.door.knock(MALLORY)
    await hall.asked()
    assert not hall.door.answers("Olga", early)
    for said in hall.held:
        said()
    assert MALLORY not in hall.inside
    assert hall.door.answers("Olga", "yes")
    assert await hall.settled() == "You are in the talk."
    await hall.door.aclose()


async def test_no_more_than_a_few_ask_at_once(hall: Hall) -> None:
    for number in range(MOST_ASKING - 1):
        assert hall.door.knock(Participant(f"P{number}", "person"))
    assert not hall.door.knock(Participant("Eve", "person"))
    assert hall.door.knock(MALLORY)  # asks already


@pytest.mark.slow
async def test_a_stranger_who_is_let_in_is_told_nothing_said_before(town: Town) -> None:
    owner = town.world.person("Owner", HERE)
    mallory = town.world.person("Mallory", HERE)
    async with talking(
        town.bridge, town.folder, numbered(), permissions=PermissionSettings(owners=("Owner",))
    ) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Owner", topic="the secret mill")
        talk.say("Owner", "the emeralds are below it")
        await until(lambda: len(talk.lines) > 1)
        mallory.whisper("Alice", "!talk status")
        assert "secret mill" not in (await mallory.hears()).text
        mallory.whisper("Alice", "!talk join")
        assert "I have asked" in (await mallory.hears()).text
        while "asks to join" not in (await owner.hears()).text:
            pass
        owner.whisper("Alice", "yes")
        await until(lambda: len(talk.machine.participants) == 4)
        await until(lambda: daemon.talks.of("Mallory") is talk)
        seen = [
            one
            for one in daemon.bot("Alice").get_conversation_history()
            if one.utterance.sources.is_for(frozenset({"Mallory"}))
        ]
        assert not any("emeralds" in str(one.content) for one in seen)
