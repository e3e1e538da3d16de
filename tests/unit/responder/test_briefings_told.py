"""A briefing is told, in one line, to whoever is trusted and near, or comes soon."""

import asyncio
import json

import pytest
from support.daemons import Town
from support.rig import STRANGERS, Rig, until

from bots.access.origin import Level
from bots.access.permissions import Permissions
from bots.access.sources import FACTS
from bots.responder.reflection.reflections import LOOK_EVERY_S, LOOKS, announce
from bots.responder.reflection.thought import Thought
from bridge.fake import VirtualClock
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Question

HERE, NEAR, FAR = Position(0.5, 64, 0.5), Position(0.5, 64, 6.5), Position(0.5, 64, 60.5)
PLAN = Thought(
    "briefing",
    level=Level.TRUSTED,
    at=VirtualClock().now(),
    summary="A hut of oak would do us good.",
    status="proposed",
    sources=FACTS,
)


@pytest.fixture
def permissions() -> Permissions:
    return STRANGERS


async def test_one_line_goes_to_those_who_are_trusted_and_near(rig: Rig) -> None:
    alice = await rig.bot("Alice", HERE)
    alex = rig.world.person("Alex", NEAR)
    rig.world.person("Zoe", NEAR)
    rig.world.person("Olga", FAR)
    await announce(alice, PLAN)
    assert [line.to for line in rig.bridge.sent] == ["Alex"]
    heard = (await alex.hears()).text
    assert "A hut of oak would do us good." in heard
    assert "!thoughts approve" in heard


async def test_who_comes_soon_hears_it_once_and_after_ten_minutes_nobody_does(rig: Rig) -> None:
    alice = await rig.bot("Alice", HERE)
    announcing = asyncio.create_task(announce(alice, PLAN))
    await rig.world.clock.advance(30)
    assert rig.bridge.sent == []
    rig.world.person("Alex", NEAR)
    while not announcing.done():
        await rig.world.clock.advance(LOOK_EVERY_S)
        await asyncio.sleep(0.005)  # the disk is real
    assert len(rig.bridge.sent) == 1
    rig.world.person("Alex").leave()
    in_vain = asyncio.create_task(announce(alice, PLAN))
    await rig.world.clock.advance(LOOK_EVERY_S * (LOOKS + 1))
    await until(in_vain.done)
    assert len(rig.bridge.sent) == 1


async def test_a_bot_that_joins_tells_its_plan(town: Town) -> None:
    def answer(_question: Question) -> str:
        plan = {"summary": "Let us build a bridge.", "plan": ["wood"], "goal": ""}
        return json.dumps({**plan, "confidence": 0.5, "alternatives": []})

    steve = town.world.person("Steve")
    async with town.up(FunctionModel(answer), briefing=True):
        assert "Let us build a bridge." in (await steve.hears()).text
