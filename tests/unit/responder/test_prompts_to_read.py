"""What a model would be asked can be read before anybody asks it."""

import json
from collections.abc import AsyncIterator

import pytest
from support.daemons import Town, answer_to, operator_of

from bots.app import Daemon
from bots.daemon.operator import OperatorService
from bots.settings.settings import PermissionSettings
from bridge.world import Position
from llm.function_model import FunctionModel

HERE = Position(10.5, 64, 8.5)
SECRET = "The chest is at 100 12 -300"


class Rig:
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
async def rig(town: Town) -> AsyncIterator[Rig]:
    model = FunctionModel(lambda question: "I see.")
    owner = town.world.person("Owner", HERE)
    town.world.person("Mallory", HERE)
    permissions = PermissionSettings(owners=("Owner",))
    async with town.up(model, permissions=permissions) as daemon:
        rig = Rig(daemon, model)
        await answer_to(daemon, owner, SECRET)
        yield rig
        await rig.operator.aclose()


async def test_a_prompt_is_what_would_be_sent_and_leaves_no_trace(rig: Rig) -> None:
    before, asked = rig.noted, len(rig.model.questions)
    result = await rig.operator.prompt("Alice", "Where are you?", "Owner")
    request = result["request"]
    assert (result["success"], result["from"]) == (True, "Owner")
    assert {"go", "goal", "ask_for"} <= {tool["name"] for tool in request["tools"]}
    assert "You are Alice and nobody else" in request["system"][-1]["text"]
    assert '"says":"Where are you?"' in request["messages"][-1]["content"]
    assert 500 < result["tokens"] < 5_000
    assert (rig.noted, len(rig.model.questions)) == (before, asked)


async def test_a_prompt_shows_what_its_speaker_may_know(rig: Rig) -> None:
    read = {
        name: json.dumps(await rig.operator.prompt("Alice", "Hello", name))
        for name in ("Owner", "Mallory", None)
    }
    assert SECRET in read["Owner"]
    assert SECRET in read[None]
    assert SECRET not in read["Mallory"]
