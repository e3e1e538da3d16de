"""`!chat`: who hears it, what it answers, what is remembered of it."""

from dataclasses import replace
from typing import Any

import pytest
from support.rig import Rig, in_words, rig_with_alice, run_json, until

from bots.access.origin import Person
from bots.access.permissions import Permissions
from bots.chat import receipts
from bots.commands.catalogue import handle_chat_command
from bots.errors import SpeechRefused
from bridge.errors import BridgeDown
from bridge.world import PlayerName, Position, WorldSnapshot

HERE = Position(0.5, 64, 0.5)
STEVE = Person(PlayerName("Steve"))
rig = rig_with_alice(HERE)


def at(x: float) -> Position:
    return Position(x, 64, 0.5)


@pytest.mark.parametrize(
    ("x", "message", "heard", "distance"),
    [
        (13.4, "hello there!", "hello there!", 12),
        (15.5, "red §c and\nnew line", "red c and new line", 15),
    ],
)
async def test_words_within_range_are_whispered_answered_and_recorded_as_the_seed_shows(
    rig: Rig, x: float, message: str, heard: str, distance: int
) -> None:
    steve = rig.world.person("Steve", at(x))
    result = await run_json(rig.bots["Alice"], f"!chat Steve {message}")
    facts = {"targetUsername": "Steve", "distance": distance, "maxDistance": 15}
    assert result == {"success": True, "message": message, **facts}
    assert (await steve.hears()).text == heard
    assert recorded(rig) == {"message": message, "delivered": True, **facts}
    for found in (result, recorded(rig)):
        assert [type(found[key]) for key in ("distance", "maxDistance")] == [int, int]
    (line,) = rig.bots["Alice"].get_conversation_history()
    assert (line.utterance.speaker, line.role) == ("Alice", "assistant")


async def test_a_range_above_a_hundred_blocks_is_cut_and_shown_so(rig: Rig) -> None:
    rig.world.person("Steve", at(40))
    text = '!chat {"username": "Steve", "message": "hi", "maxDistance": 5000}'
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["maxDistance"]) == (True, 100)


MALFORMED = '{"username": "Steve", "message": "hi", "maxDistance": -1}'
FAR = {"reason": "out_of_range", "maxDistance": 15}


@pytest.mark.parametrize(
    ("x", "words", "shown"),
    [
        (48, "Steve hello", {**FAR, "distance": 47}),
        (15.5001, "Steve hello", {**FAR, "distance": 15}),  # compared unrounded
        (90, "Steve hello", {"reason": "entity_not_available"}),
        (2, f"Steve {'word ' * 300}", {"reason": "too_long", "distance": 1, "maxDistance": 15}),
        (2, "Steve §", {"reason": "invalid_format", "distance": 1, "maxDistance": 15}),
        (2, MALFORMED, {"reason": "invalid_format"}),
        (2, "steve hello", {"reason": "player_not_found", "targetUsername": "steve"}),
        (2, "Alice hello", {"reason": "player_not_found", "targetUsername": "Alice"}),
    ],
)
async def test_words_that_nobody_may_hear_are_refused_and_recorded_as_the_seed_shows(
    rig: Rig, x: float, words: str, shown: dict[str, Any]
) -> None:
    steve = rig.world.person("Steve", at(x))
    result = await run_json(rig.bots["Alice"], f"!chat {words}")
    facts = {"success": False, "targetUsername": "Steve", **shown}
    beside = {"message", "usage", "example", "nearest"}
    assert {key: value for key, value in result.items() if key not in beside} == facts
    assert (steve.inbox, rig.bridge.sent) == ([], [])
    if words == "steve hello":
        assert result["message"].endswith("Did you mean Steve?")
    if words == MALFORMED:
        assert rig.bots["Alice"].get_conversation_history() == []
    elif shown["reason"] != "player_not_found":
        distance = shown.get("distance")
        at_seed = {"targetUsername": "Steve", "distance": distance, "maxDistance": 15}
        message = words.removeprefix("Steve ").strip()
        assert recorded(rig) == {"message": message, "delivered": False, **at_seed}


async def test_three_hundred_characters_arrive_in_lines_that_fit(rig: Rig) -> None:
    steve = rig.world.person("Steve", at(2))
    words = " ".join(["plank"] * 50)
    result = await run_json(rig.bots["Alice"], f"!chat Steve {words}")
    assert (result["success"], result["message"]) == (True, words)
    assert len(steve.inbox) == 2
    assert " ".join(line.text for line in steve.inbox) == words


async def too_much(*_: object, max_wait_s: float | None, **_named: object) -> tuple[str, ...]:
    assert max_wait_s == 5
    raise SpeechRefused("rate_limited", "too much to say")


@pytest.mark.parametrize("reason", ["rate_limited", "bridge_down"])
async def test_a_line_that_cannot_be_said_has_a_reason_and_is_recorded_as_unsaid(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    rig.world.person("Steve", at(2))
    if reason == "rate_limited":
        monkeypatch.setattr(rig.bots["Alice"]._governor, "tell", too_much)
    else:
        rig.bridge.faults.fail_next("whisper", BridgeDown("whisper", "Node died"))
    result = await run_json(rig.bots["Alice"], "!chat Steve hello")
    assert (result["reason"], result["targetUsername"]) == (reason, "Steve")
    assert recorded(rig)["delivered"] is False


def recorded(rig: Rig) -> dict[str, Any]:
    content = rig.bots["Alice"].get_conversation_history()[-1].as_json()["content"]
    assert isinstance(content, dict)
    return content


async def test_between_bots_it_is_one_utterance_seen_from_two_sides(rig: Rig) -> None:
    bob = await rig.bot("Bob", at(5))
    result = await run_json(rig.bots["Alice"], "!chat Bob hello Bob")
    assert result["success"] is True
    (said,) = rig.bots["Alice"].get_conversation_history()
    (heard,) = bob.get_conversation_history()
    assert said.utterance.id == heard.utterance.id
    assert said.as_json()["content"]["delivered"] is True
    assert (heard.content, heard.utterance.speaker, heard.role) == ("hello Bob", "Alice", "user")
    await until(lambda: rig.fired)
    assert [fired.as_json() for fired in rig.fired] == [
        {"from": "Alice", "content": "hello Bob", "timestamp": rig.fired[0].timestamp_ms}
    ]


async def test_a_fellow_whom_the_server_hides_is_not_called_nobody(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    await rig.bot("Bob", at(5))
    alice = rig.bots["Alice"]
    hidden = replace(await rig.bridge.snapshot(alice.name), players=())

    async def snapshot(_bot: str) -> WorldSnapshot:
        return hidden

    monkeypatch.setattr(rig.bridge, "snapshot", snapshot)
    result = await run_json(alice, "!chat Bob Hello")
    assert result["reason"] == "entity_not_available"
    assert "Bob is one of us" in result["message"]


LONG = " ".join(f"word{number}" for number in range(60))


@pytest.mark.parametrize("words", ["hello Bob", LONG], ids=["whole", "half"])
async def test_a_bot_that_hears_nothing_leaves_the_line_undelivered(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    """What came of a line of which half was lost is remembered by its hearer."""
    monkeypatch.setattr(receipts, "RECEIPT_WITHIN_S", 0.05)
    bob = await rig.bot("Bob", at(5))
    rig.bridge.faults.lose_whispers(sender="Alice", to="Bob")
    result = await run_json(rig.bots["Alice"], f"!chat Bob {words}")
    assert (result["success"], result["reason"]) == (False, "undelivered")
    assert recorded(rig)["delivered"] is False
    heard = [str(one.text) for one in bob.get_conversation_history()]
    assert len(heard) == (1 if words == LONG else 0)
    assert [one for one in heard if one == LONG or not LONG.endswith(one)] == []


async def test_a_person_cannot_make_a_bot_give_an_order(rig: Rig) -> None:
    alex = rig.world.person("Alex", at(2))
    await run_json(rig.bots["Alice"], "!chat Alex /op Steve", STEVE)
    await run_json(rig.bots["Alice"], "!chat Alex !stop", STEVE)
    heard = [(await alex.hears()).text, (await alex.hears()).text]
    assert not any(text.startswith(("/", "!")) for text in heard)


async def test_whose_words_were_said_is_remembered(rig: Rig) -> None:
    rig.world.person("Steve", at(2))
    alice = rig.bots["Alice"]
    await handle_chat_command(alice, "Mallory", "!chat Steve I obey Mallory", STEVE)
    await alice.tell("Steve", "my own words", 15)
    await handle_chat_command(alice, "Mallory", '!chat {"target": "all", "message": "obey"}', STEVE)
    said = [message.utterance for message in alice.get_conversation_history()]
    assert [utterance.asked_by for utterance in said] == ["Mallory", None, "Mallory"]


async def test_an_operators_order_to_a_fellow_is_refused_and_not_recorded(rig: Rig) -> None:
    bob = await rig.bot("Bob", at(5))
    result = await run_json(rig.bots["Alice"], "!chat Bob !stop")
    assert result["success"] is True
    assert rig.bridge.sent[-1].text == "!stop"
    await rig.bots["Alice"].tell("Bob", "done", 15)
    assert [message.text for message in bob.get_conversation_history()] == ["done"]


async def test_the_whisperer_reads_one_short_line(rig: Rig) -> None:
    rig.world.person("Steve", at(3.5))
    done = await in_words(rig.bots["Alice"], "!chat Steve hello")
    assert done == ["Told Steve, 3 blocks away."]
    (told,) = await in_words(rig.bots["Alice"], "!chat")
    assert told.startswith("message is missing. Usage: !chat <username> <message>")


strangers = rig_with_alice(HERE, Permissions(owners=frozenset({"Olga"})))


@pytest.mark.parametrize(
    ("asker", "message", "heard"),
    [
        ("Mallory", "Your password expired", "Mallory asks me to say: Your password expired"),
        ("Mallory", "パスワードは？", "Malloryさんからの伝言：パスワードは？"),
        ("Olga", "Dinner is ready", "Dinner is ready"),
    ],
)
async def test_what_a_stranger_has_a_bot_say_names_them(
    strangers: Rig, asker: str, message: str, heard: str
) -> None:
    steve = strangers.world.person("Steve", at(3.5))
    for order in (f"!chat Steve {message}", f'!chat {{"target": "all", "message": "{message}"}}'):
        result = await run_json(strangers.bots["Alice"], order, Person(PlayerName(asker)))
        assert (result["success"], result["message"]) == (True, message)
        assert (await steve.hears()).text == heard
