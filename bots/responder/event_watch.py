"""Takes what happens to the bots to where it is decided upon: events in, decisions out.

    trace ─▶ one line an event ─▶ buffer of the bot ─────────────▶ told with its next decision
                     └─ danger while it works for somebody ─▶ a decision, for that one

Messages reach a bot's answerer by themselves, and so do the ends of what its decisions began.
Nothing here goes by a timer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bots.access.origin import Fellow, Origin, speaker_of
from bots.bot.bot import Bot
from bots.clock import Stopwatch
from bots.observability.trace import Trace, TraceLog
from bots.responder.case.events import EventBuffer, Happening, in_one_line
from bots.responder.responder import Responder
from bots.responder.tools.toolbox import CommandToolbox

FULL_HEALTH = 20.0
LOW_HEALTH = 8.0
HARD_HIT = 6.0  # health lost at once
DANGER_EVERY_S = 15.0  # a fight is one danger, not one for each hit


class Controller:
    """For all bots of a town. `run` is owned by the daemon."""

    def __init__(self, trace: TraceLog, stopwatch: Stopwatch) -> None:
        self._trace, self._stopwatch = trace, stopwatch
        self._attended: dict[str, _Attended] = {}

    def attend(
        self, bot: Bot, responder: Responder, events: EventBuffer, hands: CommandToolbox
    ) -> None:
        """Look after a bot from now on."""
        self._attended[bot.name] = _Attended(bot, responder, events, hands)

    async def run(self) -> None:
        """Read the trace until cancelled."""
        with self._trace.reading() as reader:
            async for trace in reader:
                attended = self._attended.get(trace.bot or "")
                if attended is not None:
                    attended.take(trace, self._stopwatch())


class _Attended:
    """One bot, and what is known of it."""

    def __init__(
        self, bot: Bot, responder: Responder, events: EventBuffer, hands: CommandToolbox
    ) -> None:
        self._bot, self._answerer, self._events = bot, responder, events
        self._hands = hands
        self._health = FULL_HEALTH
        self._danger_at_s = float("-inf")

    def take(self, trace: Trace, now_s: float) -> None:
        match trace.name:
            case "health.changed":
                self._changed(float(trace.facts["health"]), now_s)
            case "job.finished" if not self._hands.tells_of(trace.facts["actionId"]):
                self._events.note(_end_of(trace.facts["command"], trace.facts["result"], now_s))

    def _changed(self, health: float, now_s: float) -> None:
        before, self._health = self._health, health
        if health >= before:
            return
        words = "I died." if health <= 0 else f"I was hurt: health {before:g} to {health:g} of 20."
        happening = Happening("danger", words, now_s, success=False)
        for_whom = self._works_for()
        is_danger = health <= LOW_HEALTH or before - health >= HARD_HIT
        if not is_danger or for_whom is None or now_s - self._danger_at_s < DANGER_EVERY_S:
            self._events.note(happening)
            return
        self._danger_at_s = now_s
        self._answerer.happened(speaker_of(for_whom), for_whom, happening)

    def _works_for(self) -> Origin | None:
        """Who gave the bot what it is at; nobody, when that was another bot."""
        job = self._bot.jobs.current
        origin = job.started_by if job else None
        return None if isinstance(origin, Fellow) else origin


def _end_of(command: str, result: Mapping[str, Any], now_s: float) -> Happening:
    """The end of what was begun otherwise, as by a whispered command."""
    success = bool(result["success"])
    words = result.get("message") or ("It is done." if success else "It failed.")
    return Happening("action_ended", in_one_line(str(words)), now_s, success, command)
