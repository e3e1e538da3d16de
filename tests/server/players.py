"""Real clients in Node that play named scenarios (play.cjs) on a real embedded server."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bridge.errors import ServerFailed
from bridge.server.launcher import EmbeddedServer

SCRIPT = Path(__file__).with_name("play.cjs")
SCENE_WITHIN_S = 60.0
SMELT_MS = 300
BITE_MS = 300
CHECKED = "Checked"  # the one player who falls under the spam rule


class Players:
    def __init__(self, server: EmbeddedServer, process: asyncio.subprocess.Process) -> None:
        self.server = server
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout = process.stdin, process.stdout

    @classmethod
    @asynccontextmanager
    async def open(
        cls, node: Path, node_dir: Path, log_path: Path, world_folder: Path | None = None
    ) -> AsyncIterator["Players"]:
        server = await EmbeddedServer.start(
            node,
            node_dir,
            log_path=log_path,
            spam_checked=(CHECKED,),
            smelt_ms=SMELT_MS,
            bite_ms=BITE_MS,
            world_folder=world_folder,
        )
        process = await asyncio.create_subprocess_exec(
            *(node, SCRIPT, str(server.port)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        )
        try:
            yield cls(server, process)
        finally:
            if process.returncode is None:
                process.kill()
            await process.communicate()
            await server.aclose()

    async def play(self, scenario: str) -> Any:
        """The facts of one scenario; an AssertionError when it did not come to its end."""
        self._stdin.write(scenario.encode() + b"\n")
        async with asyncio.timeout(SCENE_WITHIN_S):
            while True:
                message = await self._next()
                if "ask" not in message:
                    break
                await self._answer(**message["ask"])
        assert message["ok"], message["error"]
        assert message["faults"] == []
        return message["facts"]

    async def _next(self) -> dict[str, Any]:
        line = await self._stdout.readline()
        assert line, "the players' Node ended"
        if not line.startswith(b"@@"):
            return await self._next()
        message: dict[str, Any] = json.loads(line[2:])
        return message

    async def _answer(self, id: int, op: str, **args: Any) -> None:
        try:
            answer = {"id": id, "ok": await self.server.admin(op, **args)}
        except ServerFailed as refusal:
            answer = {"id": id, "error": str(refusal)}
        self._stdin.write(json.dumps(answer).encode() + b"\n")
