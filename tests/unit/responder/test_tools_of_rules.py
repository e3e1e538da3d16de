"""Rules use a tool only where the speaker may, and do not wait for it longer than they say."""

import asyncio

import pytest

from bots.responder.rules.scene import use_in_time
from llm.engine.decision import ToolOutcome
from llm.model import Tool, ToolCall


class OneTool:
    """A toolbox of which one tool is permitted; `slow` never answers."""

    def __init__(self, permitted: str) -> None:
        self._permitted = permitted
        self.called: list[str] = []

    @property
    def tools(self) -> tuple[Tool, ...]:
        return ()

    def permits(self, name: str) -> bool:
        return name == self._permitted

    def advice(self) -> str:
        return ""

    async def use(self, call: ToolCall) -> ToolOutcome:
        self.called.append(call.name)
        if call.name == "slow":
            await asyncio.Event().wait()
        return ToolOutcome("done")


@pytest.mark.parametrize(
    ("name", "permitted", "called", "failed"),
    [
        ("recall", "recall", ["recall"], False),
        ("recall", "knows", [], True),
        ("slow", "slow", ["slow"], True),
    ],
)
async def test_a_tool_that_is_forbidden_or_slow_has_no_result(
    name: str, permitted: str, called: list[str], failed: bool
) -> None:
    tools = OneTool(permitted)
    async with asyncio.timeout(5):
        outcome = await use_in_time(tools, name, {}, 0.05)
    assert (tools.called, outcome.failed, outcome.result) == (called, failed, None)
