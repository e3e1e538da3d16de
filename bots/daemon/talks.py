"""Puts together what the bots of a daemon talk with each other: talks of several, small talk."""

from __future__ import annotations

from bots.bot.bot import Bot
from bots.daemon.responders import Minds
from bots.daemon.roster import Town
from bots.daemon.session import Commons
from bots.settings.settings import Settings
from bots.settings.talk import GroupTalkSettings
from bots.store.database import Store
from bots.talks.live.live_stage import Surroundings
from bots.talks.live.manager import Talks
from bots.talks.live.start_phrases import ByWords
from bots.talks.live.storage import TalkStore
from bots.talks.machine.policy import Caps, TalkPolicy
from bots.talks.small_talk import SmallTalk


def policy_of(settings: GroupTalkSettings) -> TalkPolicy:
    """What talks go by that bring no policy of their own."""
    caps = Caps(
        turns=settings.max_turns,
        time_s=settings.max_time_s,
        tokens=settings.max_tokens or None,
        cost_usd=settings.max_cost_usd or None,
        bot_turns=settings.max_turns_without_person,
        silence_s=settings.max_silence_s,
    )
    return TalkPolicy(order=settings.order, caps=caps, gap_s=settings.gap_s)


async def talks_of(
    settings: Settings, store: Store, commons: Commons, town: Town, minds: Minds
) -> Talks:
    """The talks of a town; a line by a person's words begins one, where that is set."""
    kept = TalkStore(store)

    def bot(name: str) -> Bot:
        return town.find(name).bot

    around = Surroundings(
        bot,
        commons.fellows,
        commons.conversation,
        minds.thinking(commons.fellows),
        settings.chat.hearing_range,
        settings.group_talk.channel,
    )
    talks = Talks(
        around,
        commons.attendance,
        kept,
        policy_of(settings.group_talk),
        lambda: [resident.name for resident in town.residents if resident.answerer],
        commons.times,
        commons.trace,
        await kept.unended(),  # before any new one begins
    )
    if settings.group_talk.by_words:
        commons.attendance.begin = ByWords(talks, commons.permissions).begins
    return talks


def small_talk_of(settings: Settings, commons: Commons, town: Town, minds: Minds) -> SmallTalk:
    """The small talk of a town, by bots that are in no talk of several."""

    async def opener(first: Bot, second: Bot) -> str:
        answerer = town.find(first.name).answerer
        return await answerer.opener(second.name) if answerer else f"Hello, {second.name}!"

    def free_bots() -> list[Bot]:
        return [bot for bot in town.bots_online if not commons.attendance.is_taken(bot.name)]

    return SmallTalk(
        free_bots,
        opener,
        every_s=settings.talk.small_talk_every_s,
        hearing_range=settings.chat.hearing_range,
        persons=minds.persons,
        turns=commons.turns,
        trace=commons.trace,
        times=commons.times,
    )
