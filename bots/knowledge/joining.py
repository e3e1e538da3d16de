"""What is told or found out again: it becomes one with what was known, confirms it, or takes its
place.

Who tells a thing twice is no surer for it, unless they are trusted; what a bot sees or concludes
twice, it is. Nobody takes the place of what others told who may do more. That somebody corrects
what was believed is read from their line: “no, the mine is in the north”,
「違うよ、鉱山は北にある」. What does not plainly say what is so is left out.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from bots.access.origin import Level
from bots.bot.knowing import LONGEST, Entry, KnowledgeType
from bots.knowledge import rows
from bots.knowledge.retrieval import keep_bounds
from bots.text.language import normal
from bots.text.printable import excerpt
from bots.words.heard import heard

LONGEST_LINE = 160
LONGEST_SUBJECT = 40


def corrections_in(line: str) -> Iterator[str]:
    """What is so, by a line that says that something else was believed."""
    found = heard("correct.lead").match(line.strip())
    if found is None or len(line) > LONGEST_LINE or heard("told.asks").search(line):
        return
    words = line.strip()[found.end() :].strip(" 　.!。！")
    if subject_of(words):
        yield excerpt(words, LONGEST)


def subject_of(words: str) -> str:
    """What a sentence is about that says how something is; '' where it says nothing like that."""
    found = heard("correct.states").match(normal(words))
    if found is None:
        return ""
    subject = heard("correct.article").sub("", next(filter(None, found.groups())))
    is_none = len(subject) > LONGEST_SUBJECT or heard("correct.no_subject").fullmatch(subject)
    return "" if is_none else subject


def add(connection: sqlite3.Connection, bot: str, entry: Entry, now: datetime) -> Entry:
    """Store it once."""
    newer = replace(entry, updated_at=now)
    former = rows.told_before(connection, bot, entry)
    if former is not None:
        stored = as_one(former, newer)
        rows.overwrite(connection, bot, stored)
    elif (known := _confirmed(connection, bot, entry)) is not None:
        # Whose it is stays, and so does what a lower level cannot raise.
        stored = known
        if newer.level >= known.level:
            sure = _confidence(known, newer)
            stored = replace(known, confidence=sure, updated_at=newer.updated_at)
        rows.overwrite(connection, bot, stored)
    else:
        stored = rows.insert(connection, bot, replace(newer, id=0, made_at=now))
    speaker = stored.speaker if stored.level < Level.TRUSTED else None
    keep_bounds(connection, bot, now, stored.id, speaker)
    return stored


def learn(
    connection: sqlite3.Connection,
    bot: str,
    entry: Entry,
    now: datetime,
    instead_of: Collection[KnowledgeType],
) -> Entry:
    """Store what the bot found out of a topic, in place of what it had found out of it."""
    which = "topic = ? AND learnt_from = ? AND speaker = ?"
    asked = entry.topic, entry.learnt_from, entry.speaker
    before = [
        one
        for one in rows.entries(connection, bot, which, *asked)
        if one.type in instead_of and one.sources.origins == entry.sources.origins
    ]
    return _put_in_place(connection, bot, entry, now, before)


def correct(connection: sqlite3.Connection, bot: str, entry: Entry, now: datetime) -> Entry:
    """Store a correction. It takes the place of what it corrects where that is no more than who
    corrects it may change; else it stands beside it."""
    subject = subject_of(entry.insight)
    wrong = list[Entry]()
    for one in rows.entries(connection, bot):
        if subject and _may_replace(entry, one):
            topic = heard("correct.article").sub("", normal(one.topic))
            wrong += [one] if subject in (topic, subject_of(one.insight)) else []
    return _put_in_place(connection, bot, entry, now, wrong)


def _put_in_place(
    connection: sqlite3.Connection,
    bot: str,
    entry: Entry,
    now: datetime,
    outdated: Sequence[Entry],
) -> Entry:
    """Store it under the number of the last of these, unless it is known; the others go."""
    if outdated and rows.told_before(connection, bot, entry) is None:
        last = outdated[-1]
        kept = replace(entry, id=last.id, made_at=last.made_at, updated_at=now, used=last.used)
        rows.overwrite(connection, bot, kept)
    stored = add(connection, bot, entry, now)
    rows.delete(connection, [one.id for one in outdated if one.id != stored.id])
    return stored


def merge(connection: sqlite3.Connection, bot: str, now: datetime) -> int:
    """Make one of all that are the same; how many are gone."""
    kept: dict[tuple[object, ...], Entry] = {}
    gone: list[int] = []
    for entry in rows.entries(connection, bot):
        identity = rows.identity_of(entry)
        if identity not in kept:
            kept[identity] = entry
            continue
        kept[identity] = one = as_one(kept[identity], replace(entry, updated_at=now))
        rows.overwrite(connection, bot, one)
        connection.execute(
            "UPDATE OR IGNORE knowledge_links SET refers_to = ? WHERE refers_to = ? AND id <> ?",
            (one.id, entry.id, one.id),
        )
        gone.append(entry.id)
    return rows.delete(connection, gone)


def as_one(former: Entry, newer: Entry) -> Entry:
    """Both tellings of one thing by the same ones. It is for all who were told of it, and at the
    higher level; but somebody else under a name, who has not proved it, changes nothing of that."""
    may_tell = newer.level >= former.level
    audience = newer.sources.audience if may_tell else former.sources.audience
    sources = former.sources.released_to(audience)
    return replace(
        former,
        sources=replace(sources, level=max(former.level, newer.level)),
        type=newer.type if may_tell else former.type,
        context=newer.context or former.context,
        tags=former.tags | newer.tags,
        situations=former.situations | newer.situations,
        always=former.always or newer.always,
        utterance=newer.utterance or former.utterance,
        confidence=_confidence(former, newer),
        links=former.links | newer.links,
        expires_at=newer.expires_at,
        updated_at=newer.updated_at,
        used=former.used + newer.used,
    )


def _confidence(former: Entry, newer: Entry) -> float:
    is_surer = newer.learnt_from == "seen" or newer.level >= Level.TRUSTED
    if not is_surer:
        return max(former.confidence, newer.confidence)
    surer = 1 - (1 - former.confidence) * (1 - newer.confidence / 2)
    return max(surer, newer.confidence)


def _confirmed(connection: sqlite3.Connection, bot: str, entry: Entry) -> Entry | None:
    """Of a conclusion, what says the same: told by somebody who may do as much, and known to all
    who may know the conclusion."""
    if entry.learnt_from != "concluded":
        return None
    alike = rows.entries(connection, bot, "same_as = ?", rows.words_that_count(entry))
    audience = entry.sources.audience
    for known in reversed(alike):
        may_know = known.sources.audience
        is_told = may_know is None or (audience is not None and audience <= may_know)
        if is_told and known.level >= entry.level:
            return known
    return None


def _may_replace(newer: Entry, known: Entry) -> bool:
    """Whether a correction may take the place of an entry: one's own, or as a trusted one what
    nobody of a higher level told. What the bot saw itself stays."""
    if known.learnt_from == "seen":
        return False
    if known.speaker == newer.speaker and known.sources.origins == newer.sources.origins:
        return newer.level >= known.level
    return Level.TRUSTED <= newer.level >= known.level
