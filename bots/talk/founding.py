"""Puts together what the bots of a daemon talk with each other: talks of several, small talk."""

from __future__ import annotations

from bots.bot import Bot
from bots.minds import Minds
from bots.resident import Commons
from bots.settings import Settings
from bots.smalltalk import SmallTalk
from bots.store.database import Store
from bots.talk.by_words import ByWords
from bots.talk.keeping import TalkStore
from bots.talk.live import Surroundings
from bots.talk.talks import Talks
from bots.town import Town


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
        settings.group_talk.policy(),
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
