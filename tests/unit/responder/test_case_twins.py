"""Players are who the server says: one whose name differs in case alone takes nothing away."""

from dataclasses import replace

import pytest
from support.asking_alice import ITEMS
from support.daemons import Town, answer_to
from support.moments import WORLD

from bots.catalogue.counted import told
from bots.catalogue.names import Things
from bots.responder.rules.requests import Ask, Reading, read
from bots.settings.settings import PermissionSettings
from bridge.world import PlayerName, PlayerSighting, Position

LOWER, UPPER = "papa", "PAPA"
HERE = {LOWER: Position(3, 64, 3), UPPER: Position(9, 64, 9)}
BOTH = tuple(PlayerSighting(PlayerName(name), at) for name, at in HERE.items())


def asked(line: str, speaker: str = LOWER) -> Reading:
    world = replace(WORLD, players=(*WORLD.players, *BOTH))
    return read(Ask("Alice", speaker, Things(ITEMS), world), [line])


@pytest.mark.parametrize("speaker", HERE)
@pytest.mark.parametrize("line", ["come here", "follow me", "look at me", "give me 3 bread"])
def test_me_is_the_speaker_whatever_twin_is_there(speaker: str, line: str) -> None:
    reading = asked(line, speaker)
    assert reading.unclear == ()
    fields = dict(reading.requests[0].fields)
    named = fields.get("username") or fields.get("targetPlayer") or reading.requests[0].towards
    assert named == speaker


@pytest.mark.parametrize("meant", HERE)
@pytest.mark.parametrize("line", ["follow {}", "look at {}", "go to {}", "give {} 3 bread"])
@pytest.mark.parametrize("speaker", ["Steve", *HERE])
def test_a_twin_is_the_one_whose_name_is_spelt(speaker: str, line: str, meant: str) -> None:
    reading = asked(line.format(meant), speaker)
    fields = dict(reading.requests[0].fields)
    named = fields.get("username") or fields.get("targetPlayer") or reading.requests[0].towards
    assert named == meant


@pytest.mark.parametrize("line", ["follow Papa", "look at Papa", "give Papa 3 bread"])
def test_where_neither_is_spelt_both_are_named_and_nothing_is_done(line: str) -> None:
    reading = asked(line, "Steve")
    assert reading.requests == ()
    assert "papa and PAPA are here" in told(reading.unclear[0], "en")


async def test_an_owner_is_obeyed_beside_his_twin_and_the_twin_is_not(town: Town) -> None:
    papa, twin = (town.world.person(name, Position(3.5, 64, 3.5)) for name in (LOWER, UPPER))
    owned = PermissionSettings(owners=(LOWER,))
    async with town.up(permissions=owned) as daemon:
        assert "I follow you" in await answer_to(daemon, papa, "follow me")
        assert "I follow you" not in await answer_to(daemon, twin, "follow me")
        assert "at 3 64 3" in await answer_to(daemon, papa, "where is PAPA?")


@pytest.mark.parametrize(
    ("line", "named"), [("follow alice", "alice"), ("go to alice", "alice"), ("go to Alice", "")]
)
def test_a_bot_has_twins_too(line: str, named: str) -> None:
    lower = PlayerSighting(PlayerName("alice"), HERE[LOWER])
    world = replace(WORLD, players=(*WORLD.players, lower))
    reading = read(Ask("Alice", "Steve", Things(ITEMS), world), [line])
    done = [one.fields.get("username") or one.towards for one in reading.requests]
    assert done == ([named] if named else [])


async def test_questions_are_of_the_twin_whose_name_is_spelt(town: Town) -> None:
    papa, _, lower = (
        town.world.person(name, Position(at, 64, 3.5))
        for name, at in ((LOWER, 3.5), (UPPER, 9.5), ("alice", 5.5))
    )
    async with town.up() as daemon:
        assert "alice is at 5 64 3" in await answer_to(daemon, papa, "where is alice?")
        assert "alice is at" not in await answer_to(daemon, papa, "where is Alice?")
        assert "papa and PAPA are here" in await answer_to(daemon, lower, "where is Papa?")
        assert "player" in await answer_to(daemon, papa, "who is alice?")
        assert "I am Alice" in await answer_to(daemon, papa, "who is Alice?")
        assert "remember" in await answer_to(daemon, papa, "I like cake")
        assert "cake" in await answer_to(daemon, papa, "what does papa like?")
        assert "cake" not in await answer_to(daemon, papa, "what does PAPA like?")
