"""Daemons on one server know each other's bots as bots: nobody takes them for people."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count, pairwise
from pathlib import Path

import pytest
from support.daemons import Town, answering_only
from support.live_talks import numbered, over, policy, talking
from support.rig import Rig, until

from bots.access.origin import Fellow, Level
from bots.app import Daemon
from bots.chat.between_daemons import SmallTalkHeard, marked, small_talk_in
from bots.chat.turn_taking import SILENCE_S, TURNS_WITHOUT_A_PERSON, TurnLimit
from bots.clock import Times
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import of_person
from bots.observability.trace import Trace
from bots.settings.settings import IdleSettings, TalkSettings
from bots.text.language import normal
from bridge.fake import FakeBridge, FakeWorld, Person, VirtualClock
from bridge.world import BotName, MobSighting, Position

HERE, NEAR = Position(0.5, 64, 0.5), Position(3.5, 64, 0.5)
CARL = Fellow(BotName("Carl"))


@pytest.fixture
async def carl(rig: Rig) -> FakeBridge:
    """Carl is a bot of another daemon; whoever holds his name speaks by `world.person`."""
    await rig.bot("Alice", HERE)
    rig.shared.bots_elsewhere.add("Carl")
    return rig.bridge


async def test_a_line_of_a_bot_elsewhere_is_a_bots(rig: Rig, carl: FakeBridge) -> None:
    rig.world.person("Carl", NEAR).whisper("Alice", "Good morning, Alice.")
    await until(lambda: rig.fired)
    assert rig.fired[0].origin == CARL
    assert rig.bots["Alice"].origin_of("Carl") == CARL


async def test_whoever_has_its_name_may_do_what_bots_may(rig: Rig, carl: FakeBridge) -> None:
    """In a world where every person may command."""
    assert rig.shared.permissions.open_house
    assert rig.shared.permissions.level_of(rig.bots["Alice"].origin_of("Carl")) is Level.PLAYER
    impostor = rig.world.person("Carl", NEAR)
    impostor.whisper("Alice", "!navigation gotoCoords 60 64 0")
    impostor.whisper("Alice", "!status")
    assert (await impostor.hears()).text.startswith("At ")
    assert rig.bots["Alice"].doing == []


async def test_two_bots_of_two_daemons_have_the_turns_of_two_fellows() -> None:
    now = [0.0]
    ours, theirs = (TurnLimit(TURNS_WITHOUT_A_PERSON, lambda: now[0]) for _ in range(2))

    def lines_until_silence() -> int:
        said, hearer, other = 1, theirs, ours  # Alice has been made to say the first one
        while True:
            now[0] += 3
            bots = ("Carl", "Alice") if hearer is theirs else ("Alice", "Carl")
            hearer.heard_from_elsewhere(*bots)
            if not hearer.may_answer(*bots):
                return said
            hearer.heard(*reversed(bots))
            said, hearer, other = said + 1, other, hearer

    assert lines_until_silence() == TURNS_WITHOUT_A_PERSON + 1
    now[0] += SILENCE_S
    assert lines_until_silence() == TURNS_WITHOUT_A_PERSON + 1


async def test_small_talk_elsewhere_is_recorded_not_answered(rig: Rig, carl: FakeBridge) -> None:
    heard = list[object]()
    rig.bots["Alice"].events.subscribe(heard.append)
    rig.world.person("Carl", NEAR).whisper("Alice", marked("It rains.", "rain", asks=True))
    await until(lambda: SmallTalkHeard("Carl", "It rains.", "rain", asks=True) in heard)
    (line,) = rig.bots["Alice"].get_conversation_history()
    assert (line.text, line.utterance.kind) == ("It rains.", "small_talk")
    assert rig.fired == []
    assert rig.shared.turns.may_answer("Alice", "Carl")


@pytest.mark.parametrize("asks", [True, False])
@pytest.mark.parametrize("topic", ["", "came_again"])
def test_small_talk_arrives_as_it_was_said(topic: str, asks: bool) -> None:
    text = "Look (there), Alice: 3 cows?"
    asks = asks and bool(topic)
    found = small_talk_in("Carl", marked(text, topic, asks=asks))
    assert found == SmallTalkHeard("Carl", text, topic, asks=asks)
    assert small_talk_in("Carl", text) is None


async def test_only_bots_elsewhere_hear_that_it_is_small_talk(rig: Rig, carl: FakeBridge) -> None:
    await rig.bot("Bob", NEAR)
    there = {name: rig.world.person(name, NEAR) for name in ("Carl", "Steve")}
    said = await rig.bots["Alice"].tell_all(
        "It rains.", "normal", 15.0, kind="small_talk", topic="rain", asks="Carl"
    )
    assert {one.name for one in said.delivered} == {"Bob", "Carl", "Steve"}
    assert (await there["Carl"].hears()).text == "(small talk: rain?) It rains."
    assert (await there["Steve"].hears()).text == "It rains."
    (line,) = rig.bots["Bob"].get_conversation_history()
    assert line.text == "It rains."


async def test_each_line_of_long_small_talk_is_marked(rig: Rig, carl: FakeBridge) -> None:
    there = rig.world.person("Carl", NEAR)
    words = " ".join(f"word{number}" for number in range(60))
    await rig.bots["Alice"].tell_all(
        words, "normal", 15.0, kind="small_talk", topic="rain", asks="Carl"
    )
    found = [small_talk_in("Alice", (await there.hears()).text) for _ in range(2)]
    assert [one.asks for one in found if one] == [False, True]
    assert " ".join(one.text for one in found if one) == words


async def test_nobody_keeps_a_card_of_a_bot_elsewhere(rig: Rig, carl: FakeBridge) -> None:
    cards = rig.bots["Alice"].services.get(Cards)
    assert cards is not None
    for name in ("Carl", "Steve"):
        rig.world.person(name, NEAR).whisper("Alice", "I live by the lake.")
    await until(lambda: len(rig.fired) == 2)
    await cards.read_on()
    assert cards.facts(of_person("Steve"))
    assert not cards.facts(of_person("Carl"))


async def test_a_bot_elsewhere_takes_part_in_a_talk_and_is_no_person_in_it(town: Town) -> None:
    """It is heard, its words give the bots no new turns, and no system line is whispered to it."""
    carl = town.world.person("Carl", Position(8.5, 64, 8.5))
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        daemon._shared.bots_elsewhere.add("Carl")
        talk = await daemon.talk("Alice", "Bob", "Carl", policy=policy(turns=40, bot_turns=3))
        answering = asyncio.create_task(answer_each_line(carl))
        assert await over(talk) == "bot_turns"
        answering.cancel()
        by_each = Counter(line.speaker for line in talk.lines)
        assert by_each["Carl"] >= 1
        assert 1 <= by_each["Alice"] + by_each["Bob"] <= 3
        assert not [one for one in carl.inbox if one.text.startswith("Group talk")]


async def answer_each_line(carl: Person) -> None:
    for number in count(1):
        await carl.hears()
        carl.whisper("Alice", f"That reminds me of my cave number {number}.")


@asynccontextmanager
async def two_daemons(world: FakeWorld, folder: Path) -> AsyncIterator[tuple[Daemon, Daemon]]:
    """Alice of one and Carl of the other, with shipped settings for what idle bots do."""
    idle, talk = IdleSettings(enabled=True), TalkSettings(small_talk=True)

    def daemon(name: str, seed: int) -> Daemon:
        settings = answering_only(folder / name, name, idle=idle, talk=talk)
        return Daemon(settings, bridge=FakeBridge(world), times=Times.of(world.clock, seed))

    async with daemon("Alice", 3) as ours, daemon("Carl", 4) as theirs:
        ours._shared.bots_elsewhere.add("Carl")
        theirs._shared.bots_elsewhere.add("Alice")
        await ours.all_joined()
        await theirs.all_joined()
        yield ours, theirs


def a_place() -> FakeWorld:
    world = FakeWorld(VirtualClock(idle_s=0.01))
    for name, (x, z) in {"poppy": (3, 5), "pumpkin": (15, 12), "torch": (6, 13)}.items():
        world.set_block(Position(x, 64, z), name)
    world.mobs.append(MobSighting("cow", Position(14, 64, 2), hostile=False, id=1))
    return world


def most_in_a_row(lines: list[Trace], within_s: float) -> int:
    """The most lines that follow each other so fast."""
    most = row = 1
    for before, after in pairwise(lines):
        row = row + 1 if (after.at - before.at).total_seconds() < within_s else 1
        most = max(most, row)
    return most


@pytest.mark.slow
async def test_ten_minutes_of_two_daemons_are_pleasant_small_talk(tmp_path: Path) -> None:
    world = a_place()
    async with two_daemons(world, tmp_path) as daemons:
        await world.clock.sleep(600)
        said = [one for daemon in daemons for one in daemon.trace.recent("smalltalk.said")]
        for name in ("message.heard", "reply.sent", "line.withheld", "decision.made"):
            assert [one for daemon in daemons for one in daemon.trace.recent(name)] == []
    lines = sorted(said, key=lambda one: one.at)
    by_each = Counter(one.bot for one in lines)
    assert min(by_each["Alice"], by_each["Carl"]) >= 8
    assert most_in_a_row(lines, within_s=5.0) <= 3
    sentences = Counter(
        normal(one) for line in lines for one in re.split(r"(?<=[.!?])\s", line.facts["text"])
    )
    assert [one for one, times_said in sentences.items() if times_said > 1] == []


@pytest.mark.slow
async def test_what_a_bot_was_made_to_say_is_answered_and_the_exchange_ends(tmp_path: Path) -> None:
    world = FakeWorld(VirtualClock(idle_s=0.01))
    async with two_daemons(world, tmp_path) as daemons:
        for _ in range(2):  # after a silence there are as many turns again
            before = [len(list(one.trace.recent("reply.sent"))) for one in daemons]
            said = await daemons[0].bot("Alice").tell("Carl", "Hello there!", 15.0)
            assert said.success
            await world.clock.sleep(120)
            after = [len(list(one.trace.recent("reply.sent"))) for one in daemons]
            exchanged = sum(after) - sum(before)
            assert 1 <= exchanged <= TURNS_WITHOUT_A_PERSON + 1
        assert not [one for daemon in daemons for one in daemon.trace.recent("line.withheld")]
