"""Answers from cards, without a model: what the bot knows of somebody, where they live, what was
promised, when they last met; and “forget me”.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

from bots.access.origin import called, is_operator
from bots.bot.knowing import Found
from bots.knowledge.cards.card import Card, CardWords
from bots.knowledge.cards.fact import KINDS, Kind, told_in
from bots.knowledge.joining import corrections_in
from bots.responder.case.case import SpeakerTools
from bots.responder.rules.scene import Scene, use_in_time
from bots.responder.rules.topics import whereabouts_of
from bots.text.language import language_of, normal
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker
from bots.text.search_words import key_words, speaks_of
from bots.text.spelling import meant, spelt
from bots.words.heard import heard, questions
from bots.words.times import told_ago
from bridge.world import PlayerName

KNOWS, FORGET_ME = "knows", "forget_me"
KNOWN_WITHIN_S = 1.0
FORGOTTEN_WITHIN_S = 4.0
MOST_TOLD = 4  # sentences of a card in one answer


@runtime_checkable
class TellsCard(Protocol):
    """The result of `!knows`."""

    @property
    def card(self) -> Card: ...

    @property
    def now(self) -> datetime: ...


@runtime_checkable
class TellsForgotten(Protocol):
    """The result of `!forget me`."""

    @property
    def facts(self) -> int: ...

    @property
    def message(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that a card may answer."""

    name: str
    """Of whom; '' for the speaker."""
    kinds: frozenset[Kind]
    meeting: bool = False
    """Whether it is about when they met."""
    of: str = ""
    """What a fact must speak of: a pattern."""


async def told_from_card(tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
    """The answer to a question that a card answers; None when none is asked, or the card has
    nothing of it."""
    asked = asked_of(lines)
    return None if asked is None else await _told_of(tools, scene, asked)


async def _told_of(tools: SpeakerTools, scene: Scene, asked: Asked) -> str | None:
    own = scene.speaker if is_operator(scene.speaker) else ""
    name = asked.name or own
    fields = {"name": name} if name else {}
    result = (await use_in_time(tools, KNOWS, fields, KNOWN_WITHIN_S)).result
    if not isinstance(result, TellsCard) or not isinstance(result.card, Card):
        return None
    is_here = scene.world is not None and scene.world.player(PlayerName(name)) is not None
    if is_here and result.card.name != name:  # that is the card of a twin
        return None
    return _told(scene, asked, result.card, result.now)


async def forgotten(tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
    """What is said of having forgotten the speaker; None when nobody asks for that."""
    if not asks_to_forget(lines):
        return None
    fields = {"person": scene.speaker} if is_operator(scene.speaker) else {}
    result = (await use_in_time(tools, FORGET_ME, fields, FORGOTTEN_WITHIN_S)).result
    if not isinstance(result, TellsForgotten):
        return None
    return scene.tell("known.forgotten", message=result.message)


def is_for_cards(lines: Sequence[str]) -> bool:
    """Whether a line asks what a card alone answers: what is no longer on it is forgotten."""
    asked = asked_of(lines)
    return asked is not None and asked.kinds != _OWN and (not asked.name or asked.kinds != ALL)


def nothing_on_card(scene: Scene, lines: Sequence[str]) -> str | None:
    """That the bot knows nothing of what a line asks of somebody, and what would help."""
    asked = asked_of(lines)
    if asked is None:
        return None
    players = scene.world.players if scene.world else ()
    here = {scene.called, *(called(str(one.name)) for one in players)}
    # The speaker's own name may be in another case where nobody else has it.
    if asked.name and spelt(asked.name, here) != scene.called:
        return scene.tell("known.nothing_to_tell")
    return scene.tell("known.nothing_yet")


def tells_of_speaker(lines: Sequence[str]) -> bool:
    """Whether all of these lines tell something that goes onto the card of who says it."""
    return bool(lines) and all(any(told_in(line)) for line in lines)


def corrects(lines: Sequence[str]) -> bool:
    """Whether all of these lines say what is so, where something else was believed."""
    return bool(lines) and all(any(corrections_in(line)) for line in lines)


def asks_to_forget(lines: Sequence[str]) -> bool:
    return any(heard("card.forget_me").search(normal(line)) for line in lines)


def asked_of(lines: Sequence[str]) -> Asked | None:
    """The newest question of these that a card may answer."""
    for line in reversed(lines):
        for meaning, kinds in _QUESTIONS.items():
            if found := heard(f"card.{meaning}").search(normal(line)):
                name = next(filter(None, found.groupdict().values()), "")
                if not heard("card.no_name").fullmatch(name):
                    # A name with the case that it has in the line.
                    name = next(
                        (word for word in _NAME.findall(line) if word.casefold() == name), name
                    )
                    return Asked("" if is_asker(name) else name, kinds, meaning == "meeting")
        for ways, row in questions("asked", language_of([line])):
            if found := ways.search(normal(line)):
                words = "".join(filter(None, found.groupdict().values()))
                return Asked("", _OWN, of=row.get("of") or re.escape(words.removesuffix("s")))
    return None


_NAME = re.compile(r"[A-Za-z0-9_.]{2,16}")


def _told(scene: Scene, asked: Asked, card: Card, now: datetime) -> str | None:
    words = CardWords(scene.language, scene.speaker, now)
    if asked.meeting:
        return None if card.meeting is None else words.last_met(card.name, card.meeting)
    facts = tuple(
        one
        for one in card.facts
        if one.kind in asked.kinds and re.search(asked.of, normal(one.words))
    )
    is_all = asked.kinds == ALL
    sentences = words.sentences(Card(card.name, card.meeting if is_all else None, facts))
    return scene.join(sentences[:MOST_TOLD]) or None


_OWN: frozenset[Kind] = frozenset({"own"})
ALL: frozenset[Kind] = frozenset(KINDS)


_QUESTIONS: Mapping[str, frozenset[Kind]] = {
    "meeting": ALL,
    "all": ALL,
    "lives": frozenset({"lives"}),
    "likes": frozenset({"likes", "dislikes", "wishes"}),
    "promised": frozenset({"promised"}),
    "was_promised": frozenset({"was_promised"}),
    "got": frozenset({"got"}),
    "asked_for": frozenset({"asked_for"}),
}
"""Which facts a question asks for, by what people say."""


def who_is_asked(lines: Sequence[str]) -> str | None:
    """Of whom the newest of these lines asks who that is; in lower case."""
    found = heard("card.who_is").search(normal(lines[-1])) if lines else None
    return found and (found["a"] or found["b"])


async def told_who(
    tools: SpeakerTools, scene: Scene, lines: Sequence[str], bots: Collection[str]
) -> str | None:
    """Who somebody is; None when that is not asked, or of a name that nobody here has."""
    asked = who_is_asked(lines)
    if asked is None:
        return None
    players = scene.world.players if scene.world else ()
    names = {scene.bot, *(str(player.name) for player in players), *bots}
    name = meant(asked, names, " ".join(lines))
    if name == scene.bot:
        return scene.tell("me.identity", bot=scene.bot)
    if name is None:
        return None
    seen = next((player for player in players if player.name == name), None)
    if name in bots:
        told = scene.tell("known.bot", who=name)
        known = None
    else:
        told = scene.tell("known.player", who=name)
        # All that the card of somebody tells the speaker; None when there is nothing.
        known = await _told_of(tools, scene, Asked(name, ALL))
    absent = scene.tell("known.absent") if scene.world else ""
    where = whereabouts_of(scene, scene.world, seen) if scene.world and seen else None
    return scene.join([told, known, where or absent])


# --- What people have the bot remember, and what it recites of that: a claim is told as one ------

REMEMBER, KNOWLEDGE = "remember", "knowledge"
KEPT_WITHIN_S = 2.0
FOUND_WITHIN_S = 0.5
LONGEST = 160  # characters of an entry that is told
MOST_ENTRIES = 2

MarkUsed: TypeAlias = Callable[[Iterable[int]], Awaitable[None]]


@runtime_checkable
class TellsKept(Protocol):
    """The result of `!remember`."""

    @property
    def is_claim(self) -> bool: ...

    @property
    def id(self) -> int: ...


@runtime_checkable
class TellsKnown(Protocol):
    """The result of `!knowledge`."""

    @property
    def found(self) -> Sequence[Found]: ...

    @property
    def now(self) -> datetime: ...


async def taught(tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
    """What is said of having kept something; None when nobody asks for that."""
    words = next(filter(None, map(words_to_keep, reversed(lines))), None)
    if words is None:
        return None
    result = (await use_in_time(tools, REMEMBER, {"words": words}, KEPT_WITHIN_S)).result
    if not isinstance(result, TellsKept):
        return None
    return scene.tell("known.claim_kept" if result.is_claim else "known.kept")


async def known(
    tools: SpeakerTools, scene: Scene, question: str, mark_used: MarkUsed
) -> str | None:
    """What was told of what a question is about; None where nothing was."""
    words = key_words(question, (scene.bot, scene.called))
    if not words:
        return None
    fields = {"words": " ".join(words)}
    result = (await use_in_time(tools, KNOWLEDGE, fields, FOUND_WITHIN_S)).result
    if not isinstance(result, TellsKnown):
        return None
    fitting = fitting_of(result.found, words)
    if not fitting:
        return None
    await mark_used(one.entry.id for one in fitting)
    return scene.join(recited(scene, one, result.now) for one in fitting)


def fitting_of(found: Iterable[Found], words: Collection[str]) -> list[Found]:
    """The few best entries that speak of these words."""
    fitting = list[Found]()
    for one in found:
        entry, tags = one.entry, " ".join(one.name.replace("_", " ") for one in one.entry.tags)
        if speaks_of(f"{entry.topic} {entry.insight} {tags} {called(entry.speaker)}", words):
            fitting.append(one)
    return fitting[:MOST_ENTRIES]


def recited(scene: Scene, found: Found, now: datetime) -> str:
    """An entry in a sentence, with who told it and when."""
    entry = found.entry
    words = excerpt(entry.insight, LONGEST)
    ago = told_ago(entry.updated_at, now.astimezone(), scene.language) if entry.updated_at else ""
    if not entry.speaker:
        end = "." if scene.language == "en" else "。"
        return scene.tell("known.entry", words=words.rstrip(end), ago=ago)
    if entry.speaker == scene.speaker:
        return scene.tell("known.from_you", ago=ago, words=words)
    return scene.tell(
        "known.claimed" if found.is_claim else "known.from_other",
        who=called(entry.speaker),
        ago=ago,
        words=words,
    )


def words_to_keep(line: str) -> str | None:
    """What a line asks to remember, in its own words."""
    found = heard("keep.words", language_of([line])).match(line.strip())
    if found is None or line.rstrip().endswith(("?", "？")):
        return None
    words = next(filter(None, found.groups()), "").strip(" .!。！、,")
    is_nothing = len(words) < 2 or heard("keep.nothing").fullmatch(normal(words))
    return None if is_nothing else words
