"""Answers from all that the bot knows: what people taught it, their cards, the catalogue, places,
and what was said earlier. What people told goes before what every book says.

    remember that … ─▶ forget me ─▶ who is … ─▶ cards ─▶ episodes
        ─▶ what was told, and the catalogue ─▶ named places ─▶ what was said earlier
        ─▶ what the bot carries and sees
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from bots.access.origin import KnownBots
from bots.access.sources import FACTS, MayKnow, Sources, joined
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted
from bots.bot.looking import in_time
from bots.catalogue.entries import ItemEntry
from bots.catalogue.handbook import Handbook
from bots.chat.recall import CHATTER, Recalled
from bots.errors import StoreError
from bots.responder.case.case import SpeakerTools
from bots.responder.rules import lore
from bots.responder.rules.answers import understand
from bots.responder.rules.knowing import (
    MarkUsed,
    fitting_of,
    forgotten,
    is_for_cards,
    known,
    nothing_on_card,
    recited,
    taught,
    tells_of_speaker,
    told_from_card,
    told_who,
)
from bots.responder.rules.lore import Asked, asked_in
from bots.responder.rules.phrases import MOST_OF_A_NAME
from bots.responder.rules.reading import seen
from bots.responder.rules.recalling import (
    LOOKED_AT,
    RECALL,
    TellsRecalled,
    asks_for_a_name,
    newest_of,
    told_episodes,
    told_from,
)
from bots.responder.rules.scene import Scene, use_in_time
from bots.responder.rules.whereabouts import (
    Sought,
    nearest,
    not_known,
    place_called,
    seen_or_held,
    sought_in,
    told_place,
)
from bots.text.language import normal
from bots.text.search_words import key_words, speaks_of
from bots.text.spelling import expanded, only_alike
from bots.words.heard import heard

READ_WITHIN_S = 2.5
"""To read the facts of a version for the first time; later they are at hand."""
RECALLED_WITHIN_S = 0.5
LONGEST = 230
"""Letters of an answer, so that it fits a whisper."""
_GREEDY = frozenset({"time", "position", "kana", "whereabouts", "world", "speaker", "help"})
"""Topics that take any line with a word of theirs; what was told of it is the better answer."""


class Reciting:
    """What one bot tells of what it knows."""

    def __init__(
        self,
        handbook: Callable[[], Awaitable[Handbook]],
        mark_used: MarkUsed,
        known_bots: KnownBots,
    ) -> None:
        """`mark_used` counts that entries were of use."""
        self._handbook, self._mark_used = handbook, mark_used
        self._known_bots = known_bots

    async def handbook(self) -> Handbook | None:
        """What is made of what; None while the world does not tell."""
        return await in_time(self._handbook(), READ_WITHIN_S)

    async def answer(
        self,
        tools: SpeakerTools,
        scene: Scene,
        lines: Sequence[str],
        pending: Iterable[int],
        instead: Callable[[], Awaitable[str | None]],
    ) -> str | None:
        """The answer to a line that asks for what the bot knows; None when no line does.
        `pending` are the lines' numbers; `instead` is asked before it says that a thing, or what
        is asked of it, is unknown."""
        if (kept := await taught(tools, scene, lines)) is not None:
            return kept
        players = scene.world.players if scene.world else ()
        lines = [expanded(line, {str(one.name).casefold() for one in players}) for line in lines]
        return (
            await forgotten(tools, scene, lines)
            or await told_who(tools, scene, lines, self._known_bots.names)
            or await told_from_card(tools, scene, lines)
            or await told_episodes(tools, scene, lines)
            or await self._known(tools, scene, lines, instead)
            or await _placed(tools, scene, lines)
            or await _recalled(tools, scene, lines, frozenset(pending))
            or await self._sought(tools, scene, lines)
            or nothing_on_card(scene, lines)
        )

    async def nearest(self, tools: SpeakerTools, scene: Scene, words: str) -> str | None:
        """Where the nearest of such animals, monsters or blocks is; None of what is neither."""
        handbook = await self.handbook()
        return None if handbook is None else await nearest(tools, scene, words, handbook)

    async def _known(
        self,
        tools: SpeakerTools,
        scene: Scene,
        lines: Sequence[str],
        instead: Callable[[], Awaitable[str | None]],
    ) -> str | None:
        """What was told of what the newest question is about, and what the catalogue says."""
        line = _open_question(scene, lines)
        if line is None:
            return None
        asked = None if sought_in(line) or asks_for_a_name(line) else asked_in(line)
        told = await known(tools, scene, asked.words if asked else line, self._mark_used)
        if asked is None or _is_player(scene, asked.words):
            return told
        parts = [await self._of_thing(scene, asked, instead), told]
        best = [part for part in (parts[::-1] if asked.about == "finding" else parts) if part]
        is_short = sum(map(len, best)) <= LONGEST
        return scene.join(best if is_short else best[:1]) or None

    async def _of_thing(
        self, scene: Scene, asked: Asked, instead: Callable[[], Awaitable[str | None]]
    ) -> str | None:
        handbook = await self.handbook()
        if handbook is None:
            return None
        named = lore.meant_by(handbook, asked)
        if named is not None:
            told = lore.told_of(handbook, scene, asked, named)
            is_told = lore.is_known(handbook, scene, asked, named)
            return told if is_told else await instead() or told
        if not asked.is_plain or len(asked.words.split()) > MOST_OF_A_NAME:
            return None
        return await instead() or lore.unknown(handbook, scene, asked)

    async def _sought(self, tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
        """Where something is that a line looks for."""
        line = _open_question(scene, lines)
        sought = None if line is None else sought_in(line)
        if line is None or sought is None or _is_player(scene, sought.words):
            return None
        handbook = await self.handbook()
        return (
            await seen_or_held(tools, scene, sought, handbook)
            or _in_nature(scene, sought, handbook)
            or (None if "kana" in _topics(scene, line) else not_known(scene, sought))
        )


def _is_player(scene: Scene, words: str) -> bool:
    return scene.world is not None and only_alike(words, seen(scene.world)) is not None


class Recited(NamedTuple):
    """What a bot tells of what it was told."""

    text: str = ""
    sources: Sources = FACTS


async def told_to_all(bot: Bot, may_know: MayKnow, scene: Scene, line: str) -> Recited:
    """What a bot was told of what a line asks, a named place or more, as far as all may know it
    who talk; no words where that is nothing."""
    words = key_words(line, (scene.bot, scene.called))
    if not words or heard("recite.where_are_you").search(normal(line)):
        return Recited()
    if (sought := sought_in(line)) is not None:
        for name in (sought.words, f"the {sought.words}"):
            if (location := bot.locations.find(name, may_know)) is not None:
                return Recited(told_place(scene, location), location.sources)
    try:
        found = await in_time(
            bot.knowledge.search(Wanted(" ".join(words), damped=True, may_know=may_know)),
            RECALLED_WITHIN_S,
        )
    except StoreError:  # the store has logged why
        return Recited()
    fitting = fitting_of(found or (), words)
    await bot.knowledge.mark_used(one.entry.id for one in fitting)
    now = bot.times.clock()
    return Recited(
        scene.join(recited(scene, one, now) for one in fitting),
        joined(one.entry.sources for one in fitting),
    )


async def _placed(tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
    """Where a place is that somebody has named."""
    line = _open_question(scene, lines)
    sought = None if line is None else sought_in(line)
    return None if sought is None else await place_called(tools, scene, sought)


async def _recalled(
    tools: SpeakerTools, scene: Scene, lines: Sequence[str], pending: Collection[int]
) -> str | None:
    """What was said earlier, where a line asks for it, or was said of what a line asks."""
    if is_for_cards(lines) or tells_of_speaker(lines):
        return None
    surely = newest_of(heard("recall.recall"), lines)
    words = surely
    if words is None and not understand(scene, lines).facts:
        words = newest_of(heard("recall.of_somebody"), lines)
    about = [] if words is None or surely else key_words(words, (scene.bot, scene.called))
    if words is None and (words := _open_question(scene, lines)) is not None:
        about = key_words(words, (scene.bot, scene.called))
        words = words if about else None
    if words is None:
        return None
    fields = {"words": words, "limit": LOOKED_AT}
    result = (await use_in_time(tools, RECALL, fields, RECALLED_WITHIN_S)).result
    if not isinstance(result, TellsRecalled):
        return None
    found = [one for one in result.found if _may_answer(one, about, scene.bot, surely is not None)]
    told = told_from(scene, words, found, result.now, pending)
    return told or (scene.tell("recall.nothing") if surely else None)


def _may_answer(one: Recalled, about: Sequence[str], bot: str, outright: bool) -> bool:
    """Whether a line may answer. Small talk and a stock line by rules are told only when asked
    outright what another bot said; else a line must speak of what is asked."""
    if one.message.utterance.kind in CHATTER and (not outright or one.speaker == bot):
        return False
    return not about or (
        speaks_of(one.text, about) and not heard("recite.asks").search(normal(one.text))
    )


def _open_question(scene: Scene, lines: Sequence[str]) -> str | None:
    """The newest question, unless a topic surely answers it from what the bot senses."""
    line = next((one for one in reversed(lines) if heard("recite.asks").search(normal(one))), None)
    if line is None or heard("recite.where_are_you").search(normal(line)):
        return None
    return None if _topics(scene, line) - _GREEDY else line


def _topics(scene: Scene, line: str) -> set[str]:
    return set(understand(scene, [line]).facts)


def _in_nature(scene: Scene, sought: Sought, handbook: Handbook | None) -> str | None:
    """Where such things are found, if they are dug or left by mobs."""
    if handbook is None or sought.was_put:
        return None
    asked = Asked("finding", sought.words, is_plain=False)
    named = lore.meant_by(handbook, asked)
    entry = None if named is None else handbook.entry(named.kind, named.name)
    if named is None or not isinstance(entry, ItemEntry) or entry.recipes:
        return None
    return lore.told_of(handbook, scene, asked, named)
