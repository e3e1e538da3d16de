"""Public chat and words to all, over real clients and the embedded server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.rig import run_json, until

from bots.app import Daemon
from bots.settings.settings import (
    BotsSettings,
    ChatSettings,
    IdleSettings,
    ServerSettings,
    Settings,
    TalkSettings,
)
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName, WorldSnapshot
from llm.function_model import FunctionModel

pytestmark = pytest.mark.real

STEVE = BotName("Steve")


@pytest.fixture
async def daemon(bridge: JSBridge, address: ServerAddress, tmp_path: Path) -> AsyncIterator[Daemon]:
    settings = Settings(
        data_dir=tmp_path,
        server=ServerSettings(host=address.host, port=address.port, version="1.16.5"),
        bots=BotsSettings(names=("Alice", "Bob")),
        chat=ChatSettings(public="all"),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
    )
    model = FunctionModel(lambda question: "Right here, Steve.")
    async with Daemon(settings, bridge=bridge, model=model) as daemon:
        assert await daemon.all_joined()
        await bridge.spawn(STEVE, address)  # no bot of ours: a person to it
        await _seen_by_both(daemon)
        yield daemon


async def _seen_by_both(daemon: Daemon) -> None:
    """Wait until both bots see Steve, which each learns at a time of its own."""
    async with asyncio.timeout(15.0):
        for name in ("Alice", "Bob"):
            while not _sees_steve(await daemon.bot(name).snapshot()):  # noqa: ASYNC110
                await asyncio.sleep(0.02)


def _sees_steve(seen: WorldSnapshot) -> bool:
    steve = seen.player(STEVE)
    return steve is not None and steve.position is not None


async def test_a_bot_named_in_public_answers_in_public(daemon: Daemon, bridge: JSBridge) -> None:
    await bridge.chat(STEVE, "Aliceさん、where are you?")
    await until(lambda: list(daemon.trace.recent("reply.sent")), 15.0)
    alice, bob = (daemon.bot(name).get_conversation_history() for name in ("Alice", "Bob"))
    lines = [("Steve", "Aliceさん、where are you?"), ("Alice", "Right here, Steve.")]
    assert [(m.utterance.speaker, m.text) for m in alice] == lines
    assert [(m.utterance.speaker, m.text) for m in bob] == lines
    assert alice[1].utterance.id == bob[1].utterance.id
    content = alice[1].content
    assert isinstance(content, dict)
    told = [(hearer["username"], hearer["delivered"]) for hearer in content["hearers"]]
    assert (content["target"], content["delivered"], told) == ("public", True, [("Bob", True)])


async def test_words_to_all_reach_everyone_in_range(daemon: Daemon) -> None:
    text = '!chat {"target": "all", "volume": "loud", "message": "おはよう"}'
    result = await run_json(daemon.bot("Alice"), text)
    assert (result["success"], result["volume"], result["missed"]) == (True, "loud", [])
    assert {one["username"] for one in result["delivered"]} == {"Bob", "Steve"}
    heard = daemon.bot("Bob").get_conversation_history()[0]
    assert (heard.utterance.speaker, heard.content) == ("Alice", "おはよう")


async def test_a_command_in_public_is_left_alone(daemon: Daemon, bridge: JSBridge) -> None:
    await bridge.chat(STEVE, "!stop Alice")
    await bridge.chat(STEVE, "over")
    await until(lambda: daemon.bot("Bob").get_conversation_history(), 15.0)
    assert [m.text for m in daemon.bot("Bob").get_conversation_history()] == ["over"]
    assert list(daemon.trace.recent("command.finished")) == []
