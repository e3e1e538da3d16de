"""Writes a run down as it happens, and lets somebody watch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bots.experiments.log.event_log import LogWriter, Moment
from bots.talks.live.stage import Thought
from bots.talks.machine.events import Ended, Think

SEEN_EVERY_MS = 1_000
"""How often it is looked where those are who walk."""

Watch = Callable[[Moment], None]
"""Is shown every moment, right after it is written down."""


class LogRecorder:
    """The recorder of simulated runs, and with `Witness` of real ones."""

    def __init__(self, log: LogWriter, watch: Watch = lambda moment: None) -> None:
        self._log, self._watch = log, watch
        self._positions: Mapping[str, Any] = {}
        self.moments: list[Moment] = []
        self.events_left = 0
        """Events of the scenario whose moment never came."""
        self._ended, self._at_ms = "", 0

    def moment(self, moment: Moment) -> None:
        self.moments.append(moment)
        self._at_ms = moment.at_ms
        self._log.write(moment.at_ms, "moment", moment.as_json())
        for wish in moment.wishes:
            if isinstance(wish, Ended):
                self._ended = wish.why
        self._watch(moment)

    def thought(self, at_ms: int, wish: Think, thought: Thought, took_ms: int) -> None:
        self._log.write(
            at_ms,
            "thought",
            {
                "turn": wish.turn,
                "speaker": wish.speaker,
                "took_ms": took_ms,
                "text": thought.text,
                "nominates": thought.nominates,
                "tokens": thought.tokens,
                "cost_usd": thought.cost_usd,
                **thought.facts,
            },
        )

    def positions(self, at_ms: int, positions: Mapping[str, Any]) -> None:
        """Written only when somebody moved."""
        if positions != self._positions:
            self._positions = dict(positions)
            self._log.write(at_ms, "positions", {"positions": self._positions})

    def end(self) -> None:
        """Seal what was written."""
        self._log.end(self._at_ms, {"ended": self._ended, "events_left": self.events_left})
