"""The fake API in a process of its own, which tells how long it had each question.

Asked for anything on stdin: one line with its address, all times by then, as `[model, begun,
ended]` in seconds of the machine's monotonic clock, and the last question that a person's words
were the end of.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from typing import Any

from llm.fake_api import Call, FakeClaude, Reply, Step
from llm.fake_api.server import Answer, Request

TOOL = Call("status", {})  # asks the world once, for next to nothing
PERSONS_TIER = "sonnet"  # what is asked when a person speaks; summaries are haiku's
THINKING_S = 0.02  # before its first byte: an API that thinks leaves our tasks their turn
WORD_S = 0.005  # after each event, as no model writes all at once; 200 tokens a second are many


class TimedClaude(FakeClaude):
    """Measures itself: from a whole question to the last byte of its answer."""

    def __init__(self) -> None:
        super().__init__(decide=_decide)
        self.times: list[tuple[str, float, float]] = []
        self.question: dict[str, Any] | None = None

    async def _messages(self, request: Request, answer: Answer) -> None:
        begun = time.monotonic()
        await super()._messages(request, answer)
        ended, question = time.monotonic(), json.loads(request.body)
        self.times.append((question["model"], begun, ended))
        if PERSONS_TIER in question["model"] and "says" in _newest(question):
            self.question = question


def _decide(question: Mapping[str, Any]) -> Step:
    """A tool first when a person's newest words ask for one, else words."""
    newest, is_persons = _newest(question), PERSONS_TIER in question["model"]
    if is_persons and "tool_result" not in newest and "use a tool" in newest:
        return Reply("", calls=(TOOL,), slow_s=THINKING_S, drip_s=WORD_S)
    return Reply("All is well here.", slow_s=THINKING_S, drip_s=WORD_S)


def _newest(question: Mapping[str, Any]) -> str:
    """What a tool gave, or the newest line: earlier ones stand in the same message."""
    return json.dumps(question["messages"][-1]).rpartition('{\\"from')[2]


async def _serve() -> None:
    async with TimedClaude().serving() as api:
        print(json.dumps({"ready": True}), flush=True)
        while await asyncio.to_thread(sys.stdin.readline):
            told = {"url": api.url, "times": api.times, "question": api.question}
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve())
