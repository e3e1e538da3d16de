"""Records a run in its log, and lets a program watch it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from typing import Any

from bots.experiments.log.event_log import LogWriter, Transition
from bots.talks.live.ports import Answer
from bots.talks.machine.events import Ended, Think
from llm.engine.checks import Check

SEEN_EVERY_MS = 1_000
"""How often positions are recorded while somebody walks."""

Watch = Callable[[Transition], None]
"""Is called with every transition after it was recorded."""


class LogRecorder:
    """Records one run, simulated or real."""

    def __init__(self, log: LogWriter, watch: Watch) -> None:
        self._log, self._watch = log, watch
        self._positions: Mapping[str, Any] = {}
        self.transitions: list[Transition] = []
        self._ended, self._at_ms = "", 0

    def transition(self, transition: Transition) -> None:
        self.transitions.append(transition)
        self._at_ms = transition.at_ms
        self._log.write(transition.at_ms, "moment", transition.as_json())
        for effect in transition.effects:
            if isinstance(effect, Ended):
                self._ended = effect.why
        self._watch(transition)

    def answer(self, at_ms: int, effect: Think, answer: Answer, took_ms: int) -> None:
        self._log.write(
            at_ms,
            "thought",
            {
                "turn": effect.turn,
                "speaker": effect.speaker,
                "took_ms": took_ms,
                "text": answer.text,
                "nominates": answer.nominates,
                "tokens": answer.tokens,
                "cost_usd": answer.cost_usd,
                **answer.facts,
            },
        )

    def checked(self, checks: Iterable[Check]) -> None:
        """Record what came of asking the models before the first turn."""
        for check in checks:
            self._log.write(0, "check", asdict(check))

    def positions(self, at_ms: int, positions: Mapping[str, Any]) -> None:
        """Record positions, if somebody moved."""
        if positions != self._positions:
            self._positions = dict(positions)
            self._log.write(at_ms, "positions", {"positions": self._positions})

    def end(self, events_left: int, charged_usd: float | None) -> None:
        """Seal the log; `events_left` scenario events never became due. `charged_usd` is what all
        calls of models cost; None: none was to be asked."""
        charged = {} if charged_usd is None else {"charged_usd": charged_usd}
        self._log.end(self._at_ms, {"ended": self._ended, "events_left": events_left, **charged})
