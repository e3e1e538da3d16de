"""One goal through a death, a kick, Node's end and `kill -9`; and one that was stopped.

The server is not the daemon's own, so it and the player who gave the goals stay.
"""

import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People, Player

from bridge.port import ServerAddress
from bridge.server.launcher import HOST, EmbeddedServer

pytestmark = [pytest.mark.real, pytest.mark.slow]

QUIET = {"TOWNSFOLK_TALK__SMALL_TALK": "false", "TOWNSFOLK_GROUP_TALK__BY_WORDS": "false"}
STEP_WITHIN_S = 60.0
BACK_WITHIN_S = 30.0
WHOLE_S = 300.0


class Scene:
    """Steve's world, in which daemons come and go."""

    def __init__(self, site: Site, server: EmbeddedServer, steve: Player) -> None:
        self._flags = ("--server", f"{HOST}:{server.port}", "--bots", "Alice", "--owner")
        self._site, self.server, self.steve = site, server, steve

    def daemon(self) -> AbstractAsyncContextManager[DaemonProcess]:
        return self._site.up(*self._flags, self.steve.name, **QUIET)

    async def hears(self, words: str, within_s: float = BACK_WITHIN_S) -> str:
        return await self.steve.hears("Alice", within_s, containing=words)


async def killed(daemon: DaemonProcess) -> None:
    daemon.send_signal(signal.SIGKILL)
    await daemon.ended()


@pytest.mark.timeout(WHOLE_S)
async def test_a_goal_outlasts_death_kick_node_and_kill_9_and_a_stop_does_too(
    new_site: Callable[[], Site], people: People, node_binary: Path, node_dir: Path
) -> None:
    server = await EmbeddedServer.start(node_binary, node_dir, spam_checked=("Alice",))
    try:
        async with people.player(ServerAddress(HOST, server.port)) as steve:
            scene = Scene(new_site(), server, steve)
            await begun_and_cut_off(scene)
            await taken_up_reached_and_stopped(scene)
            await left_alone(scene)
    finally:
        await server.aclose()


async def begun_and_cut_off(scene: Scene) -> None:
    """Death, a kick and Node's end in the middle; then the daemon is killed."""
    async with scene.daemon() as daemon, daemon.watching() as watch:
        await scene.steve.whispers("Alice", "!goal inventory.stone_pickaxe:1")
        await watch.next("goal.step_done", bot="Alice", within_s=STEP_WITHIN_S)
        await scene.server.admin("kill", player="Alice")
        await watch.next("goal.step_failed", bot="Alice", within_s=STEP_WITHIN_S)
        await scene.server.admin("kick", player="Alice", reason="out for a moment")
        assert "inventory.stone_pickaxe:1" in await scene.hears("out of the world")
        daemon.bots_node.kill()
        assert "inventory.stone_pickaxe:1" in await scene.hears("out of the world")
        queued = await daemon.command("Alice", "!goal then inventory.stick:1")
        assert queued["success"] is True
        assert (await daemon.command("Alice", "!goal foo"))["reason"] == "invalid_format"
        assert (await daemon.bots())["Alice"]["doing"][0] == "!goal"
        await killed(daemon)


async def taken_up_reached_and_stopped(scene: Scene) -> None:
    async with scene.daemon() as daemon, daemon.watching() as watch:
        assert await scene.hears("I go on") == "I go on with inventory.stone_pickaxe:1."
        assert await scene.hears("Done: inventory.stone_pickaxe:1", STEP_WITHIN_S)
        items = (await daemon.command("Alice", "!info all"))["data"]["inventory"]["items"]
        assert "stone_pickaxe" in {item["name"] for item in items}
        wish = "inventory.cobblestone:40"  # the goal that waited may be planned first
        await scene.steve.whispers("Alice", f"!goal {wish}")
        await watch.next("goal.planned", bot="Alice", goal=wish, within_s=STEP_WITHIN_S)
        assert (await daemon.command("Alice", "!goal list"))["goals"] != []
        assert "!goal" in (await daemon.command("Alice", "!stop"))["stoppedActions"]
        await killed(daemon)


async def left_alone(scene: Scene) -> None:
    async with scene.daemon() as daemon:
        assert (await daemon.command("Alice", "!goal list"))["message"] == "I have no goal."
        assert (await daemon.bots())["Alice"]["doing"] == []
        await wears(scene, daemon)
        assert daemon.tracebacks == []


async def wears(scene: Scene, daemon: DaemonProcess) -> None:
    """Finding 11: what is worn was shown nowhere."""
    await scene.server.admin("give", player="Alice", item="iron_helmet", count=1)
    equipped = await daemon.command("Alice", "!skill equip iron_helmet")
    assert equipped["success"] is True, equipped
    inventory = (await daemon.command("Alice", "!info all"))["data"]["inventory"]
    assert inventory["worn"] == ["iron_helmet"]
    assert (await daemon.command("Alice", "!status"))["world"]["worn"] == ["iron_helmet"]
