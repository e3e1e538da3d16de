"""Whoever joins the embedded server sees, and is seen by, everybody else."""

import json
from pathlib import Path

import pytest
from server.players import Players
from server.scripts import printed_by

pytestmark = pytest.mark.real


async def test_two_who_join_see_each_other_and_both_names(players: Players) -> None:
    facts = await players.play("two")
    assert facts["tabs"] == [["anna", "ben"], ["anna", "ben"]]
    assert sorted(facts["spots"]) == [[8.5, 64, 8.5], [10.5, 64, 8.5]]


async def test_ten_who_join_at_once_all_see_each_other(players: Players) -> None:
    assert await players.play("ten") == [9] * 10


def test_whoever_joins_is_told_nothing_before_login(node_binary: Path, node_dir: Path) -> None:
    told = printed_by("before_login.cjs", node_binary, node_dir)
    assert told == ["login", "collect"]


def test_joining_compiles_no_checker_of_protocols(node_binary: Path, node_dir: Path) -> None:
    assert printed_by("checkers_of_channels.cjs", node_binary, node_dir) == 0


async def test_the_second_login_under_a_name_ends_the_first(players: Players) -> None:
    facts = await players.play("twice")
    assert json.loads(facts["first"]) == {"translate": "multiplayer.disconnect.duplicate_login"}
    assert (facts["second"], facts["players"]) == (None, ["alice"])


async def test_a_player_who_stands_still_is_gone_before_the_next_login(players: Players) -> None:
    assert await players.play("standingStill") == ["alice"]


async def test_a_name_no_player_can_have_is_refused(players: Players) -> None:
    assert json.loads(await players.play("invalidName")) == {"text": "Invalid name"}


async def test_whoever_leaves_goes_from_the_list_and_is_announced(players: Players) -> None:
    facts = await players.play("leaving")
    assert facts["tab"] == ["alice"]
    assert facts["told"]["translate"] == "multiplayer.player.left"


async def test_whoever_comes_back_has_their_things_and_place(players: Players) -> None:
    facts = await players.play("comeBack")
    assert facts == {"owns": {"oak_log": 3, "wooden_pickaxe": 1}, "x": 4.5, "z": 12.5}


async def test_what_was_built_stays_when_nobody_is_near(players: Players) -> None:
    assert await players.play("editsStay") == "gold_block"


async def test_whoever_has_walked_has_as_many_chunks_as_before(players: Players) -> None:
    assert await players.play("chunksOfAWalk") == [64] * 4


async def test_whoever_comes_into_a_chunk_with_a_long_step_is_told_of_it(players: Players) -> None:
    assert await players.play("chunksTold") == [1, 2, 1, 0]


async def test_a_player_put_far_away_gets_the_land_there(players: Players) -> None:
    assert await players.play("farAway") is True


async def test_visitors_who_turn_back_at_the_door_leave_no_trace(players: Players) -> None:
    facts = await players.play("comingAndGoing")
    assert facts == {"players": ["alice", "bob"], "tab": ["alice", "bob"]}
