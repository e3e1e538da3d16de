"""Reads a speaker's lines as requests, with what is known when they are heard: the items of this
version, who is here, and what was named last."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from itertools import chain

from bots.bot.looking import in_time
from bots.catalogue.names import Things
from bots.responder.case.case import Case
from bots.responder.rules import phrases
from bots.responder.rules.dealings import Speakers
from bots.responder.rules.phrases import foreign
from bots.responder.rules.requests import Ask, Reading, read
from bots.responder.rules.requests.forms import forms
from bots.responder.rules.topics import TOPICS
from bots.skills.belongings import good_foods
from bots.text.language import is_foreign, language_of
from bots.text.spelling import foreign_words
from bots.words.heard import heard
from bridge.catalogue import Catalogue
from bridge.world import WorldSnapshot

KNOWN_WITHIN_S = 0.3


class Reader:
    """Of one bot."""

    def __init__(
        self,
        catalogue: Callable[[], Awaitable[Catalogue]],
        snapshot: Callable[[], Awaitable[WorldSnapshot]],
        speakers: Speakers,
    ) -> None:
        self._catalogue, self._snapshot, self._speakers = catalogue, snapshot, speakers

    async def read(self, case: Case) -> Reading:
        lines = [line.content for line in case.turn.messages if not line.relayed]
        return await self.read_lines(case.bot, case.turn.speaker, lines, case.world)

    async def read_lines(
        self, bot: str, speaker: str, lines: Sequence[str], world: WorldSnapshot | None
    ) -> Reading:
        said = [phrases.to_the_point(foreign.in_english(line, bot), bot) for line in lines]
        return read(await self.asking(bot, speaker, world), said)

    async def asking(self, bot: str, speaker: str, world: WorldSnapshot | None) -> Ask:
        last = self._speakers.of(speaker).last
        return Ask(bot, speaker, await self.things(), world, last=last)

    async def things(self) -> Things:
        return Things(frozenset(await self._known()))

    async def look(self) -> WorldSnapshot | None:
        return await in_time(self._snapshot(), KNOWN_WITHIN_S)

    async def mended(self, line: str) -> str | None:
        """The line without slips of the keyboard; None where it has none."""
        return phrases.mended(line, await self._known_words())

    async def is_foreign(self, line: str) -> bool:
        """Whether it is in a language of Latin letters that is not English, slips mended."""
        if language_of([line]) != "en":
            return False
        known = await self._known_words()
        return is_foreign(phrases.mended(line, known) or line, known - foreign_words())

    async def is_spelt_right(self, line: str) -> bool:
        """Whether all its words are known as they stand."""
        return set(phrases.words_in(line)) <= await self._known_words()

    async def food(self, world: WorldSnapshot | None) -> str | None:
        """The best carried food to give away; None: it has none."""
        catalogue = await in_time(self._catalogue(), KNOWN_WITHIN_S)
        foods = good_foods(catalogue, world) if catalogue and world else ()
        return foods[-1].replace("_", " ") if foods else None

    async def _known(self) -> Sequence[str]:
        """All items of this version; none while the world does not answer."""
        catalogue = await in_time(self._catalogue(), KNOWN_WITHIN_S)
        return () if catalogue is None else list(catalogue.items)

    async def _known_words(self) -> frozenset[str]:
        """Words that need no mending: of requests, questions, items, creatures and players."""
        catalogue = await in_time(self._catalogue(), KNOWN_WITHIN_S)
        mobs = () if catalogue is None else catalogue.mobs
        named = (*await self._known(), *mobs, *seen(await self.look()))
        words = {word for name in named for word in name.casefold().split("_")}
        return words_of_rules() | foreign_words() | words | {f"{word}s" for word in words}


def seen(world: WorldSnapshot | None) -> tuple[str, ...]:
    return () if world is None else (world.bot, *(str(one.name) for one in world.players))


@cache
def words_of_rules() -> frozenset[str]:
    patterns = (form for form, _ in forms("en")), (topic.pattern for topic in TOPICS)
    polite = (heard(f"request.{at}", "en") for at in ("before", "after"))
    said = frozenset(phrases.words_of(chain(*patterns, polite)))
    return said | phrases.words("en")
