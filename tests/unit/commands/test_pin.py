"""`!pin` in a whole daemon: it gives back the level, and is seen nowhere."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr
from support.daemons import Town, answering_only, beside
from support.rig import until

from bots.app import Daemon
from bots.observability.logs import logging_to
from bots.settings.settings import ChatSettings, LogSettings, PermissionSettings
from bridge import FakeBridge
from bridge.fake.body import Person

pytestmark = pytest.mark.slow

PIN = "open-sesame-77"
WORK = "!navigation register home"


@asynccontextmanager
async def with_pin(bridge: FakeBridge, folder: Path) -> AsyncIterator[Daemon]:
    owned = PermissionSettings(owners=("Olga",), pin=SecretStr(PIN))
    chat = ChatSettings(pace=False)
    settings = answering_only(folder, "Alice", "Bob", chat=chat, permissions=owned)
    logs = LogSettings(level="debug", format="json")
    with logging_to(folder, logs, settings.secrets):
        async with Daemon(settings, bridge=bridge, times=beside(bridge)) as daemon:
            assert await daemon.all_joined(30)
            yield daemon


async def hears(person: Person, bot: str, text: str, expected: str) -> None:
    """Whisper it, and wait for an answer with these words."""
    before = len(person.inbox)
    person.whisper(bot, text)
    await until(lambda: any(expected in line.text for line in person.inbox[before:]))


async def test_the_owner_is_a_player_until_the_pin_and_again_after_leaving(town: Town) -> None:
    olga = town.world.person("Olga")
    async with with_pin(town.bridge, town.folder):
        await hears(olga, "Alice", WORK, "whisper !pin and your pin")
        await hears(olga, "Alice", f"!pin {PIN}", "until you leave, you are owner")
        await hears(olga, "Bob", WORK, "home")
        olga.leave()
        impostor = town.world.person("Olga")
        await hears(impostor, "Bob", WORK, "Sorry")


async def test_a_proof_does_not_outlast_the_bots_sight_of_the_players(town: Town) -> None:
    olga = town.world.person("Olga")
    async with with_pin(town.bridge, town.folder) as daemon:
        await hears(olga, "Alice", f"!pin {PIN}", "owner")
        for name in ("Alice", "Bob"):
            town.bridge.kick(name, "restart")
        await until(lambda: not any(session.online for session in daemon.roster.sessions))
        assert await daemon.all_joined(30)
        await hears(olga, "Bob", WORK, "Sorry")


async def test_five_wrong_pins_are_told_and_strangers_have_none(town: Town) -> None:
    olga, mallory = town.world.person("Olga"), town.world.person("Mallory")
    async with with_pin(town.bridge, town.folder):
        for left in (4, 3, 2, 1):
            await hears(olga, "Alice", f"!pin guess-{left}", f"tries left: {left}")
        await hears(olga, "Alice", "!pin guess-0", "for 10 minutes")
        await hears(olga, "Bob", f"!pin {PIN}", "for 10 minutes")
        await hears(mallory, "Alice", f"!pin {PIN}", "need no pin")


async def test_the_pin_and_what_was_tried_are_written_nowhere(town: Town) -> None:
    olga = town.world.person("Olga")
    async with with_pin(town.bridge, town.folder) as daemon:
        await hears(olga, "Alice", "!pin wrong-guess-1", "tries left")
        await hears(olga, "Alice", f"!pni {PIN}", "pin")
        await hears(olga, "Alice", f"my pin is {PIN}", "")
        await hears(olga, "Alice", f"!pin {PIN}", "owner")
        await until(lambda: len(list(daemon.trace.recent("command.finished"))) == 3)
        traced = json.dumps([[t.name, t.facts] for t in daemon.trace.recent()], default=str)
        history = str(daemon.bot("Alice").get_conversation_history())
    contents = written_in(town.folder)
    assert "my pin is ***" in history
    for secret in (PIN, "wrong-guess-1"):
        assert secret not in traced
        assert secret not in history
        assert not [name for name, content in contents.items() if secret.encode() in content]


async def test_nobody_finds_the_pin_by_looking_what_is_cut(town: Town) -> None:
    """A stranger's words come back whole; under the owner's name, all words of such a form go."""
    mallory, impostor = town.world.person("Mallory"), town.world.person("Olga")
    async with with_pin(town.bridge, town.folder):
        await hears(mallory, "Alice", f"!echo {PIN} {PIN}9", f"{PIN} {PIN}9")
        await hears(impostor, "Alice", f"!echo {PIN} not-the-pin-1", "*** ***")
        await hears(impostor, "Alice", f"!echo x{PIN} get 3 oak logs", "*** get 3 oak logs")


def written_in(folder: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert any(name.endswith(".sqlite") for name in found)
    assert any(name.endswith(".jsonl") for name in found)
    return found
