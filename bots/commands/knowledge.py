"""`!knowledge [words]`: what the bot was told to remember and found out, with who told it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from bots.access.sources import Sources, joined
from bots.bot.knowing import TYPES, Found, KnowledgeType, Wanted
from bots.bot.result import Result
from bots.knowledge.portable import found_as_json
from bots.knowledge.wording import listed, row_of
from bots.registry.args import Args
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands

WHISPERED = 4  # entries
SHOWN = 8  # to a model
MOST = 1_000
BETWEEN = " ‖ "


class KnowledgeArgs(Args):
    json_only: ClassVar = frozenset({"type", "speaker", "limit"})

    words: str = ""
    """What it is about; without words, all there is."""
    type: KnowledgeType | None = None
    """Only this kind of entry."""
    speaker: PlayerWord | None = None
    """Only what this one told."""
    limit: int = Field(20, ge=1, le=MOST, strict=True)
    """How many entries."""


class KnowledgeResult(Result):
    between_lines: ClassVar = BETWEEN

    found: tuple[Found, ...]
    """What trusted ones told and the bot saw first, then claims; the weightier first."""
    now: datetime

    @property
    def sources(self) -> Sources:
        """Whence all these words come."""
        return joined(one.entry.sources for one in self.found)

    def as_json(self) -> dict[str, Any]:
        entries = [found_as_json(one) for one in self.found]
        return {"success": True, "count": len(entries), "entries": entries}

    def as_shown(self) -> dict[str, Any]:
        return {"found": [row_of(one, self.now) for one in self.found[:SHOWN]]}

    def lines(self) -> list[str]:
        told = [listed(one, self.now) for one in self.found[:WHISPERED]]
        left = len(self.found) - len(told)
        more = [f"and {left} more: add a word"] if left else []
        return [line.replace(BETWEEN.strip(), "|") for line in told] + more or [NOTHING]


NOTHING = "I know nothing of that."


@commands.command("knowledge", KnowledgeArgs, example="!knowledge bridge")
async def knowledge(context: CommandContext, args: KnowledgeArgs) -> KnowledgeResult:
    """Tell what I was told to remember and found out; only what you may know."""
    context.check_proven()
    found = await context.bot.knowledge.search(
        Wanted(
            args.words,
            types=(args.type,) if args.type else TYPES,
            speaker=args.speaker,
            limit=args.limit,
            damped=True,
            may_know=context.may_know,
        )
    )
    return KnowledgeResult(found=tuple(found), now=context.bot.times.clock())
