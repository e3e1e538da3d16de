"""Starts an embedded server, prints its pid, and waits to be killed."""

import asyncio
import sys
from pathlib import Path

from bridge.server.launcher import EmbeddedServer


async def main() -> None:
    node, node_dir = map(Path, sys.argv[1:])
    server = await EmbeddedServer.start(node, node_dir)
    sys.stdout.write(f"{server.pid}\n")
    sys.stdout.flush()
    await server.exited()


asyncio.run(main())
