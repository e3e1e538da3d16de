"""`!recall <words>`: finds lines again in all that the bot ever heard, said and did."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BeforeValidator, Field

from bots.access.origin import called
from bots.access.sources import Sources, joined
from bots.bot.result import Result
from bots.chat.recall import MOST, USUAL, Recalled
from bots.clock import read_moment
from bots.registry.args import Args
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.text.excerpt import excerpt

WHISPERED = 4  # lines
BETWEEN = " ‖ "
LONGEST = 160  # characters of one, in a whisper

Moment: TypeAlias = Annotated[datetime, BeforeValidator(read_moment)]


class RecallArgs(Args):
    json_only: ClassVar = frozenset({"limit", "offset", "speaker", "since", "until", "episodes"})

    words: str = ""
    """What it was about; without words, the newest lines."""
    limit: int = Field(USUAL, ge=1, le=MOST, strict=True)
    """How many lines."""
    offset: int = Field(0, ge=0, le=10**6, strict=True)
    """How many of the best to leave out: those of earlier pages."""
    speaker: PlayerWord | None = None
    """Only what this one said."""
    since: Moment | None = None
    """Only from this day or time on: 2026-11-21, 2026-11-21T18:30, or milliseconds since 1970."""
    until: Moment | None = None
    """Only before this day or time."""
    episodes: bool = False
    """Only what I did, and saw happen."""


class RecallResult(Result):
    between_lines: ClassVar = BETWEEN

    found: tuple[Recalled, ...]
    """Best first."""
    now: datetime
    """When it was asked for."""

    @property
    def sources(self) -> Sources:
        """Whence all these words come."""
        return joined(one.sources for one in self.found)

    def as_json(self) -> dict[str, Any]:
        lines = [one.as_json() for one in self.found]
        return {"success": True, "count": len(lines), "lines": lines}

    def as_shown(self) -> dict[str, Any]:
        return {"found": [_row(one) for one in self.found]}

    def lines(self) -> list[str]:
        return [_line(one) for one in self.found[:WHISPERED]] or ["I recall nothing like that."]


@commands.command("recall", RecallArgs, example="!recall bridge at the lake")
async def recall(context: CommandContext, args: RecallArgs) -> RecallResult:
    """Find what I once heard, said or did, best first; only what you may know."""
    context.check_proven()
    found = await context.bot.recall(
        args.words,
        args.limit,
        args.speaker,
        args.since,
        until=args.until,
        offset=args.offset,
        asker=context.speaker,
        episodes=args.episodes,
        may_know=context.may_know,
    )
    return RecallResult(found=tuple(found), now=context.bot.times.clock().astimezone())


def _line(one: Recalled) -> str:
    words = one.text.replace(BETWEEN.strip(), "|")  # nobody's words pose as another's line
    return f"{_day(one)} {called(one.speaker)}: {excerpt(words, LONGEST)}"


def _row(one: Recalled) -> dict[str, Any]:
    """A line as a model is shown it."""
    told = "says" if one.episode is None else "notes"
    return {"from": one.speaker, told: excerpt(one.text, LONGEST), "when": _day(one)}


def _day(one: Recalled) -> str:
    return one.message.heard_at.astimezone().strftime("%Y-%m-%d %H:%M")
