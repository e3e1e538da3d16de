"""A Node that lives and does not answer is noticed, sooner when it has no reason to be silent."""

import asyncio
from typing import cast

import pytest

from bridge.errors import BridgeDown
from bridge.js import link as watch
from bridge.js.link import Link


class SilentLink:
    """A link to a Node that sends nothing; counts how often somebody looks."""

    def __init__(self, *, is_joining: bool, is_crossing: bool = False) -> None:
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.is_joining, self.is_crossing = is_joining, is_crossing
        self.crossings, self.looks = 1, 0

    @property
    def pushes(self) -> int:
        self.looks += 1
        return self.looks if self.is_crossing else 0

    def fail(self, why: str) -> None:
        if not self.ended.done():
            self.ended.set_result(why)


@pytest.mark.parametrize("is_crossing", [False, True])
@pytest.mark.parametrize("is_joining", [False, True])
async def test_node_may_be_silent_for_longer_while_a_bot_joins(
    monkeypatch: pytest.MonkeyPatch, *, is_joining: bool, is_crossing: bool
) -> None:
    most = watch.JOINING_TICKS if is_joining else watch.STILL_TICKS
    monkeypatch.setattr(watch, "TICK_S", watch.TICK_S / 1000)
    link = SilentLink(is_joining=is_joining, is_crossing=is_crossing)
    async with asyncio.timeout(10):
        await watch.watch(cast(Link, link))
    told = "kept a batch for" if is_crossing else "been silent for"
    assert link.ended.result().startswith(f"Node has {told}")
    assert link.looks == most + 1


async def test_a_link_is_joining_while_a_spawn_is_under_way() -> None:
    link = Link(lambda events: None, lambda: 0)
    assert not link.is_joining
    spawning = asyncio.create_task(link.command("spawn", "Alice", {}, 5.0))
    await asyncio.sleep(0)
    assert link.is_joining
    link.fail("enough")
    with pytest.raises(BridgeDown, match="enough"):
        await spawning
    assert not link.is_joining
