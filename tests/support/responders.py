"""A responder of one bot in a rig, made as the daemon makes it but without reflection."""

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

from support.decision_parts import decision_parts_of
from support.rig import Rig

from bots.access.origin import Level, Origin
from bots.access.permissions import ranking
from bots.access.sources import FACTS, Audience, Sources
from bots.access.visibility import InView
from bots.bot.bot import Bot
from bots.catalogue.handbook import handbook_for
from bots.chat.attendance import begins_no_talk
from bots.chat.turn_taking import PersonTalk
from bots.clock import Times
from bots.responder.case.inbox import EventBuffer, Inbox, PendingTurn
from bots.responder.case.world_state import State
from bots.responder.decide import DecisionMaker
from bots.responder.limits import AutoReplies, Clockwork, Limits, LineLimit
from bots.responder.records.record import DecisionRecorder
from bots.responder.responder import Responder
from bots.responder.rules.acting import ActingRules
from bots.responder.rules.reciting import Reciting
from bots.talks.live.with_people import of_building
from bridge.fake import VirtualClock
from llm.model import ChatModel

NO_BRAKE = 10_000
"""Scripted persons answer at once: here, time passes only when everybody waits."""


class NoTools:
    """The toolbox of a bot that only talks."""

    at_work, doing = False, ""

    def level_of(self, origin: Origin) -> Level:
        return Level.PLAYER

    def sources_of_name(self, name: str) -> Sources:
        return FACTS

    def tools_for(self, turn: PendingTurn, state: State, view: InView, hearers: Audience) -> None:
        return None


def responder_of(
    bot: Bot,
    rig: Rig,
    folder: Path,
    model: ChatModel | None,
    persons: PersonTalk,
    clock: VirtualClock,
    *,
    cut_s: float = 2.0,
    stopwatch: Callable[[], float] | None = None,
    handful: int = NO_BRAKE,
) -> Responder:
    """A responder that hears the bot and uses no tools; `clock` is that of `persons`."""
    parts = decision_parts_of(model, folder, seed=bot.name, cut_s=cut_s)
    rules = ActingRules(
        parts.rng,
        bot.catalogue,
        bot.snapshot,
        lambda: bot.is_at_work or bool(bot.agenda.goals),
        bot.agenda,
        rig.shared.cards.of(bot.name).absences,
        Reciting(partial(handbook_for, bot), bot.knowledge.mark_used, bot.known_bots),
        of_building,
    )
    responder = Responder(
        bot,
        DecisionMaker(bot, parts, rules, NoTools()),
        Inbox(bot.name, rig.trace, ranking(bot.permissions.level_of)),
        EventBuffer(),
        turns=rig.shared.turns,
        persons=persons,
        attendance=rig.shared.attendance,
        begin_talk=begins_no_talk,
        limits=Limits(
            LineLimit(20, bot.permissions.level_of, clock.monotonic),
            AutoReplies((), per_minute=6, stopwatch=clock.monotonic),
            Clockwork(handful, clock.monotonic),
        ),
        strangers=rig.shared.strangers,
        recorder=DecisionRecorder(rig.trace),
        trace=rig.trace,
        times=Times(clock.now, stopwatch or clock.monotonic, clock.sleep, random.Random(bot.name)),
    )
    responder.listen()
    return responder
