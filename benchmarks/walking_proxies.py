"""Reads the players property by property through JSPyBridge, as its examples do.

Runs as a program of its own: importing `javascript` as it is starts Node and takes over much
of the process. Node, Mineflayer, server and players are the same as in the daemon's process.
Each line on stdin is {"how": name of a walk}; the answer is {"ms", "players"}.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import javascript

Row: TypeAlias = list[Any]
"""Name, [x, y, z], health."""

CROWD = Path(__file__).with_name("crowd.cjs")
JOIN_WITHIN_S = 20


def chained(bot: Any, health_key: int) -> list[Row]:
    """Each value from the bot on down, as in most examples."""
    rows: list[Row] = []
    for name in bot.players:
        if name == bot.username or not bot.players[name].entity:
            continue
        where = [
            bot.players[name].entity.position.x,
            bot.players[name].entity.position.y,
            bot.players[name].entity.position.z,
        ]
        rows.append([name, where, bot.players[name].entity.metadata[health_key]])
    return rows


def held(bot: Any, health_key: int) -> list[Row]:
    """Each object fetched once and held: as few reads as proxies allow."""
    rows: list[Row] = []
    players, own_name = bot.players, bot.username
    for name in players:
        entity = players[name].entity
        if name == own_name or entity is None:
            continue
        position = entity.position
        where = [position.x, position.y, position.z]
        rows.append([name, where, entity.metadata[health_key]])
    return rows


WALKS: dict[str, Callable[[Any, int], list[Row]]] = {"chained": chained, "held": held}


def main(account: str, count: int, health_key: int) -> None:
    """Join, take in the crowd, walk when asked."""
    # Node's own require: JSPyBridge's hides errors and may run npm install.
    crowd = javascript.config.global_jsi._require(str(CROWD))
    bot = crowd.join(account, timeout=JOIN_WITHIN_S)
    crowd.install(bot, count, health_key)
    _say({"ready": True})
    for line in sys.stdin:
        walk = WALKS[json.loads(line)["how"]]
        began_s = time.perf_counter()
        rows = walk(bot, health_key)
        _say({"ms": (time.perf_counter() - began_s) * 1000, "players": rows})
    javascript.terminate()


def _say(answer: dict[str, Any]) -> None:
    print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
