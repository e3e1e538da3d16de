"""How well lines are found again: `python -m benchmarks.recall_quality [--misses] [--json]`.

Asks each bot the questions of `benchmarks/month.py` about what it heard. `recall_at_5` is the share
of questions with the right line among the first five; `unheard` and `withheld` count lines that
were found though the bot did not hear them, or whoever asks may not know them.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass

from benchmarks.month import LINES, NOW, PEOPLE, TOLD, Asked, Month, Told, filled
from bots.access.sources import MayKnow
from bots.chat.recall import Recalled, Search, recall
from bots.text.language import Language, language_of


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot found for a question."""

    bot: str
    told: Told
    asked: Asked
    rank: int
    """Of the right line, from 1; 0 where it is not among the first ten."""
    found: tuple[str, ...]

    @property
    def language(self) -> Language:
        return language_of([self.asked.words])


@dataclass(frozen=True, slots=True)
class Quality:
    questions: int
    recall_at_5_en: float
    recall_at_5_ja: float
    recall_at_1: float
    unheard: int
    withheld: int


def answers(connection: sqlite3.Connection, month: Month) -> Iterator[Answer]:
    """Of each question, by each bot that heard the line."""
    for told in TOLD:
        for bot, sequence in month.of(told):
            for asked in told.questions:
                found = found_for(connection, bot, asked)
                ranks = (at for at, one in enumerate(found, 1) if one.sequence == sequence)
                texts = tuple(one.text for one in found)
                yield Answer(bot, told, asked, next(ranks, 0), texts)


def leaks(connection: sqlite3.Connection, month: Month) -> tuple[int, int]:
    """How many lines were found, for anybody who asks anything, that the bot did not hear, and
    that whoever asks may not know."""
    unheard = withheld = 0
    for bot, heard in month.heard.items():
        for told in TOLD:
            for name in PEOPLE:
                for one in found_for(connection, bot, Asked(name, told.questions[0].words)):
                    said = heard.get(one.sequence)
                    unheard += said is None or said.content != one.text
                    withheld += said is not None and not may_know(name)(said.sources)
    return unheard, withheld


def found_for(connection: sqlite3.Connection, bot: str, asked: Asked) -> list[Recalled]:
    search = Search(asked.words, asker=asked.by, may_know=may_know(asked.by))
    return recall(connection, bot, search, NOW)


def may_know(name: str) -> MayKnow:
    """Of a player below trusted."""
    return lambda sources: sources.is_for(frozenset({name}))


def measured(connection: sqlite3.Connection, month: Month) -> Quality:
    every = list(answers(connection, month))
    unheard, withheld = leaks(connection, month)
    return Quality(
        questions=sum(len(told.questions) for told in TOLD),
        recall_at_5_en=_share([one for one in every if one.language == "en"], 5),
        recall_at_5_ja=_share([one for one in every if one.language == "ja"], 5),
        recall_at_1=_share(every, 1),
        unheard=unheard,
        withheld=withheld,
    )


def _share(answers: list[Answer], first: int) -> float:
    return round(sum(0 < one.rank <= first for one in answers) / len(answers), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="show what was found instead")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        month = filled(connection, given.lines, given.seed)
        found = measured(connection, month)
        if given.misses:
            for one in answers(connection, month):
                if not 0 < one.rank <= 5:
                    print(f"{one.rank:3} {one.asked.by}: {one.asked.words}")
                    print(f"     wanted {one.told.words}")
                    print(*(f"     {text}" for text in one.found[:5]), sep="\n")
    if given.json:
        print(json.dumps(asdict(found)))
        return
    for name, value in asdict(found).items():
        print(f"{name:16}{value:>8g}")


if __name__ == "__main__":
    main()
