"""Whatever rows the database holds, the daemon starts, hears, and talks; bad rows are set aside."""

import asyncio
import json
import math
import shutil
import sqlite3
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs
from support.fuzz import ODD_JSON, fuzzed, nearly

from bots.app import Daemon
from bots.bot.knowing import Wanted
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    Settings,
    TalkSettings,
)
from bots.store.database import FILE_NAME, Store
from bots.talks.machine.events import Answered, Joined, Participant, Spoke, as_json
from bots.talks.machine.policy import TalkPolicy
from bridge.fake import FakeBridge, FakeWorld, VirtualClock

pytestmark = pytest.mark.slow

BUGS = {"task.failed", "event.failed", "decision.failed", "effect.failed", "saying.failed"}
WITHIN_S = 5.0
CARA = Participant("Cara", "bot")
BOB = asdict(Participant("Bob", "bot"))
TALK: dict[str, Any] = {
    "roster": [asdict(Participant("Alice", "bot")), BOB],
    "policy": asdict(TalkPolicy()),
    "started_by": {"operator": "http"},
}
LISTED = {**TALK, "roster": [asdict(Participant("Alice", "bot")), {**BOB, "display_name": []}]}
EVENTS = [as_json(event) for event in (Joined(CARA), Spoke("Bob", "Hi"), Answered(1, "Hi"))]
SOURCES = {"from": [["person", "Steve"]], "level": 1, "for": ["Steve"]}
NUMBER = st.integers(-(2**63), 2**63 - 1) | st.sampled_from((0, 1, 2, 5, 10**15))
REAL = st.floats()
WORD = st.text(st.characters(codec="utf-8"), max_size=12)
NAME = st.sampled_from(("Alice", "Bob", "Steve", "@operator", "")) | WORD
KIND = st.sampled_from(("one", "talk", "near", "public")) | WORD


def as_text(value: Any) -> str:
    return json.dumps(value)


def text(right: Any) -> st.SearchStrategy[str]:
    """The stored JSON of something like this, or words."""
    return nearly(right).map(as_text) | ODD_JSON.map(as_text) | WORD


TABLES: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "utterances": (
        *(
            st.integers(1, 4) | NUMBER,
            NAME,
            text("hello"),
            st.sampled_from(("conversation", "system_info")) | WORD,
        ),
        *(NUMBER, st.none() | NAME, st.none() | REAL, st.none() | REAL, st.none() | NUMBER),
        *(st.none() | NAME, st.sampled_from((None, "all", "public")) | WORD),
        *(st.none() | WORD, text(SOURCES), st.none() | NUMBER, st.none() | WORD),
    ),
    "hearings": (NAME, NUMBER, st.integers(1, 4) | NUMBER, NUMBER),
    "deliveries": (st.integers(1, 4) | NUMBER, NAME, st.none() | REAL, NUMBER, st.none() | WORD),
    "locations": (*(NAME, WORD, WORD, WORD, REAL, REAL, REAL, text(SOURCES)), st.none() | NUMBER),
    "card_facts": (
        *(NUMBER, NAME, st.sampled_from(("person", "place")) | WORD, NAME),
        *(st.sampled_from(("lives", "likes", "got")) | WORD, WORD, NUMBER, text(SOURCES)),
        *(WORD, NUMBER),
    ),
    "meetings": (NAME, NAME, NUMBER, NUMBER, NUMBER, st.none() | NUMBER),
    "cards_read": (NAME, NUMBER),
    "charges": (
        *(NUMBER, NUMBER, NAME, st.none() | NAME, NUMBER, NUMBER, NUMBER),
        *(st.none() | WORD, st.none() | REAL, st.none() | WORD),
        *(WORD, NUMBER),
    ),
    "talks": (st.integers(1, 3) | NUMBER, NUMBER, text(TALK), st.none() | WORD),
    "talk_moments": (
        *(NUMBER, st.integers(1, 3) | NUMBER, st.integers(0, 9_000) | NUMBER),
        st.sampled_from(EVENTS).flatmap(text),
    ),
    "talk_requests": (st.integers(1, 3) | NUMBER, st.integers(1, 4) | NUMBER, NAME),
    "summaries": (NAME, KIND, NAME, NUMBER, WORD, text(SOURCES)),
    "thoughts": (
        *(NAME, st.sampled_from(("briefing", "periodic")) | WORD, st.integers(1, 3) | NUMBER),
        *(NUMBER, WORD, text(["dig"]), WORD, st.sampled_from(("proposed", "approved")) | WORD),
        *(text(SOURCES), text([["Steve", "a note", as_text(SOURCES)]])),
    ),
    "knowledge": (
        *(st.integers(1, 4) | NUMBER, NAME, st.sampled_from(("insight", "correction")) | WORD),
        *(WORD, WORD, WORD, st.sampled_from(("told", "seen")) | WORD, NAME, st.none() | NUMBER),
        *(NUMBER, text(SOURCES), NUMBER, text(["night"]), REAL, NUMBER, st.none() | NUMBER),
        *(NUMBER, NUMBER, st.none() | NUMBER, WORD),
    ),
    "knowledge_tags": (st.sampled_from(("item", "player")) | WORD, NAME, st.integers(1, 4)),
    "knowledge_links": (st.integers(1, 4) | NUMBER, st.integers(1, 4) | NUMBER),
    "step_times": (
        *(NUMBER, NUMBER, NAME, WORD, WORD, NUMBER, st.none() | WORD, REAL, REAL),
        *(st.none() | WORD, REAL),
    ),
}
ROW = st.sampled_from(sorted(TABLES)).flatmap(
    lambda table: st.tuples(st.just(table), st.tuples(*TABLES[table]))
)
HELLO = (1, "Steve", '"hello"', "conversation", 5, *[None] * 7, "", None, None)
SPOKE = as_json(Spoke("Bob", "Hi"))
Rows = list[tuple[str, tuple[Any, ...]]]


def talk_with(**other: Any) -> tuple[str, tuple[Any, ...]]:
    """The row of a talk that has not ended, with other values in its settings."""
    return ("talks", (1, 0, json.dumps({**TALK, **other}), None))


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of ours without rows, to be copied."""
    path = tmp_path_factory.mktemp("empty") / FILE_NAME

    async def create() -> None:
        await (await Store.open(path)).aclose()

    asyncio.run(create())
    return path


def insert(path: Path, rows: Rows) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, values in rows:
            marks = ", ".join("?" * len(values))
            try:
                connection.execute(f"INSERT INTO {table} VALUES ({marks})", values)
            except sqlite3.IntegrityError:  # no NaN where a number is, none twice
                continue


async def lives(folder: Path) -> None:
    """Start on this database, hear a line, remember it, end."""
    world = FakeWorld(VirtualClock())
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice", "Bob")),
        idle=IdleSettings(enabled=False),
        talk=TalkSettings(small_talk=False),
        llm=LlmSettings(briefing=False),
        dashboard=DashboardSettings(enabled=False),
    )
    async with asyncio.timeout(WITHIN_S), Daemon(settings, bridge=FakeBridge(world)) as daemon:
        assert await daemon.all_joined(WITHIN_S)
        alice = daemon.bot("Alice")
        await alice.add_message("Steve", "still here")
        assert alice.get_conversation_history()[-1].content == "still here"
        await alice.knowledge.relevant(Wanted("still here", situations=frozenset({"night"})))
        assert len(await alice.knowledge.search(Wanted(limit=100))) <= 100
        assert not daemon.failure.done()


@given(rows=st.lists(ROW, min_size=1, max_size=12))
@example(rows=[("hearings", ("Alice", 1, 1, 5))])
@example(rows=[("utterances", HELLO), ("hearings", ("Alice", 2**63 - 1, 1, 5))])
@example(rows=[talk_with(roster=[{**BOB, "display_name": []}] * 2)])
@example(rows=[talk_with(policy={**TALK["policy"], "wait_for_person_s": None})])
@example(rows=[talk_with(policy={**TALK["policy"], "answer_within_s": math.nan})])
@example(rows=[talk_with(), ("talk_moments", (1, 1, 5, as_text({**SPOKE, "text": None})))])
@fuzzed
def test_a_daemon_lives_on_any_rows(
    empty: Path, tmp_path_factory: pytest.TempPathFactory, rows: Rows
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    shutil.copy(empty, folder / FILE_NAME)
    insert(folder / FILE_NAME, rows)
    with capture_logs() as logged:
        asyncio.run(lives(folder))
    assert [entry for entry in logged if entry["event"] in BUGS] == []
    shutil.rmtree(folder)
