"""A program that holds a bridge; run by test_orphans.py. Prints Node's pid, then waits.

usage: orphan_program.py NODE NODE_DIR LOG"""

import asyncio
import sys
from pathlib import Path

from bridge.js import JSBridge


async def main(node: Path, node_dir: Path, log_path: Path) -> None:
    bridge = JSBridge(node, node_dir, log_path)
    await bridge.start()
    sys.stdout.write(f"{bridge.node_pid}\n")
    sys.stdout.flush()
    try:
        await asyncio.Event().wait()
    finally:
        await bridge.aclose()


if __name__ == "__main__":
    asyncio.run(main(*map(Path, sys.argv[1:4])))
