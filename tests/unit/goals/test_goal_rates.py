"""Rates: how much longer or shorter work takes than the model says, learnt from times."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.goals.rates import KEPT, MOST, Experience, Took, Work

OAK = Work("gather", "oak_log", "stone_axe")
BIRCH = Work("gather", "birch_log", "stone_axe")
IRON = Work("gather", "iron_ore", "stone_pickaxe")
DEEP_IRON = Work("gather", "deepslate_iron_ore", "stone_pickaxe")
SAND = Work("gather", "sand")
CRAFT = Work("craft", "crafting_table")
A_LOT_S = 1_000.0


def rate(of: Work, *times: Took) -> float:
    return Experience(times).rates.of(of)


def test_without_experience_the_model_holds() -> None:
    assert rate(OAK) == 1


def test_much_experience_is_believed() -> None:
    assert rate(OAK, Took(OAK, A_LOT_S, A_LOT_S / 2)) == pytest.approx(0.5, abs=0.01)


def test_one_short_step_says_little() -> None:
    assert 1 < rate(OAK, Took(OAK, 1.0, 3.0)) < 1.2


def test_all_woods_are_one_kind_and_so_is_an_ore_in_any_stone() -> None:
    slow = Took(OAK, A_LOT_S, 2 * A_LOT_S)
    assert rate(BIRCH, slow) == rate(OAK, slow)
    slow = Took(IRON, A_LOT_S, 2 * A_LOT_S)
    assert rate(DEEP_IRON, slow) == rate(IRON, slow)


def test_unknown_work_leans_on_what_is_like_it() -> None:
    slow_wood = Took(OAK, A_LOT_S, 3 * A_LOT_S)
    with_axe_gone = Work("gather", "oak_log")
    assert rate(with_axe_gone, slow_wood) == pytest.approx(3, abs=0.1)
    assert rate(SAND, slow_wood) == pytest.approx(3, abs=0.1)
    assert rate(CRAFT, slow_wood) == 1


def test_a_tool_of_its_own_experience_goes_by_that() -> None:
    by_hand = Work("gather", "oak_log")
    times = (Took(OAK, A_LOT_S, A_LOT_S), Took(by_hand, A_LOT_S, 2 * A_LOT_S))
    assert rate(OAK, *times) == pytest.approx(1, abs=0.02)
    assert rate(by_hand, *times) == pytest.approx(2, abs=0.02)


def test_only_the_newest_times_count() -> None:
    old, new = Took(OAK, A_LOT_S, 4 * A_LOT_S), Took(OAK, A_LOT_S, A_LOT_S)
    assert rate(OAK, *[old] * 5, *[new] * KEPT) == pytest.approx(1)


@given(
    st.lists(
        st.tuples(
            st.sampled_from([OAK, BIRCH, IRON, SAND, CRAFT]), st.floats(0, 1e4), st.floats(0, 1e6)
        ),
        max_size=30,
    )
)
def test_no_rate_leaves_its_bounds(times: list[tuple[Work, float, float]]) -> None:
    rates = Experience(Took(*one) for one in times).rates
    for work in (OAK, BIRCH, IRON, DEEP_IRON, SAND, CRAFT):
        assert 1 / MOST <= rates.of(work) <= MOST
