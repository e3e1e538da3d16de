"""How many tokens the state takes: counted with @anthropic-ai/tokenizer, on recorded snapshots.

It is the tokenizer of Claude 2: the only one that is published. Newer models count differently;
what is compared here are two forms of the same values.
"""

import asyncio
import dataclasses
import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

import pytest
from support.recorded import AROUND, SNAPSHOTS

from bots.responder.case.world_state import ShortIds, sensed_by, state_of
from bridge.node import ensure, product_setup

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

HERE = Path(__file__).parent
LEAST_SAVED = 0.30

Count: TypeAlias = Callable[[Sequence[str]], list[int]]


@pytest.fixture(scope="module")
def count(node_binary: Path) -> Count:
    setup = dataclasses.replace(
        product_setup(node_binary), manifest=HERE / "package.json", lock=HERE / "package-lock.json"
    )
    folder = asyncio.run(ensure(setup, lambda line: None))

    def count(texts: Sequence[str]) -> list[int]:
        done = subprocess.run(
            [str(node_binary), str(HERE / "count_tokens.cjs"), str(folder)],
            input=json.dumps(texts),
            capture_output=True,
            text=True,
            check=True,
        )
        tokens: list[int] = json.loads(done.stdout)
        return tokens

    return count


@pytest.mark.parametrize("around", ["with blocks", "without blocks"])
def test_toon_takes_thirty_percent_fewer_tokens_than_json(around: str, count: Count) -> None:
    blocks = dict.fromkeys(SNAPSHOTS) if around == "without blocks" else AROUND
    seen = [(world, blocks[name]) for name, world in SNAPSHOTS.items()]
    toon = count([state_of(world, around=near).text for world, near in seen])
    values = [sensed_by(world, ShortIds(), around=near) for world, near in seen]
    minified = count([_minified(one) for one in values])
    saved = {
        name: round(1 - short / long, 3)
        for name, short, long in zip(SNAPSHOTS, toon, minified, strict=True)
    }
    assert min(saved.values()) >= LEAST_SAVED, saved


def _minified(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
