"""Carries out a call of a tool: checks it, runs it, reports its progress, says how it ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from mcp_types import CallToolResult, ImageContent, TextContent, Tool
from pydantic import ValidationError

from bots.mcp.feed import Event, EventFeed
from bots.mcp.own_tools import OwnTool, own_tools
from bots.mcp.running_daemon import Json, RunningDaemon, refusal
from bots.mcp.tools import by_tool_name, may_be_left, text_of, tool_of
from bots.owned_tasks import until_first
from bots.registry.args import PREFIX
from bots.registry.registry import Command
from bots.text import suggest
from bots.text.faults import faults_of

REPORT_EVERY_S = 5.0  # also when nothing new is known: clients give up on silent calls

Report: TypeAlias = Callable[[float, str], Awaitable[None]]
"""Tells the caller after how many seconds how far it is."""


class Calls:
    """All tools by name."""

    def __init__(
        self, commands: Iterable[Command[Any]], daemon: RunningDaemon, feed: EventFeed
    ) -> None:
        self._daemon, self._feed = daemon, feed
        self._own = {tool.name: tool for tool in own_tools(daemon, feed)}
        self._commands = by_tool_name(commands)

    @cached_property
    def tools(self) -> list[Tool]:
        own = [tool.as_tool() for tool in self._own.values()]
        return [*own, *map(tool_of, self._commands.values())]

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report) -> CallToolResult:
        """The result, of which `success` says whether it is one."""
        if (own := self._own.get(name)) is not None:
            return _result(await _use(own, arguments))
        if (command := self._commands.get(name)) is not None:
            return _result(await self._run(command, dict(arguments), report))
        near = suggest.similar(name, [*self._own, *self._commands])
        sentence = f"There is no tool {name!r}.{suggest.as_sentence(near)}"
        return _result(refusal("unknown_tool", sentence))

    async def _run(self, command: Command[Any], arguments: Json, report: Report) -> Json:
        bot = arguments.pop("bot", None)
        if not isinstance(bot, str) or not bot:
            return refusal("invalid_format", "bot: say which bot; the tool `bots` lists them.")
        waits = arguments.pop("wait", True) if may_be_left(command) else True
        if not isinstance(waits, bool):
            return refusal("invalid_format", "wait: write true or false.")
        text = text_of(command, arguments)
        if not waits:
            return await self._daemon.begin(bot, text)
        return await self._reported(self._daemon.command(bot, text), bot, command, report)

    async def _reported(
        self, work: Awaitable[Json], bot: str, command: Command[Any], report: Report
    ) -> Json:
        """The outcome of a command, while its progress is reported."""
        progress = Progress(bot, PREFIX + command.name, report)
        outcome: list[Json] = []

        async def to_its_end() -> None:
            outcome.append(await work)

        with self._feed.heard_by(progress.take):
            await until_first(to_its_end(), progress.run())
        return outcome[0]


class Progress:
    """How far the job of a call is, by the daemon's events."""

    def __init__(self, bot: str, command: str, report: Report) -> None:
        self._bot, self._command, self._report = bot, command, report
        self._newest = f"{bot}: {command}"
        self._changed = asyncio.Event()

    def take(self, event: Event) -> None:
        if event.get("bot") != self._bot or event.get("command") != self._command:
            return
        if (told := told_of(event)) is not None:
            self._newest = f"{self._bot}: {told}"
            self._changed.set()

    async def run(self) -> None:
        """Report until cancelled: what is new at once, else every few seconds."""
        began_s = asyncio.get_running_loop().time()
        while True:
            try:
                async with asyncio.timeout(REPORT_EVERY_S):
                    await self._changed.wait()
            except TimeoutError:
                pass
            self._changed.clear()
            elapsed_s = asyncio.get_running_loop().time() - began_s
            await self._report(round(elapsed_s, 3), self._newest)


def told_of(event: Event) -> str | None:
    """What an event says of how far a job is; None where it says nothing."""
    match event["name"]:
        case "job.progressed":
            stage = f"{event['stage']}, " if event.get("stage") else ""
            return f"{stage}{_number(event['done'])} of {_number(event['total'])} {event['what']}"
        case "goal.planned":
            return f"the plan: {', '.join(event['steps'])}"
        case "goal.step_failed" | "goal.interrupted":
            return str(event["why"])
    return None


def _number(value: float | None) -> str:
    """A number of an event, where what is endless is null."""
    return "?" if value is None else f"{value:g}"


async def _use(tool: OwnTool, arguments: Mapping[str, Any]) -> Json:
    try:
        asked = tool.arguments.model_validate(arguments)
    except ValidationError as error:
        return refusal("invalid_format", f"{faults_of(error)[0]}.")
    return await tool.use(asked)


def _result(outcome: Json) -> CallToolResult:
    image = _image_in(outcome)
    shown = {**outcome, "data": {**outcome["data"], "image": None}} if image else outcome
    return CallToolResult(
        content=[TextContent(text=json.dumps(shown, ensure_ascii=False)), *image],
        structured_content=shown,
        is_error=outcome.get("success") is not True,
    )


def _image_in(outcome: Json) -> list[ImageContent]:
    """The picture that a result holds as base64, which a client shows as one."""
    data = outcome.get("data")
    image = data.get("image") if isinstance(data, dict) else None
    return [ImageContent(data=image, mime_type="image/png")] if isinstance(image, str) else []
