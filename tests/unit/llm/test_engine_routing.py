"""Which tier decides: the score of seed 003, and what lowers the tier."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.engine import tiers
from llm.engine.prices import price_of

USUAL_S: dict[tiers.Tier, float] = {"haiku": 1.0, "sonnet": 2.0, "opus": 5.0}
MODELS: dict[tiers.Tier, tiers.TierModel] = {
    tier: tiers.TierModel(f"claude-{tier}-5-5", price_of(f"claude-{tier}-5-5"), USUAL_S[tier], 500)
    for tier in tiers.TIERS
}


def anything(tier: tiers.Tier) -> bool:
    return True


@pytest.mark.parametrize(
    ("signals", "score"),
    [
        ({"special": 1, "effects": 2, "goal": 1, "pending": 1, "threats": 2}, 11.0),
        ({"special": 0, "effects": 0, "goal": 0, "pending": 0, "threats": 0}, 0.0),
        ({"special": 0, "effects": 2, "goal": 1, "pending": 0, "threats": 0}, 5.0),
        ({"effects": 3}, 4.5),  # a signal that is not given counts nothing
    ],
)
def test_the_score_of_the_worked_examples(signals: dict[tiers.Signal, float], score: float) -> None:
    assert tiers.complexity(signals) == score


@pytest.mark.parametrize(
    ("work", "score", "opus_from", "tier"),
    [
        *(("event", 0, tiers.OPUS_FROM, "haiku"), ("event", 1.9, tiers.OPUS_FROM, "haiku")),
        *(("event", 2, tiers.OPUS_FROM, "sonnet"), ("event", 4.9, tiers.OPUS_FROM, "sonnet")),
        *(("event", 5, tiers.OPUS_FROM, "opus"), ("event", 11, tiers.OPUS_FROM, "opus")),
        ("event", 5, 8.0, "sonnet"),
        *(("person", 0, tiers.OPUS_FROM, "sonnet"), ("person", 20, tiers.OPUS_FROM, "sonnet")),
        *(("summary", 0, tiers.OPUS_FROM, "haiku"), ("talk", 0, tiers.OPUS_FROM, "haiku")),
        *(("briefing", 0, tiers.OPUS_FROM, "opus"), ("periodic", 0, tiers.OPUS_FROM, "opus")),
    ],
)
def test_events_go_to_the_tier_of_their_score_and_other_work_to_its_own(
    work: tiers.Work, score: float, opus_from: float, tier: tiers.Tier
) -> None:
    wanted, why = tiers.wanted_tier(work, score, opus_from=opus_from)
    assert wanted == tier
    assert why == f"complexity {score:g}" or work != "event"


def test_too_little_time_lowers_the_tier_step_by_step() -> None:
    chosen = [
        tiers.route("event", 9.0, MODELS, left_s=left_s, affords=anything).tier
        for left_s in (8.0, 4.9, 1.5, 0.5)
    ]
    assert chosen == ["opus", "sonnet", "haiku", None]


def test_too_little_money_lowers_the_tier_and_the_reasons_are_kept() -> None:
    found = tiers.route("event", 9.0, MODELS, left_s=3.0, affords=lambda tier: tier == "haiku")
    assert found.tier == "haiku"
    assert found.wanted == "opus"
    assert found.lowered_by == ("deadline", "budget")


def test_a_tier_without_a_model_is_passed_over() -> None:
    without_opus: dict[tiers.Tier, tiers.TierModel] = {
        tier: MODELS[tier] for tier in tiers.TIERS[:2]
    }
    found = tiers.route("briefing", 0.0, without_opus, left_s=60.0, affords=anything)
    assert (found.tier, found.lowered_by) == ("sonnet", ("disabled",))


@given(
    work=st.sampled_from(["person", "event", "talk", "summary", "briefing", "periodic"]),
    score=st.floats(0, 30),
    left_s=st.floats(0, 20),
    affordable=st.sets(st.sampled_from(tiers.TIERS)),
)
def test_no_route_is_dearer_than_wanted_late_or_beyond_the_budget(
    work: tiers.Work, score: float, left_s: float, affordable: set[tiers.Tier]
) -> None:
    found = tiers.route(work, score, MODELS, left_s=left_s, affords=affordable.__contains__)
    considered = tiers.TIERS[: tiers.TIERS.index(found.wanted) + 1]
    able = [t for t in considered if t in affordable and MODELS[t].usual_s <= left_s]
    assert found.tier == (able[-1] if able else None)
    assert len(found.lowered_by) == len(considered) - (
        considered.index(found.tier) + 1 if found.tier else 0
    )
