"""Tables for explaining impossible goals: recipes without work, prices of raw items."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from bots.goals.activity import Activity, Domain, is_somewhere
from bots.goals.explain.prices import Prices, price_of_parts, prices_of
from bots.goals.planning.ways import Catalogue, Thing, Way


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """Tables of one version; building them takes tens of milliseconds, so keep them."""

    catalogue: Catalogue
    """The ways of the version at no cost: only what is fetched counts."""
    prices: Prices
    ranks: Mapping[Way, int]
    """Low is better: cheap parts; for work on what is near, a low tool."""

    def meant(self, group: Iterable[Thing], here: Container[Thing]) -> list[Thing]:
        """The cheapest of some alternatives, and all that are here."""
        ordered = sorted(
            group, key=lambda thing: (self.prices.whole.get(str(thing), 0), str(thing))
        )
        return ordered[:1] + [thing for thing in ordered[1:] if thing in here]


def item_prices_of(domain: Domain) -> ItemPrices:
    catalogue, prices = Catalogue(_free_of_work(domain)), prices_of(domain)
    tools = {tool: rank for rank, tool in enumerate(domain.tool_order, 1)}
    ranks = {way: _rank(way.activity, tools, prices) for way in catalogue.ways}
    return ItemPrices(catalogue, prices, ranks)


def _rank(activity: Activity, tools: Mapping[str, int], prices: Prices) -> int:
    if is_somewhere(activity):
        return tools.get(activity.tool or "", 0)
    return price_of_parts(activity, prices.whole) or 0


def _free_of_work(domain: Domain) -> Domain:
    digging = {block: tuple(map(_free, ways)) for block, ways in domain.digging.items()}
    placing = {station: _free(way) for station, way in domain.placing.items()}
    making = tuple(map(_free, domain.making))
    foraging = {kind: tuple(map(_free, ways)) for kind, ways in domain.foraging.items()}
    return replace(
        domain, making=making, digging=digging, placing=placing, foraging=foraging, chest_ticks=0
    )


def _free(activity: Activity) -> Activity:
    return replace(activity, fixed_ticks=0, unit_ticks=0)
