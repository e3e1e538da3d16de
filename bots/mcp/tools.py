"""Commands as tools: one for each that a client may run, with the bot as its first argument.

Names, descriptions and schemas come from the declarations of the commands. The token is the
operator's, who may run everything; what proves who a player is, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from mcp_types import Tool

from bots.mcp.running_daemon import Json
from bots.registry.args import PREFIX
from bots.registry.registry import Command
from bots.responder.command_tools import tool_name

BOT: Json = {"type": "string", "description": "Which bot."}
WAIT: Json = {
    "type": "boolean",
    "default": True,
    "description": "false: return once it has begun; it goes on by itself.",
}
_LEFT_OUT = frozenset({"history"})
"""The tool of that name reads further back."""


def by_tool_name(commands: Iterable[Command[Any]]) -> dict[str, Command[Any]]:
    """The commands that clients may run."""
    offered = (one for one in commands if not one.secret and one.name not in _LEFT_OUT)
    return {tool_name(command): command for command in offered}


def tool_of(command: Command[Any]) -> Tool:
    shown = f"{command.summary} As a command: {command.example}"
    return Tool(
        name=tool_name(command),
        title=PREFIX + command.name,
        description=f"{shown} (ended with {command.ended_by})" if command.ended_by else shown,
        input_schema=_schema(command),
    )


def may_be_left(command: Command[Any]) -> bool:
    """Whether a call may return before the command has ended."""
    return command.world and not command.ended_by


def text_of(command: Command[Any], arguments: Mapping[str, Any]) -> str:
    """The call as the daemon takes it."""
    words = PREFIX + command.name
    return f"{words} {json.dumps(arguments, ensure_ascii=False)}" if arguments else words


def _schema(command: Command[Any]) -> Json:
    schema = _untitled(command.schema)
    meanings = {key: meaning for key, meaning, _ in command.args.options()}
    fields = {
        key: {**field, "description": meanings[key]} if meanings.get(key) else field
        for key, field in schema.get("properties", {}).items()
    }
    wait = {"wait": WAIT} if may_be_left(command) else {}
    required = ["bot", *schema.get("required", [])]
    return {**schema, "properties": {"bot": BOT, **fields, **wait}, "required": required}


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
