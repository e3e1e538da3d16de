"""`!navigation follow | stopFollow`: near a player until told otherwise."""

import pytest
from support.acting import Scene, carry_out, play, scenes
from support.job_runs import begin
from support.rig import Rig, run_json, until

from bots.access.origin import Person as PersonOrigin
from bots.bot.bot import Bot
from bridge.fake import Person
from bridge.world import PlayerName, Position

FOLLOW = '!navigation follow {"username": "Steve"}'


@pytest.fixture
async def steve(rig: Rig, alice: Bot) -> Person:
    return rig.world.person("Steve", Position(15.5, 64, 0.5))


def apart(rig: Rig) -> float:
    return rig.world.body("Alice").position.distance_to(rig.world.body("Steve").position)


async def test_a_bot_keeps_near_a_player_until_a_stop(rig: Rig, alice: Bot, steve: Person) -> None:
    following = await begin(rig, alice, FOLLOW)
    for place in (Position(15.5, 64, 0.5), Position(15.5, 64, 30.5), Position(-9.5, 64, 30.5)):
        steve.move_to(place)
        await rig.world.clock.advance(15)
        assert apart(rig) <= 3
    stopped = await run_json(alice, "!navigation stopFollow")
    assert stopped == {
        "success": True,
        "message": "I follow Steve no more.",
        "previousTarget": "Steve",
    }
    assert await following == {
        "success": True,
        "message": "I follow Steve no more.",
        "target": "Steve",
    }
    steve.move_to(Position(20.5, 64, 30.5))
    await rig.world.clock.advance(15)
    assert apart(rig) > 20


async def test_the_distance_kept_may_be_chosen_and_stop_ends_it(
    rig: Rig, alice: Bot, steve: Person
) -> None:
    following = await begin(rig, alice, '!navigation follow {"username": "steve", "distance": 8}')
    await rig.world.clock.advance(15)
    assert 5 < apart(rig) <= 8
    stopped = await run_json(alice, "!stop", PersonOrigin(PlayerName("Steve")))
    assert stopped["stoppedActions"] == ["!navigation follow"]
    assert (await following)["reason"] == "stopped"


async def test_whoever_asks_is_followed_by_default(rig: Rig, alice: Bot, steve: Person) -> None:
    steve.whisper("Alice", "!navigation follow")
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(15)
    assert apart(rig) <= 3
    steve.whisper("Alice", "!navigation stopFollow")
    await until(lambda: not rig.bridge.running_actions)


async def test_a_player_who_leaves_is_lost(rig: Rig, alice: Bot, steve: Person) -> None:
    following = await begin(rig, alice, FOLLOW)
    await rig.world.clock.advance(1)
    steve.leave()
    await rig.world.clock.advance(15)
    result = await following
    assert (result["reason"], result["target"]) == ("unseen_player", "Steve")
    assert result["message"] == "I lost sight of Steve."


async def test_following_ends_by_itself_after_an_hour(rig: Rig, alice: Bot, steve: Person) -> None:
    following = await begin(rig, alice, FOLLOW)
    await rig.world.clock.advance(3_601)
    assert (await following)["reason"] == "deadline"


@scenes(
    *(Scene(f"{name}: {reason}", f"!navigation follow {name}",
            {"success": False, "reason": reason, "nearest": nearest},
            people={"Zoe": (900, 64, 0), "Steve": (15.5, 64, 0.5)})
      for name, reason, nearest in (("Steev", "player_not_found", "Steve"),
                                    ("Alice", "player_not_found", None),
                                    ("Zoe", "entity_not_available", None))),
)  # fmt: skip
async def test_who_is_not_in_view_cannot_be_followed(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


async def test_where_nobody_is_followed_stop_follow_ends_no_other_job(rig: Rig, alice: Bot) -> None:
    walking = await begin(rig, alice, "!navigation gotoCoords 30 64 0")
    result = await run_json(alice, "!navigation stopFollow")
    assert (result["success"], result["reason"]) == (False, "not_following")
    await rig.world.clock.advance(60)
    assert (await walking)["success"] is True


async def test_another_job_replaces_following(rig: Rig, alice: Bot, steve: Person) -> None:
    following = await begin(rig, alice, FOLLOW)
    walked = await carry_out(rig, "!navigation gotoCoords -9 64 0")
    assert (await following)["reason"] == "replaced"
    assert walked["success"] is True
