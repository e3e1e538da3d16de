"""`townsfolk` with two doors for the one who tests it, both opened by SIGUSR1.

It then reads how far its clock is off (FAULTS_FOLDER/clock, in seconds) and writes what it holds
to FAULTS_FOLDER/held.json. Wall time is what `bots.clock` says; monotonic time nobody can set.
"""

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from weakref import WeakSet

from bots import clock
from bridge.js.crossing import Crossing, Library
from bridge.js.jspybridge import Pipes

FOLDER = Path(os.environ["FAULTS_FOLDER"])
_true_now = clock.utc_now
_off = timedelta()
_crossings: WeakSet[Crossing] = WeakSet()
_carried: Counter[str] = Counter()


def main() -> None:
    clock.utc_now = lambda: _true_now() + _off
    _remember_crossings()
    signal.signal(signal.SIGUSR1, lambda number, frame: _open_doors())
    from bots.cli.main import main as townsfolk  # only now: it takes the clock by name

    townsfolk()


def _open_doors() -> None:
    """Take what is told, and write what is held; while no descriptor is left, nothing."""
    with suppress(OSError):
        _through_doors()


def _through_doors() -> None:
    global _off
    told = FOLDER / "clock"
    _off = timedelta(seconds=float(told.read_text()) if told.exists() else 0.0)
    written = FOLDER / "held.json"
    gc.unfreeze()
    gc.collect()
    held = {
        "tasks": len(asyncio.all_tasks(asyncio.get_running_loop())),
        "threads": threading.active_count(),
        "blocks": sys.getallocatedblocks(),
        "ids": sum(map(_ids, _crossings)),
        "carried": dict(_carried),
    }
    part = written.with_suffix(".part")
    part.write_text(json.dumps(held))
    part.replace(written)


def _remember_crossings() -> None:
    """What is frozen, the garbage collector does not tell of."""
    begin, write, take = Crossing.__init__, Pipes.write, Crossing.take

    def begun(self: Crossing, write: Callable[[str], None], library: Library) -> None:
        begin(self, write, library)
        _crossings.add(self)

    def written(self: Pipes, line: str) -> None:
        _carried["to_node"] += len(line)  # JSON in ASCII: as many bytes
        write(self, line)

    def taken(self: Crossing, line: bytes) -> None:
        _carried["from_node"] += len(line)
        take(self, line)

    Crossing.__init__, Pipes.write, Crossing.take = (  # type: ignore[method-assign]
        begun,
        written,
        taken,
    )


def _ids(crossing: Crossing) -> int:
    """What the Python half of JSPyBridge holds for Node, and requests without an answer."""
    return len(crossing.pyi.m) + len(crossing.responses) + len(crossing._sent)


if __name__ == "__main__":
    main()
