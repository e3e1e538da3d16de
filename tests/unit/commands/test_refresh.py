"""`!refresh`: senses everything anew in one snapshot."""

from support.rig import Rig, rig_with_alice, run_json

from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import Position

rig = rig_with_alice(Position(0.5, 64, 0.5))


async def test_a_refresh_takes_one_crossing_and_tells_its_time(rig: Rig) -> None:
    before = rig.bridge.snapshots
    result = await run_json(rig.bots["Alice"], "!refresh")
    assert set(result) == {"success", "durationMs"}
    assert result["durationMs"] >= 0
    assert rig.bridge.snapshots == before + 1


async def test_the_whisper_tells_it(rig: Rig) -> None:
    lines = render(await handle_chat_command(rig.bots["Alice"], "Steve", "!refresh"))
    assert lines == ["Looked around anew in 0 ms."]


async def test_outside_a_world_there_is_nothing_to_sense(rig: Rig) -> None:
    await rig.bridge.despawn(rig.bots["Alice"].name)
    result = await run_json(rig.bots["Alice"], "!refresh")
    assert (result["success"], result["reason"]) == (False, "not_connected")
