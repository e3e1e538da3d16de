"""Proofs: which named players have proved their identity with the pin.

The servers that our bots can join do not check names, so anybody can join as `Steve`. If a pin is
set, owners and trusted players have the rights of plain players until they whisper it. Their proof
ends when they leave, or when no bot has watched the player list without a break since then.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.clock import Stopwatch

TRIES = 5
BLOCKED_S = 600.0
HIDDEN = "***"

_WORD = re.compile(r"[A-Za-z0-9_.-]{6,64}")
"""The form of a pin."""
_PIN_LIKE = re.compile(r"(?=[A-Za-z0-9_.-]*[A-Za-z])(?=[A-Za-z0-9_.-]*[0-9-])[A-Za-z0-9_.-]{8,64}")
"""A long word that mixes letters with digits or hyphens, unlike words of a sentence."""

Verdict: TypeAlias = Literal["proven", "wrong", "blocked"]


@dataclass(slots=True)
class _Wrong:
    """Wrong tries under one name."""

    tries: int
    last_s: float


class Proofs:
    """The proofs of all named players, shared by all bots. Without a pin all count as proved."""

    def __init__(self, pin: str | None, stopwatch: Stopwatch) -> None:
        self._stopwatch = stopwatch
        self._salt = secrets.token_bytes(16)
        self._pin = None if pin is None else self._hashed(pin)
        self._watching: set[str] = set()
        """Our bots in the world."""
        self._proven: dict[str, set[str]] = {}
        """For each proved player: the bots that have watched the player list since the proof."""
        self._wrong: dict[str, _Wrong] = {}

    @property
    def is_asked_for(self) -> bool:
        return self._pin is not None

    def holds(self, player: str) -> bool:
        """Whether a named player may do what its name may."""
        return self._pin is None or player in self._proven

    def judge(self, player: str, said: str, heard_by: str) -> Verdict:
        """Take what a named player says to a bot is the pin."""
        wrong = self._wrong_of(player)
        if wrong.tries >= TRIES:
            return "blocked"
        if not self._is_pin(said):
            wrong.tries, wrong.last_s = wrong.tries + 1, self._stopwatch()
            self._wrong[player] = wrong
            return "blocked" if wrong.tries >= TRIES else "wrong"
        self._wrong.pop(player, None)
        self._proven[player] = {heard_by, *self._watching}
        return "proven"

    def tries_left(self, player: str) -> int:
        return TRIES - self._wrong_of(player).tries

    def joined(self, bot: str) -> None:
        """Note that one of our bots is in the world and sees the player list."""
        self._watching.add(bot)

    def lost_sight(self, bot: str) -> None:
        """Note that one of our bots left the world and no longer sees who comes and goes."""
        self._watching.discard(bot)
        for player, watching in list(self._proven.items()):
            watching.discard(bot)
            if not watching:
                del self._proven[player]

    def left(self, player: str) -> None:
        """Note that a player left: whoever returns under this name must prove it again."""
        self._proven.pop(player, None)

    def without_pin(self, text: str) -> str:
        """The text of somebody who knows the pin, as it may be recorded and shown."""
        return text if self._pin is None else _WORD.sub(self._unless_pin, text)

    def without_pin_like(self, text: str) -> str:
        """The text of somebody who may know the pin, as it may be recorded and shown.

        Words are cut by their form alone. Comparing them with the pin would tell it to whoever
        tries words under that name and looks what is cut."""
        return text if self._pin is None else _PIN_LIKE.sub(HIDDEN, text)

    def _unless_pin(self, word: re.Match[str]) -> str:
        whole = word.group()
        bare = whole.rstrip(".-")  # the end of a sentence
        if self._is_pin(whole):
            return HIDDEN
        return HIDDEN + whole[len(bare) :] if self._is_pin(bare) else whole

    def _is_pin(self, said: str) -> bool:
        return self._pin is not None and hmac.compare_digest(self._pin, self._hashed(said))

    def _hashed(self, text: str) -> bytes:
        return hashlib.blake2b(text.encode("utf-8", "replace"), salt=self._salt).digest()

    def _wrong_of(self, player: str) -> _Wrong:
        """The wrong tries that are recent enough to count."""
        wrong = self._wrong.get(player)
        if wrong is None or self._stopwatch() - wrong.last_s >= BLOCKED_S:
            return _Wrong(0, self._stopwatch())
        return wrong


NO_PIN = Proofs(None, lambda: 0.0)
"""Without a pin, every name counts as proved."""
