"""`!chat <username> <message>`: whisper to a player near enough to hear it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field

from bots.bot import HEARING_RANGE
from bots.commands.args import Args
from bots.commands.declared import commands
from bots.commands.registry import CommandContext
from bots.commands.result import Number, Result
from bots.errors import CommandError
from bots.origin import Operator
from bots.plain_numbers import blocks, whole
from bots.telling import Told

DEADLINE_S = 20.0  # a place in the line, up to four paced lines and a receipt


class ChatArgs(Args):
    json_only: ClassVar = frozenset({"max_distance"})

    username: str = Field(min_length=1)
    message: str = Field(min_length=1)
    max_distance: float = Field(HEARING_RANGE, gt=0, strict=True, allow_inf_nan=False)
    """Blocks; cut to 100. Unless given, the bot's own hearing range."""

    @classmethod
    def failure_facts(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        username = fields.get("username")
        return {"targetUsername": username if isinstance(username, str) else None}


class ChatResult(Result):
    target_username: str
    distance: int
    max_distance: Number
    message: str
    """The words that were whispered."""

    def lines(self) -> list[str]:
        return [f"Told {self.target_username}, {self.distance} blocks away."]


@commands.command("chat", ChatArgs, deadline_s=DEADLINE_S)
async def chat(context: CommandContext, args: ChatArgs) -> ChatResult:
    """Whisper to a player within hearing range (15 blocks, at most 100)."""
    told = await context.bot.tell(
        args.username,
        args.message,
        _reach(context, args),
        asked_by=context.asked_by,
        may_order=isinstance(context.origin, Operator),
    )
    if told.reason is not None:
        raise CommandError(told.reason, told.sentence, **_range_facts(told))
    assert told.distance is not None
    assert told.max_distance is not None
    return ChatResult(
        target_username=told.target,
        distance=blocks(told.distance),
        max_distance=told.max_distance,
        message=told.text,
    )


def _reach(context: CommandContext, args: ChatArgs) -> float:
    given = "max_distance" in args.model_fields_set
    return args.max_distance if given else context.bot.hearing_range


def _range_facts(told: Told) -> dict[str, Any]:
    """What is known about the distance, left out where it is not."""
    if told.distance is None or told.max_distance is None:
        return {}
    return {"distance": blocks(told.distance), "maxDistance": whole(told.max_distance)}
