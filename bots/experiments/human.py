"""A person who finds the words of a bot: at the terminal of `experiment run`, or in the game.

They see what their bot has heard since its last line, and no more; stdout stays the talk's.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TextIO, TypeAlias

from bots.bot.bot import Bot
from bots.chat.natural_message import NaturalMessage
from bots.errors import SpeechRefused

AskPerson: TypeAlias = Callable[[str, Sequence[str], float], Awaitable[str | None]]
"""Gets the bot's name, the lines that it heard, and the seconds there are; None: no words came."""


class Terminal:
    """Reads words typed in time; what was typed too late, or too early, is dropped."""

    def __init__(self, typed: TextIO, shown: TextIO) -> None:
        self._typed, self._shown = typed, shown
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._has_ended = False
        """Whether nobody can type any more."""
        self._reader = Thread(target=self._read, daemon=True, name="terminal")

    async def __call__(self, name: str, heard: Sequence[str], within_s: float) -> str | None:
        if not self._reader.ident:
            self._reader.start()
        elif self._typed.isatty():  # a file was not typed at any time
            while not self._lines.empty():
                self._lines.get_nowait()
        for line in (*heard, f"{name}, your words, within {within_s:g} s:"):
            self._shown.write(f"{line}\n")
        self._shown.flush()
        try:
            wait_s = 0.0 if self._has_ended else within_s
            line = await asyncio.to_thread(self._lines.get, timeout=wait_s)
        except Empty:
            return None
        return line.strip() or None

    def _read(self) -> None:
        with suppress(OSError):  # a terminal that was closed
            for line in self._typed:
                self._lines.put(line)
        self._has_ended = True
        self._lines.put("")


class InGame:
    """A player on the server: the bot whispers them what it heard, and they whisper its words."""

    def __init__(self, bot: Bot, player: str) -> None:
        self._bot, self._player = bot, player
        self._awaited: asyncio.Future[str] | None = None
        """Words for the turn that is theirs; whispers outside it are dropped."""
        bot.on_natural_message(self._hear)

    async def __call__(self, name: str, heard: Sequence[str], within_s: float) -> str | None:
        self._awaited = asyncio.get_running_loop().create_future()
        # Who is not there, or out of hearing, says nothing.
        with suppress(TimeoutError, SpeechRefused):
            async with asyncio.timeout(within_s):
                for line in (*heard, f"Your words as {name}, within {within_s:g} s:"):
                    await self._bot.speak(self._player, line)
                return await self._awaited
        return None

    def _hear(self, message: NaturalMessage) -> None:
        is_meant = message.from_ == self._player and not (message.public or message.relayed)
        if is_meant and self._awaited is not None and not self._awaited.done():
            self._awaited.set_result(message.content)


@cache
def terminal() -> Terminal:
    """The one of this process."""
    return Terminal(sys.stdin, sys.stderr)
