"""Words for persons: `me` is whoever asks, in every command that takes a player's name."""

import re
from typing import Any

import pytest
from support.job_runs import carry_out
from support.rig import Rig, run_json

from bots.access.origin import Operator, Person
from bots.commands.catalogue import commands
from bots.registry.args import check, player_keys
from bots.responder.asking_back import NAMING_PLAYERS
from bots.text.pronouns import ADDRESSEE, ASKER
from bridge.world import PlayerName, Position

STEVE = Person(PlayerName("Steve"))
HERE = Position(4.5, 64, 0.5)
NAMED_ITSELF = {("go", "where")}
"""A place, a block or a player: the command tells them apart."""
NEEDED: dict[str, dict[str, Any]] = {
    "chat": {"message": "hi"},
    "navigation dropItem": {"itemName": "bread"},
}
NAMES_A_PERSON = re.compile(r"user|player|person|people|participant|speaker|whom?\b", re.I)
TAKING_PLAYERS = [(command.name, key) for command in commands for key in player_keys(command.args)]
RESOLVED = sorted(set(TAKING_PLAYERS) - NAMED_ITSELF)


def given(name: str, key: str, word: str) -> Any:
    """What the argument holds when Steve gives this word for a player."""
    args = commands.find(name).args
    of_several = key in ("participants", "usernames")
    fields = {**NEEDED.get(name, {}), key: [word] if of_several else word}
    checked = check(args, fields, "Steve").model_dump(by_alias=True)[key]
    return checked[0] if of_several else checked


@pytest.mark.parametrize(("name", "key"), RESOLVED)
def test_every_word_for_the_asker_is_the_asker(name: str, key: str) -> None:
    for word in (*ASKER, "ME", "Myself", "ｍｅ"):
        assert given(name, key, word) == "Steve", word


@pytest.mark.parametrize(("name", "key"), RESOLVED)
def test_any_other_name_stays_as_it_is(name: str, key: str) -> None:
    for word in (*ADDRESSEE, "m\u0435", "me2", "_me", "Alice", "steve"):
        assert given(name, key, word) == word


def test_every_argument_that_names_a_player_is_marked() -> None:
    strings = {
        (command.name, key)
        for command in commands
        for key, schema in command.schema.get("properties", {}).items()
        if NAMES_A_PERSON.search(key) and '"string"' in str(schema).replace("'", '"')
    }
    assert strings <= set(TAKING_PLAYERS)
    assert len(strings) > 10


def test_a_question_knows_every_argument_that_names_players_alone() -> None:
    ambiguous = {("knows", "name"), ("info intent", "words")}
    assert {key for name, key in TAKING_PLAYERS if (name, key) not in ambiguous} == NAMING_PLAYERS


@pytest.fixture
async def crowd(rig: Rig) -> Rig:
    """Alice, with Steve and players whose names are words for others."""
    await rig.bot("Alice", Position(0.5, 64, 0.5))
    rig.world.person("Steve", HERE)
    for z, name in enumerate(("me", "you", "私"), 1):
        rig.world.person(name, Position(0.5, 64, 9.5 * z))
    return rig


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("look player me", "target"),
        ("look watch 私", "target"),
        ("chat me hello", "targetUsername"),
        ("info intent me", "player"),
        ('forget me {"person": "me"}', "person"),
    ],
)
async def test_a_player_of_that_name_gets_nothing(crowd: Rig, text: str, key: str) -> None:
    result = await run_json(crowd.bots["Alice"], f"!{text}", STEVE)
    assert (result["success"], result[key]) == (True, "Steve")


@pytest.mark.parametrize(
    ("word", "fact"),
    [
        ("me", {"taken": {"Steve": 2}}),
        ("私", {"taken": {"Steve": 2}}),
        ("you", {"message": "The player “you” has 2 diamond."}),  # marked, as it is a pronoun
        ("steve", {"targetPlayer": "Steve"}),
    ],
)
async def test_what_is_handed_to_a_word_reaches_whom_it_means(
    crowd: Rig, word: str, fact: dict[str, object]
) -> None:
    crowd.world.give("Alice", "diamond", 3)
    order = f"!navigation dropItem diamond 2 {word}"
    result = await carry_out(crowd, crowd.bots["Alice"], order, STEVE)
    assert result.items() >= {"success": True, **fact}.items()


async def test_going_to_me_goes_to_the_asker_whatever_a_place_is_called(crowd: Rig) -> None:
    alice = crowd.bots["Alice"]
    for name in ("me", "Steve"):
        order = f'!navigation register {{"name": "{name}", "coords": [0, 64, 9]}}'
        await run_json(alice, order, Operator("python"))
    result = await carry_out(crowd, alice, "!go me", STEVE)
    assert (result["where"], result["location"]) == ("Steve", {"x": 4, "y": 64, "z": 0})


async def test_an_operator_is_nowhere_in_the_world(crowd: Rig) -> None:
    crowd.world.give("Alice", "diamond", 3)
    for order in ("!navigation dropItem diamond 2 me", "!look player me", "!go me"):
        result = await carry_out(crowd, crowd.bots["Alice"], order, Operator("python"))
        assert result["success"] is False
        assert result["reason"] in ("player_not_found", "unknown_location")
    assert crowd.world.body("Alice").inventory.count("diamond") == 3
