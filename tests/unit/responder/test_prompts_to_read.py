"""What a model would be asked can be read before anybody asks it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.daemons import operator_of
from support.rig import until

from bots.app import Daemon
from bots.daemon.operator import OperatorService
from bots.settings.settings import (
    BotsSettings,
    LlmSettings,
    PermissionSettings,
    Settings,
    TalkSettings,
)
from bridge import FakeBridge
from bridge.world import Position
from llm.function_model import FunctionModel

pytestmark = pytest.mark.anyio

HERE = Position(10.5, 64, 8.5)
SECRET = "The chest is at 100 12 -300"


class Town:
    """A daemon whose owner has told Alice a secret."""

    def __init__(self, daemon: Daemon, model: FunctionModel) -> None:
        self.daemon, self.model = daemon, model
        self.operator: OperatorService = operator_of(daemon)

    @property
    def noted(self) -> tuple[int, int]:
        """Lines in Alice's history, and decisions."""
        history = self.daemon.bot("Alice").get_conversation_history()
        return len(history), len(list(self.daemon.trace.recent("decision.made")))


@pytest.fixture
async def town(fake_bridge: FakeBridge, tmp_path: Path) -> AsyncIterator[Town]:
    settings = Settings(
        data_dir=tmp_path,
        bots=BotsSettings(names=("Alice",)),
        permissions=PermissionSettings(owners=("Owner",)),
        talk=TalkSettings(small_talk=False),
        llm=LlmSettings(briefing=False),
    )
    model = FunctionModel(lambda question: "I see.")
    owner = fake_bridge.world.person("Owner", HERE)
    fake_bridge.world.person("Mallory", HERE)
    async with Daemon(settings, bridge=fake_bridge, model=model) as daemon:
        assert await daemon.all_joined(5)
        town = Town(daemon, model)
        owner.whisper("Alice", SECRET)
        await until(lambda: list(daemon.trace.recent("reply.sent")))
        yield town
        await town.operator.aclose()


async def test_a_prompt_is_what_would_be_sent_and_leaves_no_trace(town: Town) -> None:
    before, asked = town.noted, len(town.model.questions)
    result = await town.operator.prompt("Alice", "Where are you?", "Owner")
    request = result["request"]
    assert (result["success"], result["from"]) == (True, "Owner")
    assert {"go", "goal", "ask_for"} <= {tool["name"] for tool in request["tools"]}
    assert "You are Alice and nobody else" in request["system"][-1]["text"]
    assert '"says":"Where are you?"' in request["messages"][-1]["content"]
    assert 500 < result["tokens"] < 5_000
    assert (town.noted, len(town.model.questions)) == (before, asked)


async def test_a_prompt_shows_what_its_speaker_may_know(town: Town) -> None:
    read = {
        name: json.dumps(await town.operator.prompt("Alice", "Hello", name))
        for name in ("Owner", "Mallory", None)
    }
    assert SECRET in read["Owner"]
    assert SECRET in read[None]
    assert SECRET not in read["Mallory"]
