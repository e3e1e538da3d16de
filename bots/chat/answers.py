"""Reads what the server says about lines that our bots send.

    sent ── shown, or echoed by a plugin ──> it went out
      ├──── refused ──> undelivered, with the server's words
      └──── no word in a second ──> counts as sent; a later refusal still undoes that

After a few lines without an answer we treat the server as silent and stop waiting. For whispers we
use the first of several commands that the server knows.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import suppress

from bots.clock import Stopwatch
from bridge.events import LineAnswered, Refusal
from bridge.port import Bridge
from bridge.world import BotName, PlayerName

ANSWERED_WITHIN_S = 1.0
TRIED_WITHIN_S = 2.0  # how long we wait for an answer to an untested command
SILENT_AFTER = 3  # lines in a row
KEPT_S = 5.0
MOST = 64  # lines of a bot that wait
AGAIN_AFTER_S = 60.0  # when we try again if the server knew none of the commands


class SentLine:
    """A sent line."""

    def __init__(self, to: PlayerName | None, text: str, at_s: float) -> None:
        self.to, self.text, self.at_s = to, text, at_s
        self.refusal: Refusal | None = None
        self.utterance_id: int | None = None
        """Set when nobody waits for its answer any more."""
        self._answered = asyncio.Event()

    @property
    def is_answered(self) -> bool:
        return self._answered.is_set()

    def answer(self, refusal: Refusal | None) -> None:
        self.refusal = refusal
        self._answered.set()

    async def wait(self, within_s: float) -> Refusal | None:
        """Its refusal; None when it went out, and when no word came."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._answered.wait()
        return self.refusal


class Answers:
    """Lines on their way from our bots to the server."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._sent: defaultdict[BotName, deque[SentLine]] = defaultdict(lambda: deque(maxlen=MOST))
        self._silences = 0

    def sent(self, bot: BotName, to: PlayerName | None, text: str) -> SentLine:
        """Note a line just before it leaves."""
        now_s, lines = self._stopwatch(), self._sent[bot]
        while lines and now_s - lines[0].at_s > KEPT_S:
            lines.popleft()
        lines.append(SentLine(to, text, now_s))
        return lines[-1]

    def take(self, event: LineAnswered) -> None:
        """Note what the server said."""
        self._silences = 0
        for line in self._sent[event.bot]:
            if not line.is_answered and (line.to, line.text) == (event.to, event.text):
                line.answer(event.refusal)
                return

    def given_up(self, event: LineAnswered) -> int | None:
        """The utterance of a line whose refusal nobody waits for any more."""
        lines = self._sent[event.bot]
        return next((one.utterance_id for one in lines if one.refusal is event.refusal), None)

    async def refusal(
        self, bot: BotName, to: PlayerName | None, texts: Sequence[str], utterance_id: int
    ) -> Refusal | None:
        """Wait for the answers to the lines of an utterance; the first refusal among them."""
        wanted, lines = list(texts), list[SentLine]()
        for line in reversed(self._sent[bot]):
            if line.to == to and line.text in wanted and line.utterance_id is None:
                wanted.remove(line.text)
                lines.insert(0, line)
        if self._silences < SILENT_AFTER:
            await asyncio.gather(*(line.wait(ANSWERED_WITHIN_S) for line in lines))
        for line in lines:
            line.utterance_id = utterance_id
        self._silences += any(not line.is_answered for line in lines)
        return next((line.refusal for line in lines if line.refusal is not None), None)


class WhisperCommand:
    """Sends whispers, and learns from the first what the server calls them."""

    def __init__(
        self, bridge: Bridge, answers: Answers, commands: Sequence[str], stopwatch: Stopwatch
    ) -> None:
        self._bridge, self._answers, self._stopwatch = bridge, answers, stopwatch
        self._commands = tuple(commands)
        self._settled_s: float | None = None
        self.name = self._commands[0]

    @property
    def longest(self) -> str:
        return max(self._commands, key=len)

    async def whisper(self, bot: BotName, to: PlayerName, text: str) -> None:
        """Send one line; until a command is known to work, by one after the other."""
        if self._settled_s is not None:
            await self._send(bot, to, text, self.name)
            return
        for command in self._commands:
            refusal = await self._send(bot, to, text, command, waits=True)
            if refusal is None or refusal.kind != "unknown_command":
                self.name = command
                break
        self._settled_s = self._stopwatch()

    def refused(self, refusal: Refusal) -> None:
        """Start again if a working command no longer exists, such as after a change of plugins."""
        settled_s = self._settled_s
        is_old = settled_s is not None and self._stopwatch() - settled_s > AGAIN_AFTER_S
        if refusal.kind == "unknown_command" and is_old:
            self._settled_s = None

    async def _send(
        self, bot: BotName, to: PlayerName, text: str, command: str, *, waits: bool = False
    ) -> Refusal | None:
        line = self._answers.sent(bot, to, text)
        await self._bridge.whisper(bot, to, text, command=command)
        return await line.wait(TRIED_WITHIN_S) if waits else None
