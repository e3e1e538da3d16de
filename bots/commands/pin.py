"""`!pin <pin>`: prove that one is the owner or trusted player one is called.

What was tried is neither recorded nor logged nor traced nor repeated."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from bots.access.origin import Person
from bots.access.proofs import BLOCKED_S
from bots.bot.result import Result
from bots.errors import CommandError, NotPermitted
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands


class PinArgs(Args):
    pin: str = Field(min_length=1)
    """The number that proves who you are."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        return {"pin": rest.strip()} if rest.strip() else {}


class PinResult(Result):
    level: str

    def lines(self) -> list[str]:
        return [f"Thank you: until you leave, you are {self.level}."]


@commands.command("pin", PinArgs, secret=True, example="!pin YOUR-PIN")
async def pin(context: CommandContext, args: PinArgs) -> PinResult:
    """Prove by the pin that you are who you are called; by whisper only."""
    permissions, origin = context.bot.permissions, context.origin
    if not permissions.proofs.is_asked_for or not isinstance(origin, Person):
        raise CommandError("no_pin", "You need no pin here.")
    if not permissions.is_named(origin.name):
        raise NotPermitted("not_permitted", "You need no pin: only those who may command have one.")
    verdict = permissions.proofs.judge(origin.name, args.pin, context.bot.name)
    if verdict == "blocked":
        minutes = f"{BLOCKED_S / 60:g} minutes"
        raise CommandError("blocked", f"Too many wrong pins: I take none for {minutes}.")
    if verdict == "wrong":
        left = permissions.proofs.tries_left(origin.name)
        raise CommandError("wrong_pin", f"That is not the pin; tries left: {left}.", triesLeft=left)
    return PinResult(level=context.asker_level.name.lower())
