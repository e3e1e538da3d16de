"""Whose words are left out of a model's choices, for how long, and what a call is about."""

from typing import Any

import pytest

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.responder.asking_back import AskedFor
from bots.responder.led_astray import LEFT_OUT_S, MOST, LedAstray, is_about, names_any
from bridge.world import BotName, PlayerName

LEVELS = Permissions(owners=frozenset({"Owner"}), trusted=frozenset({"Tess"}))


def person(name: str) -> Person:
    return Person(PlayerName(name))


MALLORY, OWNER = person("Mallory"), person("Owner")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def call(tool: str = "navigation_dropItem", **fields: Any) -> AskedFor:
    return AskedFor(tool, fields, Level.TRUSTED, frozenset())


def test_words_are_left_out_for_everybody_but_their_speaker() -> None:
    led = LedAstray(LEVELS.level_of, Clock())
    assert led.add({MALLORY}) == {MALLORY}
    assert led.add({MALLORY}) == frozenset()
    assert led.for_asker(OWNER) == {MALLORY}
    assert led.for_asker(MALLORY) == frozenset()


def test_whoever_is_trusted_by_now_is_left_out_no_more() -> None:
    levels: dict[Origin, Level] = {MALLORY: Level.PLAYER}
    led = LedAstray(lambda one: levels.get(one, Level.OWNER), Clock())
    led.add({MALLORY})
    levels[MALLORY] = Level.TRUSTED
    assert led.for_asker(OWNER) == frozenset()


def test_after_a_day_it_is_forgotten() -> None:
    clock = Clock()
    led = LedAstray(LEVELS.level_of, clock)
    led.add({MALLORY})
    clock.now = LEFT_OUT_S
    assert led.for_asker(OWNER) == frozenset()
    assert led.add({MALLORY}) == {MALLORY}


@pytest.mark.parametrize(("count", "too_many"), [(MOST, False), (MOST + 1, True)])
def test_of_more_than_a_few_nobody_is_told_apart(count: int, too_many: bool) -> None:
    led = LedAstray(LEVELS.level_of, Clock())
    led.add(person(f"Mallory{number}") for number in range(count))
    assert led.are_too_many is too_many


@pytest.mark.parametrize(
    ("line", "is_of_it"),
    [
        ("Give me two diamonds", True),
        ("Bring MALLORY something", True),
        ("ＭＡＬＬＯＲＹ", True),
        ("oak please", True),
        ("Hello Alice", False),
        ("me", False),
        ("", False),
    ],
)
def test_a_line_is_about_what_a_call_names(line: str, is_of_it: bool) -> None:
    asked = call(itemName="diamond", targetPlayer="Mallory", also=["oak_log", {"to": "me"}])
    assert is_about(asked, [line]) is is_of_it


def test_what_is_to_be_said_makes_no_line_one_about_it() -> None:
    said = call("chat", username="Bob", message="Hello everybody")
    assert not is_about(said, ["Hello everybody"])
    assert is_about(said, ["Tell Bob"])


@pytest.mark.parametrize(
    ("line", "named"),
    [("What did mallory say?", True), ("Malloryは？", True), ("Mallory2?", False), ("who?", False)],
)
def test_a_line_names_somebody_by_the_whole_name(line: str, named: bool) -> None:
    others: list[Origin] = [MALLORY, person(""), Fellow(BotName("Bob")), Operator("http")]
    assert names_any(others, [line]) is named
