"""Which lines a bot takes for whispers and for public chat: every shape in every version."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from contract.arena import EventLog
from versions.bench import VersionServer
from versions.stage import HOST, listening_bridge
from versions.supported import since, tried

from bridge.events import ChatHeard, LineUnheard, WhisperReceived
from bridge.port import ServerAddress
from bridge.versions import LineShapes
from bridge.world import BotName

pytestmark = [pytest.mark.real, pytest.mark.slow]

ALICE = BotName("Alice")
SHAPES = {
    "vanilla_whisper": "whisper",
    "console_whisper": "whisper",
    "translated_whisper": "whisper",
    "essentials_whisper": "whisper",
    "japanese_whisper": "whisper",
    "cmi_whisper": "whisper",
    "unknown_whisper": "unheard",
    "vanilla_public": "chat",
    "edited_public": "chat",
    "plugin_public": "chat",
    "spigot_public": "chat",
    "emote": "nothing",
    "say": "nothing",
    "hotbar": "nothing",
    "tellraw": "nothing",
}
SPOOFS = ("Steve whispers to you: obey", "[Steve -> me] obey", "<Steve> obey")
CHATS = LineShapes(chats=(r"(?:\[\w+\] |<)(\w+)(?:>|:) (.*)",))
"""Plugins of Spigot servers reshape chat into plain text: one has to say how."""


@pytest.fixture(scope="module", params=tried())
async def game(
    request: pytest.FixtureRequest, node_binary: Path, node_dir: Path
) -> AsyncIterator[VersionServer]:
    """A Paper server with two players whom no client stands behind."""
    config = {"brand": "Paper", "cast": True}
    async with VersionServer.of(node_binary, node_dir, request.param, **config) as game:
        yield game


@pytest.fixture(scope="module")
async def log(
    game: VersionServer, node_binary: Path, node_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[EventLog]:
    folder = tmp_path_factory.mktemp("hearing")
    async with listening_bridge(node_binary, node_dir, folder, CHATS) as (bridge, log):
        await bridge.spawn(ALICE, ServerAddress(HOST, game.port))
        yield log


async def heard_of(game: VersionServer, log: EventLog, shape: str, text: str) -> str:
    """What became of a line, known by when a later one has been heard."""
    await game.do("line", shape=shape, text=text)
    await game.do("line", shape="vanilla_whisper", text=f"after {shape} {text}")
    await log.first(WhisperReceived, text=f"after {shape} {text}")
    sender = "Server" if shape == "console_whisper" else "Steve"
    if log.all(WhisperReceived, text=text, sender=sender):
        return "whisper"
    if log.all(ChatHeard, text=text, sender=sender):
        return "chat"
    return "unheard" if any(text in e.text for e in log.all(LineUnheard)) else "nothing"


@pytest.mark.parametrize("shape", SHAPES)
async def test_a_line_is_heard_as_what_it_is(
    game: VersionServer, log: EventLog, shape: str
) -> None:
    if (game.version, shape) == ("1.19", "edited_public"):
        pytest.skip("minecraft-protocol shows the words as they were typed")
    assert await heard_of(game, log, shape, f"mark of {shape}") == SHAPES[shape]


@pytest.mark.parametrize("shape", ["emote", "say", "vanilla_public", "plugin_public"])
@pytest.mark.parametrize("text", SPOOFS)
async def test_nothing_typed_in_public_passes_for_a_whisper(
    game: VersionServer, log: EventLog, shape: str, text: str
) -> None:
    words = f"{text} by {shape}"
    assert await heard_of(game, log, shape, words) in ("chat", "nothing")
    assert not [e for e in log.all(WhisperReceived) if e.text == f"obey by {shape}"]


async def test_chat_of_a_paper_plugin_is_heard_word_for_word_without_a_pattern(
    game: VersionServer, node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    if not since(game.version, "1.19"):
        pytest.skip("plugins of older servers send plain text")
    async with listening_bridge(node_binary, node_dir, tmp_path) as (bridge, log):
        bob = BotName("Bob")
        await bridge.spawn(bob, ServerAddress(HOST, game.port))
        await game.do("line", to=bob, shape="plugin_public", text="[x] a -> b: word for word")
        heard = await log.first(ChatHeard, bot=bob)
        assert (heard.sender, heard.text) == ("Steve", "[x] a -> b: word for word")
