"""`!refresh`: senses everything anew in one snapshot."""

from support.rig import Rig, in_words, rig_with_alice, run_json

from bridge.world import Position

rig = rig_with_alice(Position(0.5, 64, 0.5))


async def test_a_refresh_takes_one_crossing_and_tells_its_time(rig: Rig) -> None:
    before = rig.bridge.snapshots
    assert await run_json(rig.bots["Alice"], "!refresh") == {"success": True, "durationMs": 0}
    assert rig.bridge.snapshots == before + 1
    assert await in_words(rig.bots["Alice"], "!refresh") == ["Looked around anew in 0 ms."]
