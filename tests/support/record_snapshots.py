"""Records what real bots sense on the embedded server, as the host sends it, into data/.

python tests/record_snapshots.py
"""

import asyncio
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bots.responder.case.world_state import LOOK
from bridge.js import JSBridge
from bridge.node import ready
from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer
from bridge.wire import encode
from bridge.world import BotName

DATA = Path(__file__).parents[1] / "data"
SEED = 5
AROUND = 8  # blocks to every side that are counted in a snapshot
SETTLE_S = 2.0
"""The only pause: chunks, entities and given items arrive when they arrive."""

ALICE = BotName("Alice")
OTHERS = ("Bob", "Carol", "Steve_42")
A_DAYS_WORK: Mapping[str, int] = {
    **{"oak_log": 12, "oak_planks": 37, "cobblestone": 90, "stone_pickaxe": 1, "torch": 8},
    **{"wooden_axe": 1, "stick": 9, "coal": 5, "bread": 3, "crafting_table": 1},
}
A_WAY_OFF = (0.0, 6.0, 20.0)  # blocks from an animal


class Recording:
    """One server with one bot that looks around, and what it saw."""

    def __init__(self, server: EmbeddedServer, bridge: JSBridge) -> None:
        self._server, self._bridge = server, bridge
        self.seen: dict[str, Any] = {}
        self.around: dict[str, Any] = {}

    async def join(self, name: str) -> None:
        await self._bridge.spawn(BotName(name), ServerAddress(HOST, self._server.port))

    async def give(self, items: Mapping[str, int]) -> None:
        for item, count in items.items():
            await self._server.admin("give", player=ALICE, item=item, count=count)

    async def go_near_animal(self, number: int, away: float) -> None:
        animals = await self._server.admin("animals")
        _, (x, y, z), _ = animals[number]
        await self._server.admin("teleport", player=ALICE, x=x + away, y=y + 1, z=z)

    async def look(self, name: str) -> None:
        await asyncio.sleep(SETTLE_S)
        args = {"blocks_within": AROUND}
        self.seen[name] = await self._bridge._run("snapshot", ALICE, args)
        asked = {"query": encode(LOOK)}
        self.around[name] = await self._bridge._run("query", ALICE, asked)


async def record(recording: Recording) -> None:
    await recording.join(ALICE)
    await recording.look("alone, just joined")
    await recording.join(OTHERS[0])
    await recording.look("with a fellow bot")
    await recording.give(A_DAYS_WORK)
    await recording.look("after a day's work")
    for name in OTHERS[1:]:
        await recording.join(name)
    await recording.look("in company, with a full bag")
    for number, away in enumerate(A_WAY_OFF):
        await recording.go_near_animal(number * 4, away)
        await recording.look(f"near animals {number + 1}")


async def main() -> None:
    node = await ready(print)
    server = await EmbeddedServer.start(node.binary, node.packages_dir, seed=SEED)
    bridge = JSBridge(node.binary, node.packages_dir, Path(tempfile.mkdtemp()) / "node.log")
    try:
        await bridge.start()
        recording = Recording(server, bridge)
        await record(recording)
    finally:
        await bridge.aclose()
        await server.aclose()
    write("snapshots", recording.seen)
    write("surroundings", recording.around)


def write(name: str, seen: Mapping[str, Any]) -> None:
    rows = [f" {json.dumps(moment)}: {json.dumps(one)}" for moment, one in seen.items()]
    (DATA / f"{name}.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    asyncio.run(main())
