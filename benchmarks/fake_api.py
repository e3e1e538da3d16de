"""The fake API in a process of its own, which tells how long it had each question.

Asked for anything on stdin: one line with its address and all times by then, as `[model, begun,
ended]` in seconds of the machine's monotonic clock.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from typing import Any

from llm.fake_api import Call, FakeClaude, Reply, Step

TOOL = Call("info", {})
THINKING_S = 0.02  # before its first byte: an API that thinks leaves our tasks their turn


class TimedClaude(FakeClaude):
    """Measures itself: from a whole question to the last byte of its answer."""

    def __init__(self) -> None:
        super().__init__(decide=_decide)
        self.times: list[tuple[str, float, float]] = []

    async def _messages(self, request: Any, writer: asyncio.StreamWriter) -> None:
        begun = time.monotonic()
        await super()._messages(request, writer)
        model = json.loads(request.body)["model"]
        self.times.append((model, begun, time.monotonic()))


def _decide(question: Mapping[str, Any]) -> Step:
    """A tool first when the newest words ask for one, else words."""
    newest = json.dumps(question["messages"][-1])
    if "tool_result" not in newest and "use a tool" in newest:
        return Reply("", calls=(TOOL,), slow_s=THINKING_S)
    return Reply("All is well here.", slow_s=THINKING_S)


async def _serve() -> None:
    async with TimedClaude().serving() as api:
        print(json.dumps({"ready": True}), flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps({"url": api.url, "times": api.times}), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
