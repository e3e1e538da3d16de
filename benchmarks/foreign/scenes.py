"""What a bot must be able to do among people on any server, and who is to blame where it cannot."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from benchmarks.foreign import doings, plain
from benchmarks.foreign.stage import NotHeld, NotLetIn, NotTried, Stage, until
from bots.errors import CommandError
from bridge.errors import BridgeError
from bridge.server_ping import NoAnswer

Verdict: TypeAlias = Literal["held", "not held", "not tried"]
Play: TypeAlias = Callable[[Stage], Awaitable[str]]
"""Returns what was seen."""


@dataclass(frozen=True, slots=True)
class Scene:
    by_the_bot: Play
    by_plain_clients: tuple[Play, ...] = ()
    """What it takes, without us: tried where the bot fails."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one scene came out."""

    scene: str
    verdict: Verdict
    seen: str
    plain: tuple[Verdict, str] | None
    """How a plain client fared, where one tried."""
    seconds: float

    @property
    def is_ours(self) -> bool:
        """It failed, and nothing shows that it is the server that does not allow it."""
        return self.verdict == "not held" and (self.plain is None or self.plain[0] == "held")

    @property
    def account(self) -> str:
        """What was seen, in one line."""
        if self.plain is None:
            return self.seen
        verdict, seen = self.plain
        return f"{self.seen}; by a plain client {verdict}: {seen}"


async def play(stage: Stage, scenes: Mapping[str, Scene]) -> AsyncIterator[Outcome]:
    """One scene after the other. Raises NotLetIn when the bot is out of the world for good."""
    plain = _PlainClients(stage)
    for name, scene in scenes.items():
        if not await until(lambda: doings.is_alive(stage), doings.BACK_WITHIN_S):
            raise NotLetIn(f"{stage.names.bot} is out of the world. {stage.connection.diagnosis}")
        began_s = time.monotonic()
        verdict, seen = await _played(stage, scene.by_the_bot)
        fared = await plain.fare(scene.by_plain_clients) if verdict == "not held" else None
        yield Outcome(name, verdict, seen, fared, round(time.monotonic() - began_s, 1))


class _PlainClients:
    """Try each thing once."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._fared: dict[Play, tuple[Verdict, str]] = {}

    async def fare(self, plays: Iterable[Play]) -> tuple[Verdict, str] | None:
        """The first that did not hold, or the last; None where there is nothing to try."""
        fared = None
        for one in plays:
            if one not in self._fared:
                self._fared[one] = await _played(self._stage, one)
            fared = self._fared[one]
            if fared[0] != "held":
                break
        return fared


async def _played(stage: Stage, play: Play) -> tuple[Verdict, str]:
    try:
        return "held", await play(stage)
    except NotTried as why:
        return "not tried", str(why)
    except (NotHeld, NotLetIn, CommandError, BridgeError, NoAnswer, TimeoutError) as instead:
        return "not held", str(instead) or type(instead).__name__


SCENES: Mapping[str, Scene] = {
    "hears who was there": Scene(doings.hears_who_was_there, (plain.lists_who_was_there,)),
    "joins": Scene(doings.joins, (plain.is_seen,)),
    "sees who was there": Scene(
        doings.sees_who_was_there, (plain.lists_who_was_there, plain.sees_who_was_there)
    ),
    "sees who comes": Scene(doings.sees_who_comes, (plain.is_seen,)),
    "hears who comes": Scene(doings.hears_who_comes),
    "answers in public": Scene(doings.answers_in_public),
    "whispers": Scene(doings.whispers, (plain.whispers,)),
    "looks around": Scene(doings.looks_around),
    "draws what it sees": Scene(doings.draws_what_it_sees),
    "walks": Scene(doings.walks, (plain.is_seen,)),
    "walks to a player": Scene(doings.walks_to_a_player, (plain.is_seen,)),
    "digs": Scene(doings.digs, (plain.digs,)),
    "picks up": Scene(doings.picks_up, (plain.picks_up,)),
    "drops": Scene(doings.drops, (plain.throws,)),
    "hands over": Scene(doings.hands_over, (plain.is_seen, plain.throws)),
    "sees who leaves": Scene(doings.sees_who_leaves, (plain.sees_who_leaves,)),
    "comes back after a kick": Scene(doings.comes_back_after_a_kick),
    "comes back after death": Scene(doings.comes_back_after_death, (plain.comes_back_after_death,)),
    "uses a chest": Scene(doings.uses_a_chest, (plain.uses_a_chest,)),
    "comes back after a restart": Scene(doings.comes_back_after_a_restart),
    "leaves": Scene(doings.leaves),
}
"""In this order: the comer comes and leaves in it, and some servers list nobody until then."""
