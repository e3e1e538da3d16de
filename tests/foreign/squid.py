"""npm's flying-squid with its own rules, and what it is known not to let a bot do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from versions.bench import Equipment
from versions.stage import HOST

from benchmarks.foreign.scenes import SCENES, Outcome, play
from benchmarks.foreign.stage import staged
from bridge.node import NodeRuntime
from bridge.port import ServerAddress

SQUID = Path(__file__).with_name("squid.cjs")
OLDER, NEWER = ("1.8.8", "1.12.2", "1.16.5"), ("1.20.4", "1.21.4")


@dataclass(frozen=True)
class Fault:
    scenes: tuple[str, ...]
    versions: tuple[str, ...]
    says: str
    """What is seen instead, a pattern."""

    def explains(self, outcome: Outcome) -> bool:
        """Whether it failed in just this way, and a plain client did, too."""
        fails = outcome.verdict == "not held" and not outcome.is_ours
        return fails and re.search(self.says, outcome.seen) is not None


def faults() -> Iterator[Fault]:
    """The table."""
    table = tomllib.loads(Path(__file__).with_name("known_faults.toml").read_text())
    for row in table["faults"]:
        yield Fault(tuple(row["scenes"]), tuple(row["versions"]), row["says"])


def known_faults(version: str) -> Mapping[str, Fault]:
    """By scene."""
    of_version = [fault for fault in faults() if version in fault.versions]
    return {scene: fault for fault in of_version for scene in fault.scenes}


def surprises(outcomes: Iterable[Outcome], faults: Mapping[str, Fault]) -> list[str]:
    """What did not come out as it is known to."""
    return [line for outcome in outcomes for line in _surprise(outcome, faults)]


def _surprise(outcome: Outcome, faults: Mapping[str, Fault]) -> Iterator[str]:
    fault = faults.get(outcome.scene)
    if fault is None and outcome.verdict != "held":
        yield f"{outcome.scene}: {outcome.verdict}: {outcome.account}"
    elif fault is not None and outcome.verdict == "held":
        yield f"{outcome.scene} holds now: take it out of known_faults.toml"
    elif fault is not None and not fault.explains(outcome):
        yield f"{outcome.scene} fails in another way: {outcome.verdict}: {outcome.account}"


async def played(runtime: NodeRuntime, version: str) -> list[Outcome]:
    """All scenes on one server of this version, which is ended and started anew in the last."""
    async with AsyncExitStack() as servers:

        async def start(port: int = 0) -> Equipment:
            node = runtime.binary, runtime.packages_dir, str(SQUID)
            starting = Equipment.started(*node, version=version, port=port)
            return await servers.enter_async_context(starting)

        squid = await start()

        async def restart() -> None:
            await squid.aclose()
            await start(squid.port)

        async with staged(runtime, ServerAddress(HOST, squid.port), restart=restart) as stage:
            return [outcome async for outcome in play(stage, SCENES)]
