"""Costs of answers: exact sums, the higher figure where sources differ, nothing for free."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.engine.prices import DOLLAR, Price, Rates, is_known, price_of
from llm.model import Usage

tokens = st.integers(0, 300_000)
models = st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5", "unheard-of"])


def test_a_million_tokens_of_haiku_cost_what_the_table_says() -> None:
    price = price_of("claude-haiku-5-5")
    assert price.of(Usage(fresh=100_000)) * 10 == DOLLAR // 10
    assert price.of(Usage(output=1_000_000)) == DOLLAR // 2
    assert price.of(Usage(cache_read=100_000)) * 10 == DOLLAR // 100


def test_a_long_prompt_is_billed_wholly_at_the_long_rates() -> None:
    price = price_of("claude-haiku-5-5")
    assert price.of(Usage(fresh=100_001, output=10)) == 100_001 * 500 + 10 * 2_500


def test_where_two_sources_differ_the_dearer_figure_counts() -> None:
    assert price_of("claude-sonnet-5-5").usual.cache_read == 200


def test_an_unknown_model_is_charged_as_the_dearest_known() -> None:
    unknown = price_of("claude-novel-9")
    assert not is_known("claude-novel-9")
    assert is_known("claude-opus-5-5")
    for known in ("claude-haiku-5-5", "claude-opus-5-5", "claude-fable-5-2"):
        for usage in (Usage(fresh=1_000), Usage(output=1_000), Usage(fresh=900_000, output=9)):
            assert unknown.of(usage) >= price_of(known).of(usage)


@given(model=models, fresh=tokens, output=tokens, read=tokens, written=tokens)
def test_no_answer_costs_more_than_its_worst_case(
    model: str, fresh: int, output: int, read: int, written: int
) -> None:
    usage = Usage(fresh, output, read, written)
    price = price_of(model)
    assert price.of(usage) <= price.at_most(usage.prompt, output)


@given(model=models, prompt=tokens, output=tokens, more=tokens)
def test_a_longer_prompt_never_has_a_smaller_worst_case(
    model: str, prompt: int, output: int, more: int
) -> None:
    price = price_of(model)
    assert price.at_most(prompt, output) <= price.at_most(prompt + more, output + more)


def test_of_two_prices_the_dearer_is_dearer_everywhere() -> None:
    cheap_reads = Price(Rates(1, 1, 1, 1), Rates(9, 9, 9, 9), long_above=10)
    dear_writes = Price(Rates(2, 2, 0, 5))
    both = cheap_reads.dearer(dear_writes)
    assert both == Price(Rates(2, 2, 1, 5), Rates(9, 9, 9, 9), long_above=10)


def test_usages_add_up() -> None:
    assert Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40) == Usage(11, 22, 33, 44)


@pytest.mark.parametrize("model", ["claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5"])
def test_no_rate_of_a_tier_is_free(model: str) -> None:
    rates = price_of(model).usual
    assert min(rates.fresh, rates.output, rates.cache_read, rates.cache_write) > 0
