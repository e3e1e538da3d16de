"""A toolbox that keeps what it was used for: what rules do is on record as what models do."""

from __future__ import annotations

from collections.abc import Callable

from llm.engine.decision import Toolbox, ToolOutcome, Used
from llm.engine.tool_round import TOO_LATE
from llm.model import Tool, ToolCall


class NotedTools:
    """Another toolbox, with its uses in `used`."""

    def __init__(self, toolbox: Toolbox, stopwatch: Callable[[], float]) -> None:
        self._toolbox, self._stopwatch = toolbox, stopwatch
        self.used: list[Used] = []

    @property
    def tools(self) -> tuple[Tool, ...]:
        return self._toolbox.tools

    async def use(self, call: ToolCall) -> ToolOutcome:
        began, outcome = self._stopwatch(), TOO_LATE  # if it is waited for no longer
        try:
            outcome = await self._toolbox.use(call)
        finally:
            took_s = self._stopwatch() - began
            self.used.append(Used(call.name, call.arguments, outcome, 0, took_s))
        return outcome
