"""Turns what happens to a bot into events for its decisions.

    bot.events ─▶ one line an event ─▶ buffer ─▶ told with the next decision
                     └─ danger while it works for somebody ─▶ a decision of its own

Messages reach the responder by themselves, and so do the ends of what its decisions began.
There is no timer here.
"""

from __future__ import annotations

from math import ceil
from typing import Any

from bots.access.origin import Fellow, speaker_of
from bots.bot.bot import Bot
from bots.bot.episode import Episode
from bots.bot.events import BotEvent, JobFinished
from bots.bot.result import message_of
from bots.catalogue.counted import told
from bots.clock import Stopwatch
from bots.responder.case.inbox import EventBuffer, EventReport, Report, in_one_line
from bots.responder.command_tools import CommandToolbox
from bots.text.causes import of_what
from bots.words import saying
from bridge.events import BotDied, HealthChanged

FULL_HEALTH = 20.0
LOW_HEALTH = 8.0
HARD_HIT = 6.0  # health lost at once
DANGER_EVERY_S = 15.0  # a fight counts as one danger, not one per hit


class EventWatch:
    """Watches one bot's events and sorts them."""

    def __init__(
        self,
        bot: Bot,
        buffer: EventBuffer,
        toolbox: CommandToolbox,
        report: Report,
        stopwatch: Stopwatch,
    ) -> None:
        self._bot, self._buffer, self._toolbox = bot, buffer, toolbox
        self._report, self._stopwatch = report, stopwatch
        self._health = FULL_HEALTH
        self._danger_at_s = float("-inf")

    def take(self, event: BotEvent) -> None:
        """One event of the bot; returns at once."""
        match event:
            case HealthChanged():
                before, self._health = self._health, event.health
                if 0 < event.health < before:
                    is_danger = event.health <= LOW_HEALTH or before - event.health >= HARD_HIT
                    hurt = saying("danger.hurt", before=ceil(before), health=ceil(event.health))
                    self._endangered(told(hurt, "en"), is_danger=is_danger, outcome=hurt)
            case BotDied():
                died = (Episode("died", cause=event.cause),)
                self._endangered(f"I died{of_what(event.cause)}.", is_danger=True, done=died)
            case JobFinished() if not self._toolbox.reports_end_of(event.job_id):
                success = event.result.success
                words = message_of(event.result) or ("It is done." if success else "It failed.")
                line, now_s = in_one_line(words), self._stopwatch()
                self._buffer.note(
                    EventReport(
                        "action_ended", line, now_s, success, event.command, "", event.sources
                    )
                )

    def _endangered(self, words: str, *, is_danger: bool, **facts: Any) -> None:
        now_s = self._stopwatch()
        report = EventReport("danger", words, now_s, success=False, **facts)
        # Who started the current job; None if nobody or another bot did.
        job = self._bot.jobs.current
        origin = job.started_by if job else None
        for_whom = None if isinstance(origin, Fellow) else origin
        if not is_danger or for_whom is None or now_s - self._danger_at_s < DANGER_EVERY_S:
            self._buffer.note(report)
            return
        self._danger_at_s = now_s
        self._report(speaker_of(for_whom), for_whom, report)
