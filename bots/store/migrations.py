"""The database's shape, step by step: `PRAGMA user_version` counts the steps already taken.

A step that has shipped is never edited; a change of shape is a new step at the end.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TypeAlias

from bots.errors import StoreError

Migration: TypeAlias = Callable[[sqlite3.Connection], None]


def said_and_heard(connection: sqlite3.Connection) -> None:
    """What was said, once; who heard it, each with its own sequence."""
    connection.execute(
        """
        CREATE TABLE utterances (
            id INTEGER PRIMARY KEY,
            speaker TEXT NOT NULL,
            content TEXT NOT NULL, -- JSON: a string or an object
            kind TEXT NOT NULL,
            said_at INTEGER NOT NULL, -- microseconds since 1970, UTC; so is heard_at
            target TEXT, -- NULL: not aimed at anyone, and so are the three below
            distance REAL,
            max_distance REAL,
            delivered INTEGER
        ) STRICT
        """
    )
    connection.execute(
        """
        CREATE TABLE hearings (
            bot TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            utterance_id INTEGER NOT NULL REFERENCES utterances (id),
            heard_at INTEGER NOT NULL,
            PRIMARY KEY (bot, sequence)
        ) STRICT, WITHOUT ROWID
        """
    )
    connection.execute("CREATE UNIQUE INDEX heard_once ON hearings (utterance_id, bot)")


def places_with_names(connection: sqlite3.Connection) -> None:
    """The places that each bot was told the names of."""
    connection.execute(
        """
        CREATE TABLE locations (
            bot TEXT NOT NULL,
            key TEXT NOT NULL, -- the name as it is looked up, see bots/location.py
            name TEXT NOT NULL, -- as it was written
            dimension TEXT NOT NULL,
            x REAL NOT NULL,
            y REAL NOT NULL,
            z REAL NOT NULL,
            PRIMARY KEY (bot, key)
        ) STRICT, WITHOUT ROWID
        """
    )


def said_to_several(connection: sqlite3.Connection) -> None:
    """Lines to everyone in range and to the public, and how they fared with each hearer."""
    connection.execute("ALTER TABLE utterances ADD COLUMN audience TEXT")
    # NULL: `target`, or nobody; else 'all' (with a volume) or 'public' (delivered: sent)
    connection.execute("ALTER TABLE utterances ADD COLUMN volume TEXT")
    connection.execute(
        """
        CREATE TABLE deliveries (
            utterance_id INTEGER NOT NULL REFERENCES utterances (id),
            hearer TEXT NOT NULL,
            distance REAL,
            delivered INTEGER NOT NULL,
            PRIMARY KEY (utterance_id, hearer)
        ) STRICT, WITHOUT ROWID
        """
    )


def said_for_somebody(connection: sqlite3.Connection) -> None:
    """By whose command an aimed utterance was said; NULL: the speaker's own words."""
    connection.execute("ALTER TABLE utterances ADD COLUMN asked_by TEXT")


def model_charges(connection: sqlite3.Connection) -> None:
    """What every call of a model cost, or at worst would have."""
    connection.execute(
        """
        CREATE TABLE charges (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL, -- microseconds since 1970, UTC
            bot TEXT NOT NULL,
            speaker TEXT, -- NULL: nobody asked for it
            background INTEGER NOT NULL,
            nanodollars INTEGER NOT NULL,
            settled INTEGER NOT NULL -- 0: held, or its outcome was never known
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX charged_at ON charges (at)")


def talks_of_several(connection: sqlite3.Connection) -> None:
    """Talks under way, so that a restart can take them up again."""
    connection.execute(
        """
        CREATE TABLE talks (
            id INTEGER PRIMARY KEY,
            began_at INTEGER NOT NULL, -- microseconds since 1970, UTC
            settings TEXT NOT NULL, -- JSON: roster, policy, who began it
            ended TEXT -- NULL: it goes on
        ) STRICT
        """
    )
    connection.execute(
        """
        CREATE TABLE talk_moments (
            id INTEGER PRIMARY KEY,
            talk_id INTEGER NOT NULL REFERENCES talks (id),
            at_ms INTEGER NOT NULL, -- since it began
            happening TEXT NOT NULL -- JSON
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX moments_of_talk ON talk_moments (talk_id)")


def summaries_of_what_was_said(connection: sqlite3.Connection) -> None:
    """Each bot's summaries of its history, for each view of it."""
    connection.execute(
        """
        CREATE TABLE summaries (
            bot TEXT NOT NULL,
            level INTEGER NOT NULL, -- the view, see bots/deciding/view.py; so is public
            public INTEGER NOT NULL,
            until INTEGER NOT NULL, -- sequence of the last message that is in it
            text TEXT NOT NULL,
            sources TEXT NOT NULL, -- JSON: those whose words it may hold
            PRIMARY KEY (bot, level, public, until)
        ) STRICT, WITHOUT ROWID
        """
    )


def times_of_steps(connection: sqlite3.Connection) -> None:
    """What the steps of goals were thought to take, and took."""
    connection.execute(
        """
        CREATE TABLE step_times (
            id INTEGER PRIMARY KEY,
            at INTEGER NOT NULL, -- microseconds since 1970, UTC
            bot TEXT NOT NULL,
            action TEXT NOT NULL,
            target TEXT NOT NULL,
            count INTEGER NOT NULL,
            tool TEXT,
            estimate_s REAL NOT NULL,
            took_s REAL NOT NULL
        ) STRICT
        """
    )


def thoughts_of_bots(connection: sqlite3.Connection) -> None:
    """The newest of what each bot thought beside the talk."""
    connection.execute(
        """
        CREATE TABLE thoughts (
            bot TEXT NOT NULL,
            thread TEXT NOT NULL, -- see bots/deciding/threads/thought.py; so is level
            level INTEGER NOT NULL,
            at INTEGER NOT NULL, -- microseconds since 1970, UTC
            summary TEXT NOT NULL,
            plan TEXT NOT NULL, -- JSON: its steps
            goal TEXT NOT NULL,
            status TEXT NOT NULL,
            sources TEXT NOT NULL, -- JSON: those whose words it may hold
            notes TEXT NOT NULL, -- JSON: what users told the thread
            PRIMARY KEY (bot, thread, level)
        ) STRICT, WITHOUT ROWID
        """
    )


def where_words_come_from(connection: sqlite3.Connection) -> None:
    """JSON of `bots.access.sources`; NULL: nobody noted it, as for all lines before this."""
    connection.execute("ALTER TABLE utterances ADD COLUMN sources TEXT")
    connection.execute("ALTER TABLE summaries RENAME TO summaries_of_views")
    connection.execute(
        """
        CREATE TABLE summaries (
            bot TEXT NOT NULL,
            level INTEGER NOT NULL, -- the view, see bots/access/visibility.py
            hearers TEXT NOT NULL, -- of the view: JSON, null for everybody
            until INTEGER NOT NULL, -- sequence of the last message that is in it
            text TEXT NOT NULL,
            sources TEXT NOT NULL,
            PRIMARY KEY (bot, level, hearers, until)
        ) STRICT, WITHOUT ROWID
        """
    )
    # Sources that are no `Sources` count as anybody's, and as unfit for strangers' ears.
    connection.execute(
        "INSERT INTO summaries SELECT bot, level, '[]', until, text, '[]' FROM summaries_of_views"
        " WHERE public = 0"
    )
    connection.execute("DROP TABLE summaries_of_views")


def charges_by_uptime(connection: sqlite3.Connection) -> None:
    """When a charge was entered by a clock that nobody sets; NULL: not known."""
    connection.execute("ALTER TABLE charges ADD COLUMN boot TEXT")
    connection.execute("ALTER TABLE charges ADD COLUMN uptime_s REAL")


def whose_places(connection: sqlite3.Connection) -> None:
    """JSON of `bots.access.sources`; NULL: nobody noted it, as for all places before this."""
    connection.execute("ALTER TABLE locations ADD COLUMN sources TEXT")


def charges_by_asker(connection: sqlite3.Connection) -> None:
    """What kind of person asked: `Asker` of llm/engine/budget.py; NULL: nobody, or not known."""
    connection.execute("ALTER TABLE charges ADD COLUMN asker TEXT")


def goals_to_reach(connection: sqlite3.Connection) -> None:
    """What each bot was told to reach and has not yet; see bots/bot/agenda.py."""
    connection.execute(
        """
        CREATE TABLE agenda (
            bot TEXT NOT NULL,
            number INTEGER NOT NULL, -- later ones have higher numbers
            title TEXT NOT NULL,
            fields TEXT NOT NULL, -- JSON: the arguments of !goal
            given_by TEXT NOT NULL, -- JSON: what kind of origin, and its name
            level INTEGER NOT NULL,
            sources TEXT NOT NULL, -- JSON of bots.access.sources
            given_at INTEGER NOT NULL, -- microseconds since 1970, UTC
            state TEXT NOT NULL,
            home TEXT, -- JSON: dimension and x, y, z of where it began; NULL: it has not
            PRIMARY KEY (bot, number)
        ) STRICT, WITHOUT ROWID
        """
    )


def what_the_model_said(connection: sqlite3.Connection) -> None:
    """What the cost model alone gave for a step, to learn from; NULL: it is not known."""
    connection.execute("ALTER TABLE step_times ADD COLUMN station TEXT")
    connection.execute("ALTER TABLE step_times ADD COLUMN model_s REAL")


def summaries_of_conversations(connection: sqlite3.Connection) -> None:
    """Which talk a line was said to; NULL: to none, or not known. A summary is of one conversation.

    Older ones are of all that a bot heard, once for each view: one view of each bot stays, as words
    that may be anybody's and that players below trusted may not know."""
    connection.execute("ALTER TABLE utterances ADD COLUMN talk INTEGER")
    connection.execute("ALTER TABLE summaries RENAME TO summaries_of_views")
    connection.execute(
        """
        CREATE TABLE summaries (
            bot TEXT NOT NULL,
            circle TEXT NOT NULL, -- the conversation, see bots/chat/message.py; so is name
            name TEXT NOT NULL,
            until INTEGER NOT NULL, -- sequence of the last message that is in it
            text TEXT NOT NULL,
            sources TEXT NOT NULL,
            PRIMARY KEY (bot, circle, name, until)
        ) STRICT, WITHOUT ROWID
        """
    )
    connection.execute(
        """
        INSERT INTO summaries
        SELECT bot, 'unknown', '', until, text, '[]' FROM summaries_of_views AS one
        WHERE (level, hearers) = (
            SELECT level, hearers FROM summaries_of_views WHERE bot = one.bot
            ORDER BY hearers = '[]' DESC, until DESC, level LIMIT 1
        )
        """
    )
    connection.execute("DROP TABLE summaries_of_views")


def blocks_that_were_placed(connection: sqlite3.Connection) -> None:
    """Which blocks each bot placed and nobody has seen gone; see bots/bot/placements.py."""
    connection.execute(
        """
        CREATE TABLE placements (
            id INTEGER PRIMARY KEY, -- later ones have higher numbers
            bot TEXT NOT NULL,
            item TEXT NOT NULL, -- what was put down: torch
            block TEXT NOT NULL, -- what stood there then: wall_torch
            dimension TEXT NOT NULL,
            talk INTEGER, -- the talk its bot took part in; NULL: none
            x INTEGER NOT NULL,
            y INTEGER NOT NULL,
            z INTEGER NOT NULL,
            UNIQUE (dimension, x, y, z)
        ) STRICT
        """
    )


def chests_and_what_they_hold(connection: sqlite3.Connection) -> None:
    """What the bots know of chests; see bots/bot/chests.py."""
    connection.execute(
        """
        CREATE TABLE chests (
            dimension TEXT NOT NULL,
            x INTEGER NOT NULL,
            y INTEGER NOT NULL,
            z INTEGER NOT NULL,
            items TEXT, -- JSON: how many of each; NULL: nobody has looked
            slots INTEGER NOT NULL,
            free_slots INTEGER NOT NULL,
            seen_at INTEGER, -- microseconds since 1970, UTC
            own INTEGER NOT NULL, -- whether a bot placed it
            allowed INTEGER, -- whether bots may use it; NULL: nobody said
            PRIMARY KEY (dimension, x, y, z)
        ) STRICT, WITHOUT ROWID
        """
    )


def charges_of_runs(connection: sqlite3.Connection) -> None:
    """Which run of a program entered a charge, and its number there; NULL: one before this."""
    connection.execute("ALTER TABLE charges ADD COLUMN run TEXT")
    connection.execute("ALTER TABLE charges ADD COLUMN number INTEGER")
    connection.execute("CREATE INDEX charged_by ON charges (run, number)")


def recall_of_all_lines(connection: sqlite3.Connection) -> None:
    """An index of the words of all that each bot heard; see bots/chat/recall_sql.py.

    What was heard before is entered later, a few lines at a time."""
    connection.execute(
        """
        CREATE TABLE recall_bots (
            number INTEGER PRIMARY KEY,
            bot TEXT NOT NULL UNIQUE,
            entered_after INTEGER NOT NULL -- hearings up to this sequence are still to be entered
        ) STRICT
        """
    )
    connection.execute(
        """
        CREATE TABLE recall_lines (
            id INTEGER PRIMARY KEY, -- of bot and sequence; in the index, below zero
            utterance_id INTEGER NOT NULL REFERENCES utterances (id),
            circle TEXT NOT NULL, -- JSON: the conversation, see bots/chat/message.py
            asks INTEGER NOT NULL, -- whether it is a question
            heard_at INTEGER NOT NULL
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX recall_by_circle ON recall_lines (circle, id)")
    connection.execute(
        "CREATE TABLE recall_speakers (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID"
    )  # all whose lines are entered, case-blind
    connection.execute(
        "CREATE VIRTUAL TABLE recall_index USING fts5("
        "words, content='', columnsize=0, detail=none, tokenize='porter ascii')"
    )
    connection.execute(
        "INSERT INTO recall_bots (bot, entered_after)"
        " SELECT bot, max(sequence) FROM hearings GROUP BY bot ORDER BY bot"
    )


def what_bots_know(connection: sqlite3.Connection) -> None:
    """What each bot was told to remember or found out; see bots/knowledge."""
    connection.execute(
        """
        CREATE TABLE knowledge (
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- a number is never given twice
            bot TEXT NOT NULL,
            type TEXT NOT NULL, -- see bots/bot/knowing.py
            topic TEXT NOT NULL,
            insight TEXT NOT NULL,
            context TEXT NOT NULL,
            learnt_from TEXT NOT NULL,
            speaker TEXT NOT NULL, -- '': nobody told it
            utterance INTEGER, -- sequence of the line that told it; NULL: no line did
            level INTEGER NOT NULL, -- that of its sources
            sources TEXT NOT NULL, -- JSON of bots.access.sources
            always INTEGER NOT NULL,
            situations TEXT NOT NULL, -- JSON: their names
            confidence REAL NOT NULL,
            used INTEGER NOT NULL,
            used_at INTEGER, -- microseconds since 1970, UTC; so are the three below
            made_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            expires_at INTEGER, -- NULL: never
            same_as TEXT NOT NULL -- its words, by which a second telling is known
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX knowledge_told ON knowledge (bot, speaker, same_as)")
    connection.execute(
        """
        CREATE TABLE knowledge_tags (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            id INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
            PRIMARY KEY (kind, name, id)
        ) STRICT, WITHOUT ROWID
        """
    )
    connection.execute("CREATE INDEX knowledge_tags_of ON knowledge_tags (id)")
    connection.execute(
        """
        CREATE TABLE knowledge_links (
            id INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
            refers_to INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
            PRIMARY KEY (id, refers_to)
        ) STRICT, WITHOUT ROWID
        """
    )
    connection.execute("CREATE INDEX knowledge_referred ON knowledge_links (refers_to)")
    connection.execute(
        "CREATE VIRTUAL TABLE knowledge_index USING fts5("
        "words, columnsize=0, detail=none, tokenize='porter ascii')"
    )


def cards_of_persons_and_places(connection: sqlite3.Connection) -> None:
    """What each bot knows of persons and places; see bots/knowledge/cards.

    `cards_read` says how far a bot has read its history: what was said before is read later."""
    connection.execute(
        """
        CREATE TABLE card_facts (
            id INTEGER PRIMARY KEY, -- later ones have higher numbers
            bot TEXT NOT NULL,
            about TEXT NOT NULL, -- person or place
            name TEXT NOT NULL, -- a person's name; the key of a place
            kind TEXT NOT NULL,
            words TEXT NOT NULL,
            at INTEGER NOT NULL, -- microseconds since 1970, UTC
            sources TEXT NOT NULL, -- JSON of bots.access.sources
            said TEXT NOT NULL, -- the line it was told by; '': nobody said it
            count INTEGER NOT NULL -- of items that changed hands
        ) STRICT
        """
    )
    connection.execute("CREATE INDEX facts_by_subject ON card_facts (bot, about, name)")
    connection.execute(
        """
        CREATE TABLE meetings (
            bot TEXT NOT NULL,
            person TEXT NOT NULL,
            first_at INTEGER NOT NULL, -- microseconds since 1970, UTC; so are the others
            began_at INTEGER NOT NULL, -- of the newest visit; so is last_at
            last_at INTEGER NOT NULL,
            before_at INTEGER, -- the end of the visit before the newest; NULL: there was none
            PRIMARY KEY (bot, person)
        ) STRICT, WITHOUT ROWID
        """
    )
    connection.execute(
        "CREATE TABLE cards_read (bot TEXT PRIMARY KEY, until INTEGER NOT NULL)"
        " STRICT, WITHOUT ROWID"
    )
    connection.execute("ALTER TABLE locations ADD COLUMN named_at INTEGER")  # NULL: not known


def requests_of_talks(connection: sqlite3.Connection) -> None:
    """Which bots see to which line of a talk that has not ended; see bots/talks/live/asides.py."""
    connection.execute(
        """
        CREATE TABLE talk_requests (
            talk_id INTEGER NOT NULL,
            utterance INTEGER NOT NULL,
            bot TEXT NOT NULL,
            PRIMARY KEY (talk_id, utterance, bot)
        ) STRICT, WITHOUT ROWID
        """
    )


def where_it_is_replicated(connection: sqlite3.Connection) -> None:
    """How far the file is in its history on a bus; see bots/store/journal.py. No row: it has none.

    The file is all that stands in the history up to a position, and nothing more, unless it was
    written outside."""
    connection.execute(
        """
        CREATE TABLE replicated (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            history TEXT NOT NULL,
            position INTEGER NOT NULL,
            run TEXT NOT NULL, -- whose entry is at the position, and its number there; so is number
            number INTEGER NOT NULL,
            outside INTEGER NOT NULL, -- whether it was opened without its history since
            becoming TEXT NOT NULL -- the history that is being made of it; '': none is
        ) STRICT
        """
    )


def refused_by_the_server(connection: sqlite3.Connection) -> None:
    """The server's words where it did not carry a line; NULL or '': it did not refuse it."""
    connection.execute("ALTER TABLE utterances ADD COLUMN refused TEXT")
    connection.execute("ALTER TABLE deliveries ADD COLUMN refused TEXT")


def areas_of_the_world(connection: sqlite3.Connection) -> None:
    """Where the bots may touch things and where not; see bots/bot/areas.py."""
    connection.execute(
        """
        CREATE TABLE areas (
            key TEXT PRIMARY KEY, -- of the name
            name TEXT NOT NULL,
            rule TEXT NOT NULL, -- allow, ask or forbid
            dimension TEXT NOT NULL,
            x0 REAL NOT NULL, -- the lower corner, and the upper one
            y0 REAL NOT NULL,
            z0 REAL NOT NULL,
            x1 REAL NOT NULL,
            y1 REAL NOT NULL,
            z1 REAL NOT NULL,
            within REAL NOT NULL, -- blocks around the box
            level INTEGER NOT NULL, -- of whoever said so
            said_by TEXT NOT NULL, -- '': the server
            said_at INTEGER NOT NULL, -- microseconds since 1970, UTC; so is until
            until INTEGER, -- when it lapses; NULL: never
            refusal TEXT NOT NULL -- what the server said; '': a person set it
        ) STRICT, WITHOUT ROWID
        """
    )


def places_asked_about(connection: sqlite3.Connection) -> None:
    """Of which places bots have asked whose they are; see bots/bot/asked_places.py."""
    connection.execute(
        """
        CREATE TABLE asked_places (
            dimension TEXT NOT NULL,
            x REAL NOT NULL,
            y REAL NOT NULL,
            z REAL NOT NULL,
            PRIMARY KEY (dimension, x, y, z)
        ) STRICT, WITHOUT ROWID
        """
    )


MIGRATIONS: Sequence[Migration] = (
    said_and_heard,
    said_for_somebody,
    places_with_names,
    said_to_several,
    model_charges,
    talks_of_several,
    summaries_of_what_was_said,
    times_of_steps,
    thoughts_of_bots,
    where_words_come_from,
    charges_by_uptime,
    whose_places,
    charges_by_asker,
    goals_to_reach,
    what_the_model_said,
    summaries_of_conversations,
    blocks_that_were_placed,
    chests_and_what_they_hold,
    charges_of_runs,
    recall_of_all_lines,
    what_bots_know,
    cards_of_persons_and_places,
    requests_of_talks,
    where_it_is_replicated,
    refused_by_the_server,
    areas_of_the_world,
    places_asked_about,
)


OLDEST_TABLES = frozenset({"utterances", "hearings"})
"""Of the first step, and of all since."""


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Take the steps this database has not taken, all of them or none.

    Raises StoreError when a newer program wrote it.
    """
    if _steps_left(connection, steps):
        connection.execute("BEGIN IMMEDIATE")
        with connection:
            for step in _steps_left(connection, steps):  # another program may just have taken them
                step(connection)
            connection.execute(f"PRAGMA user_version = {len(steps)}")


def shape_of(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Kind and name of all that was made in a database: tables, indices, triggers, views."""
    return frozenset(connection.execute("SELECT type, name FROM sqlite_master"))


def tables_of(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(name for kind, name in shape_of(connection) if kind == "table")


def shape_after(steps: int) -> frozenset[tuple[str, str]]:
    """The shape of a database that has taken so many steps."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        migrate(memory, MIGRATIONS[:steps])
        return shape_of(memory)


def names_of_steps_left(connection: sqlite3.Connection) -> tuple[str, ...]:
    """What this database has not taken, in words. Raises StoreError as `migrate`."""
    left = _steps_left(connection, MIGRATIONS)
    return tuple(step.__name__.replace("_", " ") for step in left)


def _steps_left(connection: sqlite3.Connection, steps: Sequence[Migration]) -> Sequence[Migration]:
    taken: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if taken > len(steps):
        raise StoreError(
            f"it was written by a newer townsfolk (its version {taken}, known here: {len(steps)})"
        )
    return steps[taken:]
