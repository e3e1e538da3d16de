-- What 1.0 keeps. Once it has shipped, a change of shape is a new step in migrations.py.

CREATE TABLE utterances (
    id INTEGER PRIMARY KEY,
    speaker TEXT NOT NULL,
    content TEXT NOT NULL, -- JSON: a string or an object
    kind TEXT NOT NULL,
    said_at INTEGER NOT NULL, -- microseconds since 1970, UTC; so is heard_at
    target TEXT, -- NULL: not aimed at anyone, and so are the three below
    distance REAL,
    max_distance REAL,
    delivered INTEGER,
    asked_by TEXT, -- by whose command it was said; NULL: the speaker's own words
    audience TEXT, -- NULL: `target`, or nobody; else 'all' (with a volume) or 'public'
    volume TEXT,
    sources TEXT NOT NULL, -- JSON of bots.access.sources
    talk INTEGER, -- the talk it was said to; NULL: to none
    refused TEXT -- the server's words where it did not carry it; NULL or '': it did
) STRICT;

CREATE TABLE hearings (
    bot TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    utterance_id INTEGER NOT NULL REFERENCES utterances (id),
    heard_at INTEGER NOT NULL,
    PRIMARY KEY (bot, sequence)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX heard_once ON hearings (utterance_id, bot);

CREATE TABLE deliveries ( -- of lines to everyone in range and to the public
    utterance_id INTEGER NOT NULL REFERENCES utterances (id),
    hearer TEXT NOT NULL,
    distance REAL,
    delivered INTEGER NOT NULL,
    refused TEXT, -- as in utterances
    PRIMARY KEY (utterance_id, hearer)
) STRICT, WITHOUT ROWID;

CREATE TABLE recall_bots ( -- the words of all that was heard, see bots/chat/recall_sql.py
    number INTEGER PRIMARY KEY,
    bot TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE recall_lines (
    id INTEGER PRIMARY KEY, -- of bot and sequence; in the index, below zero
    utterance_id INTEGER NOT NULL REFERENCES utterances (id),
    circle TEXT NOT NULL, -- JSON: the conversation, see bots/chat/message.py
    asks INTEGER NOT NULL, -- whether it is a question
    heard_at INTEGER NOT NULL
) STRICT;

CREATE INDEX recall_by_circle ON recall_lines (circle, id);

CREATE TABLE recall_speakers ( -- all whom lines that a bot heard are by or for
    number INTEGER NOT NULL REFERENCES recall_bots (number),
    folded TEXT NOT NULL,
    name TEXT NOT NULL, -- as it is spelt: two of one folded name are two people
    PRIMARY KEY (number, folded, name)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE recall_index USING fts5(
    words, content='', columnsize=0, detail=none, tokenize='porter ascii'
);

CREATE TABLE summaries (
    bot TEXT NOT NULL,
    circle TEXT NOT NULL, -- the conversation, see bots/chat/message.py; so is name
    name TEXT NOT NULL,
    until INTEGER NOT NULL, -- sequence of the last message that is in it
    text TEXT NOT NULL,
    sources TEXT NOT NULL, -- JSON of bots.access.sources
    PRIMARY KEY (bot, circle, name, until)
) STRICT, WITHOUT ROWID;

CREATE TABLE talks ( -- a restart takes up those that go on
    id INTEGER PRIMARY KEY,
    began_at INTEGER NOT NULL, -- microseconds since 1970, UTC
    settings TEXT NOT NULL, -- JSON: roster, policy, who began it
    ended TEXT -- NULL: it goes on
) STRICT;

CREATE TABLE talk_moments (
    id INTEGER PRIMARY KEY,
    talk_id INTEGER NOT NULL REFERENCES talks (id),
    at_ms INTEGER NOT NULL, -- since it began
    happening TEXT NOT NULL -- JSON
) STRICT;

CREATE INDEX moments_of_talk ON talk_moments (talk_id);

CREATE TABLE talk_requests ( -- which bots see to which line, see bots/talks/live/bot_io.py
    talk_id INTEGER NOT NULL,
    utterance INTEGER NOT NULL,
    bot TEXT NOT NULL,
    PRIMARY KEY (talk_id, utterance, bot)
) STRICT, WITHOUT ROWID;

CREATE TABLE charges ( -- what calls of a model cost, or at worst would have
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    bot TEXT NOT NULL,
    speaker TEXT, -- NULL: nobody asked for it
    background INTEGER NOT NULL,
    nanodollars INTEGER NOT NULL,
    settled INTEGER NOT NULL, -- 0: held, or its outcome was never known
    boot TEXT, -- when, by a clock that nobody sets, as is uptime_s; NULL: not known
    uptime_s REAL,
    asker TEXT, -- `Asker` of llm/engine/budget.py; NULL: nobody
    run TEXT NOT NULL, -- which run of a program entered it, and its number there, as is number
    number INTEGER NOT NULL
) STRICT;

CREATE INDEX charged_at ON charges (at);

CREATE INDEX charged_by ON charges (run, number);

CREATE TABLE thoughts ( -- the newest of what each bot thought beside the talk
    bot TEXT NOT NULL,
    thread TEXT NOT NULL,
    level INTEGER NOT NULL,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    summary TEXT NOT NULL,
    plan TEXT NOT NULL, -- JSON: its steps
    goal TEXT NOT NULL,
    status TEXT NOT NULL,
    sources TEXT NOT NULL, -- JSON: those whose words it may hold
    notes TEXT NOT NULL, -- JSON: what users told the thread
    PRIMARY KEY (bot, thread, level)
) STRICT, WITHOUT ROWID;

CREATE TABLE agenda ( -- goals that bots were given and have not reached, see bots/bot/agenda.py
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
) STRICT, WITHOUT ROWID;

CREATE TABLE step_times ( -- what steps of goals were thought to take, and took
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    bot TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    count INTEGER NOT NULL,
    tool TEXT,
    estimate_s REAL NOT NULL,
    took_s REAL NOT NULL,
    station TEXT,
    model_s REAL NOT NULL -- what the cost model alone gave
) STRICT;

CREATE TABLE placements ( -- blocks that bots placed and nobody has seen gone
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
) STRICT;

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
) STRICT, WITHOUT ROWID;

CREATE TABLE areas ( -- where bots may touch things and where not, see bots/bot/areas.py
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
) STRICT, WITHOUT ROWID;

CREATE TABLE asked_places ( -- of which bots have asked whose they are
    dimension TEXT NOT NULL,
    x REAL NOT NULL,
    y REAL NOT NULL,
    z REAL NOT NULL,
    PRIMARY KEY (dimension, x, y, z)
) STRICT, WITHOUT ROWID;

CREATE TABLE perils ( -- where bots died or nearly died of late, see bots/bot/perils.py
    bot TEXT NOT NULL,
    dimension TEXT NOT NULL,
    x REAL NOT NULL,
    y REAL NOT NULL,
    z REAL NOT NULL,
    at INTEGER NOT NULL, -- microseconds since 1970, UTC
    PRIMARY KEY (bot, dimension, x, y, z)
) STRICT, WITHOUT ROWID;

CREATE TABLE locations ( -- the places that each bot was told the names of
    bot TEXT NOT NULL,
    key TEXT NOT NULL, -- the name as it is looked up, see bots/bot/locations.py
    name TEXT NOT NULL, -- as it was written
    dimension TEXT NOT NULL,
    x REAL NOT NULL,
    y REAL NOT NULL,
    z REAL NOT NULL,
    sources TEXT NOT NULL, -- JSON of bots.access.sources
    named_at INTEGER, -- microseconds since 1970, UTC; NULL: not known
    PRIMARY KEY (bot, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE knowledge ( -- what bots were told to remember or found out, see bots/knowledge
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
) STRICT;

CREATE INDEX knowledge_told ON knowledge (bot, speaker, same_as);

CREATE TABLE knowledge_tags (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    id INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
    PRIMARY KEY (kind, name, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX knowledge_tags_of ON knowledge_tags (id);

CREATE TABLE knowledge_links (
    id INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
    refers_to INTEGER NOT NULL REFERENCES knowledge (id) ON DELETE CASCADE,
    PRIMARY KEY (id, refers_to)
) STRICT, WITHOUT ROWID;

CREATE INDEX knowledge_referred ON knowledge_links (refers_to);

CREATE VIRTUAL TABLE knowledge_index USING fts5(
    words, columnsize=0, detail=none, tokenize='porter ascii'
);

CREATE TABLE card_facts ( -- what bots know of persons and places, see bots/knowledge/cards
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
) STRICT;

CREATE INDEX facts_by_subject ON card_facts (bot, about, name);

CREATE TABLE meetings (
    bot TEXT NOT NULL,
    person TEXT NOT NULL,
    first_at INTEGER NOT NULL, -- microseconds since 1970, UTC; so are the others
    began_at INTEGER NOT NULL, -- of the newest visit; so is last_at
    last_at INTEGER NOT NULL,
    before_at INTEGER, -- the end of the visit before the newest; NULL: there was none
    PRIMARY KEY (bot, person)
) STRICT, WITHOUT ROWID;

CREATE TABLE cards_read ( -- how far each bot has read its history for its cards
    bot TEXT PRIMARY KEY,
    until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE replicated ( -- how far the file is in its history on a bus; no row: it has none.
    -- See bots/store/recording.py. It holds all of the history up to a position, and nothing more,
    -- unless it was written outside.
    id INTEGER PRIMARY KEY CHECK (id = 1),
    history TEXT NOT NULL,
    position INTEGER NOT NULL,
    run TEXT NOT NULL, -- whose entry is at the position, and its number there; so is number
    number INTEGER NOT NULL,
    outside INTEGER NOT NULL, -- whether it was opened without its history since
    becoming TEXT NOT NULL -- the history that is being made of it; '': none is
) STRICT;
