"""`!info search`: items, blocks and mobs by parts of their names."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from bots.bot.result import Result
from bots.catalogue.counted import listed, thing
from bots.catalogue.handbook import handbook_for
from bots.catalogue.japanese import japanese_mob
from bots.catalogue.names import Named, Names, search
from bots.registry.args import Args
from bots.registry.registry import CommandContext, commands
from bots.text.language import Language, language_of

USUAL, MOST = 12, 100
MOST_EXCLUDED = 500


class SearchArgs(Args):
    json_only: ClassVar = frozenset({"limit", "exclude_ids"})

    words: str = Field(max_length=100)
    """Parts of a name, in English or Japanese."""
    limit: int = Field(USUAL, ge=1, le=MOST, strict=True)
    """How many at most."""
    exclude_ids: tuple[str, ...] = Field((), max_length=MOST_EXCLUDED)
    """Names to leave out: those that are known already."""


class SearchResult(Result):
    type: Literal["search"] = "search"
    found: tuple[Named, ...]
    language: Language = Field(exclude=True)

    def as_shown(self) -> dict[str, Any]:
        return {"found": [one.name for one in self.found]}

    def lines(self) -> list[str]:
        names = [_named(one, self.language) for one in self.found]
        if not names:
            return ["見つかりません。" if self.language == "ja" else "I find nothing like that."]
        return [listed(names, self.language)]


@commands.command("info search", SearchArgs, allow_bots=True, example="!info search redstone")
async def search_items(context: CommandContext, args: SearchArgs) -> SearchResult:
    """Find items, blocks and mobs by a part of their names."""
    handbook = await handbook_for(context.bot)
    found = search(handbook, Names(handbook), args.words, args.limit, frozenset(args.exclude_ids))
    return SearchResult(found=found, language=language_of([args.words]))


def _named(hit: Named, language: Language) -> str:
    if hit.kind == "mob" and language == "ja":
        return japanese_mob(hit.name)
    return thing(hit.name, language)
