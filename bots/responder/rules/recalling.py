"""Answers “do you remember …?” and “what did Steve say about …?” from what the bot recalls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol, runtime_checkable

from bots.access.origin import called, is_operator
from bots.bot.episode import WHATS, Episode, What, read_episode
from bots.chat.recall import Recalled
from bots.clock import EPOCH
from bots.knowledge.episodes import EpisodeWords
from bots.responder.case.case import SpeakerTools
from bots.responder.rules.scene import Scene, use_in_time
from bots.text.language import normal
from bots.text.numbers import ago
from bots.text.printable import excerpt
from bots.text.pronouns import is_asker
from bots.text.spelling import meant
from bots.text.when import time_in
from bots.words.heard import heard
from bots.words.times import told_ago

RECALL = "recall"


@runtime_checkable
class TellsRecalled(Protocol):
    """The result of `!recall`."""

    @property
    def found(self) -> Sequence[Recalled]: ...

    @property
    def now(self) -> datetime: ...


LOOKED_AT = 8  # lines that were found, of which the best is told
LONGEST = 120  # characters of a line that is told


def newest_of(pattern: re.Pattern[str], lines: Sequence[str]) -> str | None:
    """The newest line that has this pattern."""
    return next((line for line in reversed(lines) if pattern.search(normal(line))), None)


def asks_for_a_name(line: str) -> bool:
    """Whether it asks what somebody calls something of theirs, as `what is my cat called?`."""
    return heard("recall.name").search(normal(line)) is not None


def told_from(
    scene: Scene, asked: str, found: Sequence[Recalled], now: datetime, pending: Collection[int]
) -> str | None:
    """The best of these lines, with who said it and when; notes are none.

    Others' questions come behind what was told, unless the line asks for what somebody asked."""
    said = [
        one
        for one in found
        if one.sequence not in pending
        and (one.message.was_said or one.message.utterance.kind == "small_talk")
    ]
    told = [one for one in said if not _is_question(one)]
    questions = [
        one for one in said if _is_question(one) and one.speaker not in (scene.speaker, scene.bot)
    ]
    wants_questions = heard("recall.asked").search(normal(asked)) is not None
    lines = [*questions, *told] if wants_questions else [*told, *questions]
    if not lines:
        return None
    best = lines[0]
    is_own = best.speaker == scene.bot
    when = ago(best.message.heard_at, now)
    if scene.language != "en":
        when = _ago(best, now, scene) or scene.tell("own.said.earlier_today")
    return scene.tell(
        "recall.asked" if _is_question(best) else "recall.said",
        ago=when,
        who=scene.tell("recall.i") if is_own else scene.who(best.speaker),
        words=excerpt(best.text, LONGEST),
    )


def _is_question(one: Recalled) -> bool:
    return normal(one.text).endswith(("?", "か。"))


LOOKED_THROUGH = 100  # episodes, the newest
MOST_TOLD = 3
FOUND_WITHIN_S = 1.0


@dataclass(frozen=True, slots=True)
class AskedEpisodes:
    """A question about what the bot did, or saw happen."""

    whats: frozenset[What]
    name: str = ""
    """For whom; 'me' for the speaker, '' for anybody."""
    when: str = ""
    """The time that is named, in its words."""


async def told_episodes(tools: SpeakerTools, scene: Scene, lines: Sequence[str]) -> str | None:
    """What the bot did, where a line asks for it."""
    asked = asked_episodes(lines)
    if asked is None:
        return None
    fields = {"words": asked.when, "limit": LOOKED_THROUGH, "episodes": True}
    result = (await use_in_time(tools, RECALL, fields, FOUND_WITHIN_S)).result
    if not isinstance(result, TellsRecalled):
        return None
    found, now = result.found, result.now
    whose = _whose(scene, found, asked.name, " ".join(lines))
    if whose is None:
        return scene.tell("recall.no_episode")
    asked = replace(asked, name=whose)
    told = _told(scene, found, asked, now)
    if not told and asked.whats == _MADE:
        others = _told(scene, found, replace(asked, whats=_FETCHED), now)
        told = [scene.tell("recall.made_nothing"), *others] if others else []
    return scene.join(told) or scene.tell("recall.no_episode")


def _told(
    scene: Scene, found: Sequence[Recalled], asked: AskedEpisodes, now: datetime
) -> list[str]:
    """The newest that fit, each once."""
    words = EpisodeWords(scene.language, scene.speaker)
    told = [
        words.sentence(episode, _ago(one, now, scene))
        for one, episode in _fitting(found, asked, scene.speaker)
    ]
    return list(dict.fromkeys(told))[:MOST_TOLD]


def asked_episodes(lines: Sequence[str]) -> AskedEpisodes | None:
    """The newest question of these about episodes."""
    for line in reversed(lines):
        words = normal(line)
        for meaning, whats in _QUESTIONS.items():
            if heard(f"episode.{meaning}").search(words):
                time, whom = time_in(words, EPOCH), heard("recall.whom").search(words)
                name = "" if whom is None else next(filter(None, whom.groups()), "")
                name = "me" if name == "us" or is_asker(name) else name
                return AskedEpisodes(whats, name, "" if time is None else time.words)
    return None


def _whose(scene: Scene, found: Sequence[Recalled], name: str, said: str) -> str | None:
    """A name as the server spells it; of twins, the one that was spelt so."""
    if name in ("", "me"):
        return name
    players = scene.world.players if scene.world else ()
    episodes = filter(None, (read_episode(one.episode) for one in found))
    known = {called(who) for one in episodes for who in (one.person, one.asked_by)}
    return meant(name, known | {str(one.name) for one in players}, said)


def _fitting(
    found: Sequence[Recalled], asked: AskedEpisodes, speaker: str
) -> Iterator[tuple[Recalled, Episode]]:
    wanted = asked.name
    if wanted == "me":  # nothing is noted as an operator's, who is not in the world
        wanted = "" if is_operator(speaker) else speaker
    for one in found:
        episode = read_episode(one.episode)
        if episode is None or episode.what not in asked.whats:
            continue
        whose = {called(episode.person), called(episode.asked_by)}
        if not wanted or wanted in whose:
            yield one, episode


def _ago(one: Recalled, now: datetime, scene: Scene) -> str:
    ago = told_ago(one.message.heard_at, now, scene.language)
    return "" if ago == scene.tell("ago.today") else ago


_MADE: frozenset[What] = frozenset({"made", "placed"})
_FETCHED: frozenset[What] = frozenset({"got", "dug", "took"})
_QUESTIONS: Mapping[str, frozenset[What]] = {
    "made": _MADE,
    "fetched": _FETCHED,
    "placed": frozenset({"placed", "put"}),
    "gave": frozenset({"gave"}),
    "received": frozenset({"received"}),
    "failed": frozenset({"failed"}),
    "done": frozenset(WHATS) - {"visited", "received"},
    "went": frozenset({"went", "followed"}),
    "died": frozenset({"died"}),
    "visited": frozenset({"visited"}),
}
"""Which episodes a question asks for, by what people say."""
