"""`!chat` to everyone in range: who gets it, the answer, and what is recorded for each."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.rig import Rig, rig_with_alice, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.chat.conversation import Conversation
from bots.chat.message import GroupDelivery, Hearer, PublicDelivery
from bots.chat.receipts import Receipt
from bots.clock import utc_now
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bots.store.database import Store
from bridge.errors import BridgeDown
from bridge.world import BotName, PlayerName, Position

HERE = Position(0.5, 64, 0.5)
TO_ALL = '!chat {"target": "all", "message": "Good morning!"}'


def at(x: float) -> Position:
    return Position(0.5 + x, 64, 0.5)


def to_all(**more: Any) -> str:
    parts = "".join(f', "{key}": {value}' for key, value in more.items())
    return f'!chat {{"target": "all", "message": "Good morning!"{parts}}}'


rig = rig_with_alice(HERE)


async def test_everyone_in_range_is_whispered_to_and_the_others_are_named(rig: Rig) -> None:
    near, far = rig.world.person("Near", at(9.9)), rig.world.person("Far", at(30))
    nearer, unseen = rig.world.person("Nearer", at(3)), rig.world.person("Unseen", at(90))
    assert await run_json(rig.bots["Alice"], TO_ALL) == {
        "success": True,
        "target": "all",
        "volume": "normal",
        "maxDistance": 15,
        "message": "Good morning!",
        "delivered": [{"username": "Nearer", "distance": 3}, {"username": "Near", "distance": 9}],
        "missed": [
            {"username": "Far", "distance": 30, "reason": "out_of_range"},
            {"username": "Unseen", "distance": None, "reason": "entity_not_available"},
        ],
    }
    for person in (near, nearer):
        assert (await person.hears()).text == "Good morning!"
    assert far.inbox == unseen.inbox == []


async def test_people_are_told_before_bots_and_the_nearest_first(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rig.bot("Bob", at(1))
    for name, away in (("Far", 9), ("Near", 5)):
        rig.world.person(name, at(away))
    told: list[str] = []
    whisper = rig.bridge.whisper

    async def watched(bot: BotName, to: PlayerName, text: str, **how: str) -> None:
        told.append(to)
        await whisper(bot, to, text, **how)

    monkeypatch.setattr(rig.bridge, "whisper", watched)
    result = await run_json(rig.bots["Alice"], TO_ALL)
    assert told == ["Near", "Far", "Bob"]
    assert [one["username"] for one in result["delivered"]] == ["Bob", "Near", "Far"]


@pytest.mark.parametrize(("volume", "reach"), [("whisper", 4), ("normal", 15), ("loud", 32)])
@pytest.mark.parametrize("beyond", [0.0, 0.001])
async def test_a_volume_reaches_so_far_and_no_farther(
    rig: Rig, volume: str, reach: int, beyond: float
) -> None:
    rig.world.person("Steve", at(reach + beyond))
    result = await run_json(rig.bots["Alice"], to_all(volume=f'"{volume}"'))
    assert (result["success"], result["volume"], result["maxDistance"]) == (
        not beyond,
        volume,
        reach,
    )


async def test_a_volume_is_the_range_of_words_to_one_player_too(rig: Rig) -> None:
    rig.world.person("Steve", at(18.9))
    alice = rig.bots["Alice"]
    one = '!chat {"username": "Steve", "message": "hi", "volume": "%s"}'
    assert (await run_json(alice, one % "normal"))["reason"] == "out_of_range"
    loud = await run_json(alice, one % "loud")
    assert (loud["success"], loud["maxDistance"]) == (True, 32)
    assert alice.get_conversation_history()[-1].content == {
        "message": "hi",
        "delivered": True,
        "targetUsername": "Steve",
        "distance": 18,
        "maxDistance": 32,
    }
    alice.hearing_range = 20.0  # so far reaches its normal voice
    for normal in (one % "normal", to_all(volume='"normal"')):
        result = await run_json(alice, normal)
        assert (result["success"], result["maxDistance"]) == (True, 20)


async def test_a_distance_within_the_volume_wins(rig: Rig) -> None:
    rig.world.person("Steve", at(8))
    alice = rig.bots["Alice"]
    narrow = await run_json(alice, to_all(volume='"loud"', maxDistance=6))
    assert (narrow["reason"], narrow["maxDistance"]) == ("nobody_in_range", 6)
    alone = await run_json(alice, to_all(maxDistance=40))
    assert (alone["success"], alone["volume"], alone["maxDistance"]) == (True, "loud", 40)


@pytest.mark.parametrize(
    "more",
    [
        *('"volume": "whisper", "maxDistance": 30', '"volume": "normal", "maxDistance": 15.5'),
        *('"volume": "deafening"', '"volume": null', '"username": "Steve"', '"public": true'),
        *('"public": "yes"', '"target": "everyone"', '"maxDistance": 0'),
    ],
)
async def test_what_contradicts_itself_is_refused_with_the_usage(rig: Rig, more: str) -> None:
    rig.world.person("Steve", at(2))
    text = f'!chat {{"message": "hi", "target": "all", {more}}}'
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["reason"]) == (False, "invalid_format")
    assert "!chat <username> <message>" in result["usage"]
    assert rig.bridge.sent == []


async def test_nobody_in_range_is_a_failure_that_is_recorded(rig: Rig) -> None:
    rig.world.person("Steve", at(20))
    result = await run_json(rig.bots["Alice"], TO_ALL)
    assert result.pop("message").endswith(".")
    assert result == {
        "success": False,
        "reason": "nobody_in_range",
        "target": "all",
        "volume": "normal",
        "maxDistance": 15,
        "delivered": [],
        "missed": [{"username": "Steve", "distance": 20, "reason": "out_of_range"}],
    }
    assert rig.bots["Alice"].get_conversation_history()[0].content == {
        "message": "Good morning!",
        "delivered": False,
        "target": "all",
        "volume": "normal",
        "maxDistance": 15,
        "hearers": [],
    }


async def test_between_bots_it_is_one_utterance_with_a_fact_for_each_hearer(rig: Rig) -> None:
    await rig.bot("Bob", at(2))
    await rig.bot("Carol", at(4))
    rig.world.person("Steve", at(6))
    await run_json(rig.bots["Alice"], TO_ALL)
    alice, bob, carol = (
        rig.bots[name].get_conversation_history()[0] for name in ("Alice", "Bob", "Carol")
    )
    assert alice.utterance.id == bob.utterance.id == carol.utterance.id
    assert bob.content == carol.content == "Good morning!"
    assert isinstance(alice.content, dict)
    assert alice.content["hearers"] == [
        {"username": "Bob", "distance": 2, "delivered": True},
        {"username": "Carol", "distance": 4, "delivered": True},
        {"username": "Steve", "distance": 6, "delivered": True},
    ]
    assert sorted(message.bot for message in rig.fired) == ["Bob", "Carol"]


@pytest.mark.parametrize("others", [("Carol",), ()])
async def test_a_bot_that_does_not_hear_it_is_missed_and_the_others_are_not(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, others: tuple[str, ...]
) -> None:
    awaited: list[Receipt] = []
    expect = rig.shared.receipts.expect

    def noted(*words: Any, **how: Any) -> Receipt:
        awaited.append(expect(*words, **how))
        return awaited[-1]

    monkeypatch.setattr(rig.shared.receipts, "expect", noted)
    for place, name in enumerate(("Bob", *others), 1):
        await rig.bot(name, at(2 * place))
    rig.bridge.faults.lose_whispers(sender="Alice", to="Bob")
    telling = asyncio.create_task(run_json(rig.bots["Alice"], TO_ALL))
    await until(lambda: [one.delivered for one in awaited] == [False, *[True] * len(others)])
    awaited[0].lapse()  # as when its time is up
    result = await telling
    assert (result["success"], result.get("reason")) == (
        (True, None) if others else (False, "undelivered")
    )
    assert result["delivered"] == [{"username": name, "distance": 4} for name in others]
    assert result["missed"] == [{"username": "Bob", "distance": 2, "reason": "undelivered"}]
    content = rig.bots["Alice"].get_conversation_history()[0].content
    assert isinstance(content, dict)
    assert content["delivered"] is bool(others)
    assert [hearer["delivered"] for hearer in content["hearers"]] == [False, *map(bool, others)]
    assert rig.bots["Bob"].get_conversation_history() == []


async def test_whoever_the_pace_leaves_no_time_for_is_missed_nearest_first(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    governor = rig.bots["Alice"]._governor
    monkeypatch.setattr(governor, "_pace", True)
    for number in range(14):
        rig.world.person(f"P{number:02}", at(1 + number / 2))
    telling = asyncio.create_task(run_json(rig.bots["Alice"], TO_ALL))
    async with asyncio.timeout(30):
        while not telling.done():
            await asyncio.sleep(0)
            await rig.world.clock.advance(1.0)
    result = await telling
    assert [one["username"] for one in result["delivered"]] == [f"P{n:02}" for n in range(11)]
    assert {one["reason"] for one in result["missed"]} == {"rate_limited"}
    assert len(result["missed"]) == 3


@pytest.mark.parametrize(("text", "reason"), [("§", "invalid_format"), ("x" * 1200, "too_long")])
async def test_what_cannot_be_said_is_said_to_nobody(rig: Rig, text: str, reason: str) -> None:
    rig.world.person("Steve", at(2))
    command = f'!chat {{"target": "all", "message": "{text}"}}'
    result = await run_json(rig.bots["Alice"], command)
    assert (result["success"], result["reason"]) == (False, reason)
    assert rig.bridge.sent == []
    content = rig.bots["Alice"].get_conversation_history()[0].content
    assert isinstance(content, dict)
    assert content["delivered"] is False


@pytest.mark.parametrize("others", [("Alex",), ()])
async def test_a_link_that_breaks_under_one_leaves_the_others_told(
    rig: Rig, others: tuple[str, ...]
) -> None:
    for place, name in enumerate(("Steve", *others), 2):
        rig.world.person(name, at(place))
    rig.bridge.faults.fail_next("whisper", BridgeDown("whisper", "Node died"))
    result = await run_json(rig.bots["Alice"], TO_ALL)
    if others:
        assert [one["username"] for one in result["delivered"]] == ["Alex"]
        assert result["missed"] == [{"username": "Steve", "distance": 2, "reason": "undelivered"}]
    else:
        assert (result["success"], result["reason"]) == (False, "bridge_down")


async def test_a_player_called_all_is_one_player(rig: Rig) -> None:
    everyone, steve = rig.world.person("all", at(2)), rig.world.person("Steve", at(2))
    result = await run_json(rig.bots["Alice"], "!chat all hello")
    assert (result["targetUsername"], steve.inbox) == ("all", [])
    assert (await everyone.hears()).text == "hello"


async def test_the_whisperer_reads_who_was_told(rig: Rig) -> None:
    rig.world.person("Steve", at(2))
    rig.world.person("Far", at(40))
    told = await handle_chat_command(rig.bots["Alice"], "Steve", TO_ALL)
    assert render(told) == ["Told Steve (2 blocks)."]


async def test_a_players_order_goes_to_nobody_as_a_command(rig: Rig) -> None:
    await rig.bot("Bob", at(2))
    text = '!chat {"target": "all", "message": "!stop"}'
    await run_json(rig.bots["Alice"], text, Person(PlayerName("Steve")))
    assert [line.text for line in rig.bridge.sent] == ["> !stop"]


async def test_a_player_reads_in_the_history_what_was_said_to_all_in_range(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions())
    await rig.bot("Alice", HERE)
    rig.world.person("Steve", at(2))
    await run_json(rig.bots["Alice"], TO_ALL)
    read = [
        await run_json(rig.bots["Alice"], "!history", Person(PlayerName(name)))
        for name in ("Steve", "Alex")
    ]
    await rig.aclose()
    assert [result["count"] for result in read] == [1, 0]


# --- on the disk ----------------------------------------------------------------------


async def test_the_facts_of_each_hearer_are_there_after_a_restart(tmp_path: Path) -> None:
    store = await Store.open(tmp_path / "some.sqlite")
    conversation = await Conversation.load(store, utc_now)
    group = GroupDelivery(
        "loud", 32.0, (Hearer("Bob", 2.5, delivered=False), Hearer("Steve", 7.0, delivered=False))
    )
    said = await conversation.say("Alice", "hello all", group)
    public = PublicDelivery(delivered=False, hearers=(Hearer("Bob", None, delivered=False),))
    aloud = await conversation.say("Alice", "hello world", public)
    await conversation.reached(said.utterance.id, "Steve")
    await conversation.hear("Bob", said.utterance.id)
    await conversation.sent(aloud.utterance.id)
    before = [m.content for m in conversation.history("Alice")]
    await store.aclose()
    store = await Store.open(tmp_path / "some.sqlite")
    again = await Conversation.load(store, utc_now)
    await store.aclose()
    assert [m.content for m in again.history("Alice")] == before
    assert [m.as_json().get("public") for m in again.history("Alice")] == [None, True]
    first, second = again.history("Alice")
    assert isinstance(first.utterance.delivery, GroupDelivery)
    assert [h.delivered for h in first.utterance.delivery.hearers] == [True, True]
    assert isinstance(second.utterance.delivery, PublicDelivery)
    assert second.utterance.delivery.delivered
    assert not second.utterance.delivery.hearers[0].delivered


@given(st.lists(st.booleans(), max_size=8))
def test_a_line_to_all_was_delivered_when_anyone_got_it(got: list[bool]) -> None:
    hearers = tuple(Hearer(f"P{n}", 1.0, delivered) for n, delivered in enumerate(got))
    assert GroupDelivery("normal", 15.0, hearers).delivered is any(got)
