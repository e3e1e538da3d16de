"""How fast lines are found again: `python -m benchmarks.recall [--lines 100000] [--json]`.

Fills a database with lines of six people in two languages, as three bots hear them, and asks
questions of each kind. Times are those of one search in the thread that reads, in milliseconds of
processor time; `enter_us` is what it takes to enter one line, in microseconds.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from random import Random
from statistics import median
from time import thread_time

from bots.access.sources import FACTS
from bots.chat import recall_sql
from bots.chat.conversation_sql import add_hearing, add_utterance
from bots.chat.message import Message, Utterance
from bots.chat.recall import Search, recall
from bots.store.migrations import migrate

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
PEOPLE = ("Steve", "Alex", "Nora", "Kenji", "Yui", "Tom")
SYLLABLES = ("ba", "co", "di", "fe", "gu", "ha", "jo", "ki", "lu", "mo", "ne", "pa", "ri", "so")
USUAL = ("house", "wood", "lake", "stone", "bridge", "farm", "diamond", "sheep", "tower", "boat")
USUAL_JA = ("家", "木材", "湖", "橋", "畑", "ダイヤモンド", "羊", "塔", "船", "村人")
QUESTIONS = (
    "What did Steve say about the {rare}?",
    "Do you remember the {rare} at the {usual}?",
    "Where did we put the {usual} and the {other}?",
    "What did I tell you about my {rare} yesterday?",
    "{usual_ja}と{rare_ja}のことを覚えていますか？",
    "Kenjiさんは先週{usual_ja}について何と言いましたか？",
    "What did Yui say?",
)


class Lines:
    """Lines with few usual words and many rare ones, as in talk."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._rare = ["".join(rng.choices(SYLLABLES, k=3)) for _ in range(4_000)]
        self._rare_ja = [
            "".join(chr(rng.randint(0x4E00, 0x6000)) for _ in range(2)) for _ in range(1_000)
        ]

    def words(self, of: str) -> str:
        rng = self._rng
        return of.format(
            usual=rng.choice(USUAL),
            other=rng.choice(USUAL),
            rare=rng.choice(self._rare),
            usual_ja=rng.choice(USUAL_JA),
            rare_ja=rng.choice(self._rare_ja),
        )

    def line(self) -> str:
        form = self._rng.choice(
            (
                "I think the {rare} of the {usual} is by the {other}.",
                "We could build a {usual} with {rare}, what do you say?",
                "Yes, and then some {other}.",
                "{usual_ja}のそばに{rare_ja}を置きました。",
                "そうですね、{usual_ja}を作りましょう。",
            )
        )
        return self.words(form)


def filled(connection: sqlite3.Connection, lines: int, rng: Random) -> float:
    """Enter so many lines that Alice hears, a tenth of them Bob as well; microseconds a line."""
    migrate(connection)
    made, took_s, bobs = Lines(rng), 0.0, 0
    connection.execute("BEGIN")
    for number in range(1, lines + 1):
        at = BEGAN + timedelta(seconds=25 * number)
        said = Utterance(0, rng.choice(PEOPLE), made.line(), "conversation", at, sources=FACTS)
        stored = add_utterance(connection, said)
        heard = [Message("Alice", number, stored, at)]
        if number % 10 == 0:
            bobs += 1
            heard.append(Message("Bob", bobs, stored, at))
        for message in heard:
            add_hearing(connection, message)
            began = thread_time()
            recall_sql.enter(connection, message)
            took_s += thread_time() - began
        if number % 20 == 0:
            connection.execute("COMMIT")
            connection.execute("BEGIN")
    connection.execute("COMMIT")
    return took_s / lines * 1e6


def timed(connection: sqlite3.Connection, lines: int, rng: Random) -> Iterator[float]:
    made, now = Lines(Random(1)), BEGAN + timedelta(seconds=25 * lines)
    for number in range(210):
        words = made.words(QUESTIONS[number % len(QUESTIONS)])
        began = thread_time()
        recall(connection, "Alice", Search(words, asker=rng.choice(PEOPLE)), now)
        yield (thread_time() - began) * 1e3


def measured(lines: int) -> dict[str, float]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        entered_us = filled(connection, lines, Random(1))
        took = sorted(timed(connection, lines, Random(2)))
    return {
        "lines": lines,
        "median_ms": round(median(took), 2),
        "p95_ms": round(_share(took, 0.95), 2),
        "most_ms": round(took[-1], 2),
        "enter_us": round(entered_us, 1),
    }


def _share(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measured(given.lines)
    if given.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:12}{value:>10g}")


if __name__ == "__main__":
    main()
