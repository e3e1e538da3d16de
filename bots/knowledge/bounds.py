"""How much a bot keeps: of too many entries, those of least use go.

What an entry is worth is its weight, halved for each `HALF_LIFE_DAYS` in which it was neither told
nor used. Claims of people below trusted have bounds of their own, one person's too: whoever tells a
bot a thousand things pushes out no more than what they told before.
"""

from __future__ import annotations

import sqlite3
from datetime import datetime

from bots.access.origin import Level
from bots.clock import microseconds
from bots.knowledge.retrieval import prepare_formula
from bots.knowledge.rows import delete

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


def keep_bounds(
    connection: sqlite3.Connection,
    bot: str,
    now: datetime,
    newest: int = 0,
    speaker: str | None = None,
) -> int:
    """Delete what has expired and what is too much, but for the newest; how many that were.

    `speaker`, below trusted, told the newest one."""
    gone = _drop_expired(connection, bot, now)
    if speaker is not None:
        gone += _keep(connection, bot, now, newest, MOST_OF_ONE, Level.PLAYER, speaker)
    gone += _keep(connection, bot, now, newest, MOST_CLAIMS, Level.PLAYER)
    return gone + _keep(connection, bot, now, newest, MOST, Level.OWNER)


def _drop_expired(connection: sqlite3.Connection, bot: str, now: datetime) -> int:
    rows = connection.execute(
        "SELECT id FROM knowledge WHERE bot = ? AND expires_at <= ?", (bot, microseconds(now))
    )
    return delete(connection, [row[0] for row in rows])


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
