"""Keeps one bot in the world: it joins, waits after a loss, joins again and never gives up.

connecting ──joined──▶ online
    ▲  │                 │
    │  └──failed──┐   ended
    │             ▼      ▼
    └──waited── waiting | refused      refused: a person has to change something
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import Literal

import structlog

from bots.bot.looking import NARROW_CHUNKS
from bots.chat.answers import WhisperCommand
from bots.clock import Sleep, Stopwatch
from bots.observability.trace import TraceLog
from bots.owned_tasks import until_first
from bridge.diagnosis import Cause, Diagnosis, diagnose
from bridge.errors import BridgeError, SpawnFailed
from bridge.events import BotDisconnected, LineAnswered, LineUnheard, RefusalKind
from bridge.port import Bridge, ServerAddress
from bridge.versions import pattern_of, whisper_pattern_of
from bridge.world import BotName

log = structlog.get_logger()

State = Literal["connecting", "online", "waiting", "refused", "left"]

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 30.0
TOLD_EVERY_S = 60.0
BACK_WITHIN_S = 60.0  # after a longer absence, waiting words are out of date
GOING_DOWN_S = 5.0  # least wait after a server announced its shutdown: it may still accept us
APART_S = 0.25
"""Seconds between two joins on somebody else's server."""
SETTLED_S = 30.0  # after this time online, the next loss starts with the shortest wait again


def backoff_s(failures: int, rng: random.Random) -> float:
    """Seconds to wait after so many failures in a row: doubling, capped, half of it jitter."""
    ceiling = min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** min(failures, 10))
    return ceiling * (0.5 + rng.random() / 2)


class DisconnectionLog:
    """Logs why bots are out of the world: each cause once a minute, for any number of bots.

    Where the advice names the bot, as on a whitelist, each bot is told of."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._told_at_s: dict[tuple[Cause, str], float] = {}

    def warn(self, bot: BotName, diagnosis: Diagnosis, next_try_s: float) -> None:
        advice, now_s = str(diagnosis), self._stopwatch()
        about = diagnosis.cause, bot if bot in advice else ""
        if now_s - self._told_at_s.get(about, -TOLD_EVERY_S) < TOLD_EVERY_S:
            return
        self._told_at_s[about] = now_s
        log.warning(
            "bot.disconnected",
            bot=bot,
            cause=diagnosis.cause,
            advice=advice,
            next_try_s=round(next_try_s, 1),
        )


class Entrance:
    """Lets bots join one after the other. Some servers, such as Cuberite, never show each other
    bots that joined in the same tick."""

    def __init__(self, apart_s: float, stopwatch: Stopwatch, sleep: Sleep) -> None:
        self._apart_s, self._stopwatch, self._sleep = apart_s, stopwatch, sleep
        self._free_s = 0.0

    async def turn(self) -> None:
        """Wait for one's turn."""
        now_s = self._stopwatch()
        turn_s = max(now_s, self._free_s)
        self._free_s = turn_s + self._apart_s
        if turn_s > now_s:
            await self._sleep(turn_s - now_s)


class Connection:
    """One bot's connection to the server. `run` is owned by the daemon."""

    def __init__(
        self,
        bridge: Bridge,
        bot: BotName,
        server: Callable[[], ServerAddress],
        *,
        trace: TraceLog,
        stopwatch: Stopwatch,
        sleep: Sleep,
        rng: random.Random,
        disconnections: DisconnectionLog,
        entrance: Entrance,
    ) -> None:
        self.bot = bot
        self.state: State = "connecting"
        self.diagnosis: Diagnosis | None = None
        """Why the bot is out of the world, or was recently."""
        self.version: str | None = None
        self._bridge, self._server, self._trace = bridge, server, trace
        self._stopwatch, self._sleep, self._rng = stopwatch, sleep, rng
        self._failures = 0
        self._wait_s = 0.0
        """Seconds until the next attempt."""
        self._disconnections, self._entrance = disconnections, entrance
        self._online_since = 0.0
        self._out_since = stopwatch()
        self._left = False
        self._ending: BotDisconnected | None = None
        self._ended = asyncio.Event()
        self._nudged = asyncio.Event()
        self._joined = asyncio.Event()
        self._next_join = asyncio.Event()

    async def run(self) -> None:
        """Keep the bot in the world until cancelled or asked to leave."""
        while not self._left:
            if await self._join():
                await self._ended.wait()
                event = self._ending
                assert event is not None
                self._out_since = self._stopwatch()
                if event.ending == "requested":
                    self._left = True
                    self._enter("left")
                else:
                    self._fail(self._diagnose(event))
            if not self._left:
                await until_first(self._sleep(self._wait_s), self._nudged.wait())

    async def until_online(self) -> None:
        """Wait until the bot is in the world; the caller sets the deadline."""
        await self._joined.wait()

    async def back(self) -> bool:
        """Wait for the bot's next time in the world, after a call that failed without it.

        False when it is not there within `BACK_WITHIN_S` of the loss."""
        left_s = BACK_WITHIN_S
        if self.state != "online":  # else the loss is about to be reported
            left_s -= self._stopwatch() - self._out_since
        next_join = self._next_join
        if left_s > 0 and not self._left:
            await until_first(next_join.wait(), self._sleep(left_s))
        return next_join.is_set()

    def ended(self, event: BotDisconnected) -> None:
        """The bridge reports that the bot is out of the world."""
        self._ending = event
        self._ended.set()

    def retry_now(self) -> None:
        """The server or the bridge is back: end the wait between two attempts."""
        self._failures = 0
        self._nudged.set()

    async def _join(self) -> bool:
        self._enter("connecting")
        self._ended.clear()
        self._nudged.clear()
        await self._entrance.turn()
        try:
            spawned = await self._bridge.spawn(self.bot, self._server(), view_chunks=NARROW_CHUNKS)
        except SpawnFailed as failure:
            self._fail(self._diagnose(failure))
        except BridgeError as error:
            self._fail(Diagnosis("node_died", f"{error}.", "It is tried again."))
        else:
            self.version = spawned.version
            self.diagnosis = None
            self._online_since = self._stopwatch()
            self._joined.set()
            self._next_join.set()
            self._next_join = asyncio.Event()
            self._enter("online")
            return True
        return False

    def _diagnose(self, end: SpawnFailed | BotDisconnected) -> Diagnosis:
        return diagnose(end.ending, end.text, end.key, bot=self.bot, server=self._server())

    def _fail(self, diagnosis: Diagnosis) -> None:
        if self.state == "online" and self._stopwatch() - self._online_since >= SETTLED_S:
            self._failures = 0
        self.diagnosis = diagnosis
        self._wait_s = backoff_s(self._failures, self._rng)
        if diagnosis.cause == "server_closed":
            self._wait_s = max(self._wait_s, GOING_DOWN_S)
        self._failures += 1
        self._joined.clear()
        self._enter("refused" if diagnosis.needs_a_person else "waiting")

    def _enter(self, state: State) -> None:
        if state == self.state and state != "connecting":
            return
        self.state = state
        why = self.diagnosis.cause if self.diagnosis else None
        self._trace.note("connection.changed", self.bot, state=state, cause=why)
        if self.diagnosis and state in ("waiting", "refused"):
            self._disconnections.warn(self.bot, self.diagnosis, self._wait_s)
        elif state == "online":
            log.info("bot.joined", bot=self.bot, server=str(self._server()), version=self.version)


SHOWN_CHARS = 200
MOST_TOLD = 100  # different lines; then nothing new is told
UNHEARD_WHISPER = "if this is a whisper, add a pattern for it to bridge.whisper_patterns"
_NUMBERS = re.compile(r"\d+")
_HINTS: dict[RefusalKind, str] = {
    "unknown_command": "set server.whisper_command to the server's own; bots still talk in public",
    "forbidden": "let the bots' rank whisper; bots still talk in public",
    "muted": "let the bots' rank speak, and log in where that is asked for (server.on_join)",
    "refused": "see docs/versions.md, “What a server refuses”",
}
_REFUSES: dict[RefusalKind, str] = {
    "unknown_command": "The server carries no whispers",
    "forbidden": "The server does not let the bots whisper",
    "muted": "The server does not let the bots speak",
    "refused": "The server refuses the bots' lines",
}


class ServerLines:
    """Tells an owner which lines of a server's chat nobody understands, and which of the bots' own
    it refuses: once in the log, each time in the trace, and as advice on the page."""

    def __init__(
        self, trace: TraceLog, whispers: WhisperCommand, unsaid: Callable[[str], str] = str
    ) -> None:
        """`unsaid` takes passwords out of what the server says."""
        self._trace, self._whispers, self._unsaid = trace, whispers, unsaid
        self._told = set[tuple[str, str]]()
        self._refuses: dict[bool, str] = {}
        self._unread = ""

    @property
    def advice(self) -> str | None:
        """What is wrong now and what to do, or None."""
        found = [*self._refuses.values(), self._unread]
        return " ".join(filter(None, found)) or None

    def answered(self, event: LineAnswered) -> None:
        """A line went out, or was refused. That a player has just left is nobody's fault."""
        refusal, is_public = event.refusal, event.to is None
        if refusal is None:
            self._refuses.pop(is_public, None)
            return
        words = self._unsaid(refusal.words)
        facts = {"to": event.to, "kind": refusal.kind, "words": words[:SHOWN_CHARS]}
        self._trace.note("line.refused", event.bot, **facts, key=refusal.key)
        self._whispers.refused(refusal)
        if refusal.kind == "not_found":
            return
        kind = "muted" if is_public and refusal.kind == "forbidden" else refusal.kind
        hint = _HINTS[kind]
        if event.text:
            self._refuses[is_public] = f"{_REFUSES[kind]} (“{words}”): {hint}."
        self._once(
            ("refused", f"{is_public} {refusal.kind}"),
            lambda: log.warning("line.refused", bot=event.bot, **facts, hint=hint),
        )

    def unheard(self, event: LineUnheard) -> None:
        """A line is in a form that nobody told us of."""
        shown = self._unsaid(event.text)[:SHOWN_CHARS]
        form = _NUMBERS.sub("0", shown[:20])
        if event.looks == "private":
            self._trace.note("whisper.unheard", event.bot, line=shown)
            hint = UNHEARD_WHISPER
            if event.speaker is not None:
                pattern = whisper_pattern_of(event.text, event.speaker, event.bot)
                hint = f"if this is a whisper: bridge.whisper_patterns = ['{pattern}']"
            self._once(
                ("private", form),
                lambda: log.warning("whisper.unheard", bot=event.bot, line=shown, hint=hint),
            )
        elif event.looks == "public" and event.speaker is not None:
            pattern = pattern_of(event.text, event.speaker)
            hint = f"if this is public chat: bridge.chat_patterns = ['{pattern}']"
            self._unread = f"Not understood: “{shown}”; {hint}."
            self._trace.note("chat.unheard", event.bot, line=shown, pattern=pattern)
            self._once(
                ("public", pattern),
                lambda: log.warning("chat.unheard", bot=event.bot, line=shown, hint=hint),
            )

    def _once(self, what: tuple[str, str], tell: Callable[[], object]) -> None:
        if what not in self._told and len(self._told) < MOST_TOLD:
            self._told.add(what)
            tell()
