"""Commands as tools, some tools that are no commands, and how a call of one is carried out.

Names, descriptions and schemas come from the declarations of the commands. The token is the
operator's, who may run everything; what proves who a player is, is left out.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, TypeAlias

from mcp_types import CallToolResult, ImageContent, TextContent, Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bots.mcp.running_daemon import KEPT, Event, EventFeed, Json, RunningDaemon, refusal
from bots.owned_tasks import until_first
from bots.registry.args import PREFIX
from bots.registry.registry import Command
from bots.responder.command_tools import tool_name
from bots.text import suggest
from bots.text.faults import faults_of

BOT: Json = {"type": "string", "description": "Which bot."}
WAIT: Json = {
    "type": "boolean",
    "default": True,
    "description": "false: return once it has begun; it goes on by itself.",
}
_LEFT_OUT = frozenset({"history"})
"""The tool of that name reads further back."""
REPORT_EVERY_S = 5.0  # also when nothing new is known: clients give up on silent calls
Report: TypeAlias = Callable[[float, str], Awaitable[None]]
"""Tells the caller after how many seconds how far it is."""


def tool_of(command: Command[Any]) -> Tool:
    shown = f"{command.summary} As a command: {command.example}"
    schema = _untitled(command.schema)
    meanings = {key: meaning for key, meaning, _ in command.args.options()}
    fields = {
        key: {**field, "description": meanings[key]} if meanings.get(key) else field
        for key, field in schema.get("properties", {}).items()
    }
    wait = {"wait": WAIT} if may_be_left(command) else {}
    required = ["bot", *schema.get("required", [])]
    return Tool(
        name=tool_name(command),
        title=PREFIX + command.name,
        description=f"{shown} (ended with {command.ended_by})" if command.ended_by else shown,
        input_schema={**schema, "properties": {"bot": BOT, **fields, **wait}, "required": required},
    )


def may_be_left(command: Command[Any]) -> bool:
    """Whether a call may return before the command has ended."""
    return command.world and not command.ended_by


def _untitled(schema: Any) -> Any:
    """Without the titles that say again what the names say."""
    if isinstance(schema, list):
        return [_untitled(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _untitled(one) for name, one in value.items()}
        if key in {"properties", "$defs"}
        else _untitled(value)
        for key, value in schema.items()
        if key != "title"
    }


class Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Bot: TypeAlias = Annotated[str, Field(description=BOT["description"])]


class OfBots(Arguments):
    pass


class OfSay(Arguments):
    bot: Bot
    text: Annotated[str, Field(min_length=1, description="What to say; no command.")]
    name: Annotated[str | None, Field(description="What the bot is to call you.")] = None


class OfHistory(Arguments):
    bot: Bot
    username: Annotated[str | None, Field(description="Only what these said, with commas.")] = None
    since: Annotated[int | None, Field(ge=0, description="Only after this sequence.")] = None
    before: Annotated[int | None, Field(ge=1, description="Only before this sequence.")] = None
    limit: Annotated[int, Field(ge=1, le=1000, description="Only so many, the newest.")] = 50


class OfEvents(Arguments):
    after: Annotated[
        int | None, Field(ge=0, description="Only after this sequence; else all that is kept.")
    ] = None
    bot: Annotated[str | None, Field(description="Only of this bot.")] = None


@dataclass(frozen=True, slots=True)
class OwnTool:
    """One of them; `use` gets the arguments checked."""

    name: str
    meaning: str
    arguments: type[Arguments]
    use: Callable[[Any], Awaitable[Json]]
    reads_only: bool = True

    def as_tool(self) -> Tool:
        schema = self.arguments.model_json_schema()
        annotations = ToolAnnotations(read_only_hint=self.reads_only, open_world_hint=False)
        return Tool(
            name=self.name,
            description=self.meaning,
            input_schema=schema,
            annotations=annotations,
        )


def own_tools(daemon: RunningDaemon, feed: EventFeed) -> tuple[OwnTool, ...]:
    async def bots(_: OfBots) -> Json:
        return await daemon.bots()

    async def say(asked: OfSay) -> Json:
        return await daemon.message(asked.bot, asked.text, asked.name)

    async def history(asked: OfHistory) -> Json:
        query = asked.model_dump(exclude={"bot"}, exclude_none=True)
        return await daemon.history(asked.bot, query)

    async def events(asked: OfEvents) -> Json:
        found = feed.since(asked.after)
        shown = [event for event in found if asked.bot in {None, event.get("bot")}]
        return {"success": True, "connected": feed.connected.is_set(), "events": shown}

    return (
        OwnTool("bots", "List the bots, how they are and what they do.", OfBots, bots),
        OwnTool("say", "Say something to a bot; the answer is its reply.", OfSay, say, False),
        OwnTool(
            "history",
            "What a bot heard and said, oldest first; `before` the first one's sequence gives the "
            "page before it, back to the beginning. The tool `recall` searches it.",
            OfHistory,
            history,
        ),
        OwnTool(
            "events",
            f"What happened to the bots lately, oldest first: the newest {KEPT} events. `skipped` "
            "counts those before an event that are gone.",
            OfEvents,
            events,
        ),
    )


class Calls:
    """All tools by name."""

    def __init__(
        self, commands: Iterable[Command[Any]], daemon: RunningDaemon, feed: EventFeed
    ) -> None:
        self._daemon, self._feed = daemon, feed
        self._own = {tool.name: tool for tool in own_tools(daemon, feed)}
        offered = (one for one in commands if not one.secret and one.name not in _LEFT_OUT)
        self._commands = {tool_name(command): command for command in offered}

    @cached_property
    def tools(self) -> list[Tool]:
        own = [tool.as_tool() for tool in self._own.values()]
        return [*own, *map(tool_of, self._commands.values())]

    async def call(self, name: str, arguments: Mapping[str, Any], report: Report) -> CallToolResult:
        """The result, of which `success` says whether it is one."""
        if (own := self._own.get(name)) is not None:
            try:
                asked = own.arguments.model_validate(arguments)
            except ValidationError as error:
                return _result(refusal("invalid_format", f"{faults_of(error)[0]}."))
            return _result(await own.use(asked))
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
        words = PREFIX + command.name
        text = f"{words} {json.dumps(arguments, ensure_ascii=False)}" if arguments else words
        if not waits:
            return await self._daemon.begin(bot, text)
        # The outcome of a command, while its progress is reported.
        work = self._daemon.command(bot, text)
        progress = Progress(bot, words, report)
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


def _result(outcome: Json) -> CallToolResult:
    # A picture that a result holds as base64 is shown as one by clients.
    data = outcome.get("data")
    found = data.get("image") if isinstance(data, dict) else None
    image = [ImageContent(data=found, mime_type="image/png")] if isinstance(found, str) else []
    shown = {**outcome, "data": {**outcome["data"], "image": None}} if image else outcome
    return CallToolResult(
        content=[TextContent(text=json.dumps(shown, ensure_ascii=False)), *image],
        structured_content=shown,
        is_error=outcome.get("success") is not True,
    )
