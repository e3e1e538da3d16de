"""What the people and bots of a talk plan together, as its lines tell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil

from bots.catalogue.names import Things
from bots.responder.case.wording import item_counts
from bots.talks.live.words import Row, TalkWords, Work, words_in
from bots.text.language import Language, normal
from bots.text.spelling import expanded, nearest
from bots.words.heard import heard as hearing
from bridge.world import WorldSnapshot

PLANKS_OF_A_LOG = 4
MOST_AT_ONCE = 16
"""Of anything that a bot offers to fetch."""
_WORD = re.compile(r"[a-z]{5,}")
_JAPANESE_WORD = re.compile(r"[一-龯ァ-ヶー]+|[ぁ-ん]+")
_STUFF = re.compile(
    r"stone|cobblestone|.*_(?:planks|log|bricks|stone|wool|concrete|terracotta)|bricks?|dirt|sand"
    r"|sandstone|glass|snow_block|clay|gravel|netherrack|.*_block|obsidian|granite|diorite|andesite"
)
"""What one builds with."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is planned so far."""

    work: Work | None = None
    size: int = 0
    """Blocks; 0: the usual size."""
    stuff: str = ""
    """The item to build with, where somebody named one."""
    floated: tuple[Work, ...] = ()
    """What was named so far, the newest last,"""
    dropped: tuple[Work, ...] = ()
    """and what a person does not want."""

    @property
    def of(self) -> str:
        """What it takes."""
        return self.stuff or (self.work.of if self.work else "")

    @property
    def blocks(self) -> int:
        return self.size or (self.work.size if self.work else 0)

    @property
    def count(self) -> int:
        """How many of the stuff it takes."""
        return 0 if self.work is None else ceil(self.work.count * self.blocks / self.work.size)

    def lacks(self, world: WorldSnapshot | None) -> int:
        return max(0, self.count - carried(world, self.of))


def plan_of(words: TalkWords, lines: Sequence[tuple[str, str]], bots: Sequence[str]) -> Plan:
    """The plan after these lines, (speaker, words): persons' words go before those of bots."""
    plan = Plan()
    for speaker, said in lines:
        heard = heard_as(words.language, said)
        if speaker not in bots:
            plan = _after_person(plan, heard, is_new=heard.is_proposal)
        elif heard.named:
            won, floated = words.won_in(heard.line), _newest(plan.floated, heard.named)
            before = replace(plan, floated=floated)
            plan = before if won is None else Plan(won, 0, "", floated, plan.dropped)
    return plan


def _after_person(plan: Plan, heard: Heard, *, is_new: bool) -> Plan:
    line, named, row = heard.line, heard.named, heard.row
    size = next((int(one[0] or one[1]) for one in hearing("build.size").findall(line)), plan.size)
    floated = _newest(plan.floated, named)
    if row is not None and row.name == "rejected":
        gone = tuple(named) or tuple(filter(None, [plan.work or next(iter(floated[-1:]), None)]))
        left = tuple(one for one in floated if one not in gone)
        work = None if plan.work in gone else plan.work
        return Plan(work, 0, "", left, (*plan.dropped, *gone))
    chosen = named[0] if named and not (len(named) > 1 and is_choice(line)) else plan.work
    is_settled = plan.work is None or is_new
    if chosen is not None and chosen != plan.work and is_settled:
        return Plan(chosen, size, "", floated, plan.dropped)
    if plan.work is None and floated and row is not None and row.name == "agreed" and not is_new:
        return Plan(floated[-1], size, "", floated, plan.dropped)
    return replace(plan, size=size if plan.work else 0, floated=floated)


def is_choice(line: str) -> bool:
    """Whether a normalised line lets one choose between the works it names."""
    return hearing("build.choice").search(line) is not None


def _newest(before: Sequence[Work], named: Sequence[Work]) -> tuple[Work, ...]:
    return (*(one for one in before if one not in named), *named)


@dataclass(frozen=True, slots=True)
class Heard:
    """A line as rules read it."""

    line: str
    """Normalised, short forms written out, slips of works mended."""
    named: tuple[Work, ...]
    row: Row | None
    is_proposal: bool


@lru_cache(maxsize=512)
def heard_as(language: Language, said: str) -> Heard:
    """The reading of a line: each bot of a talk reads all of its lines, turn after turn."""
    words = words_in(language)
    works = [work.called for work in words.works.values()]

    def mended(word: re.Match[str]) -> str:
        near = None if words.works_in(word[0]) else nearest(word[0], works)
        return near or word[0]

    line = _WORD.sub(mended, expanded(normal(said)))
    proposed, row = words.rows["proposed"], words.row_of(line)
    named = tuple(words.works_in(line))
    if named and hearing("build.instead").match(line):
        return Heard(line, named, proposed, is_proposal=True)
    return Heard(line, named, row, proposed.asks.search(line) is not None)


def stuff_in(line: str, things: Things, language: Language) -> str:
    """What a line names to build with; '' where it names nothing of that."""
    pattern = _JAPANESE_WORD if language == "ja" else re.compile(r"[a-z]+")
    parts = pattern.findall(line)
    pairs = [" ".join(pair) for pair in pairwise(parts)]
    for words in (*(pairs if language == "en" else ()), *parts):
        if hearing("build.measure").fullmatch(words):
            continue
        if (meant := things.meant(words)) is not None and _STUFF.fullmatch(meant.names[0]):
            return meant.category or meant.names[0]
    return ""


def carried(world: WorldSnapshot | None, stuff: str) -> int:
    """How many of it a bot has; `planks` and `log` are any of these."""
    counts = {} if world is None else item_counts(world)
    return sum(
        count for name, count in counts.items() if name == stuff or name.endswith(f"_{stuff}")
    )
