"""What a server takes no notice of has not been done: others see it, or it shows no more."""

import pytest
from contract.arena import CENTRE, cell
from versions.stage import Scene
from versions.supported import since

from bridge.actions import BlockAt, Dig, MoveTo
from bridge.world import PlayerName, Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

TRIED = ("1.8.8", "1.20.4")
AWAY = Position(CENTRE.x + 3, CENTRE.y, CENTRE.z)


async def test_who_is_seen_standing_still_has_not_arrived(scene: Scene) -> None:
    bob = await scene.arena.bot("Bob", Position(CENTRE.x, CENTRE.y, CENTRE.z + 3))
    await scene.arena.sees(bob, lambda seen: seen.player(PlayerName(scene.bot)) is not None)
    assert (await scene.perform(MoveTo(AWAY))).outcome == "done"
    await scene.do("refuse", what="moves")
    finished = await scene.perform(MoveTo(Position(CENTRE.x - 3, CENTRE.y, CENTRE.z)))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert f"{bob} sees me at" in finished.message
    seen = await scene.arena.bridge.snapshot(scene.bot)
    assert seen.position.distance_to(AWAY) < 1.5


async def test_who_is_alone_and_not_told_of_the_next_chunk_has_not_come_there(scene: Scene) -> None:
    if not since(scene.game.version, "1.14"):
        pytest.skip("up to 1.13 no server tells in which chunk a bot is")
    near, over, far = (Position(x, CENTRE.y, CENTRE.z) for x in (13.5, 18.5, 35.5))
    for there in (near, over, near, over, near):
        assert (await scene.perform(MoveTo(there))).outcome == "done"
    await scene.do("refuse", what="moves")
    finished = await scene.perform(MoveTo(far))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert finished.message == "the server took none of my steps: it has me in the chunk at 0 0"


async def test_who_is_alone_and_whose_steps_are_no_more_counted_has_not_arrived(
    scene: Scene,
) -> None:
    back = Position(CENTRE.x - 3, CENTRE.y, CENTRE.z)
    for there in (AWAY, back):
        assert (await scene.perform(MoveTo(there))).outcome == "done"
    await scene.do("refuse", what="moves")
    finished = await scene.perform(MoveTo(AWAY))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    assert "took none of my steps: it counts none of the last" in finished.message


async def test_a_block_that_another_bot_sees_stand_was_not_broken(scene: Scene) -> None:
    await scene.arena.bot("Bob", AWAY)
    await scene.do("refuse", what="breaks")
    await still_stands(scene)


async def test_a_block_whose_end_is_not_shown_as_others_were_was_not_broken(scene: Scene) -> None:
    for x in (0, 1):
        assert (await scene.perform(Dig(cell(x, -1, 1), pick_up=False))).outcome == "done"
    await scene.do("refuse", what="breaks")
    await still_stands(scene)


async def still_stands(scene: Scene) -> None:
    """A bot does not believe to have broken the block beside it, nor that it is gone."""
    finished = await scene.perform(Dig(cell(1, -1, 0), pick_up=False))
    assert (finished.outcome, finished.reason) == ("failed", "unconfirmed")
    (block,) = await scene.arena.bridge.query(scene.bot, BlockAt(cell(1, -1, 0)))
    assert block.name == "grass_block"
