"""How bots fare at the door of every version: pings, wrong versions, kicks, packs, proxies."""

import itertools
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Protocol

import pytest
from contract.arena import EventLog
from versions.bench import VersionServer
from versions.stage import HOST
from versions.supported import SUPPORTED, TOO_NEW, since, tried

from bridge.diagnosis import WAY_TO_NEWER, Cause, Diagnosis, diagnose
from bridge.errors import SpawnFailed
from bridge.events import BotDisconnected, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.versions import VERSIONS
from bridge.world import BotName

pytestmark = [pytest.mark.real, pytest.mark.slow]

ALICE = BotName("Alice")
KEY = "multiplayer.disconnect."
NEWEST, OLDEST = SUPPORTED[-1], SUPPORTED[0]
JOIN_S = 12.0

Stage = tuple[JSBridge, EventLog]
_numbers = itertools.count(1)


@pytest.fixture
def stage(listening: Stage) -> Stage:
    return listening


class Serve(Protocol):
    def __call__(self, version: str, **config: Any) -> Any: ...


@pytest.fixture
def serve(node_binary: Path, node_dir: Path) -> Serve:
    return lambda version, **config: VersionServer.of(node_binary, node_dir, version, **config)


@pytest.fixture(scope="module", params=tried())
async def plain(
    request: pytest.FixtureRequest, node_binary: Path, node_dir: Path
) -> AsyncIterator[VersionServer]:
    """A server of each version that turns nobody away unless told to."""
    async with VersionServer.of(node_binary, node_dir, request.param) as game:
        yield game


@pytest.fixture
async def inside(stage: Stage, plain: VersionServer) -> AsyncIterator[VersionServer]:
    """One on which a bot is."""
    await stage[0].spawn(ALICE, ServerAddress(HOST, plain.port), timeout_s=JOIN_S)
    yield plain
    await stage[0].despawn(ALICE)


async def joined(stage: Stage, game: VersionServer, version: str | None = None) -> str:
    """The version a bot joined with; it is in the world and hears a whisper there."""
    bridge, log = stage
    spawned = await bridge.spawn(ALICE, ServerAddress(HOST, game.port, version), timeout_s=JOIN_S)
    await still_hears(log, game)
    await bridge.despawn(ALICE)
    return spawned.version


async def still_hears(log: EventLog, game: VersionServer) -> None:
    words = f"whisper {next(_numbers)}"
    await game.do("line", shape="vanilla_whisper", text=words)
    await log.first(WhisperReceived, bot=ALICE, text=words)


async def refused(stage: Stage, game: VersionServer, version: str | None = None) -> Diagnosis:
    """Why a bot could not join."""
    server = ServerAddress(HOST, game.port, version)
    with pytest.raises(SpawnFailed) as raised:
        await stage[0].spawn(ALICE, server, timeout_s=JOIN_S)
    end = raised.value
    return diagnose(end.ending, end.text, end.key, bot=ALICE, server=server)


async def thrown_out(stage: Stage, game: VersionServer, component: Any) -> Diagnosis:
    """Why a bot that had joined was kicked."""
    bridge, log = stage
    server = ServerAddress(HOST, game.port)
    await bridge.spawn(ALICE, server, timeout_s=JOIN_S)
    before = len(log.all(BotDisconnected, bot=ALICE))
    await game.do("kick", player=ALICE, component=component)
    end = (await log.take(before + 1, BotDisconnected, bot=ALICE))[-1]
    return diagnose(end.ending, end.text, end.key, bot=ALICE, server=server)


# --- versions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("really", "name", "protocol"),
    [
        ("26.1", "26.1.2", 775),
        ("26.1", "Paper 26.1.1", 775),
        ("1.21.8", "1.21.7", 772),
        ("1.21.3", "1.21.2", 768),
        ("1.8.8", "Spigot 1.8.9", 47),
        ("1.20.4", "Maintenance", 765),
        ("1.20.4", "Purpur 1.20.4", -1),
    ],
)
async def test_a_ping_is_understood(
    stage: Stage, serve: Serve, really: str, name: str, protocol: int
) -> None:
    async with serve(really, ping={"name": name, "protocol": protocol}) as game:
        assert await joined(stage, game) == really


@pytest.mark.parametrize(("name", "protocol"), [*TOO_NEW.items(), ("27.0", 790), ("", 1073742100)])
async def test_a_server_too_new_is_refused_with_the_range_and_the_way_out(
    stage: Stage, serve: Serve, name: str, protocol: int
) -> None:
    async with serve(NEWEST, ping={"name": name, "protocol": protocol}) as game:
        found = await refused(stage, game)
        assert found.cause == "too_new"
        assert found.needs_a_person
        assert (name or str(protocol)) in found.sentence
        assert str(VERSIONS) in found.sentence
        assert found.next_step == WAY_TO_NEWER
        assert not game.all("knock", isPing=False)


@pytest.mark.parametrize("newer", TOO_NEW)
async def test_a_newer_server_that_answers_in_the_version_it_is_asked_in_is_joined(
    stage: Stage, serve: Serve, newer: str
) -> None:
    """As ViaBackwards and ViaProxy do: the name stays the server's own."""
    through = {"name": f"Paper {newer}", "protocol": VERSIONS.newest.protocol}
    async with serve(NEWEST, ping=through) as game:
        assert await joined(stage, game) == NEWEST
        assert game.all("knock", isPing=True, protocol=VERSIONS.newest.protocol)


@pytest.mark.parametrize("newer", TOO_NEW)
async def test_a_newer_server_that_tells_its_version_only_at_the_door_is_too_new(
    stage: Stage, serve: Serve, newer: str
) -> None:
    """As behind a proxy that echoes the version asked for."""
    async with serve(
        NEWEST, ping={"name": "Velocity", "protocol": VERSIONS.newest.protocol}
    ) as game:
        await game.do("deny", component={"translate": f"{KEY}incompatible", "with": [newer]})
        found = await refused(stage, game)
        assert (found.cause, found.next_step) == ("too_new", WAY_TO_NEWER)
        assert newer in found.sentence


async def test_a_viaproxy_that_lets_nobody_through_is_quoted(stage: Stage, serve: Serve) -> None:
    closed = {
        "version": {"name": "ViaProxy", "protocol": -1},
        "players": {"max": 0, "online": 0},
        "description": "§cCould not connect to the backend server!",
    }
    async with serve(NEWEST, status=closed) as game:
        found = await refused(stage, game)
        assert (found.cause, found.needs_a_person) == ("via_target", False)
        assert "“Could not connect to the backend server!”" in found.sentence
        assert not game.all("knock", isPing=False)


async def test_a_server_too_old_is_refused_with_the_range(stage: Stage, serve: Serve) -> None:
    async with serve(OLDEST, ping={"name": "1.7.10", "protocol": 5}) as game:
        found = await refused(stage, game)
        assert (found.cause, "1.7.10" in found.sentence) == ("too_old", True)


UNSPOKEN: dict[str, Cause] = {"26.3": "too_new", "1.7.10": "too_old", "latest": "unknown_version"}


async def test_a_version_that_cannot_be_spoken_is_refused(stage: Stage, serve: Serve) -> None:
    async with serve(NEWEST) as game:
        for set_to, cause in UNSPOKEN.items():
            found = await refused(stage, game, set_to)
            assert found.cause == cause
            assert set_to in found.sentence


@pytest.mark.parametrize(
    ("really", "set_to"),
    [("1.21.8", "1.21.7"), ("1.21.3", "1.21.2"), ("1.21.9", "1.21.10"), ("26.1", "26.1.2")],
)
async def test_a_version_of_the_same_protocol_is_as_good(
    stage: Stage, serve: Serve, really: str, set_to: str
) -> None:
    async with serve(really) as game:
        assert await joined(stage, game, set_to) == really


@pytest.mark.parametrize("really", tried())
async def test_a_wrong_version_is_corrected_from_the_servers_own_words(
    stage: Stage, serve: Serve, really: str
) -> None:
    wrong = "1.16.5" if really != "1.16.5" else "1.20.4"
    async with serve(really) as game:
        assert await joined(stage, game, wrong) == really
        assert len(game.all("knock", isPing=False)) == 2
        assert await joined(stage, game, wrong) == really
        assert len(game.all("knock", isPing=False)) == 3  # it is remembered


@pytest.mark.parametrize("proxy", ["Velocity 3.4.0", "BungeeCord 1.8.x-1.21.x"])
async def test_behind_a_proxy_that_echoes_the_version_asked_for_the_servers_own_is_found(
    stage: Stage, serve: Serve, proxy: str
) -> None:
    newest = {"name": proxy, "protocol": VERSIONS.newest.protocol}
    async with serve("1.20.4", ping=newest) as game:
        assert await joined(stage, game) == "1.20.4"


# --- words ---------------------------------------------------------------------------

KICKS: list[tuple[Any, Cause, str]] = [
    ({"text": "Griefing is not nice"}, "kicked", "“Griefing is not nice”"),
    (
        {"text": "", "extra": [{"text": "Mind", "color": "red"}, {"text": " your words"}]},
        "kicked",
        "“Mind your words”",
    ),
    ({"translate": f"{KEY}idling"}, "idle", "standing still"),
    ({"translate": f"{KEY}duplicate_login"}, "duplicate_name", "Alice"),
    ({"translate": f"{KEY}flying"}, "flying", "flying"),
    ({"translate": f"{KEY}unsigned_chat"}, "unsigned_chat", "signed"),
    ({"translate": f"{KEY}banned.reason", "with": [{"text": "spam"}]}, "banned", "banned"),
    ({"translate": f"{KEY}generic"}, "kicked", "“Disconnected”"),
    ({"translate": f"{KEY}kicked"}, "kicked", "“Kicked by an operator”"),
    ({"text": "Login timeout exceeded, try again!"}, "login_plugin", "Login timeout"),
]


async def test_the_words_of_a_kick_are_plain(stage: Stage, plain: VersionServer) -> None:
    for component, cause, words in KICKS:
        found = await thrown_out(stage, plain, component)
        assert found.cause == cause
        assert words in found.sentence


DENIALS: list[tuple[Any, Cause]] = [
    ({"translate": f"{KEY}not_whitelisted"}, "whitelist"),
    ({"text": "You are not whitelisted on this server!"}, "whitelist"),
    ({"translate": f"{KEY}banned"}, "banned"),
    ({"text": "This server requires you to connect with Velocity."}, "proxy_only"),
    ({"text": "If you wish to use IP forwarding, please enable it!"}, "proxy_only"),
    ({"text": "§cCould not connect to the backend server!"}, "via_target"),
    ({"text": "§cAutomatic protocol detection failed!\n§cConnection refused"}, "via_target"),
    (
        {
            "text": "§cThe configured target server is in online mode and requires a valid"
            " authentication mode."
        },
        "via_account",
    ),
    ({"text": "You are using an unsupported Minecraft version!"}, "via_version"),
    # what ViaBackwards makes of a key that an older client lacks
    ({"translate": "You are not white-listed on this server!"}, "whitelist"),
    ({"translate": "You are banned from this server.\nReason: %s", "with": ["spam"]}, "banned"),
]


async def test_a_denial_at_the_login_is_understood(stage: Stage, plain: VersionServer) -> None:
    for component, cause in DENIALS:
        await plain.do("deny", component=component)
        assert (await refused(stage, plain)).cause == cause
    await plain.do("deny", component=None)


@pytest.mark.parametrize("version", [v for v in tried() if since(v, "1.20.2")])
async def test_a_denial_while_configuring_is_understood(
    stage: Stage, serve: Serve, version: str
) -> None:
    async with serve(version, denyInConfiguration={"translate": f"{KEY}not_whitelisted"}) as game:
        assert (await refused(stage, game)).cause == "whitelist"


@pytest.mark.parametrize("version", tried())
async def test_a_server_that_checks_accounts_is_told_so(
    stage: Stage, serve: Serve, version: str
) -> None:
    async with serve(version, online="strict") as game:
        assert (await refused(stage, game)).cause == "online_mode"


# --- what servers ask of clients -------------------------------------------------------


@pytest.mark.parametrize("brand", ["vanilla", "Paper"])
@pytest.mark.parametrize("version", [v for v in tried() if since(v, "1.20.2")])
async def test_a_pack_is_taken_while_configuring(
    stage: Stage, serve: Serve, version: str, brand: str
) -> None:
    async with serve(version, brand=brand, pack=True) as game:
        assert await joined(stage, game) == version
        answers = game.all("pack", phase="configuration")
        assert [(one["result"], one["isRight"]) for one in answers] == [(3, True), (0, True)]


async def test_a_pack_is_taken_in_play(stage: Stage, inside: VersionServer) -> None:
    await inside.do("pack", player=ALICE)
    await inside.until("pack", result=0)
    answers = inside.all("pack")
    assert [(one["result"], one["isRight"]) for one in answers] == [(3, True), (0, True)]
    await still_hears(stage[1], inside)


@pytest.mark.parametrize("version", [v for v in tried() if since(v, "1.20.5")])
async def test_a_cookie_that_is_asked_for_is_none(stage: Stage, serve: Serve, version: str) -> None:
    async with serve(version, cookie=True) as game:
        assert await joined(stage, game) == version
        assert game.all("cookie", key="bench:visits", value=None)


@pytest.mark.parametrize("version", [v for v in tried() if since(v, "1.21.9")])
async def test_a_code_of_conduct_is_accepted(stage: Stage, serve: Serve, version: str) -> None:
    async with serve(version, codeOfConduct="Be nice.") as game:
        assert await joined(stage, game) == version


# --- proxies and LAN -------------------------------------------------------------------


async def test_a_bot_that_a_proxy_moves_stays_in_and_hears(
    stage: Stage, inside: VersionServer
) -> None:
    bridge, log = stage
    await inside.do("move", player=ALICE)
    await inside.until("moved", name=ALICE)
    await still_hears(log, inside)
    assert (await bridge.snapshot(ALICE)).dimension == "overworld"


@pytest.mark.parametrize("version", tried())
async def test_a_world_opened_to_lan_lets_bots_in(stage: Stage, serve: Serve, version: str) -> None:
    async with serve(version, online="lan") as game:
        assert await joined(stage, game) == version


async def test_lines_of_on_join_are_sent_at_once(stage: Stage, plain: VersionServer) -> None:
    server = ServerAddress(HOST, plain.port, on_join=("/login tell-nobody", "I am {bot}"))
    await stage[0].spawn(ALICE, server, timeout_s=JOIN_S)
    await plain.until("said", name=ALICE, text="I am Alice")
    assert plain.all("said", name=ALICE)[0]["text"] == "/login tell-nobody"
    assert "tell-nobody" not in repr(server)
    await stage[0].despawn(ALICE)
