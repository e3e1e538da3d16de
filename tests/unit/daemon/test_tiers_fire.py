"""With the settings as they are shipped, every tier decides something live, and so do the rules."""

from collections.abc import Callable
from typing import Any

import pytest
from support.daemons import Town, beside, calling
from support.rig import until

from bots.app import Daemon
from bots.daemon.models import caps_of, tiers_of
from bots.responder.decide import EVENT_S, FIRST_LINE_S, SPEAKING_S
from bots.settings.settings import BotsSettings, LlmSettings, Settings, TalkSettings
from bridge.world import Position
from llm.engine.engine import worst_case
from llm.engine.tiers import Tier, Work, route
from llm.function_model import Answer, FunctionModel
from llm.model import ModelUnavailable, Question, Turn

NEAR = Position(9.5, 64, 8.5)
SHIPPED = LlmSettings()
WHISPER = Question("", (Turn("user", "x" * 9_000),), 1_000)  # bytes, as an ordinary one has


@pytest.mark.parametrize(
    ("work", "score", "left_s", "tier"),
    [
        ("event", 0.0, EVENT_S - SPEAKING_S, "haiku"),
        ("event", 3.0, EVENT_S - SPEAKING_S, "sonnet"),
        ("talk", 0.0, SHIPPED.model_cut_s, "haiku"),
        ("person", 0.0, FIRST_LINE_S - SPEAKING_S, "sonnet"),
        ("deep", 0.0, SHIPPED.deep_cut_s, "opus"),
        ("person", 0.0, 2.0, "haiku"),
        ("person", 0.0, 1.0, None),
    ],
)
def test_with_the_shipped_numbers(work: Work, score: float, left_s: float, tier: Tier) -> None:
    tiers = tiers_of(SHIPPED)
    room = caps_of(SHIPPED, has_owners=True).of("strangers")

    def affords(one: Tier) -> bool:
        return worst_case(tiers[one], WHISPER) <= room

    assert route(work, score, tiers, left_s=left_s, affords=affords).tier == tier


def mind(question: Question) -> Answer:
    shown = question.turns[-1].text
    if "broken" in shown:
        raise ModelUnavailable("overloaded", unbilled=True)
    if "Follow me" in shown:
        return calling("follow", "On my way.")(question)
    return "Yes."


def decided(daemon: Daemon, **facts: Any) -> Callable[[], bool]:
    """Whether a decision of these facts was made."""

    def is_there() -> bool:
        made = daemon.trace.recent("decision.made")
        return any(facts.items() <= one.facts.items() for one in made)

    return is_there


@pytest.mark.slow
async def test_every_tier_and_the_rules_decide_something_live(town: Town) -> None:
    steve = town.world.person("Steve", NEAR)
    settings = Settings(
        data_dir=town.folder,
        bots=BotsSettings(names=("Alice", "Bob")),
        talk=TalkSettings(small_talk=True),
    )
    async with Daemon(
        settings, bridge=town.bridge, model=FunctionModel(mind), times=beside(town.bridge)
    ) as daemon:
        assert await daemon.all_joined(30)
        steve.whisper("Alice", "Are you well?")
        await until(decided(daemon, work="person", tier="sonnet", source="model"))
        steve.whisper("Alice", "Think carefully: how do we keep creepers out?")
        await until(decided(daemon, work="deep", tier="opus", source="model"))
        steve.whisper("Alice", "!chat Bob Good morning!")
        await until(decided(daemon, work="talk", tier="haiku", source="model"))
        steve.whisper("Alice", "Is something broken?")
        await until(decided(daemon, work="person", tier=None, source="rules"))
