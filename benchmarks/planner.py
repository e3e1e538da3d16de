"""How fast goals are planned, and explained when they are impossible.

    python -m benchmarks.planner [--json] [--versions 1.16.5,1.20.1] [--every N] [--seed N]

Asks for every item of each version, in a country where every natural block is near, four times:

- `empty`: nothing is held;
- `partial`: a few random things are held, and random counts are asked for;
- `supplied`: what only creatures, fishing and structures give is held as well;
- `placed`: nothing is held, and each block is somewhere else, some of them deep down.

Times are those of `OfflinePlanner.answer`, the whole of what `townsfolk plan` does for one
question: reading it, planning, and explaining when there is no plan; `cpu` is the processor's
share, which other programs on the machine do not lengthen. `expanded` counts nodes of branch and
bound and orders tried. Node's packages must be installed (`townsfolk up` does it once) or
TOWNSFOLK_NODE_DIR set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.figures import flat, percentile, rounded
from bots.goals.activity import Domain
from bots.goals.explain.prices import GIVEN, item_prices_of
from bots.goals.offline import OfflinePlanner
from bots.goals.plan import Plan
from bridge import node

VERSIONS = ("1.16.5", "1.20.1")
SERIES = ("empty", "partial", "supplied", "placed")
NATURAL = (
    *("oak_log", "birch_log", "spruce_log", "jungle_log", "acacia_log", "dark_oak_log"),
    *("mangrove_log", "cherry_log", "crimson_stem", "warped_stem", "bamboo", "oak_leaves"),
    *("stone", "deepslate", "granite", "diorite", "andesite", "tuff", "calcite", "netherrack"),
    *("basalt", "blackstone", "end_stone", "obsidian", "terracotta", "sandstone", "prismarine"),
    *("dirt", "grass_block", "sand", "red_sand", "gravel", "clay", "soul_sand", "soul_soil"),
    *("moss_block", "snow", "snow_block", "ice", "magma_block", "glowstone", "ancient_debris"),
    *("coal_ore", "iron_ore", "copper_ore", "gold_ore", "redstone_ore", "lapis_ore"),
    *("diamond_ore", "emerald_ore", "nether_quartz_ore", "nether_gold_ore", "amethyst_cluster"),
    *("cactus", "sugar_cane", "pumpkin", "melon", "kelp", "seagrass", "sea_pickle", "vine"),
    *("grass", "fern", "wheat", "carrots", "potatoes", "beetroots", "cocoa", "nether_wart"),
    *("sweet_berry_bush", "brown_mushroom", "red_mushroom", "lily_pad", "cobweb", "poppy"),
    *("dandelion", "cornflower", "lily_of_the_valley", "oxeye_daisy", "allium", "azure_bluet"),
    *("red_tulip", "orange_tulip", "pink_tulip", "white_tulip", "wither_rose", "blue_orchid"),
)
NEAR = 128  # of each natural block
HELD = 6  # kinds of things of a partial inventory
ASKED = (1, 1, 1, 2, 5, 16)
FARTHEST = 60  # blocks
DEEP = re.compile("_ore$|stone$|deepslate|obsidian|debris|tuff")


@dataclass(frozen=True, slots=True)
class Question:
    goal: str
    world: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    question: Question
    plan: Plan
    ms: float
    cpu_ms: float


def questions(domain: Domain, series: str, seed: int = 0, every: int = 1) -> Iterator[Question]:
    """One for each item, or for each so-manieth; the same for the same seed."""
    rng = random.Random(f"{domain.version} {series} {seed}")
    items = sorted(domain.items)
    given = {i: 16 for i, price in item_prices_of(domain).raw.items() if price == GIVEN}
    near = {block: NEAR for block in NATURAL if block in domain.blocks}
    for item in items[seed % every :: every]:
        held: dict[str, int] = {}
        if series == "partial":
            held = {other: rng.randint(1, 12) for other in rng.sample(items, HELD)}
        elif series == "supplied":
            held = {other: count for other, count in given.items() if other != item}
        count = rng.choice(ASKED) if series == "partial" else 1
        there = _places(near, rng) if series == "placed" else near
        world = {"version": domain.version, "inventory": held, "nearby": there}
        yield Question(f"inventory.{item}:{count}", world)


def _places(near: Mapping[str, int], rng: random.Random) -> dict[str, Any]:
    """Every block at a distance of its own; ores and what is under the ground deep down."""
    places: dict[str, Any] = {}
    for block, count in near.items():
        height = -rng.randint(0, FARTHEST) if DEEP.search(block) else 0
        distance = round(rng.uniform(abs(height), FARTHEST + 1), 1)
        places[block] = {"count": count, "distance": distance, "height": height}
    return places


def ask(asker: OfflinePlanner, asked: Iterator[Question]) -> Iterator[Answered]:
    for question in asked:
        wall, cpu = time.perf_counter(), time.process_time()
        plan = asker.answer(question.goal, question.world)
        now, used = time.perf_counter(), time.process_time()
        yield Answered(question, plan, (now - wall) * 1000, (used - cpu) * 1000)


def measure(
    packages_dir: Path, versions: Sequence[str] = VERSIONS, every: int = 1, seed: int = 0
) -> dict[str, Any]:
    """All figures by version and series."""
    asker = OfflinePlanner.with_packages(packages_dir)
    report: dict[str, Any] = {}
    for version in versions:
        domain = asker.known(version).domain
        asker.warm_up(version)
        report[version] = {
            series: _figures([*ask(asker, questions(domain, series, seed, every))])
            for series in SERIES
        }
    return report


def _figures(answers: Sequence[Answered]) -> dict[str, Any]:
    found = [one for one in answers if one.plan.found]
    refused = [one for one in answers if not one.plan.found]
    return {
        "asked": len(answers),
        "found": len(found),
        "optimal": sum(one.plan.optimal for one in found),
        "impossible": len(refused),
        "unexplained": sum(not one.plan.missing for one in refused),
        "expanded": sum(one.plan.expanded for one in answers),
        "found_ms": _times([one.ms for one in found]),
        "found_cpu_ms": _times([one.cpu_ms for one in found]),
        "impossible_ms": _times([one.ms for one in refused]),
        "impossible_cpu_ms": _times([one.cpu_ms for one in refused]),
    }


def _times(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    return {
        "median": rounded(percentile(values, 50)),
        "p95": rounded(percentile(values, 95)),
        "max": rounded(max(values)),
    }


def packages_dir() -> Path:
    named = os.environ.get("TOWNSFOLK_NODE_DIR")
    return Path(named) if named else asyncio.run(node.ready(lambda line: None)).packages_dir


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planner", description=summary)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--versions", default=",".join(VERSIONS), help="of Minecraft")
    parser.add_argument("--every", type=int, default=1, help="ask for each so-manieth item only")
    parser.add_argument("--seed", type=int, default=0, help="of what is held and asked for")
    wanted = parser.parse_args()
    report = measure(packages_dir(), wanted.versions.split(","), wanted.every, wanted.seed)
    if wanted.json:
        print(json.dumps(report))
        return
    for name, value in flat(report):
        print(f"{name:<48}{value:>12,}")


if __name__ == "__main__":
    main()
