"""What people have the bot remember, and what it recites of that: a claim is told as one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import Protocol, TypeAlias, runtime_checkable

from bots.access.origin import called
from bots.bot.knowing import Found
from bots.responder.case.case import SpeakerTools
from bots.responder.rules.scene import Scene, use_in_time
from bots.text.language import language_of, normal
from bots.text.overlap import key_words, speaks_of
from bots.text.printable import excerpt
from bots.words.heard import heard
from bots.words.times import told_ago

REMEMBER, KNOWLEDGE = "remember", "knowledge"
KEPT_WITHIN_S = 2.0
KNOWN_WITHIN_S = 0.5
LONGEST = 160  # characters of an entry that is told
MOST_TOLD = 2

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
    result = (await use_in_time(tools, KNOWLEDGE, fields, KNOWN_WITHIN_S)).result
    if not isinstance(result, TellsKnown):
        return None
    fitting = fitting_of(result.found, words)
    if not fitting:
        return None
    await mark_used(one.entry.id for one in fitting)
    return scene.join(recited(scene, one, result.now) for one in fitting)


def fitting_of(found: Iterable[Found], words: Collection[str]) -> list[Found]:
    """The few best entries that speak of these words."""
    return [one for one in found if _fits(one, words)][:MOST_TOLD]


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


def _fits(found: Found, words: Collection[str]) -> bool:
    entry = found.entry
    tagged = " ".join(one.name.replace("_", " ") for one in entry.tags)
    return speaks_of(f"{entry.topic} {entry.insight} {tagged} {called(entry.speaker)}", words)
