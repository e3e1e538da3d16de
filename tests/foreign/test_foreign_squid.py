"""Bots among people on a server that nobody here wrote: npm's flying-squid with its own rules."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign.squid import OLDER, known_faults, played, surprises
from versions.supported import SUPPORTED, tried

from bridge.node import NodeRuntime

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(150)]


# 1.12.2 has the faults of 1.8.8: it is played where every version is tried
@pytest.mark.parametrize(
    "version", [one for one in OLDER if one != "1.12.2" or tried() == SUPPORTED]
)
async def test_every_scene_holds_on_it_but_for_its_known_faults(
    version: str, node_binary: Path, node_dir: Path
) -> None:
    outcomes = await played(NodeRuntime(node_binary, node_dir), version)
    assert surprises(outcomes, known_faults(version)) == []
