"""Which tier decides: the score of seed 003, and what lowers the tier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.engine.prices import price_of
from llm.engine.tiers import TIERS, Signal, Tier, TierModel, Work, complexity, route, wanted_tier

USUAL_S: dict[Tier, float] = {"haiku": 1.0, "sonnet": 2.0, "opus": 5.0}
MODELS: dict[Tier, TierModel] = {
    tier: TierModel(f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), USUAL_S[tier], 500)
    for tier in TIERS
}


def anything(tier: Tier) -> bool:
    return True


@pytest.mark.parametrize(
    ("special", "effects", "goal", "pending", "threats", "score"),
    [(True, 2, True, 1, 2, 11.0), (False, 0, False, 0, 0, 0.0), (False, 2, True, 0, 0, 5.0)],
)
def test_the_score_of_the_worked_examples(
    special: bool, effects: int, goal: bool, pending: int, threats: int, score: float
) -> None:
    signals: dict[Signal, float] = {
        "special": special,
        "effects": effects,
        "goal": goal,
        "pending": pending,
        "threats": threats,
    }
    assert complexity(signals) == score


def test_a_signal_that_is_not_given_counts_nothing() -> None:
    assert complexity({"effects": 3}) == 4.5


@pytest.mark.parametrize(
    ("score", "tier"),
    [(0, "haiku"), (1.9, "haiku"), (2, "sonnet"), (4.9, "sonnet"), (5, "opus"), (11, "opus")],
)
def test_an_event_of_the_world_goes_to_the_tier_of_its_score(score: float, tier: Tier) -> None:
    assert wanted_tier("event", score) == (tier, f"complexity {score:g}")


@pytest.mark.parametrize("score", [0.0, 20.0])
def test_a_persons_message_starts_at_sonnet_whatever_the_score(score: float) -> None:
    assert wanted_tier("person", score)[0] == "sonnet"


@pytest.mark.parametrize(
    ("work", "tier"),
    [("summary", "haiku"), ("talk", "haiku"), ("briefing", "opus"), ("periodic", "opus")],
)
def test_other_work_has_its_tier(work: Work, tier: Tier) -> None:
    assert wanted_tier(work, 0.0)[0] == tier


def test_the_threshold_for_opus_can_be_set() -> None:
    assert wanted_tier("event", 5.0, opus_from=8.0)[0] == "sonnet"


def test_too_little_time_lowers_the_tier_step_by_step() -> None:
    chosen = [
        route("event", 9.0, MODELS, left_s=left_s, affords=anything).tier
        for left_s in (8.0, 4.9, 1.5, 0.5)
    ]
    assert chosen == ["opus", "sonnet", "haiku", None]


def test_too_little_money_lowers_the_tier_and_the_reasons_are_kept() -> None:
    found = route("event", 9.0, MODELS, left_s=3.0, affords=lambda tier: tier == "haiku")
    assert found.tier == "haiku"
    assert found.wanted == "opus"
    assert found.lowered_by == ("deadline", "budget")


def test_a_tier_without_a_model_is_passed_over() -> None:
    without_opus: dict[Tier, TierModel] = {tier: MODELS[tier] for tier in TIERS[:2]}
    found = route("briefing", 0.0, without_opus, left_s=60.0, affords=anything)
    assert (found.tier, found.lowered_by) == ("sonnet", ("disabled",))


@given(
    work=st.sampled_from(["person", "event", "talk", "summary", "briefing", "periodic"]),
    score=st.floats(0, 30),
    left_s=st.floats(0, 20),
    affordable=st.sets(st.sampled_from(TIERS)),
)
def test_no_route_is_dearer_than_wanted_late_or_beyond_the_budget(
    work: Work, score: float, left_s: float, affordable: set[Tier]
) -> None:
    found = route(work, score, MODELS, left_s=left_s, affords=affordable.__contains__)
    considered = TIERS[: TIERS.index(found.wanted) + 1]
    able = [t for t in considered if t in affordable and MODELS[t].usual_s <= left_s]
    assert found.tier == (able[-1] if able else None)
    assert len(found.lowered_by) == len(considered) - (
        considered.index(found.tier) + 1 if found.tier else 0
    )
