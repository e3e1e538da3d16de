"""Who may make a bot work."""

from pathlib import Path

import pytest
from support.acting import GROUND
from support.rig import Rig, run_json

from bridge.world import Position

HERE = Position(8.5, GROUND, 8.5)


@pytest.mark.parametrize("text", ["!skill gather oak_log", "!creative placeBlock dirt"])
async def test_a_mere_player_may_not_work_a_bot(tmp_path: Path, text: str) -> None:
    from bots.access.origin import Person
    from bots.access.permissions import Permissions
    from bridge.world import PlayerName

    rig = await Rig.found(tmp_path, Permissions())
    await rig.bot("Alice", HERE)
    result = await run_json(rig.bots["Alice"], text, Person(PlayerName("Steve")))
    assert (result["reason"], result["level"]) == ("not_permitted", "trusted")
    await rig.aclose()
