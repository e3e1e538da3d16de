"""A damaged row is set aside and reported; the rest is read and the program starts."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from support.daemons import Town

from bots.chat.conversation import Conversation
from bots.clock import utc_now
from bots.responder.prompt.summaries import SqliteSummaries
from bots.responder.reflection.thought import SqliteThoughts
from bots.store.database import FILE_NAME, Store
from bots.store.ledger import SqliteLedger

FAR = 2**62  # microseconds: beyond all calendars
UTTERANCE = "INSERT INTO utterances (sources, id, speaker, content, kind, said_at) VALUES ('',"
CHARGE = (
    "INSERT INTO charges (run, number, id, at, bot, speaker, background, nanodollars, settled)"
    " VALUES ('', 1,"
)
PLACE = "INSERT INTO locations (sources, bot, key, name, dimension, x, y, z) VALUES ('',"
SUMMARY = "INSERT INTO summaries (bot, circle, name, until, text, sources) VALUES"
THOUGHT = (
    "INSERT INTO thoughts (bot, thread, level, at, summary, plan, goal, status, sources, notes)"
    " VALUES"
)
GOAL = (
    "INSERT INTO agenda (bot, number, title, fields, given_by, level, sources, given_at, state)"
    " VALUES"
)
BY_STEVE = '\'["person", "Steve"]\''
DAMAGED = {
    "agenda": f"{GOAL} ('Alice', 1, 'x', '[', {BY_STEVE}, 2, '', 5, 'begun')",
    "agenda of nobody": f"{GOAL} ('Alice', 1, 'x', '{{}}', '[\"king\", 5]', 2, '', 5, 'begun')",
    "agenda in no state": f"{GOAL} ('Alice', 1, 'x', '{{}}', {BY_STEVE}, 2, '', {FAR}, 'lost')",
    "utterances": f"{UTTERANCE} 1, 'Steve', '{{', 'conversation', 5)",
    "utterances in time": f"{UTTERANCE} 1, 'Steve', '\"x\"', 'conversation', {FAR})",
    "utterances of bytes": f"{UTTERANCE} 1, 'Steve', CAST(x'22ff' AS TEXT), 'conversation', 5)",
    "utterances of a number": f"{UTTERANCE} 1, 'Steve', '5', 'conversation', 5)",
    "locations": f"{PLACE} 'Alice', 'home', 'home', 'overworld', 9e999, 64, 0)",
    "charges": f"{CHARGE} 1, {FAR}, 'Alice', NULL, 0, -5, 1)",
    "talks": "INSERT INTO talks (began_at, settings) VALUES (5, '{\"roster\": 5}')",
    "talks in time": f"INSERT INTO talks (began_at, settings) VALUES ({FAR}, '{{}}')",
    "summaries": f"{SUMMARY} ('Alice', 'everybody', '', 5, '', '[]')",
    "thoughts": f"{THOUGHT} ('Alice', 'briefing', 9, {FAR}, '', '[', '', '', '[]', '[]')",
}
WELL = (
    f"{UTTERANCE} 2, 'Steve', '\"hello\"', 'conversation', 6)",
    "INSERT INTO hearings VALUES ('Alice', 2, 2, 6)",
    f"{PLACE} 'Alice', 'mine', 'mine', 'overworld', 1, 64, 0)",
    f"{SUMMARY} ('Alice', 'one', 'Steve', 6, 'kept', '[]')",
    f"{THOUGHT} ('Alice', 'periodic', 1, 6, 'kept', '[]', '', '', '[]', '[]')",
)


async def damaged(data_dir: Path, *statements: str) -> Path:
    """A database of ours with these rows."""
    path = data_dir / FILE_NAME
    await (await Store.open(path)).aclose()
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in (*statements, *WELL):
            connection.execute(statement)
    return path


@pytest.mark.parametrize("what", DAMAGED)
async def test_one_damaged_row_stops_no_start(town: Town, what: str) -> None:
    """One bad row of a talk, of what was said or of what was spent stopped the start with a raw
    traceback."""
    heard = ("INSERT INTO hearings VALUES ('Alice', 1, 1, 5)",) if "utter" in what else ()
    path = await damaged(town.folder, DAMAGED[what], *heard)
    with capture_logs() as logged:
        async with town.up() as daemon:
            alice = daemon.bot("Alice")
            assert [line.content for line in alice.get_conversation_history()][-1] == "hello"
            assert alice.locations.find("mine") is not None
            assert not daemon.failure.done()
        store = await Store.open(path)
        ((summary,),) = (await SqliteSummaries(store).load("Alice")).values()
        (thought,) = await SqliteThoughts(store).load("Alice")
        assert (summary.text, thought.summary) == ("kept", "kept")
        await store.aclose()
    aside = [entry for entry in logged if entry["event"] == "rows.set_aside"]
    assert {(entry["table"], entry["rows"]) for entry in aside} == {(what.split()[0], 1)}


async def test_what_was_spent_at_an_impossible_time_is_still_spent(tmp_path: Path) -> None:
    path = await damaged(tmp_path, f"{CHARGE} 1, {FAR}, 'Alice', NULL, 0, 500, 1)")
    store = await Store.open(path)
    others = await SqliteLedger(store).others(datetime(2026, 1, 1, tzinfo=UTC), None)
    assert others is not None
    assert [charge.amount for charge in others.charges] == [500]
    await store.aclose()


async def test_lines_that_were_deleted_by_hand_keep_nobody_from_hearing(tmp_path: Path) -> None:
    """Their hearings stayed behind, and the next lines, which got their numbers, were refused."""
    path = await damaged(tmp_path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM utterances")
    store = await Store.open(path)
    conversation = await Conversation.load(store, utc_now)
    for words in ("one", "two", "three"):
        await conversation.add("Alice", "Steve", words)
    assert [line.text for line in conversation.history("Alice")] == ["one", "two", "three"]
    await store.aclose()


async def test_a_damaged_newest_line_keeps_its_number(tmp_path: Path) -> None:
    """The next line got the same number and was refused."""
    rows = (DAMAGED["utterances"], "INSERT INTO hearings VALUES ('Alice', 9, 1, 5)")
    store = await Store.open(await damaged(tmp_path, *rows))
    conversation = await Conversation.load(store, utc_now)
    assert (await conversation.add("Alice", "Steve", "next")).sequence == 10
    await store.aclose()
