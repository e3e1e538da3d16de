"""Try a bot among people on any server, and say what the server allows.

    python -m benchmarks.foreign --server HOST:PORT [--version V] [--names Alice,Steve,Alex]

Alice, a bot of this daemon without a model, joins beside two plain Mineflayer clients, Steve and
Alex, which are nothing of ours and say what they see. Where the bot fails, a plain client tries the
same: when it succeeds, the fault is ours. A scene in which somebody is given something, kicked or
killed, or a chest is set down, is played where the server lets Steve do so (`op Steve`).

Play it on ground that may be dug up, and with names that nobody there has. Node's packages must be
installed (`townsfolk up` does it once) or TOWNSFOLK_NODE_DIR set.
Exit code 0: all that the server allows held; 1: something of ours did not; 2: nobody got in.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import textwrap
from collections.abc import Iterable, Iterator

from benchmarks.foreign.scenes import SCENES, Outcome, play
from benchmarks.foreign.stage import NAMES, Names, NotLetIn, staged
from benchmarks.stand import installed
from bots.settings.fields import check_name
from bridge.port import ServerAddress
from bridge.server_ping import NoAnswer, ping

USUAL_PORT = 25565
SEEN_WIDTH = 100
HELD, OURS, NOT_LET_IN = 0, 1, 2


def main() -> int:
    summary, _, details = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.foreign",
        description=summary,
        epilog=details,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--server", required=True, type=address, metavar="HOST:PORT")
    parser.add_argument("--version", help="what it speaks; it is asked unless given")
    parser.add_argument("--names", type=names, default=NAMES, metavar="BOT,WATCHER,COMER")
    asked = parser.parse_args()
    host, port = asked.server
    try:
        return asyncio.run(_tried(ServerAddress(host, port, asked.version), asked.names))
    except (NoAnswer, NotLetIn) as refused:
        print(f"not played: {refused}", file=sys.stderr)
        return NOT_LET_IN


def address(text: str) -> tuple[str, int]:
    """HOST:PORT, or HOST alone."""
    host, colon, port = text.rpartition(":")
    if not colon:
        return text, USUAL_PORT
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT, as 127.0.0.1:25565")
    return host, int(port)


def names(text: str) -> Names:
    """Three different names that players may have."""
    found = tuple(map(str.strip, text.split(",")))
    try:
        bot, watcher, comer = map(check_name, found)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r}: {error}; as Alice,Steve,Alex") from None
    if len(set(found)) < len(found):
        raise argparse.ArgumentTypeError(f"{text!r} names somebody twice")
    return Names(bot, watcher, comer)


async def _tried(server: ServerAddress, names: Names) -> int:
    status = await ping(server.host, server.port)
    print(f"{server}: {status.version}, {status.players} of {status.room} players", flush=True)
    outcomes = []
    async with staged(await installed(), server, names) as stage:
        async for outcome in play(stage, SCENES):
            print(*rows(outcome), sep="\n", flush=True)
            outcomes.append(outcome)
    print(verdict(outcomes))
    return OURS if any(outcome.is_ours for outcome in outcomes) else HELD


def rows(outcome: Outcome) -> Iterator[str]:
    """The lines of one scene in the table."""
    first, *more = textwrap.wrap(outcome.account, SEEN_WIDTH) or [""]
    yield f"{outcome.scene:<27}{outcome.verdict:<10}{outcome.seconds:>5.1f} s  {first}"
    yield from (" " * 46 + line for line in more)


def verdict(outcomes: Iterable[Outcome]) -> str:
    """What all of it comes to, in one line for each kind."""
    kinds = {
        "held": [one for one in outcomes if one.verdict == "held"],
        "the server does not allow": [
            one for one in outcomes if one.verdict == "not held" and not one.is_ours
        ],
        "not tried": [one for one in outcomes if one.verdict == "not tried"],
        "did not hold, and nothing shows that it is the server's fault: please report": [
            one for one in outcomes if one.is_ours
        ],
    }
    return "\n".join(
        f"{len(some)} {kind}" + ("" if kind == "held" else f": {_listed(some)}")
        for kind, some in kinds.items()
        if some
    )


def _listed(outcomes: Iterable[Outcome]) -> str:
    return ", ".join(outcome.scene for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
