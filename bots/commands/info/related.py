"""`!info related`: what a thing is made of and makes, where it comes from, and its likes."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from bots.bot.result import Result
from bots.catalogue.counted import thing
from bots.catalogue.handbook import handbook_for
from bots.catalogue.names import KINDS, Names, Related, related
from bots.commands.info.search import MOST, MOST_EXCLUDED, USUAL
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands


class RelatedArgs(Args):
    json_only: ClassVar = frozenset({"limit", "exclude_ids"})

    name: str = Field(max_length=100)
    """An item, a block or a mob."""
    limit: int = Field(USUAL, ge=1, le=MOST, strict=True)
    """How many at most."""
    exclude_ids: tuple[str, ...] = Field((), max_length=MOST_EXCLUDED)
    """Names to leave out: those that are known already."""


class RelatedResult(Result):
    type: Literal["related"] = "related"
    name: str
    related: tuple[Related, ...]

    def as_shown(self) -> dict[str, Any]:
        return {"name": self.name, **self._by_way()}

    def lines(self) -> list[str]:
        ways = (f"{way}: {', '.join(names)}" for way, names in self._by_way().items())
        return [f"{thing(self.name, 'en')}: {'; '.join(ways) or 'nothing'}"]

    def _by_way(self) -> dict[str, list[str]]:
        ways: dict[str, list[str]] = {}
        for one in self.related:
            ways.setdefault(one.how, []).append(one.name)
        return ways


@commands.command("info related", RelatedArgs, allow_bots=True, example="!info related piston")
async def find_related(context: CommandContext, args: RelatedArgs) -> RelatedResult:
    """Tell what something is made of and makes, where it comes from, and what is like it."""
    handbook = await handbook_for(context.bot)
    meant = Names(handbook).found(args.name, *KINDS)
    entry = handbook.entry(meant.kind, meant.name)
    found = related(handbook, entry, args.limit, frozenset(args.exclude_ids))
    return RelatedResult(name=meant.name, related=found)
