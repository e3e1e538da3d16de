"""What a running daemon tells Prometheus; and that the docs and the board know it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from pathlib import Path

import pytest
from support.daemons import daemon_on

from bots.daemon.gauges import Gauges
from bots.observability.loop_lag import LoopLag
from bots.observability.meters import Meters
from bridge.fake import FakeBridge, FakeWorld

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

DOCS = Path(__file__).parents[3] / "docs"
NAME = re.compile(r"^# TYPE (\S+) ", re.MULTILINE)
USED = re.compile(r"townsfolk_[a-z_]+")


async def test_a_daemon_tells_its_bots_money_and_loop(tmp_path: Path) -> None:
    async with daemon_on(FakeBridge(FakeWorld()), tmp_path, None) as daemon:
        lag = LoopLag(time.perf_counter, asyncio.sleep)
        text = Gauges(daemon.roster, daemon.responders.budget, Meters(), lag).text()
    names = set(NAME.findall(text))
    assert 'townsfolk_bots{state="online"} 1' in text
    assert "townsfolk_budget_cap_usd{} " in text
    told = (DOCS / "metrics.md").read_text()
    assert names == {name for name in USED.findall(told) if f"`{name}`" in told}
    board = json.loads((DOCS / "grafana.json").read_text())
    asked = {
        name for panel in board["panels"] for name in USED.findall(panel["targets"][0]["expr"])
    }
    ends = re.compile(r"_(bucket|sum|count)$")
    assert {ends.sub("", name) for name in asked} <= names
