"""Wires what bots do and say of their own accord."""

from __future__ import annotations

from bots.bot.bot import Bot
from bots.daemon.responders import Responders
from bots.daemon.roster import BotRoster
from bots.daemon.shared import SharedServices
from bots.idle.company import IdleCompany
from bots.idle.life import IdleLife
from bots.idle.small_talk import SmallTalk
from bots.settings.settings import Settings


def idle_company_of(
    shared: SharedServices, roster: BotRoster, responders: Responders, *, is_ours: bool
) -> IdleCompany:
    """What idle bots share. Those that only record take no part."""

    def bots() -> list[Bot]:
        return [one.bot for one in roster.sessions if one.online and one.responder]

    return IdleCompany(
        bots, shared.known_bots, shared.attendance, responders.persons, shared.times, is_ours
    )


def idle_life_of(
    bot: Bot, settings: Settings, company: IdleCompany, responders: Responders
) -> IdleLife:
    return IdleLife(bot, company, responders.personas, settings.idle)


def small_talk_of(
    settings: Settings, shared: SharedServices, company: IdleCompany, responders: Responders
) -> SmallTalk:
    return SmallTalk(
        company,
        responders.personas,
        responders.small_talk_words(),
        shared.trace,
        every_s=settings.talk.small_talk_every_s,
        hearing_range=settings.chat.hearing_range,
    )
