"""Histories: stored once, seen from each bot's side, complete after any crash."""

import asyncio
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.cases import heard

from bots.chat.conversation import Conversation
from bots.chat.conversation_sql import decode, encode
from bots.chat.message import Content, Delivery, Filter, Message, newest_lines, with_one
from bots.errors import InvalidArguments, StoreError
from bots.store.database import Store

NOON = datetime(2026, 11, 21, 12, 0, 0, 123_456, tzinfo=UTC)


class HandClock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
async def talk(store: Store) -> Conversation:
    return await Conversation.load(store, HandClock())


def texts(messages: list[Message]) -> list[str | None]:
    return [message.text for message in messages]


async def reloaded(store: Store, path: Path, view: int = 100) -> tuple[Store, Conversation]:
    await store.aclose()
    again = await Store.open(path)
    return again, await Conversation.load(again, HandClock(), view)


async def test_a_message_has_the_keys_and_values_of_the_interface(talk: Conversation) -> None:
    message = await talk.add("Alice", "Steve", "木を切って", at=NOON)
    assert message.as_json() == {
        "sequence": 1,
        "speaker": "Steve",
        "role": "user",
        "content": "木を切って",
        "type": "conversation",
        "timestamp": 1795262400123,
        "iso": "2026-11-21T12:00:00.123456+00:00",
    }


async def test_each_bot_counts_its_own_sequence_from_one(talk: Conversation) -> None:
    for bot in ("Alice", "Bob", "Alice"):
        await talk.add(bot, "Steve", "hi")
    assert [m.sequence for m in talk.history("Alice")] == [1, 2]
    assert (talk.latest_sequence("Alice"), talk.latest_sequence("Bob")) == (2, 1)
    assert talk.latest_sequence("Nobody") == 0


async def test_messages_added_at_once_keep_the_order_of_the_calls(talk: Conversation) -> None:
    await asyncio.gather(*(talk.add("Alice", "Steve", str(n)) for n in range(50)))
    history = talk.history("Alice")
    assert texts(history) == [str(n) for n in range(50)]
    assert [m.sequence for m in history] == list(range(1, 51))


async def test_own_aimed_words_show_how_they_fared(talk: Conversation) -> None:
    said = await talk.say("Alice", "hello!", Delivery("Steve", 12.6, 15.0, delivered=False))
    assert said.content == {
        "message": "hello!",
        "delivered": False,
        "targetUsername": "Steve",
        "distance": 12,
        "maxDistance": 15.0,
    }


async def test_a_line_between_bots_is_stored_once(talk: Conversation, store: Store) -> None:
    await talk.add("Bob", "Steve", "before")
    said = await talk.say("Alice", "come here", Delivery("Bob", 3.0, 15.0, delivered=False))
    assert delivered(talk.history("Alice")) == [False]
    heard = await talk.hear("Bob", said.utterance.id)
    assert delivered(talk.history("Alice")) == [True]
    assert [message.role for message in talk.history("Alice")] == ["assistant"]
    stored = await store.read(
        lambda c: c.execute("SELECT count(*) FROM utterances WHERE speaker = 'Alice'").fetchone()
    )
    assert stored == (1,)
    assert (heard.sequence, heard.role, heard.content) == (2, "user", "come here")
    assert texts(talk.history("Bob")) == ["before", "come here"]


def delivered(messages: list[Message]) -> list[bool | None]:
    aims = [message.utterance.delivery for message in messages]
    return [aim.delivered if aim else None for aim in aims]


async def test_a_bot_hears_an_utterance_that_there_is_and_only_once(talk: Conversation) -> None:
    said = await talk.say("Alice", "come here", Delivery("Bob", 3.0, 15.0, delivered=False))
    await talk.hear("Bob", said.utterance.id)
    with pytest.raises(StoreError, match="UNIQUE"):
        await talk.hear("Bob", said.utterance.id)
    with pytest.raises(StoreError, match="no utterance 42"):
        await talk.hear("Bob", 42)
    assert texts(talk.history("Bob")) == ["come here"]


async def test_the_view_holds_a_hundred_and_the_log_all(talk: Conversation, store: Store) -> None:
    await asyncio.gather(*(talk.add("Alice", "Steve", str(n)) for n in range(150)))
    assert texts(talk.history("Alice")) == [str(n) for n in range(50, 150)]
    logged = await store.read(lambda c: c.execute("SELECT count(*) FROM utterances").fetchone())
    assert logged == (150,)


async def test_chatter_pushes_nothing_else_out_of_the_view(talk: Conversation) -> None:
    await talk.add("Alice", "Steve", "my sister is called Mina")
    chatter = (f"a fine day, number {number}" for number in range(150))
    await asyncio.gather(*(talk.add("Alice", "Bob", words, "small_talk") for words in chatter))
    shown = texts(talk.history("Alice"))
    assert not talk.history("Alice")[-1].was_said  # to no model, that is
    assert shown[0] == "my sister is called Mina"
    assert shown[-1] == "a fine day, number 149"
    assert len(shown) < 30


async def test_chatter_is_forgotten_at_the_next_start(
    store: Store, talk: Conversation, path: Path
) -> None:
    await talk.add("Alice", "Bob", "a fine day", "small_talk")
    await talk.add("Alice", "Steve", "hello")
    store, again = await reloaded(store, path)
    assert texts(again.history("Alice")) == ["hello"]
    assert again.latest_sequence("Alice") == 2
    await store.aclose()


async def test_a_message_tells_python_what_it_tells_json(talk: Conversation) -> None:
    said = await talk.add("Alice", "Steve", "hello")
    assert (said.sequence, said.speaker, said.role, said.content) == (1, "Steve", "user", "hello")
    assert (said.type, said.timestamp_ms) == ("conversation", 1_795_262_401_123)
    assert said.iso == "2026-11-21T12:00:01.123456+00:00"
    shown = {**said.as_json(), "timestamp_ms": said.timestamp_ms}
    assert shown.pop("timestamp") == shown["timestamp_ms"]
    assert {name: getattr(said, name) for name in shown} == shown


@pytest.fixture
async def mixed(talk: Conversation) -> Conversation:
    await talk.add("Alice", "Steve", "one")
    await talk.add("Alice", "Alex", "two")
    await talk.add("Alice", "Alice", "three", "bot_response")
    await talk.add("Alice", "Alice", "four", "system_info")
    await talk.add("Alice", "Steve", "five", "natural_language", talk=7)
    return talk


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["one", "two", "three", "four", "five"]),
        ({"username": "Steve"}, ["one", "five"]),
        ({"usernames": ["Steve", "Alex"]}, ["one", "two", "five"]),
        ({"usernames": []}, []),
        ({"type": "conversation"}, ["one", "two", "three", "five"]),
        ({"type": "natural_language"}, ["one", "two", "five"]),
        ({"type": "bot_response"}, ["three"]),
        ({"type": "system_info"}, ["four"]),
        ({"since": 3}, ["four", "five"]),
        ({"talk": 7}, ["five"]),
        ({"talk": 8}, []),
        ({"limit": 2}, ["four", "five"]),
        ({"limit": 0}, []),
        ({"limit": 99}, ["one", "two", "three", "four", "five"]),
        ({"username": "Steve", "since": 1, "type": "natural_language"}, ["five"]),
        ({"username": "Steve", "usernames": ["Alex"]}, []),
        ({"usernames": ["Steve", "Alex"], "limit": 1}, ["five"]),
    ],
)
async def test_filters_narrow_and_combine(
    mixed: Conversation, asked: dict[str, Any], found: list[str]
) -> None:
    limit = asked.pop("limit", None)
    assert texts(mixed.history("Alice", Filter(**asked), limit)) == found


async def test_an_unknown_type_is_refused_with_the_known_ones(mixed: Conversation) -> None:
    with pytest.raises(InvalidArguments, match="bot_response"):
        mixed.history("Alice", Filter(type="gossip"))
    with pytest.raises(InvalidArguments, match="system_info"):
        await mixed.add("Alice", "Steve", "psst", "gossip")
    assert len(mixed.history("Alice")) == 5


async def test_older_type_names_are_stored_as_conversation(mixed: Conversation) -> None:
    kinds = [m.utterance.kind for m in mixed.history("Alice", Filter(usernames=["Alice", "Steve"]))]
    assert kinds == ["conversation", "conversation", "system_info", "conversation"]


async def test_an_object_is_kept_apart_from_the_one_the_caller_holds(talk: Conversation) -> None:
    mine = {"missing": ["diamond"], "need": 2}
    await talk.add("Alice", "Alice", mine, "system_info")
    mine["need"] = 3
    assert talk.history("Alice")[0].content == {"missing": ["diamond"], "need": 2}


async def test_what_is_no_json_is_refused_and_not_recorded(talk: Conversation) -> None:
    with pytest.raises(TypeError):
        await talk.add("Alice", "Alice", {"bot": object()})
    assert (talk.history("Alice"), talk.latest_sequence("Alice")) == ([], 0)


async def test_a_restart_shows_the_same_history_and_counts_on(
    store: Store, path: Path, talk: Conversation
) -> None:
    await talk.add("Alice", "Steve", "木", at=NOON)
    said = await talk.say("Alice", "石", Delivery("Bob", None, None, delivered=False))
    await talk.hear("Bob", said.utterance.id)
    await talk.say("Alice", "hi", Delivery("Steve", 3.5, 15.0, delivered=True), asked_by="Mallory")
    await talk.add("Bob", "Bob", {"found": [1, 2]}, "system_info")
    before = (talk.history("Alice"), talk.history("Bob"))
    again, revived = await reloaded(store, path)
    assert (revived.history("Alice"), revived.history("Bob")) == before
    following = await revived.add("Bob", "Steve", "next")
    assert following.sequence == 3
    await again.aclose()


async def test_a_restart_loads_the_newest_view_of_each_bot(
    store: Store, path: Path, talk: Conversation
) -> None:
    bots = [f"Bot{n}" for n in range(30)]
    await asyncio.gather(*(talk.add(b, "Steve", str(n)) for b in bots for n in range(8)))
    again, revived = await reloaded(store, path, view=3)
    assert all(texts(revived.history(bot)) == ["5", "6", "7"] for bot in bots)
    assert all(revived.latest_sequence(bot) == 8 for bot in bots)
    await again.aclose()


async def test_what_a_cancelled_caller_recorded_still_shows(talk: Conversation) -> None:
    adding = asyncio.create_task(talk.add("Alice", "Steve", "first"))
    await asyncio.sleep(0)
    adding.cancel()
    await talk.add("Alice", "Steve", "second")
    assert adding.cancelled()
    assert texts(talk.history("Alice")) == ["first", "second"]


async def test_a_refused_write_leaves_no_trace(talk: Conversation, store: Store) -> None:
    await talk.add("Alice", "Steve", "kept")
    await store.write(lambda c: c.execute("DROP TABLE hearings").close())
    with pytest.raises(StoreError):
        await talk.add("Alice", "Steve", "lost")
    assert (texts(talk.history("Alice")), talk.latest_sequence("Alice")) == (["kept"], 1)


@given(st.text(st.characters()) | st.dictionaries(st.text(), st.integers() | st.text()))
def test_any_content_is_stored_and_read_back_the_same(content: Content) -> None:
    stored = encode(content)
    stored.encode()  # SQLite takes it
    assert decode(stored) == content


POURING = """
import asyncio, os, signal, sys
from pathlib import Path
from bots.clock import utc_now
from bots.chat.conversation import Conversation
from bots.store.database import FILE_NAME, Store

async def pour(talk, number):
    message = await talk.add("Alice", "Steve", f"line {number}")
    os.write(1, b"%d\\n" % message.sequence)
    if message.sequence == 150:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    talk = await Conversation.load(await Store.open(Path(sys.argv[1])), utc_now)
    await asyncio.gather(*(pour(talk, n) for n in range(100)))
    await asyncio.gather(*(pour(talk, n) for n in range(100, 2000)))

asyncio.run(main())
"""


async def test_a_kill_right_after_an_acknowledged_write_loses_nothing(path: Path) -> None:
    dying = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", POURING, str(path)],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[3],
        timeout=30,
    )
    assert dying.returncode == -signal.SIGKILL, dying.stderr.decode()
    acknowledged = [int(line) for line in dying.stdout.split()]
    assert acknowledged == list(range(1, 151))
    store = await Store.open(path)
    revived = await Conversation.load(store, HandClock(), view=2_000)
    kept = revived.history("Alice")
    assert texts(kept)[:150] == [f"line {n}" for n in range(150)]
    assert [m.sequence for m in kept] == list(range(1, len(kept) + 1))
    await store.aclose()


# Which lines of a history a prompt shows.


MOST, OF_ONE = 6, 3


LINES = st.lists(st.tuples(st.sampled_from(("Steve", "Tess")), st.booleans()), max_size=30)


"""Who spoke, and whether the line may be shown; oldest first."""


@given(LINES)
def test_the_newest_and_some_of_the_conversation_are_shown(lines: list[tuple[str, bool]]) -> None:
    history = [heard(name, "hello", number) for number, (name, _) in enumerate(lines, 1)]
    may = {number for number, (_, shown) in enumerate(lines, 1) if shown}
    chosen = newest_lines(history, with_one("Steve"), MOST, OF_ONE, lambda m: m.sequence in may)
    shown = [one for one in history if one.sequence in may]
    own = [one for one in shown if one.utterance.speaker == "Steve"][-OF_ONE:]
    others = [one for one in shown if one not in own]
    rest = others[max(0, len(others) - (MOST - len(own))) :]
    assert chosen == sorted([*own, *rest], key=lambda one: one.sequence)


def test_of_a_long_history_no_more_lines_are_looked_at_than_needed() -> None:
    history = [heard("Steve", "hello", number) for number in range(1, 1_000)]
    looked_at = []

    def is_shown(message: Message) -> bool:
        looked_at.append(message.sequence)
        return True

    newest_lines(history, with_one("Steve"), MOST, OF_ONE, is_shown)
    assert len(looked_at) == MOST
