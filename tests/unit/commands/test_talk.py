"""`!talk`: start, add, remove, join, leave, say, pause, resume, end, status."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from support.daemons import Town
from support.live_talks import noted, numbered, over, said, talking
from support.rig import run_json, until

from bots.access.origin import OPERATOR_NAME, Fellow, Operator, Origin, Person
from bots.app import Daemon
from bots.commands.talk import StartArgs
from bots.settings.settings import GroupTalkSettings
from bots.talks.live.talk import LiveTalk
from bridge.fake import Person as Player
from bridge.world import BotName, PlayerName, Position
from llm.model import Question

HERE = Position(8.5, 64, 8.5)
STEVE = Person(PlayerName("Steve"))


async def run(daemon: Daemon, text: str, origin: Origin | None = None) -> dict[str, Any]:
    return await run_json(daemon.bot("Alice"), text, origin or STEVE)


def under_way(daemon: Daemon) -> LiveTalk:
    (talk,) = daemon.talks.under_way
    return talk


def names_in(talk: LiveTalk) -> list[str]:
    return [one.name for one in talk.machine.participants]


async def no_answer(_name: str, _question: Question) -> str:
    await asyncio.Event().wait()
    return ""


@pytest.fixture
async def daemon(town: Town) -> AsyncIterator[Daemon]:
    """Beside Steve and Alex; no model ever answers."""
    for name in ("Steve", "Alex"):
        town.world.person(name, HERE)
    async with talking(town.bridge, town.folder, no_answer) as daemon:
        yield daemon


@pytest.fixture
def steve(town: Town) -> Player:
    return town.world.person("Steve", HERE)


@pytest.mark.parametrize(
    ("rest", "fields"),
    [
        ("Alice,Bob", {"participants": "Alice,Bob"}),
        ("Alice, Bob the new bridge", {"participants": "Alice, Bob", "topic": "the new bridge"}),
        ("Alice ,Bob , me", {"participants": "Alice ,Bob , me"}),
        ("アリス、ボブ 橋", {"participants": "アリス、ボブ", "topic": "橋"}),
        ("", {}),
    ],
)
def test_names_come_first_and_the_rest_is_the_topic(rest: str, fields: dict[str, str]) -> None:
    assert StartArgs.from_words(rest) == fields


async def test_a_person_begins_a_talk_with_a_topic_and_takes_part(town: Town) -> None:
    town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        result = await run(daemon, "!talk start alice, Bob, me the new bridge")
        assert (result["success"], result["topic"]) == (True, "the new bridge")
        assert result["participants"] == [
            {"name": "Alice", "kind": "bot"},
            {"name": "Bob", "kind": "bot"},
            {"name": "Steve", "kind": "person"},
        ]
        await until(lambda: len(under_way(daemon).lines) > 2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("start", "invalid_format"),
        *((f"start {names}", "too_few") for names in ("Alice", "Alice,alice", "Steve,Alex")),
        ("start Alice,Bbo", "player_not_found"),
        *((text, "no_talk") for text in ("join", "leave", "say hello", "end")),
        ("say", "invalid_format"),
    ],
)
async def test_what_cannot_be_is_refused_with_its_reason(
    daemon: Daemon, text: str, reason: str
) -> None:
    result = await run(daemon, f"!talk {text}")
    assert (result["success"], result["reason"]) == (False, reason)
    assert daemon.talks.under_way == ()


async def test_nobody_is_in_two_talks(daemon: Daemon) -> None:
    await run(daemon, "!talk start Alice,Bob,me something")
    for names in ("Bob,Cara", "Cara,Dan,me"):
        assert (await run(daemon, f"!talk start {names}"))["reason"] == "in_a_talk"
    assert len(daemon.talks.under_way) == 1


async def test_bots_and_people_are_brought_into_a_talk_and_taken_out(daemon: Daemon) -> None:
    await run(daemon, "!talk start Alice,Bob,me boats")
    talk = under_way(daemon)
    added = await run(daemon, "!talk add cara, Alex")
    assert added["done"] == "Cara, Alex in talk 1 now."
    await until(lambda: names_in(talk) == ["Alice", "Bob", "Steve", "Cara", "Alex"])
    assert "Cara joined the group talk." in "".join(noted(daemon, "Bob"))
    assert (await run(daemon, "!talk add Cara"))["reason"] == "in_a_talk"
    assert (await run(daemon, "!talk remove Dan"))["reason"] == "player_not_found"
    await run(daemon, "!talk remove CARA,alex")
    await until(lambda: names_in(talk) == ["Alice", "Bob", "Steve"])
    assert any("Cara was taken out of" in line for line in noted(daemon, "Bob"))
    assert not daemon.talks.is_taken("Cara")


async def test_a_person_whom_an_outsider_brings_waits_for_a_yes_of_those_in_the_talk(
    daemon: Daemon, steve: Player
) -> None:
    await run(daemon, "!talk start Alice,Bob,me boats")
    talk = under_way(daemon)
    done = (await run(daemon, "!talk add Alex,Cara", Operator("python")))["done"]
    assert done == "Cara in talk 1 now. I have asked those in the talk about Alex."
    await until(lambda: names_in(talk) == ["Alice", "Bob", "Steve", "Cara"])
    steve.whisper("Alice", "yes")
    await until(lambda: "Alex" in names_in(talk))


async def test_people_join_say_and_leave(daemon: Daemon, steve: Player) -> None:
    alex = Person(PlayerName("Alex"))
    await run(daemon, "!talk start Alice,Bob walls")
    talk = under_way(daemon)
    assert (await run(daemon, "!talk join"))["done"] == "You are in talk 1."
    await until(lambda: len(talk.machine.participants) == 3)
    assert (await run(daemon, "!talk say make them high", alex))["asked"] is True
    while "Whisper yes or no" not in (await steve.hears()).text:
        pass
    steve.whisper("Alice", "yes, Alex")
    await until(lambda: len(talk.machine.participants) == 4)
    await run(daemon, "!talk say make them high", alex)
    await until(lambda: talk.lines)
    assert names_in(talk) == ["Alice", "Bob", "Steve", "Alex"]
    assert (talk.lines[0].speaker, talk.lines[0].text) == ("Alex", "make them high")
    assert ("Alex", "make them high") in said(daemon, "Bob")
    await run(daemon, "!talk leave")
    await until(lambda: len(talk.machine.participants) == 3)
    assert daemon.talks.of("Steve") is None


async def test_the_operator_is_heard_everywhere_and_hears_all(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        town.world.teleport("Bob", Position(900, 64, 8))
        operator = Operator("exec")
        await run(daemon, "!talk start Alice,Bob,me", operator)
        talk = under_way(daemon)
        await run(daemon, "!talk say where are you all?", operator)
        await until(lambda: len(talk.lines) > 1)
        assert talk.lines[0].hearing == {"Alice": None, "Bob": None}
        assert said(daemon, "Bob")[0] == (OPERATOR_NAME, "where are you all?")
        await until(lambda: talk.lines[1].hearing is not None)
        assert (talk.lines[1].hearing or {})[OPERATOR_NAME] is None


async def test_a_paused_talk_is_silent_until_it_is_resumed(town: Town) -> None:
    town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        await run(daemon, "!talk start Alice,Bob,me")
        talk = under_way(daemon)
        await run(daemon, "!talk pause")
        await run(daemon, "!talk say are you awake?")
        await until(lambda: talk.lines)
        assert (await run(daemon, "!talk status"))["paused"] is True
        assert [line.speaker for line in talk.lines] == ["Steve"]
        await run(daemon, "!talk resume")
        await until(lambda: len(talk.lines) > 1)


async def test_a_talk_is_ended_by_who_began_it_or_is_trusted(daemon: Daemon) -> None:
    talk = await daemon.talk("Alice", "Bob")
    object.__setattr__(daemon.bot("Alice").permissions, "open_house", False)
    assert (await run(daemon, "!talk end"))["reason"] == "not_permitted"
    assert (await run(daemon, "!talk start Cara,Dan"))["reason"] == "not_permitted"
    assert (await run(daemon, "!talk end", Operator("exec")))["success"] is True
    assert await over(talk) == "asked"


async def test_status_tells_of_the_bots_talk_or_of_all(daemon: Daemon) -> None:
    assert (await run(daemon, "!talk status"))["talks"] == []
    await daemon.talk("Bob", "Cara", topic="boats")
    (listed,) = (await run(daemon, "!talk status"))["talks"]
    assert (listed["topic"], listed["talk"]) == ("boats", 1)
    await run(daemon, "!talk say may I join?", Fellow(BotName("Alice")))
    assert daemon.talks.of("Alice") is None  # bots run no commands but status


async def test_the_settings_are_the_policy_of_talks_that_bring_none(town: Town) -> None:
    chosen = GroupTalkSettings(
        gap_s=0, reading_cps=0, order="rounds", max_turns=3, max_turns_without_person=9
    )
    async with talking(town.bridge, town.folder, numbered(), settings=chosen) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara")
        await over(talk)
        assert (talk.machine.policy.order, talk.machine.turns) == ("rounds", 3)


async def test_a_twin_in_other_case_does_not_take_the_askers_seat(
    town: Town, daemon: Daemon
) -> None:
    town.world.person("steve", HERE)
    await run(daemon, "!talk start Bob,me secret plans")
    assert names_in(under_way(daemon)) == ["Bob", "Steve"]
    assert (await run(daemon, "!talk start Alice,STEVE"))["reason"] == "player_not_found"
