"""Bots with Microsoft accounts: signing in, joining servers that ask for one, signing chat.

Microsoft, Xbox and Mojang are imitated on loopback; the real services are reached by nobody."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from typer.testing import CliRunner, Result
from versions.bench import BENCH, Equipment, VersionServer
from versions.stage import HOST, listening_bridge
from versions.supported import since, tried

from bots.cli.main import app
from bridge.diagnosis import Cause, Diagnosis, diagnose
from bridge.errors import SpawnFailed
from bridge.events import BotDisconnected, ChatHeard, WhisperReceived
from bridge.js import JSBridge
from bridge.port import Accounts, ServerAddress
from bridge.world import BotName, PlayerName

pytestmark = [pytest.mark.real, pytest.mark.slow]

ALICE, BOB = BotName("Alice"), BotName("Bob")
WITHOUT_XBOX = 2148916233
SIGNING = [version for version in tried() if since(version, "1.19.3")]


@dataclass
class Office:
    """The imitation, a data folder, and what it takes to start programs."""

    microsoft: Equipment
    node: Path
    node_dir: Path
    folder: Path

    def server(self, game: VersionServer) -> ServerAddress:
        accounts = Accounts(self.folder / "accounts", frozenset({ALICE}))
        return ServerAddress(HOST, game.port, accounts=accounts)

    async def login(self, name: str = ALICE) -> Result:
        words = ["login", name, "--data-dir", str(self.folder)]
        return await anyio.to_thread.run_sync(partial(CliRunner().invoke, app, words))

    async def signs_in(self, name: str = ALICE) -> None:
        done = await self.login(name)
        assert done.exit_code == 0, done.output

    def game(self, version: str, **config: Any) -> Any:
        return VersionServer.of(self.node, self.node_dir, version, **config)

    def bridge(self) -> Any:
        return listening_bridge(self.node, self.node_dir, self.folder)

    async def asked(self, what: str) -> int:
        return len([one for one in self.microsoft.all("asked") if one["path"].endswith(what)])

    @property
    def checking(self) -> dict[str, Any]:
        """How a server of online-mode=true is made."""
        (started,) = self.microsoft.all("listening")
        return {"online": "mojang", "mojangKey": started["mojangKey"]}


@asynccontextmanager
async def an_office(
    node: Path, node_dir: Path, folder: Path, patch: pytest.MonkeyPatch, **config: Any
) -> AsyncIterator[Office]:
    async with Equipment.started(node, node_dir, "microsoft.cjs", **config) as microsoft:
        patch.delenv("TOWNSFOLK_TEST_VERSIONS", raising=False)  # no setting of the program
        patch.setenv("NODE_OPTIONS", f"--require {BENCH / 'redirect.cjs'}")
        patch.setenv("NODE_TEST_MICROSOFT", f"http://{HOST}:{microsoft.port}")
        yield Office(microsoft, node, node_dir, folder)
        patch.undo()


@pytest.fixture
async def office(
    node_binary: Path, node_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Office]:
    async with an_office(node_binary, node_dir, tmp_path, monkeypatch) as office:
        yield office


async def why_not(bridge: JSBridge, server: ServerAddress) -> Diagnosis:
    with pytest.raises(SpawnFailed) as raised:
        await bridge.spawn(ALICE, server)
    end = raised.value
    return diagnose(end.ending, end.text, end.key, bot=ALICE, server=server)


async def test_a_sign_in_tells_where_to_type_and_keeps_its_tokens_private(office: Office) -> None:
    done = await office.login()
    assert done.exit_code == 0, done.output
    assert "open https://www.microsoft.com/link within 15 minutes and type ABCD-EFGH" in done.stderr
    assert done.stdout == 'Alice is signed in; now set bots.accounts = ["Alice"]\n'
    folder = office.folder / "accounts"
    (file,) = folder.iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("Alice.json", 0o600)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert "mc-secret" in file.read_text()
    assert "secret" not in done.output


@pytest.mark.parametrize("version", tried())
async def test_a_signed_in_bot_joins_a_checking_server(office: Office, version: str) -> None:
    await office.signs_in()
    async with office.game(version, **office.checking) as game, office.bridge() as (bridge, log):
        server = office.server(game)
        await bridge.spawn(ALICE, server)
        await game.do("line", shape="vanilla_whisper", text="an account")
        await log.first(WhisperReceived, bot=ALICE, text="an account")
        await bridge.despawn(ALICE)
        await bridge.spawn(ALICE, server)
        await bridge.despawn(ALICE)
    assert await office.asked("session/minecraft/join") == 2
    assert await office.asked("oauth20_connect.srf") == 1  # nobody is asked to sign in again
    assert await office.asked("login_with_xbox") == 1
    printed = office.folder / "host.log"
    assert "secret" not in (printed.read_text() if printed.exists() else "")


async def test_who_has_no_account_is_told_the_command(office: Office) -> None:
    async with office.game("1.20.4", **office.checking) as game, office.bridge() as (bridge, _log):
        found = await why_not(bridge, ServerAddress(HOST, game.port))
        assert found.cause == "online_mode"
        assert "`townsfolk login Alice`" in found.next_step


@pytest.mark.parametrize("version", SIGNING)
async def test_words_of_a_bot_that_is_signed_in_are_signed(office: Office, version: str) -> None:
    await office.signs_in()
    secure = {"isSecure": True, **office.checking}
    async with office.game(version, **secure) as game, office.bridge() as (bridge, log):
        await bridge.spawn(ALICE, office.server(game))
        for text in ("hello, 皆さん", "again"):
            await bridge.whisper(ALICE, PlayerName(ALICE), text)
            await game.until("said", name=ALICE, text=text)
            await bridge.chat(ALICE, f"{text}!")
            await game.until("said", name=ALICE, text=f"{text}!")
        assert not log.all(BotDisconnected)
        await bridge.despawn(ALICE)


@pytest.mark.parametrize("version", SIGNING)
async def test_where_chat_is_signed_the_command_is_told(office: Office, version: str) -> None:
    async with (
        office.game(version, **{**office.checking, "isSecure": True, "online": False}) as game,
        office.bridge() as (bridge, log),
    ):
        server = ServerAddress(HOST, game.port)
        await bridge.spawn(BOB, server)
        await bridge.chat(BOB, "hello")
        end = await log.first(BotDisconnected, bot=BOB)
        found = diagnose(end.ending, end.text, end.key, bot=BOB, server=server)
        assert found.cause == "unsigned_chat"
        assert "`townsfolk login Bob`" in found.next_step
        assert not log.all(ChatHeard)


FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"refuses": WITHOUT_XBOX}, "does not have an Xbox profile"),
    ({"ownsNothing": True}, "owns no Minecraft: Java Edition"),
    ({"profile": "Carol"}, "townsfolk login Carol"),
]


@pytest.mark.parametrize(("config", "words"), FAULTS)
async def test_an_account_that_cannot_play_as_that_bot_is_not_kept(
    config: dict[str, Any],
    words: str,
    node_binary: Path,
    node_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with an_office(node_binary, node_dir, tmp_path, monkeypatch, **config) as office:
        done = await office.login()
        assert done.exit_code == 1
        assert words in " ".join(done.stderr.split())
        assert list((tmp_path / "accounts").iterdir()) == []


async def test_a_bot_that_never_signed_in_is_told_without_microsoft(office: Office) -> None:
    async with office.game("1.20.4", **office.checking) as game, office.bridge() as (bridge, _log):
        found = await why_not(bridge, office.server(game))
        assert (found.cause, found.needs_a_person) == ("account_needed", True)
        assert found.next_step == "Run `townsfolk login Alice`."
    assert not office.microsoft.all("asked")


@pytest.mark.parametrize(
    ("config", "cause"), [({"isOver": True}, "account_needed"), ({}, "account_other")]
)
async def test_a_sign_in_that_is_of_no_use_any_more_is_told(
    config: dict[str, Any],
    cause: Cause,
    node_binary: Path,
    node_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with an_office(
        node_binary, node_dir, tmp_path, monkeypatch, profile="Carol", **config
    ) as office:
        await office.signs_in("Carol")
        kept = tmp_path / "accounts" / "Carol.json"
        tokens = json.loads(kept.read_text())
        if config:  # the tokens have run out; the sign-in cannot be renewed
            tokens = {"live": {"token": {**tokens["live"]["token"], "expires_in": 0}}}
        (tmp_path / "accounts" / "Alice.json").write_text(json.dumps(tokens))
        async with office.game("1.20.4", **office.checking) as game, office.bridge() as (bridge, _):
            assert (await why_not(bridge, office.server(game))).cause == cause


async def test_that_microsoft_is_not_reached_is_told(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.signs_in()
    monkeypatch.setenv("NODE_TEST_MICROSOFT", f"http://{HOST}:1")
    kept = office.folder / "accounts" / "Alice.json"
    tokens = json.loads(kept.read_text())
    kept.write_text(json.dumps({"live": tokens["live"]}))
    async with office.game("1.20.4") as game, office.bridge() as (bridge, _log):
        found = await why_not(bridge, office.server(game))
        assert (found.cause, found.needs_a_person) == ("account_unreachable", False)
        assert found.sentence.endswith("“bad port”.")
