"""Finding players for commands: by name in any case, in view or not."""

from dataclasses import replace

import pytest
from support.moments import WORLD

from bots.errors import CommandError
from bots.registry.players import player_in_view, player_listed
from bridge.world import PlayerName, PlayerSighting


@pytest.mark.parametrize("name", ["Steve", "steve", "STEVE"])
def test_a_player_in_view_comes_with_the_blocks_to_them(name: str) -> None:
    player, distance = player_in_view(WORLD, name)
    assert player.name == "Steve"
    assert distance == pytest.approx(2.51, abs=0.01)


def test_a_player_on_the_list_may_be_out_of_view() -> None:
    assert player_listed(WORLD, "bob").name == "Bob"
    with pytest.raises(CommandError) as refused:
        player_in_view(WORLD, "bob")
    assert (refused.value.reason, refused.value.data) == (
        "entity_not_available",
        {"username": "Bob"},
    )


@pytest.mark.parametrize(
    ("name", "sentence", "facts"),
    [
        (
            "Stvee",
            "Nobody called Stvee is on this server. Did you mean Steve?",
            {"username": "Stvee", "nearest": "Steve"},
        ),
        ("Zzz", "Nobody called Zzz is on this server.", {"username": "Zzz"}),
        ("ALICE", "That is me.", {"username": "Alice"}),
        ("@Yuki", "Yuki is not in this world: name a player or a place.", {"username": "@Yuki"}),
    ],
)
def test_a_name_that_nobody_has_is_refused(name: str, sentence: str, facts: dict[str, str]) -> None:
    with pytest.raises(CommandError) as refused:
        player_listed(WORLD, name)
    assert (refused.value.reason, refused.value.message) == ("player_not_found", sentence)
    assert refused.value.data == facts


def test_of_players_that_differ_in_case_only_the_exact_name_is_found() -> None:
    twins = tuple(PlayerSighting(PlayerName(name), WORLD.position) for name in ("Max", "MAX"))
    world = replace(WORLD, players=twins)
    assert player_listed(world, "MAX").name == "MAX"
    with pytest.raises(CommandError, match="Nobody called max"):
        player_listed(world, "max")
