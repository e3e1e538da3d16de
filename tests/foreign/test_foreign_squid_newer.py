"""Bots among people on a server that nobody here wrote: npm's flying-squid with its own rules,
since 1.20. A file of its own, so that two workers share the wait."""

from __future__ import annotations

from pathlib import Path

import pytest
from foreign.squid import NEWER, known_faults, played, surprises

from bridge.node import NodeRuntime

pytestmark = [pytest.mark.anyio, pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(150)]


@pytest.mark.parametrize("version", NEWER)
async def test_every_scene_holds_on_it_but_for_its_known_faults(
    version: str, node_binary: Path, node_dir: Path
) -> None:
    outcomes = await played(NodeRuntime(node_binary, node_dir), version)
    assert surprises(outcomes, known_faults(version)) == []
