"""Each promise of the fault harness can be broken, and then it is noted."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from faults.model import RATES, IndiscreetModel, limit
from faults.promises import MORE_FILES, MORE_TASKS, MORE_THREADS, Promises, Sample

from bots.chat.conversation import Conversation
from bots.clock import utc_now
from bots.store.database import FILE_NAME, Store

OLGA, MALLORY = "Olga", "Mallory"


@pytest.fixture
def promises() -> Promises:
    return Promises(strangers=(MALLORY,), numbered=(OLGA, MALLORY))


def heard(bot: str, speaker: str, text: str) -> dict[str, str]:
    return {"name": "message.heard", "bot": bot, "speaker": speaker, "text": text}


def chosen(talk: int, speaker: str) -> dict[str, object]:
    return {"name": "speaker.chosen", "talk": talk, "next": speaker}


def said(talk: int, turn: int, speaker: str) -> dict[str, object]:
    return {"name": "talk.said", "talk": talk, "turn": turn, "bot": speaker}


def test_a_stranger_may_hear_secrets_of_their_own_alone(promises: Promises) -> None:
    promises.overhears(OLGA, "Alice", "SECRET-Mallory-1")
    promises.overhears(MALLORY, "Alice", "SECRET-Mallory-1")
    assert promises.broken == []
    promises.overhears(MALLORY, "Alice", "The oven SECRET-Olga-2")
    assert len(promises.broken) == 1


def test_an_acknowledged_line_not_stored_is_lost(promises: Promises, tmp_path: Path) -> None:
    path = tmp_path / FILE_NAME

    async def remember() -> None:
        store = await Store.open(path)
        conversation = await Conversation.load(store, utc_now)
        await conversation.add("Alice", OLGA, "kept")
        await store.aclose()

    asyncio.run(remember())
    promises.traced(heard("Alice", OLGA, "kept"))
    promises.check_kept(path)
    assert promises.lost == 0
    for lost in (heard("Alice", OLGA, "gone"), heard("Bob", OLGA, "kept")):
        promises.traced(lost)
    promises.check_kept(path)
    assert (promises.lost, len(promises.broken)) == (2, 2)


def test_who_speaks_out_of_turn_or_twice_breaks_a_promise(promises: Promises) -> None:
    for trace in (chosen(1, "Alice"), said(1, 1, "Alice"), chosen(1, "Bob"), said(1, 2, "Bob")):
        promises.traced(trace)
    assert promises.broken == []
    promises.traced(said(1, 3, "Alice"))
    promises.traced(said(1, 2, "Bob"))
    assert len(promises.broken) == 2


@pytest.mark.parametrize(
    "line", [json.dumps({"event": "task.failed"}), "Traceback (most recent call last):"]
)
def test_a_bug_in_the_log_breaks_a_promise(promises: Promises, line: str) -> None:
    promises.logged(json.dumps({"event": "bridge.lost"}))
    promises.logged("words of a library")
    assert promises.broken == []
    promises.logged(line)
    assert len(promises.broken) == 1


def test_the_dearest_period_is_measured() -> None:
    model, asked = IndiscreetModel(7), {"messages": ["x" * 4_000_000], "system": ""}
    model(asked)
    once = model.dearest
    assert once >= 1_000_000 * RATES.fresh > limit()
    model(asked)
    assert model.dearest == 2 * once


@pytest.mark.parametrize(
    ("what", "more"),
    [("files", MORE_FILES), ("threads", MORE_THREADS), ("tasks", MORE_TASKS), ("children", 0)],
)
def test_what_is_left_over_breaks_a_promise(promises: Promises, what: str, more: int) -> None:
    first = Sample(1.0, 1, 160, 140, 140, 20, 7, 50, 900_000, 2, None)
    promises.sampled(first)
    promises.sampled(replace(first, **{what: getattr(first, what) + more}))
    assert promises.broken == []
    promises.sampled(replace(first, **{what: getattr(first, what) + more + 1}))
    assert len(promises.broken) == 1


def test_another_daemon_is_measured_by_itself(promises: Promises) -> None:
    few = Sample(1.0, 1, 160, 140, 140, 20, 7, 50, 900_000, 2, None)
    promises.sampled(few)
    promises.started_anew()
    promises.sampled(replace(few, daemon=2, tasks=50 + 2 * MORE_TASKS))
    assert promises.broken == []
