"""Forgets a person: the card, what they had the bot remember, notes and thoughts that name them.

Spoken lines stay in the record, which belongs to everybody who heard them. We make no card and no
note of earlier lines any more; only `!recall` finds them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import structlog

from bots.access.origin import Origin, called
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted, tag
from bots.knowledge.cards.cards import Cards
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.reflection.reflections import BotReflection

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The number of forgotten entries of each kind."""

    facts: int = 0
    """From the card."""
    entries: int = 0
    """Of what the person had the bot remember."""
    notes: int = 0
    """Of conversations."""
    thoughts: int = 0


async def forget_person(bot: Bot, speaker: str, person: Origin | None) -> Forgotten:
    """Forget whose lines are recorded under a name; None: an operator's, who has no other sign.
    Raises StoreError."""
    services = bot.services
    cards, prompts = services.get(Cards), services.get(ContextPrompts)
    reflection = services.get(BotReflection)
    # What the person told, and what the bot itself saw of them or concluded; what others told of
    # them is theirs.
    about = Wanted(tags=frozenset({tag("player", called(speaker))}), depth=0)
    ids = [one.entry.id for one in await bot.knowledge.search(about)]
    own = await bot.knowledge.forget(ids, lambda entry: entry.learnt_from != "told")
    gone = Forgotten(
        await cards.forget(speaker, bot.latest_sequence()) if cards else 0,
        len(own) + await bot.knowledge.forget_person(person, speaker),
        await prompts.forget(bot.name, speaker, bot.latest_sequence()) if prompts else 0,
        await reflection.forget(speaker) if reflection else 0,
    )
    log.info("person.forgotten", bot=bot.name, **asdict(gone))
    return gone
