"""What tokens cost, in whole billionths of a dollar, so that sums are exact.

Sources, the dearest figure of them winning: `genai-prices` (its bundled table) and `_ALSO_SEEN`.
A model that neither knows is charged as the dearest model known.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal
from functools import cache
from math import ceil
from typing import TypeAlias

from genai_prices import Usage as PricedUsage
from genai_prices import calc_price
from genai_prices.data import providers
from genai_prices.types import ModelPrice, TieredPrices

from llm.model import Usage

Nanodollars: TypeAlias = int
"""Billionths of a US dollar; $1 a million tokens is 1,000 of them a token."""

DOLLAR: Nanodollars = 1_000_000_000
_PER_TOKEN = 1_000  # nanodollars a token for each dollar a million tokens


@dataclass(frozen=True, slots=True)
class Rates:
    """Nanodollars a token."""

    fresh: int
    output: int
    cache_read: int
    cache_write: int

    def of(self, usage: Usage) -> Nanodollars:
        return (
            usage.fresh * self.fresh
            + usage.output * self.output
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
        )

    def dearer(self, other: Rates) -> Rates:
        """Of each rate the higher."""
        return Rates(
            max(self.fresh, other.fresh),
            max(self.output, other.output),
            max(self.cache_read, other.cache_read),
            max(self.cache_write, other.cache_write),
        )


@dataclass(frozen=True, slots=True)
class Price:
    """One model's rates; a prompt above `long_above` tokens is billed wholly by `long`."""

    usual: Rates
    long: Rates | None = None
    long_above: int = 0

    def of(self, usage: Usage) -> Nanodollars:
        """What an answer cost."""
        return self._rates(usage.prompt).of(usage)

    def at_most(self, prompt_tokens: int, output_tokens: int) -> Nanodollars:
        """The most that an answer can cost: the whole prompt at the dearest of its rates."""
        rates = self._rates(prompt_tokens)
        dearest = max(rates.fresh, rates.cache_write, rates.cache_read)
        return prompt_tokens * dearest + output_tokens * rates.output

    @property
    def usd_per_million(self) -> dict[str, float]:
        """The usual rates."""
        return {name: rate / _PER_TOKEN for name, rate in asdict(self.usual).items()}

    def dearer(self, other: Price) -> Price:
        """Of each rate the higher, from the shorter of both lengths on."""
        lengths = [price.long_above for price in (self, other) if price.long]
        long = (self.long or self.usual).dearer(other.long or other.usual) if lengths else None
        return Price(self.usual.dearer(other.usual), long, min(lengths, default=0))

    def _rates(self, prompt_tokens: int) -> Rates:
        return self.long if self.long and prompt_tokens > self.long_above else self.usual


def price(fresh: float, output: float, cache_read: float, cache_write: float) -> Price:
    """A price from dollars a million tokens."""
    return Price(_rates(fresh, output, cache_read, cache_write))


_ALSO_SEEN = {
    # A copy of the vendor's model page names $0.20 for cache reads, genai-prices $0.10.
    "claude-sonnet-5-5": Price(Rates(fresh=2_000, output=10_000, cache_read=200, cache_write=2_500))
}


@cache
def price_of(model_id: str) -> Price:
    """The price of a model; of an unknown one the dearest known."""
    found = [*_listed(model_id), *_seen(model_id)]
    if not found:  # prices of all models of the vendor that are still sold without a start date
        anthropic = next(provider for provider in providers if provider.id == "anthropic")
        prices = (model.prices for model in anthropic.models)
        found = [_parsed(one) for one in prices if isinstance(one, ModelPrice)]
    dearest, *others = found
    for other in others:
        dearest = dearest.dearer(other)
    return dearest


def is_known(model_id: str) -> bool:
    """Whether any source names a price."""
    return bool([*_listed(model_id), *_seen(model_id)])


def _seen(model_id: str) -> list[Price]:
    return [_ALSO_SEEN[model_id]] if model_id in _ALSO_SEEN else []


def _listed(model_id: str) -> list[Price]:
    try:
        priced = calc_price(
            PricedUsage(input_tokens=1), model_ref=model_id, provider_id="anthropic"
        )
    except LookupError:
        return []
    return [_parsed(priced.model_price)]


def _parsed(listed: ModelPrice) -> Price:
    fields = (
        listed.input_mtok,
        listed.output_mtok,
        listed.cache_read_mtok or listed.input_mtok,
        listed.cache_write_mtok or listed.input_mtok,
    )
    starts = [
        tier.start for field in fields if isinstance(field, TieredPrices) for tier in field.tiers
    ]
    usual = _rates(*map(_usual, fields))
    return Price(usual, _rates(*map(_longest, fields)), min(starts)) if starts else Price(usual)


Field: TypeAlias = "Decimal | TieredPrices | None"


def _usual(field: Field) -> float:
    return float((field.base if isinstance(field, TieredPrices) else field) or 0)


def _longest(field: Field) -> float:
    """Dollars a million tokens of the longest prompts."""
    return float(field.tiers[-1].price) if isinstance(field, TieredPrices) else _usual(field)


def _rates(fresh: float, output: float, cache_read: float, cache_write: float) -> Rates:
    # Rounding first: 0.1 * 1000 is a hair more than 100.
    rates = [ceil(round(rate * _PER_TOKEN, 6)) for rate in (fresh, output, cache_read, cache_write)]
    return Rates(*rates)
