"""Asks once whose it is, where a bot sees that people have built.

much masonry ─▶ somebody trusted is near, and nothing else is open ─▶ “Is this your base?”
                                                          a yes ─▶ an area that is left alone
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bots.access.origin import Level, Person
from bots.access.sources import FACTS
from bots.bot.bot import Bot
from bots.bot.built import is_masonry
from bots.bot.looking import in_time
from bots.idle.company import IdleCompany
from bots.idle.small_talk import language_for
from bots.responder.asking_back import AskedFor
from bots.responder.case.inbox import PendingTurn
from bots.responder.case.persona import PersonaFiles
from bots.responder.confirming import Confirmations
from bots.text.language import Language
from bridge.actions import FindBlocks
from bridge.world import BlockSighting, PlayerName, PlayerSighting, Position, WorldSnapshot

QUESTION: Mapping[Language, str] = {
    "en": "Is this your base? I leave it alone.",
    "ja": "ここはあなたの拠点ですか？そっとしておきます。",
}
FREE_FOR_S = 30.0
"""So long nobody wanted anything of the bot."""
AGAIN_AFTER_S = 120.0
"""Between two questions to one person, of any bots."""
LOOK_EVERY_S, LOOKED_WITHIN_S = 20.0, 2.0
WITHIN = 16
"""Blocks around in which it looks for works."""
ENOUGH, MOST = 12, 256
"""Blocks of masonry that tell of people, and that are read."""
FORBID = "area_forbid"


@dataclass(slots=True)
class Bases:
    """The questions of one bot."""

    bot: Bot
    company: IdleCompany
    personas: PersonaFiles
    _looked_at_s: float = -math.inf

    async def look(self, world: WorldSnapshot) -> None:
        """Ask somebody near, if there is something to ask."""
        confirmations = self.bot.services.get(Confirmations)
        if confirmations is None or not self._is_time(world):
            return
        person = self._whom(world, confirmations)
        if person is None:
            return
        self._looked_at_s = self.company.times.stopwatch()
        works = await in_time(self._works(world), LOOKED_WITHIN_S) or ()
        if len(works) >= ENOUGH and self._is_time_of_peace():
            await self._ask(person, world.dimension, _middle(works), confirmations)

    def _is_time(self, world: WorldSnapshot) -> bool:
        since_s = self.company.times.stopwatch() - self._looked_at_s
        is_asked = self.bot.areas.asked.has(world.dimension, world.position)
        return since_s >= LOOK_EVERY_S and not is_asked and self._is_time_of_peace()

    def _is_time_of_peace(self) -> bool:
        is_left_alone = self.bot.leisure.free_for_s >= FREE_FOR_S
        return is_left_alone and not self.bot.quiet and self.company.is_free(self.bot)

    def _whom(self, world: WorldSnapshot, confirmations: Confirmations) -> PlayerName | None:
        """An owner in earshot, or else somebody trusted, who was not asked anything just now."""

        def level(player: PlayerSighting) -> Level:
            return self.bot.permissions.level_of(Person(player.name))

        def far(player: PlayerSighting) -> float:
            distance = world.distance_to(player)
            return math.inf if distance is None else distance

        near = [
            one
            for one in world.players
            if one.name not in self.company.known_bots
            and far(one) <= self.bot.hearing_range
            and level(one) >= Level.TRUSTED
            and not confirmations.is_open(Person(one.name))
            and not self._was_asked(one.name)
        ]
        found = min(near, key=lambda one: (-level(one), far(one)), default=None)
        return None if found is None else found.name

    def _was_asked(self, person: PlayerName) -> bool:
        asked_s = self.company.asked_s.get(person, -math.inf)
        return self.company.times.stopwatch() - asked_s < AGAIN_AFTER_S

    async def _works(self, world: WorldSnapshot) -> Sequence[BlockSighting]:
        """Masonry that no bot placed and of which nobody has said anything yet."""
        names = tuple(filter(is_masonry, (await self.bot.catalogue()).blocks))
        found = await self.bot.query(FindBlocks(names, WITHIN, MOST))
        ours = self.bot.placements.everyones(world.dimension)
        areas = self.bot.areas
        return [
            one
            for one in found
            if one.position not in ours and areas.at(world.dimension, one.position) is None
        ]

    async def _ask(
        self, person: PlayerName, dimension: str, at: Position, confirmations: Confirmations
    ) -> None:
        stopwatch, origin = self.company.times.stopwatch, Person(person)
        self.company.asked_s[person] = stopwatch()
        await self.bot.areas.asked.add(dimension, at)
        fields = {"name": self._name_for(person), "coords": [at.x, at.y, at.z]}
        turn = PendingTurn(person, origin, stopwatch())
        confirmations.ask(turn, AskedFor(FORBID, fields, Level.TRUSTED, None))
        words = QUESTION[await self._language(person)]
        said = await self.bot.tell(person, words, self.bot.hearing_range, sources=FACTS)
        if said.success:
            confirmations.said(origin, self.bot.last_said_s(person))
        else:
            confirmations.drop(origin)

    def _name_for(self, person: PlayerName) -> str:
        """What the area will be called."""
        name, number = f"{person}'s base", 2
        while self.bot.areas.find(name) is not None:
            name, number = f"{person}'s base {number}", number + 1
        return name

    async def _language(self, person: PlayerName) -> Language:
        persona = await self.personas.current(self.bot.name)
        return language_for(self.bot, (person,), persona)


def _middle(works: Sequence[BlockSighting]) -> Position:
    parts = zip(*((one.position.x, one.position.y, one.position.z) for one in works), strict=True)
    return Position(*(sum(part) // len(works) for part in parts))
