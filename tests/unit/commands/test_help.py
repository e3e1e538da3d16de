"""`!help`: the commands the asker may use, a family, or one command."""

from __future__ import annotations

import pytest
from support.rig import Rig, run_json

from bots.access.origin import Person
from bots.commands.catalogue import handle_chat_command
from bots.registry.render import render
from bridge.world import PlayerName

pytestmark = pytest.mark.anyio


STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))


@pytest.fixture
def rig(rig_of_strangers: Rig) -> Rig:
    return rig_of_strangers


async def test_help_lists_what_the_asker_may_use(rig: Rig) -> None:
    shown = (await run_json(rig.bots["Alice"], "!help", STEVE))["commands"]
    assert [command["name"] for command in shown] == sorted(command["name"] for command in shown)
    assert {"name", "usage", "summary", "level", "aliases", "example"} == set(shown[0])
    for_bots = (await run_json(rig.bots["Alice"], "!help"))["commands"]
    assert len(for_bots) >= len(shown)


@pytest.mark.parametrize("text", ["!help chat", "!help !CHAT", '!help {"command": "chat"}'])
async def test_help_explains_one_command(rig: Rig, text: str) -> None:
    result = await handle_chat_command(rig.bots["Alice"], "Steve", text, STEVE)
    assert render(result)[1].startswith("Usage: !chat <username> <message>")


async def test_help_for_nothing_known_names_the_nearest(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!help chta")
    assert (result["reason"], result["nearest"]) == ("unknown_command", "chat")
