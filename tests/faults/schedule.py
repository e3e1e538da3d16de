"""Which fault comes when: a pure function of the seed, so that a run can be played again."""

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

LIVES = 8  # faults that a daemon must live through before one that ends it
PAUSE_S = (8.0, 25.0)  # of calm after each recovery


class Kind(StrEnum):
    """What is done to a daemon, or below it."""

    NODE_KILLED = "node-killed"
    NODE_STOPPED = "node-stopped"
    SERVER_KILLED = "server-killed"
    SERVER_STOPPED = "server-stopped"
    API_ERRORS = "api-errors"
    API_SLOW = "api-slow"
    API_SILENT = "api-silent"
    API_GARBAGE = "api-garbage"
    API_DROPPING = "api-dropping"
    DISK_FULL = "disk-full"
    CLOCK_FORWARD = "clock-forward"
    CLOCK_BACK = "clock-back"
    FEW_DESCRIPTORS = "few-descriptors"
    DATABASE_LOCKED = "database-locked"
    PERSONA_NONSENSE = "persona-nonsense"
    WHISPER_FLOOD = "whisper-flood"
    HTTP_FLOOD = "http-flood"
    HALF_OPEN_FLOOD = "half-open-flood"
    WEBSOCKET_FLOOD = "websocket-flood"
    DAEMON_STOPPED = "daemon-stopped"
    # after these a daemon is started anew
    DAEMON_KILLED = "daemon-killed"
    DATABASE_DELETED = "database-deleted"
    DATABASE_REPLACED = "database-replaced"
    BAD_ROWS = "bad-rows"
    SETTINGS_NONSENSE = "settings-nonsense"


ENDINGS = frozenset(
    {
        Kind.DAEMON_KILLED,
        Kind.DATABASE_DELETED,
        Kind.DATABASE_REPLACED,
        Kind.BAD_ROWS,
        Kind.SETTINGS_NONSENSE,
    }
)
OF_API = frozenset(kind for kind in Kind if kind.startswith("api-"))
_LASTS_S = MappingProxyType(
    {
        **dict.fromkeys(OF_API, (10.0, 25.0)),
        **dict.fromkeys((Kind.DISK_FULL, Kind.CLOCK_FORWARD, Kind.CLOCK_BACK), (5.0, 20.0)),
        **dict.fromkeys(
            (Kind.FEW_DESCRIPTORS, Kind.PERSONA_NONSENSE, Kind.DAEMON_STOPPED), (5.0, 15.0)
        ),
        **dict.fromkeys((Kind.HALF_OPEN_FLOOD, Kind.WEBSOCKET_FLOOD), (3.0, 12.0)),
        **dict.fromkeys((Kind.DATABASE_DELETED, Kind.DATABASE_REPLACED), (4.0, 10.0)),
        Kind.DATABASE_LOCKED: (1.0, 9.0),
    }
)
"""A fault that is not named is one blow."""


@dataclass(frozen=True, slots=True)
class Fault:
    number: int
    kind: Kind
    after_s: float
    """Of calm before it."""
    lasts_s: float
    seed: int
    """For what is by chance within it."""

    def __str__(self) -> str:
        return f"#{self.number} {self.kind} for {self.lasts_s:.1f} s"


def faults(seed: int, kinds: Collection[Kind] = tuple(Kind)) -> Iterator[Fault]:
    """Without end: each kind once before any comes again, those that end a daemon more rarely."""
    dice = random.Random(seed)
    blows = _dealt(dice, [kind for kind in Kind if kind in kinds and kind not in ENDINGS])
    endings = _dealt(dice, [kind for kind in Kind if kind in kinds and kind in ENDINGS])
    number = 0
    while True:
        for hand in (*[blows] * LIVES, endings):
            if (kind := next(hand, None)) is not None:
                number += 1
                yield _fault(number, kind, dice)
        if number == 0:
            return


def _dealt(dice: random.Random, deck: Sequence[Kind]) -> Iterator[Kind]:
    while deck:
        yield from dice.sample(deck, len(deck))


def _fault(number: int, kind: Kind, dice: random.Random) -> Fault:
    lasts_s = dice.uniform(*_LASTS_S.get(kind, (0.0, 0.0)))
    return Fault(number, kind, dice.uniform(*PAUSE_S), lasts_s, dice.randrange(2**32))
