"""The vanilla server's chat spam rule. Source: minecraft.wiki/w/Spam, ServerPlayer chat."""

from __future__ import annotations

COST_OF_A_LINE = 20
DECAY_PER_SECOND = 20  # one a tick
KICK_ABOVE = 200
KICK_TEXT, KICK_KEY = "Kicked for spamming", "disconnect.spam"


class SpamScore:
    """How near one player is to being kicked for talking."""

    def __init__(self) -> None:
        self._score, self._at_s = 0.0, 0.0

    def after_line(self, now_s: float) -> bool:
        """Count a line; True when it is one too many."""
        decayed = self._score - (now_s - self._at_s) * DECAY_PER_SECOND
        self._score, self._at_s = max(0.0, decayed) + COST_OF_A_LINE, now_s
        return self._score > KICK_ABOVE
