"""A history of ten thousand lines is read by pages and views, never whole."""

import json
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bots.chat.conversation import PAGE, VIEW, Conversation
from bots.chat.conversation_sql import add_hearing, add_utterance, messages_before
from bots.chat.message import Filter, Message, Utterance
from bots.chat.recall import MOST, Search
from bots.chat.recall_sql import enter
from bots.clock import utc_now
from bots.store.database import FILE_NAME, Store

LINES = 10_000
LONGEST_ANSWER = 200_000  # characters of JSON of the lines in view
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def fill(connection: sqlite3.Connection) -> None:
    for number in range(1, LINES + 1):
        at = NOON + timedelta(seconds=number)
        said = Utterance(0, f"P{number % 300}", f"line {number} of sheep", "conversation", at)
        stored = add_utterance(connection, said)
        message = Message("Alice", number, stored, at)
        add_hearing(connection, message)
        enter(connection, message)


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Conversation]:
    store = await Store.open(tmp_path / FILE_NAME)
    await store.write(fill)
    yield await Conversation.load(store, utc_now)
    await store.aclose()


async def test_ten_thousand_lines_are_read_by_pages_and_recalled_up_to_a_bound(
    talk: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = talk.history("Alice")
    assert (len(view), view[-1].sequence) == (VIEW, LINES)
    assert len(json.dumps([one.as_json() for one in view])) < LONGEST_ANSWER
    pages: list[int] = []

    def counted(connection: sqlite3.Connection, bot: str, before: int, most: int) -> list[Message]:
        found = messages_before(connection, bot, before, most)
        pages.append(len(found))
        return found

    monkeypatch.setattr("bots.chat.conversation_sql.messages_before", counted)
    newest = await talk.history_before("Alice", LINES + 1, Filter(), 100)
    assert [one.sequence for one in newest] == list(range(LINES - 99, LINES + 1))
    assert pages == [PAGE]
    assert await talk.history_before("Alice", LINES + 1, Filter(username="Nobody"), 100) == []
    assert max(pages) == PAGE
    found = await talk.recall("Alice", Search("sheep", limit=10**9))
    assert len(found) == MOST
