"""Unclear requests do nothing, and the answer says why."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking_alice import COME, FOLLOW, ITEMS, STOP, Asked, asked, goal, reading_of
from support.moments import WORLD

from bots.catalogue.counted import told
from bots.catalogue.names import Things
from bots.commands.catalogue import commands
from bots.registry.args import check
from bots.responder.rules.requests import Ask, read

EVERY_FORM = (
    *("follow me", "stop following", "stop", "get 3 logs", "get 3 dirt", "bring me 3 dirt"),
    *("give me bread", "drop 1 bread", "go home", "go to 1 2 3", "go 3 blocks north"),
    *("look at me", "eat", "equip axe", "pick that up", "set home", "what are you doing"),
)


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (("come here", "stop"), STOP),
        (("get 3 oak logs", "make that 5", "get 5 oak logs"), goal("oak_log:+5")),
        (("follow me", "thanks"), FOLLOW),
        (("hello", "follow me"), FOLLOW),
        (("follow me", "no wait"), []),
        (("come here", "don't come here"), COME),
        (("ついてきて", "いや"), []),
    ],
)
def test_of_a_burst_the_newest_request_counts(lines: tuple[str, ...], wanted: Asked) -> None:
    if lines == ("come here", "don't come here"):
        wanted = []
    assert asked(*lines) == wanted


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("make a sword", "Which sword"),
        ("make planks", "Which planks"),
        ("get 10 unobtainium", "no item called unobtainium"),
        ("get 10 oka logs", "oak log"),
        ("get 99999 oak logs", "2304"),
        ("give me 3 diamonds", "Shall I get 3 diamonds?"),
        ("give Dave 2 bread", "Nobody called dave"),
        ("follow dave", "Nobody called dave"),
        ("if it rains, go home", "not sure"),
    ],
)
def test_why_nothing_was_done_is_told(line: str, part: str) -> None:
    (why,) = reading_of(line).unclear
    assert part in told(why, "en")
    assert told(why, "ja")


def test_more_steps_than_a_few_are_refused() -> None:
    line = ", then ".join(f"get {n} oak logs" for n in range(1, 8))
    assert asked(line) == []
    assert "more than 5" in told(reading_of(line).unclear[0], "en")


def test_somebody_out_of_sight_is_not_come_to() -> None:
    unseen = tuple(replace(player, position=None) for player in WORLD.players)
    reading = read(
        Ask("Alice", "Steve", Things(ITEMS), replace(WORLD, players=unseen)), ["come here"]
    )
    assert reading.requests == ()
    assert "do not see" in told(reading.unclear[0], "en")


@pytest.mark.parametrize(
    "line", ["come here", "follow me", "look at me", "give me bread", "こっちに来て", "ついてきて"]
)
def test_whoever_is_not_in_the_world_is_asked_for_a_player_or_a_place(line: str) -> None:
    reading = read(Ask("Alice", "@operator", Things(ITEMS), WORLD), [line])
    assert reading.requests == ()
    (why,) = reading.unclear
    assert "You are not in this world yourself: name a player or a place" in told(why, "en")
    assert "プレイヤーか場所の名前" in told(why, "ja")


@pytest.mark.parametrize("line", ["come here", "get 10 oak logs", "give me bread"])
def test_without_senses_nothing_is_begun(line: str) -> None:
    reading = read(Ask("Alice", "Steve", Things(frozenset()), None), [line])
    assert reading.requests == ()
    assert reading.unclear


@pytest.mark.parametrize("line", EVERY_FORM)
def test_every_request_is_a_command_that_exists_with_fields_it_takes(line: str) -> None:
    requests = reading_of(line).requests
    assert requests
    for request in requests:
        command = commands.find(request.command)
        check(command.args, dict(request.fields))
        assert command.world == request.is_lasting
        json.dumps(request.fields)


@given(st.text(max_size=120))
def test_any_text_can_be_read(text: str) -> None:
    reading_of(text)
