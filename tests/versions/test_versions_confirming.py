"""An action has succeeded when the server has had its say, however late it comes."""

import pytest
from contract.arena import CENTRE, cell
from versions.stage import Scene
from versions.supported import since

from bridge.actions import Approach, Dig, Hunt, MoveTo, Toss
from bridge.events import ActionProgress
from bridge.world import PlayerName, Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

TRIED = ("1.8.8", "1.16.5", "1.20.4", "1.21.4")
HERE = [CENTRE.x, CENTRE.y, CENTRE.z]
AWAY = Position(CENTRE.x + 3, CENTRE.y, CENTRE.z)
COW = 4001
BESIDE = [CENTRE.x - 1.5, CENTRE.y, CENTRE.z]
DIES = 3
"""The status of an entity."""
SLOW_MS = 600


@pytest.mark.parametrize("answers", [True, False])
async def test_who_is_put_back_after_a_walk_has_not_arrived(scene: Scene, answers: bool) -> None:
    if not answers:
        await scene.do("refuse", what="statistics")
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("hold", at=HERE)
    finished = await scene.perform(MoveTo(AWAY))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert finished.message == "the server put me back to 8 64 8"
    assert Position(*finished.result["position"]).distance_to(CENTRE) < 0.5


async def test_who_is_put_back_at_each_step_gives_up_soon(scene: Scene) -> None:
    await scene.do("hold", at=HERE, within=0.3)
    finished = await scene.perform(MoveTo(AWAY))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")


async def test_who_is_put_back_once_goes_again(scene: Scene) -> None:
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("hold", at=HERE, times=1)
    assert (await scene.perform(MoveTo(AWAY))).outcome == "done"
    seen = await scene.arena.bridge.snapshot(scene.bot)
    assert seen.position.distance_to(AWAY) < 1.5


async def test_who_is_put_back_from_a_player_has_not_come_to_them(scene: Scene) -> None:
    bob = await scene.arena.bot("Bob", Position(CENTRE.x + 5, CENTRE.y, CENTRE.z))
    await scene.arena.sees(scene.bot, lambda seen: seen.player(bob) is not None)
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("hold", at=HERE)
    finished = await scene.perform(Approach(PlayerName(bob)))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")


async def test_a_server_that_answers_no_question_lets_a_bot_arrive(scene: Scene) -> None:
    await scene.do("refuse", what="statistics")
    for there in (AWAY, CENTRE):
        assert (await scene.perform(MoveTo(there))).outcome == "done"


async def test_a_block_that_comes_back_late_was_not_broken(scene: Scene) -> None:
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("refuse", what="digging")
    finished = await scene.perform(Dig(cell(1, -1, 0), pick_up=False))
    assert (finished.outcome, finished.reason) == ("failed", "blocked")
    assert "back" in finished.message


async def test_a_block_that_comes_back_is_told_with_the_servers_words(scene: Scene) -> None:
    await scene.do("refuse", what="digging", says="[INFO] Go further from spawn to build")
    finished = await scene.perform(Dig(cell(1, -1, 0), pick_up=False))
    assert finished.message.endswith("back: “[INFO] Go further from spawn to build”")


async def test_sand_that_falls_into_the_gap_was_broken_all_the_same(scene: Scene) -> None:
    for height in (0, 1):
        await scene.arena.set_block(cell(1, height, 0), "sand")
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("refuse", what="digging")  # there is sand again
    action_id = await scene.arena.begin(scene.bot, Dig(cell(1, 0, 0), pick_up=False))
    await scene.arena.set_block(cell(1, 1, 0), "air")
    assert (await scene.arena.finished(action_id)).outcome == "done"


@pytest.mark.parametrize("evidence", ["status", "drops", None])
async def test_prey_that_is_gone_was_killed_if_shown(scene: Scene, evidence: str | None) -> None:
    await scene.do("mob", name="cow", id=COW, at=BESIDE)
    await scene.arena.sees(scene.bot, lambda seen: any(mob.id == COW for mob in seen.mobs))
    action_id = await scene.arena.begin(scene.bot, Hunt(COW))
    await scene.log.first(ActionProgress, action_id=action_id)
    if evidence == "status":
        await scene.do("status", of=COW, status=DIES)
    await scene.do("vanish", id=COW)
    if evidence == "drops":
        await scene.do("leave", id=COW + 1, at=BESIDE)
    finished = await scene.arena.finished(action_id)
    if evidence:
        assert finished.outcome == "done"
    else:
        assert (finished.reason, finished.message) == ("not_found", "the cow got away")


async def test_what_the_server_lets_nobody_throw_was_not_thrown(scene: Scene) -> None:
    if not since(scene.game.version, "1.17"):
        pytest.skip("up to 1.16 each click is answered")
    await scene.arena.give(scene.bot, "bread", 3)
    await scene.do("lag", ms=SLOW_MS)
    await scene.do("refuse", what="clicks")
    finished = await scene.perform(Toss("bread", 3))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert (await scene.arena.bridge.snapshot(scene.bot)).count("bread") == 3
