"""Notices a Node that lives but does not answer, and says how soon to start the next one."""

from __future__ import annotations

import asyncio
from typing import Final

from bridge.js.link import Link

TICK_S: Final = 0.25
STILL_TICKS: Final = 9  # Node's beat comes every 0.5 s (host/heartbeat.cjs): 2.25 to 2.5 s
JOINING_TICKS: Final = 24  # 6 s: while a bot joins, Node stands still to load its version's data
LASTING_S: Final = 5.0
FIRST_DELAY_S: Final = 0.1
LONGEST_DELAY_S: Final = 3.0


async def watch(link: Link) -> None:
    """End the link when Node falls silent or keeps a batch; returns when the link has ended.

    Ticks are counted, not seconds: while this very process stands still, as in a suspended
    computer, nothing is held against Node."""
    pushes, batches = _Stillness(), _Stillness()
    while not link.ended.done():
        most = JOINING_TICKS if link.is_joining else STILL_TICKS
        if pushes.after(link.pushes) >= most:
            link.fail(f"Node has been silent for {most * TICK_S:g} s")
        if batches.after(link.crossings if link.is_crossing else None) >= most:
            link.fail(f"Node has kept a batch for {most * TICK_S:g} s")
        await asyncio.wait({link.ended}, timeout=TICK_S)


class RestartPace:
    """How long to wait before Node is started again: not at all, but for one that keeps
    dying twice as long each time."""

    def __init__(self) -> None:
        self._delay_s = 0.0

    def delay_s(self, lived_s: float) -> float:
        """The wait after a Node that lived so long; 0 s for one that did not start."""
        delay_s = 0.0 if lived_s >= LASTING_S else self._delay_s
        self._delay_s = min(max(2 * delay_s, FIRST_DELAY_S), LONGEST_DELAY_S)
        return delay_s


class _Stillness:
    """Counts how many looks in a row showed the same thing."""

    def __init__(self) -> None:
        self._seen: int | None = None
        self._looks = 0

    def after(self, seen: int | None) -> int:
        same = seen is not None and seen == self._seen
        self._looks, self._seen = self._looks + 1 if same else 0, seen
        return self._looks
