"""What a process still needs once its garbage is collected; the memory it holds says little."""

import asyncio
import gc
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

READER = Path(__file__).with_name("heap_reader.cjs")
WRITTEN_WITHIN_S = 10.0
LOOK_AGAIN_S = 0.02


@dataclass(frozen=True, slots=True)
class InUse:
    """At one moment; Python counts in blocks of its allocator, Node in bytes."""

    python_blocks: int
    host_bytes: int
    server_bytes: int

    def __sub__(self, earlier: "InUse") -> "InUse":
        return InUse(
            self.python_blocks - earlier.python_blocks,
            self.host_bytes - earlier.host_bytes,
            self.server_bytes - earlier.server_bytes,
        )


@dataclass(frozen=True, slots=True)
class HeldByNode:
    """Of one Node at one moment."""

    in_use_bytes: int
    compiled_bytes: int
    """Of them, what V8 made of the source: it grows with all that ever ran, and no further."""
    handles: int
    """Sockets, timers, pipes: what keeps it running."""
    ids: int
    """Objects that JSPyBridge holds for Python; 0 where there is no bridge."""


def environment(folder: Path) -> dict[str, str]:
    """What a Node must be started with in order to be asked."""
    return {"NODE_OPTIONS": f"--require={READER}", "NODE_HEAP_READER_FOLDER": str(folder)}


async def in_use(folder: Path, host: int, server: int) -> InUse:
    """Of this process and of two Nodes by their process ids."""
    gc.collect()
    blocks = sys.getallocatedblocks()
    return InUse(blocks, await of_node(folder, host), await of_node(folder, server))


async def of_node(folder: Path, pid: int) -> int:
    """Bytes that a Node started in this folder's `environment` has in use."""
    return (await held_by_node(folder, pid)).in_use_bytes


async def held_by_node(folder: Path, pid: int) -> HeldByNode:
    """What it has in use."""
    written = folder / f"{pid}.json"
    written.unlink(missing_ok=True)
    os.kill(pid, signal.SIGUSR2)
    async with asyncio.timeout(WRITTEN_WITHIN_S):
        while not written.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(LOOK_AGAIN_S)
    usage = json.loads(written.read_text())
    in_use_bytes = int(usage["heapUsed"]) + int(usage["external"])
    return HeldByNode(in_use_bytes, usage["compiled"], usage["handles"], usage["ids"])
