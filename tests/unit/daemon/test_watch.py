"""What may be watched: positions while somebody looks, goals, talks, money, prompts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import pytest
from support.daemons import Town, operator_of
from support.page_site import PageSite, page_site_on
from support.rig import run_json, until

from bots.daemon.operator import goals_of, talk_of
from bots.daemon.tracker import EVERY_S, Tracker, positions
from bridge import FakeBridge
from bridge.fake import FakeWorld, VirtualClock
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Completion, Question, Usage

RANGE = 15.0


@pytest.fixture
async def site(town: Town) -> AsyncIterator[PageSite]:
    async with page_site_on(town.bridge, town.folder) as site:
        yield site


def tracker_of(site: PageSite) -> Tracker:
    daemon = site.daemon
    return Tracker(daemon.roster, daemon.bridge, daemon.times, RANGE)


async def test_everybody_is_told_of_once_with_who_sees_them(site: PageSite) -> None:
    site.bridge.world.person("Steve", Position(3.5, 64, 3.5))
    here = await tracker_of(site).now()
    assert [bot["name"] for bot in here["bots"]] == ["Alice", "Bob"]
    (steve,) = here["people"]
    assert (steve["name"], steve["x"], steve["seenBy"]) == ("Steve", 3.5, ["Alice", "Bob"])
    assert here["hearingRange"] == RANGE


async def test_areas_are_on_the_map(site: PageSite) -> None:
    await run_json(site.daemon.bot("Alice"), "!area forbid base 10 64 8 5")
    (base,) = (await tracker_of(site).now())["areas"]
    assert (base["name"], base["rule"], base["within"]) == ("base", "forbid", 5)
    assert (base["west"], base["north"], base["east"], base["south"]) == (10, 8, 11, 9)


async def test_a_bot_that_is_in_no_world_is_on_no_map(site: PageSite) -> None:
    await site.bridge.despawn(site.daemon.bot("Bob").name)
    here = await tracker_of(site).now()
    assert [bot["name"] for bot in here["bots"]] == ["Alice"]
    assert positions({}, site.daemon.times.clock(), RANGE)["timeOfDay"] is None


async def test_bots_are_asked_only_while_somebody_watches(site: PageSite) -> None:
    tracker = tracker_of(site)
    async with asyncio.timeout(30), aclosing(tracker.watch()) as moments:
        first, second = await anext(moments), await anext(moments)
    assert first["at"] < second["at"]
    assert tracker.is_idle
    await tracker.aclose()
    assert EVERY_S == 0.2


async def test_a_goal_tells_its_plan_and_how_far_it_is(tmp_path: Path) -> None:
    world = FakeWorld(VirtualClock(auto=False))
    for x in range(4, 8):
        world.set_block(Position(x, 64, 4), "oak_log")
    async with page_site_on(FakeBridge(world), tmp_path) as site:
        alice, trace = site.daemon.bot("Alice"), site.daemon.trace
        steve = world.person("Steve")
        steve.whisper("Alice", "!goal inventory.wooden_pickaxe:1")
        async with asyncio.timeout(10):
            while not list(trace.recent("goal.step_done")):
                await world.clock.advance(0.5)
        told = goals_of(alice)
    assert [(one["goal"], one["state"]) for one in told["goals"]] == [
        ("inventory.wooden_pickaxe:1", "under_way")
    ]
    assert told["goals"][0]["givenBy"] == "Steve"
    plan = told["plan"]
    assert plan is not None
    took = [step["tookS"] for step in plan["steps"]]
    assert took[0] is not None
    assert took[-1] is None
    assert plan["steps"][0]["produces"] == {"oak_log": 3}


async def test_a_talk_tells_who_takes_part_and_what_was_said(site: PageSite) -> None:
    talk = await site.daemon.talk("Alice", "Bob", topic="the mill")
    await until(lambda: talk.lines)
    told = talk_of(talk)
    assert (told["topic"], told["mainBot"]) == ("the mill", "Alice")
    assert told["startedBy"] == "@operator"
    assert told["participants"] == [
        {"name": "Alice", "kind": "bot"},
        {"name": "Bob", "kind": "bot"},
    ]
    assert told["lines"][0]["speaker"] in {"Alice", "Bob"}


async def test_money_and_prompt_of_a_decision_are_told(town: Town) -> None:
    def answer(_question: Question) -> Completion:
        return Completion("By the lake.", "claude-sonnet-5-5", Usage(900, 12), "end")

    async with page_site_on(town.bridge, town.folder, model=FunctionModel(answer)) as site:
        daemon = site.daemon
        watch = operator_of(daemon)
        steve = town.world.person("Steve")
        steve.whisper("Alice", "Tell me of the lake.")
        assert (await steve.hears()).text == "By the lake."
        (made,) = daemon.trace.recent("decision.made")
        async with asyncio.timeout(30):
            while not (found := await watch.prompt_of(made.sequence))["success"]:
                pass  # it is written within half a second
        assert "Tell me of the lake." in str(found["prompt"]["turns"])
        load = await watch.load()
        assert (await watch.prompt_of(9_999))["reason"] == "unknown_decision"
        assert watch.budget()["model"]["state"] == "ok"
        daemon.responders.health.heed("auth")
        money = watch.budget()
    assert (money["model"]["state"], money["model"]["why"]) == ("unusable", "auth")
    assert money["bots"]["Alice"]["spentUsd"] == money["spentUsd"] > 0
    assert money["bots"]["Bob"]["spentUsd"] == 0
    assert load["daemon"]["memoryBytes"] > 1_000_000
    assert load["loopLagS"] == 0.004
