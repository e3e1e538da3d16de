"""`!echo <message>`: say the same words back, to check that the bot hears and speaks."""

from __future__ import annotations

import re

from pydantic import Field

from bots.bot.result import Result
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands

_NAMED = re.compile(r'\{\s*"message"\s*:')


class EchoArgs(Args):
    message: str = Field(min_length=1)
    """What to say back."""

    @classmethod
    def is_json(cls, rest: str) -> bool:
        """Other JSON is what to say back."""
        return _NAMED.match(rest) is not None


class EchoResult(Result):
    message: str


@commands.command("echo", EchoArgs, example="!echo こんにちは")
async def echo(_context: CommandContext, args: EchoArgs) -> EchoResult:
    """Say the same words back."""
    return EchoResult(message=args.message)
