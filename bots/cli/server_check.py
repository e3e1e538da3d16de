"""`townsfolk doctor --server`: joins a server for two seconds and says what it is like there."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bots.cli.finding import Finding
from bots.observability.logs import silently
from bots.settings.settings import Settings
from bridge.diagnosis import Cause, diagnose
from bridge.errors import BridgeError, NodeSetupError, SpawnFailed
from bridge.events import LineUnheard, WhisperReceived
from bridge.js import JSBridge
from bridge.node import ready
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName, PlayerName

LISTEN_S = 2.0
TO_ITSELF = "is this heard?"
_ONCE: dict[Cause, str] = {
    "lost": "check that a Minecraft Java server listens there, and start this again",
    "throttled": "start this again in a minute",
    "server_closed": "start this again when it is back",
    "node_died": "start this again",
}
"""Next steps where no bot tries again by itself."""


def check_server(settings: Settings) -> Finding:
    """What happens when the first bot joins the server of the settings."""
    server = settings.named_server
    bot = BotName(settings.bots.names[0])
    try:
        with silently():
            return asyncio.run(_visit(settings, bot, server))
    except NodeSetupError as error:
        step = "`townsfolk up` installs them, once; that needs the network"
        return Finding("joining", "later", str(error), step)


async def _visit(settings: Settings, bot: BotName, server: ServerAddress) -> Finding:
    runtime = await ready(lambda _line: None, offline=True)
    with tempfile.TemporaryDirectory() as folder:
        log_path = Path(folder) / "node.log"
        shapes = settings.bridge.line_shapes
        bridge = JSBridge(runtime.binary, runtime.packages_dir, log_path, shapes)
        await bridge.start()
        try:
            return await try_server(bridge, bot, server)
        finally:
            await bridge.aclose()


async def try_server(
    bridge: Bridge, bot: BotName, server: ServerAddress, listen_s: float = LISTEN_S
) -> Finding:
    """Join, whisper to oneself, listen, leave."""
    listener = _Listener(bot)
    reading = asyncio.create_task(listener.read(bridge))
    try:
        spawned = await bridge.spawn(bot, server)
        await bridge.whisper(bot, PlayerName(bot), TO_ITSELF)
        with suppress(TimeoutError):
            async with asyncio.timeout(listen_s):
                await listener.answered.wait()
        await bridge.despawn(bot)
    except SpawnFailed as end:
        found = diagnose(end.ending, end.text, end.key, bot=bot, server=server)
        step = _ONCE.get(found.cause, found.next_step)
        return Finding("joining", "bad", found.sentence, step)
    except BridgeError as error:
        return Finding("joining", "bad", f"{server}: {error}", "start this again")
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    by = "with its account" if server.accounts.file(bot) else "without an account"
    joined = f"{server} speaks {spawned.version} and lets {bot} in {by}; no whitelist stops it"
    return listener.finding(joined)


@dataclass
class _Listener:
    """Waits for a whisper to oneself."""

    bot: BotName
    dialect: str = ""
    unheard: str = ""

    def __post_init__(self) -> None:
        self.answered = asyncio.Event()

    async def read(self, bridge: Bridge) -> None:
        async for event in bridge.events():
            if isinstance(event, WhisperReceived) and event.text == TO_ITSELF:
                self.dialect = event.dialect
                self.answered.set()
            elif isinstance(event, LineUnheard) and TO_ITSELF in event.text:
                self.unheard = event.text

    def finding(self, joined: str) -> Finding:
        if self.dialect:
            return Finding("joining", "ok", f"{joined}; whispers are {self.dialect}'s")
        if self.unheard:
            step = "write a pattern for that line into bridge.whisper_patterns"
            return Finding("joining", "bad", f"{joined}; not understood: “{self.unheard}”", step)
        step = f"whisper /tell {self.bot} hello; if it does not answer, see bridge.whisper_patterns"
        return Finding("joining", "later", f"{joined}; a whisper to itself did not come back", step)
