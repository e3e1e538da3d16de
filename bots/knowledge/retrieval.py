"""Finding entries, and how many a bot keeps.

    weight = 2 · references + confidence + 0.5 · log10(uses + 1) + 0.7 ^ depth

`damped` takes the logarithm of the references: a few entries that everything refers to would bury
all others. Words in common count on top. What trusted ones told and the bot saw comes before any
claim, whatever a claim weighs; what a claim refers to weighs no more for that.

Of too many entries, those of least use go. What an entry is worth is its weight, halved for each
`HALF_LIFE_DAYS` in which it was neither told nor used. Claims of people below trusted have bounds
of their own, one person's too: whoever tells a bot a thousand things pushes out no more than what
they told before.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache

from bots.access.origin import Level
from bots.access.sources import Sources, from_text
from bots.bot.knowing import Found, Wanted
from bots.clock import microseconds
from bots.knowledge.rows import COLUMNS, delete, entry_of
from bots.store.table import Row, readable
from bots.text.search_words import asked_words, weight_of, words_of

MOST_WORDS = 24  # of a query
MOST_SEEDS = 60  # entries that fit by themselves, the best
LEAST_FIT = 0.3  # of what the best one has: one common word of many is no sign
WORDS_COUNT = 3.0  # as much as one and a half references, for all words of the query
_RETRIEVE = f"""
WITH RECURSIVE
known AS MATERIALIZED (
    SELECT id, is_claim(sources) AS claim FROM knowledge
    WHERE bot = :bot AND (expires_at IS NULL OR expires_at > :now) AND may_know(sources)
),
seeds AS MATERIALIZED (
    SELECT CAST(json_extract(value, '$[0]') AS INTEGER) AS id, json_extract(value, '$[1]') AS fit
    FROM json_each(:seeds)
),
walk (id, depth) AS (
    SELECT id, 0 FROM known WHERE id IN (SELECT id FROM seeds)
        AND (NOT claim OR :claims OR id IN (SELECT id FROM seeds WHERE fit > 0))
        AND id NOT IN (SELECT value FROM json_each(:without))
    UNION
    SELECT refers_to, depth + 1 FROM walk
    CROSS JOIN knowledge_links ON knowledge_links.id = walk.id
    CROSS JOIN knowledge ON knowledge.id = refers_to
    WHERE depth < :depth AND refers_to NOT IN (SELECT value FROM json_each(:without))
        AND bot = :bot AND (expires_at IS NULL OR expires_at > :now)
        AND may_know(sources) AND NOT is_claim(sources)
),
reached AS MATERIALIZED (SELECT id, min(depth) AS depth FROM walk GROUP BY id),
referred AS MATERIALIZED (
    SELECT refers_to AS id, count(*) AS times FROM knowledge_links
    JOIN known ON known.id = knowledge_links.id AND NOT claim GROUP BY refers_to
)
SELECT
    CASE WHEN :damped THEN 2 * ln(1 + coalesce(times, 0)) ELSE 2.0 * coalesce(times, 0) END
        + confidence + 0.5 * log10(max(used, 0) + 1) + power(0.7, depth) AS weight,
    coalesce(times, 0), depth, claim, {COLUMNS}
FROM reached
JOIN known ON known.id = reached.id
JOIN knowledge ON knowledge.id = reached.id
LEFT JOIN referred ON referred.id = reached.id
LEFT JOIN seeds ON seeds.id = reached.id
WHERE confidence >= :least_confidence AND (:speaker IS NULL OR speaker = :speaker)
    AND type IN (SELECT value FROM json_each(:types))
ORDER BY claim, weight + :words_count * coalesce(fit, 0) DESC, updated_at DESC, knowledge.id DESC
LIMIT :limit
"""
IsClaim = Callable[[Sources], bool]
MOST = 2_000  # entries of one bot
MOST_CLAIMS = 400  # of them, of all who are below trusted
MOST_OF_ONE = 40  # of one who is below trusted
HALF_LIFE_DAYS = 90
_LEAST = f"""
SELECT id FROM knowledge
WHERE bot = :bot AND id <> :newest AND (:speaker IS NULL OR speaker = :speaker)
    AND level <= :level
ORDER BY (
    confidence + 1 + 0.5 * log10(max(used, 0) + 1)
    + 2 * ln(1 + (SELECT count(*) FROM knowledge_links WHERE refers_to = knowledge.id))
) * power(0.5, (:now - max(updated_at, coalesce(used_at, 0))) / ({HALF_LIFE_DAYS} * 86400000000.0)),
id LIMIT :most
"""


def retrieve(
    connection: sqlite3.Connection,
    bot: str,
    wanted: Wanted,
    now: datetime,
    is_claim: IsClaim,
    *,
    browses: bool,
) -> list[Found]:
    """The entries that fit. Whoever `browses` sees all of them where nothing is asked for, and
    claims that have none of the words."""
    prepare_formula(connection)
    # Of stored sources; most entries have one of few.
    may_know = cache(lambda sources: wanted.may_know(from_text(sources)))
    connection.create_function("may_know", 1, may_know)
    connection.create_function("is_claim", 1, cache(lambda sources: is_claim(from_text(sources))))
    rows = connection.execute(
        _RETRIEVE,
        {
            "bot": bot,
            "now": microseconds(now),
            "seeds": json.dumps(list(_seeds(connection, bot, wanted, browses=browses).items())),
            "claims": browses,
            "without": json.dumps(sorted(wanted.without)),
            "depth": wanted.depth,
            "damped": wanted.damped,
            "least_confidence": wanted.least_confidence,
            "speaker": wanted.speaker,
            "types": json.dumps(list(wanted.types)),
            "words_count": WORDS_COUNT,
            "limit": wanted.limit,
        },
    )
    return list(readable(rows, _found, "knowledge"))


def prepare_formula(connection: sqlite3.Connection) -> None:
    """What the formula needs; not every SQLite is built with it."""
    connection.create_function("log10", 1, math.log10, deterministic=True)
    connection.create_function("ln", 1, math.log, deterministic=True)
    connection.create_function("power", 2, math.pow, deterministic=True)


def _seeds(
    connection: sqlite3.Connection, bot: str, wanted: Wanted, *, browses: bool
) -> Mapping[int, float]:
    """The entries that fit by themselves, with how much they have of the words, from 0 to 1."""
    words = asked_words(wanted.words)
    if browses and not words:
        words = words_of(wanted.words)  # whoever looks for “well” means it
    words = words[:MOST_WORDS]
    if browses and not (words or wanted.tags or wanted.situations):
        return dict.fromkeys(_ids(connection, "SELECT id FROM knowledge WHERE bot = ?", bot), 0.0)
    by_words = _by_words(connection, bot, words) if words else {}
    tagged = _ids(
        connection,
        "SELECT knowledge.id FROM json_each(?) AS asked JOIN knowledge_tags"
        " ON kind = json_extract(asked.value, '$[0]') AND name = json_extract(asked.value, '$[1]')"
        " JOIN knowledge ON knowledge.id = knowledge_tags.id WHERE bot = ?",
        json.dumps(sorted(wanted.tags)),
        bot,
    )
    others = {*tagged, *_of_situation(connection, bot, wanted)}
    return {**dict.fromkeys(others, 0.0), **by_words}


def _by_words(connection: sqlite3.Connection, bot: str, words: list[str]) -> dict[int, float]:
    """Rare words count more."""
    query = "SELECT count(*) FROM knowledge WHERE bot = ?"
    total: int = connection.execute(query, (bot,)).fetchone()[0]
    holding = (
        "SELECT knowledge.id FROM knowledge_index"
        " CROSS JOIN knowledge ON knowledge.id = knowledge_index.rowid"
        " WHERE knowledge_index MATCH ? AND bot = ?"
    )
    holders = {word: _ids(connection, holding, f'"{word}"', bot) for word in words}
    worth = {w: weight_of(w) * math.log(1 + total / (len(holders[w]) + 0.5)) for w in words}
    scores: defaultdict[int, float] = defaultdict(float)
    for word, ids in holders.items():
        for id_ in ids:
            scores[id_] += worth[word] / (sum(worth.values()) or 1.0)
    best = sorted(scores, key=lambda id_: (-scores[id_], -id_))[:MOST_SEEDS]
    return {id_: scores[id_] for id_ in best if scores[id_] >= LEAST_FIT * scores[best[0]]}


def _of_situation(connection: sqlite3.Connection, bot: str, wanted: Wanted) -> list[int]:
    """Those that matter now, or always, though nobody speaks of them."""
    if not wanted.situations:
        return []
    return _ids(
        connection,
        "SELECT id FROM knowledge WHERE bot = ? AND (always OR EXISTS ("
        "SELECT 1 FROM json_each(CASE WHEN json_valid(situations) THEN situations END) AS own"
        " JOIN json_each(?) AS now ON now.value = own.value))",
        bot,
        json.dumps(sorted(wanted.situations)),
    )


def _ids(connection: sqlite3.Connection, query: str, *values: object) -> list[int]:
    return [row[0] for row in connection.execute(query, values)]


def _found(row: Row) -> Found:
    weight, references, depth, claim, *stored = row
    return Found(entry_of(tuple(stored)), weight, references, depth, bool(claim))


def keep_bounds(
    connection: sqlite3.Connection,
    bot: str,
    now: datetime,
    newest: int = 0,
    speaker: str | None = None,
) -> int:
    """Delete what has expired and what is too much, but for the newest; how many that were.

    `speaker`, below trusted, told the newest one."""
    rows = connection.execute(
        "SELECT id FROM knowledge WHERE bot = ? AND expires_at <= ?", (bot, microseconds(now))
    )
    gone = delete(connection, [row[0] for row in rows])
    if speaker is not None:
        gone += _keep(connection, bot, now, newest, MOST_OF_ONE, Level.PLAYER, speaker)
    gone += _keep(connection, bot, now, newest, MOST_CLAIMS, Level.PLAYER)
    return gone + _keep(connection, bot, now, newest, MOST, Level.OWNER)


def _keep(
    connection: sqlite3.Connection,
    bot: str,
    now: datetime,
    newest: int,
    most: int,
    level: Level,
    speaker: str | None = None,
) -> int:
    """Keep so many of those up to a level, of one speaker or of all."""
    asked = {"bot": bot, "level": int(level), "speaker": speaker}
    held: int = connection.execute(
        "SELECT count(*) FROM knowledge WHERE bot = :bot AND level <= :level"
        " AND (:speaker IS NULL OR speaker = :speaker)",
        asked,
    ).fetchone()[0]
    if held <= most:
        return 0
    prepare_formula(connection)
    asked |= {"newest": newest, "now": microseconds(now), "most": held - most}
    return delete(connection, [row[0] for row in connection.execute(_LEAST, asked)])
