"""Wires talks, and what bots do and say of their own accord."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from bots.bot.bot import Bot
from bots.chat.attendance import Begin, begins_no_talk
from bots.chat.natural_message import NaturalMessage
from bots.daemon.responders import Responders
from bots.daemon.session import BotRoster
from bots.daemon.shared import SharedServices
from bots.idle.company import IdleCompany
from bots.idle.small_talk import SmallTalk
from bots.settings.settings import Settings
from bots.settings.talk import GroupTalkSettings
from bots.store.database import Store
from bots.talks.live.bot_io import TalkServices
from bots.talks.live.storage import TalkStore
from bots.talks.live.talks import Talks
from bots.talks.machine.events import Participant
from bots.talks.machine.policy import Caps, TalkPolicy


def policy_of(settings: GroupTalkSettings) -> TalkPolicy:
    """The policy of the settings."""
    caps = Caps(
        turns=settings.max_turns,
        time_s=settings.max_time_s,
        tokens=settings.max_tokens or None,
        cost_usd=settings.max_cost_usd or None,
        bot_turns=settings.max_turns_without_person,
        silence_s=settings.max_silence_s,
    )
    return TalkPolicy(
        order=settings.order,
        allow_self_nomination=settings.allow_self_nomination,
        fallback=settings.fallback,
        fuzzy_threshold=settings.fuzzy_threshold,
        caps=caps,
        gap_s=settings.gap_s,
        reading_cps=settings.reading_cps or None,
        wait_for_person_s=settings.wait_for_person_s,
        has_readers=settings.channel == "public",
    )


@dataclass(frozen=True, slots=True)
class OutsideOfTalks:
    """What bots of talks are asked to do, decided by their responders."""

    roster: BotRoster

    async def sees_to(self, message: NaturalMessage) -> bool:
        responder = self.roster.find(message.bot).responder
        return responder is not None and await responder.sees_to(message)

    async def decide(self, message: NaturalMessage) -> None:
        responder = self.roster.find(message.bot).responder
        if responder is not None:
            await responder.decide_aside(message)


async def talks_of(
    settings: Settings,
    store: Store,
    shared: SharedServices,
    roster: BotRoster,
    responders: Responders,
) -> Talks:
    """The talks of a daemon's bots, those that the last run left unended first."""
    kept = TalkStore(store)

    def bot(name: str) -> Bot:
        return roster.find(name).bot

    nicknames = {
        one.name: Participant(one.name, "bot", one.display_name or "", one.short_name or "")
        for one in settings.bots.nicknames
    }
    services = TalkServices(
        bot,
        shared.known_bots,
        shared.conversation,
        responders.talk_thinker(shared.known_bots),
        shared.permissions.level_of,
        settings.chat.hearing_range,
        settings.group_talk.channel,
        settings.talk.max_turns_without_person,
        OutsideOfTalks(roster),
        nicknames,
        responders.persons.hush,
    )
    return Talks(
        services,
        shared.attendance,
        kept,
        policy_of(settings.group_talk),
        lambda: [session.name for session in roster.sessions if session.responder],
        shared.times,
        shared.trace,
        responders.recorder,
        await kept.unended(),  # before any new one begins
    )


def beginning_of(settings: Settings, shared: SharedServices, talks: Talks) -> Begin:
    """What begins a talk when a person calls several bots by name, where that is set."""
    if not settings.group_talk.by_words:
        return begins_no_talk
    return partial(talks.begin_by_words, shared.permissions.level_of)


def idle_company_of(
    shared: SharedServices, roster: BotRoster, responders: Responders, *, is_ours: bool
) -> IdleCompany:
    """What idle bots share. Those that only record take no part."""

    def bots() -> list[Bot]:
        return [one.bot for one in roster.sessions if one.online and one.responder]

    return IdleCompany(
        bots, shared.known_bots, shared.attendance, responders.persons, shared.times, is_ours
    )


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
