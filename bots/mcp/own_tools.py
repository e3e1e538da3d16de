"""Tools that are no commands: the bots, talking with one, what it heard, what happens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, ConfigDict, Field

from bots.mcp.feed import KEPT, EventFeed
from bots.mcp.running_daemon import Json, RunningDaemon
from bots.mcp.tools import BOT


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
