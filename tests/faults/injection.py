"""Doing what the schedule says: each fault is a block in which it holds."""

import asyncio
import os
import random
import resource
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    ExitStack,
    asynccontextmanager,
    closing,
    suppress,
)
from pathlib import Path

import psutil
from e2e.daemon_process import DaemonProcess, eventually
from faults.schedule import OF_API, Fault, Kind
from faults.testbed import STRANGERS, UNANSWERED, Testbed, until
from websockets.exceptions import WebSocketException

DAY_S = 25 * 3_600.0
FLOOD_WHISPERS, FLOOD_REQUESTS, FLOOD_CONNECTIONS = 40, 300, 300
AT_ONCE = 30
TOLD_WITHIN_S = 10.0
REFUSED_WITHIN_S = 30.0
CHUNKS = (1_000_000, 4_096, 1)
HALF = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
PIECES = (
    *(b"GET ", b"POST /api/stop ", b"HTTP/1.1\r\n", b"\r\n\r\n", b"{", b"\xff", b"\x00"),
    b"A" * 9000,
)

Doing = Callable[[Testbed, Fault], AbstractAsyncContextManager[None]]


def done(testbed: Testbed, fault: Fault) -> AbstractAsyncContextManager[None]:
    """Do a fault; it is over when the block ends. The caller waits inside it."""
    return _DOING[fault.kind](testbed, fault)


def has_a_way(kind: Kind) -> bool:
    return kind in _DOING


# --- below the daemon --------------------------------------------------------------


def _blow(strike: Callable[[DaemonProcess], None]) -> Doing:
    """Which nobody has to take back."""

    @asynccontextmanager
    async def struck(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
        strike(testbed.daemon)
        yield

    return struck


@asynccontextmanager
async def _server_stopped(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    """It is noticed and replaced, so that nobody needs to let it go on."""
    server = testbed.daemon.server
    server.suspend()
    await eventually(lambda: not server.is_running(), REFUSED_WITHIN_S * 2)
    yield


@asynccontextmanager
async def _api(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    testbed.model.fault = fault.kind
    try:
        yield
    finally:
        testbed.model.fault = None


# --- the machine -------------------------------------------------------------------


@asynccontextmanager
async def _disk_full(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    filler = testbed.site.data_dir / "filler"
    _fill(filler)
    try:
        yield
    finally:
        filler.unlink()


@asynccontextmanager
async def _clock(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    await testbed.through_doors(DAY_S if fault.kind is Kind.CLOCK_FORWARD else -DAY_S)
    try:
        yield
    finally:
        await testbed.through_doors(0.0)


@asynccontextmanager
async def _few_descriptors(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    """Two are left, and many connections want them."""
    process = psutil.Process(testbed.daemon.pid)
    before = process.rlimit(resource.RLIMIT_NOFILE)
    process.rlimit(resource.RLIMIT_NOFILE, (process.num_fds() + 2, before[1]))
    try:
        async with _connections(testbed, AT_ONCE, HALF):
            yield
    finally:
        with suppress(psutil.NoSuchProcess):
            process.rlimit(resource.RLIMIT_NOFILE, before)


@asynccontextmanager
async def _daemon_stopped(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    testbed.daemon.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        testbed.daemon.send_signal(signal.SIGCONT)


# --- files -------------------------------------------------------------------------


@asynccontextmanager
async def _locked(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    with closing(sqlite3.connect(testbed.database, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


@asynccontextmanager
async def _persona_nonsense(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    dice = random.Random(fault.seed)
    path = testbed.site.data_dir / "bots" / dice.choice(testbed.bots) / "persona.md"
    kept = path.read_bytes() if path.is_file() else b""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if dice.random() < 0.3:
        path.mkdir()
    else:
        path.write_bytes(dice.choice((dice.randbytes(200_000), b"\x00" * 99, b"", b"$name ${x} {")))
    try:
        yield
    finally:
        if path.is_dir():
            path.rmdir()
        path.write_bytes(kept)


@asynccontextmanager
async def _settings_nonsense(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    """A running daemon does not care; the next start is refused in a sentence."""
    dice, file = random.Random(fault.seed), testbed.site.data_dir / "townsfolk.toml"
    file.write_bytes(dice.choice((dice.randbytes(99), b"[bots]\nnames = 7\n", b"[bots\n", b"x=1")))
    yield
    await testbed.end()
    ended = await testbed.site.townsfolk(
        "up", within_s=REFUSED_WITHIN_S, FAULTS_FOLDER=str(testbed.doors)
    )
    if ended.code in (0, None) or "Traceback" in ended.err or not ended.err.strip():
        testbed.promises.breach(f"nonsense in townsfolk.toml: {ended.code}, {ended.err[-200:]}")
    file.unlink()
    await testbed.start()


@asynccontextmanager
async def _deleted(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    _remove(testbed.database)
    yield
    await _trouble_is_told(testbed)
    await testbed.end()
    _remove(testbed.database)
    testbed.promises.acknowledged.clear()
    testbed.model.forget_charges()
    await testbed.start()


@asynccontextmanager
async def _replaced(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    copy = testbed.database.with_suffix(".copy")
    with closing(sqlite3.connect(testbed.database)) as source, closing(sqlite3.connect(copy)) as to:
        source.backup(to)
    _remove(testbed.database)
    copy.rename(testbed.database)
    yield
    await _trouble_is_told(testbed)
    await testbed.end()
    testbed.promises.only_these_were_kept(testbed.database)
    testbed.model.forget_charges()
    await testbed.start()


@asynccontextmanager
async def _bad_rows(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    await testbed.kill()
    dice = random.Random(fault.seed)
    with closing(sqlite3.connect(testbed.database)) as connection, connection:
        for statement, values in bad_rows(dice):
            connection.execute(statement, values)
    await testbed.start()
    yield


@asynccontextmanager
async def _daemon_killed(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    await testbed.kill()
    await testbed.start()
    yield


# --- floods ------------------------------------------------------------------------


@asynccontextmanager
async def _whisper_flood(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    dice = random.Random(fault.seed)

    async def pour(name: str) -> None:
        for number in range(FLOOD_WHISPERS):
            line = f"flood {fault.number}.{number} of {name}"
            await testbed.crowd[name].whispers(dice.choice(testbed.bots), line)

    async with asyncio.TaskGroup() as group:
        for name in STRANGERS:
            group.create_task(pour(name))
    yield


@asynccontextmanager
async def _http_flood(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    """Requests that are none, and some that hold the token."""
    dice = random.Random(fault.seed)
    for _ in range(FLOOD_REQUESTS // AT_ONCE):
        sent = b"".join(dice.choices(PIECES, k=4))
        async with _connections(testbed, AT_ONCE, sent):
            with suppress(*UNANSWERED):
                await testbed.daemon.post(
                    "/api/bots/Alice/commands", {"text": "!" + str(dice.random())}
                )
    yield


@asynccontextmanager
async def _half_open(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    async with _connections(testbed, FLOOD_CONNECTIONS, HALF):
        yield


@asynccontextmanager
async def _websockets(testbed: Testbed, fault: Fault) -> AsyncIterator[None]:
    """More readers than are served; none of them reads."""
    async with AsyncExitStack() as stack:
        for _ in range(FLOOD_CONNECTIONS):
            with suppress(OSError, WebSocketException, TimeoutError):
                await stack.enter_async_context(testbed.daemon.watching(last=0))
        yield


@asynccontextmanager
async def _connections(testbed: Testbed, count: int, sent: bytes) -> AsyncIterator[None]:
    port = testbed.daemon.http.base_url.port
    with ExitStack() as stack:
        for _ in range(count):
            with suppress(OSError):
                _reader, writer = await asyncio.open_connection("127.0.0.1", port)
                stack.callback(writer.close)
                writer.write(sent)
        yield


_DOING: dict[Kind, Doing] = {
    Kind.NODE_KILLED: _blow(lambda daemon: daemon.bots_node.kill()),
    Kind.NODE_STOPPED: _blow(lambda daemon: daemon.bots_node.suspend()),
    Kind.SERVER_KILLED: _blow(lambda daemon: daemon.server.kill()),
    Kind.SERVER_STOPPED: _server_stopped,
    **dict.fromkeys(OF_API, _api),
    Kind.DISK_FULL: _disk_full,
    Kind.CLOCK_FORWARD: _clock,
    Kind.CLOCK_BACK: _clock,
    Kind.FEW_DESCRIPTORS: _few_descriptors,
    Kind.DATABASE_LOCKED: _locked,
    Kind.PERSONA_NONSENSE: _persona_nonsense,
    Kind.WHISPER_FLOOD: _whisper_flood,
    Kind.HTTP_FLOOD: _http_flood,
    Kind.HALF_OPEN_FLOOD: _half_open,
    Kind.WEBSOCKET_FLOOD: _websockets,
    Kind.DAEMON_STOPPED: _daemon_stopped,
    Kind.DAEMON_KILLED: _daemon_killed,
    Kind.DATABASE_DELETED: _deleted,
    Kind.DATABASE_REPLACED: _replaced,
    Kind.BAD_ROWS: _bad_rows,
    Kind.SETTINGS_NONSENSE: _settings_nonsense,
}


async def _trouble_is_told(testbed: Testbed) -> None:
    try:
        async with asyncio.timeout(TOLD_WITHIN_S):
            await until(testbed.tells_trouble)
    except TimeoutError:
        testbed.promises.breach("that the database is gone was not told")


def _fill(filler: Path) -> None:
    """Take all the room there is."""
    with filler.open("wb", buffering=0) as out:
        for size in CHUNKS:
            with suppress(OSError):
                while True:
                    out.write(os.urandom(1) * size)


def _remove(database: Path) -> None:
    for end in ("", "-wal", "-shm"):
        database.with_name(database.name + end).unlink(missing_ok=True)


def bad_rows(dice: random.Random) -> list[tuple[str, tuple[object, ...]]]:
    """A row of nonsense for each table that is read at a start."""
    number, text = dice.randrange(10**9, 10**12), dice.choice(('{"', "null", "[]", "\x00", "7"))
    return [
        (
            "INSERT INTO utterances (id, speaker, content, kind, said_at, sources)"
            " VALUES (?, 'Olga', ?, 'conversation', 9000000000000000000, ?)",
            (number, text, text),
        ),
        (
            "INSERT INTO hearings (bot, sequence, utterance_id, heard_at)"
            " SELECT 'Alice', coalesce(max(sequence), 0) + 1, ?, 1 FROM hearings"
            " WHERE bot = 'Alice'",
            (number,),
        ),
        ("INSERT INTO talks (id, began_at, settings) VALUES (?, 1, ?)", (number, text)),
        (
            "INSERT INTO talk_moments (id, talk_id, at_ms, happening) VALUES (?, ?, -1, ?)",
            (number, number, text),
        ),
        (
            "INSERT INTO charges"
            " (id, at, bot, speaker, background, nanodollars, settled, run, number)"
            " VALUES (?, ?, 'Alice', NULL, 7, -5, 7, '', -1)",
            (number, dice.choice((-(2**63), 2**63 - 1, 0))),
        ),
        (
            "INSERT OR REPLACE INTO thoughts"
            " (bot, thread, level, at, summary, plan, goal, status, sources, notes)"
            " VALUES ('Bob', 'briefing', 3, -1, ?, ?, ?, ?, ?, ?)",
            (text,) * 6,
        ),
        (
            "INSERT OR REPLACE INTO summaries (bot, circle, name, until, text, sources)"
            " VALUES ('Cara', ?, ?, -1, ?, ?)",
            (text, text, text, text),
        ),
        (
            "INSERT OR REPLACE INTO agenda"
            " (bot, number, title, fields, given_by, level, sources, given_at, state, home)"
            " VALUES ('Cara', ?, ?, ?, ?, 3, ?, -1, 'begun', ?)",
            (number, *(text,) * 5),
        ),
        (
            "INSERT INTO locations (bot, key, name, dimension, sources, x, y, z)"
            " VALUES ('Dan', ?, ?, ?, ?, 1e308, -1e308, 0)",
            (str(number), text, text, text),
        ),
    ]
