"""`townsfolk` with two doors for the one who tests it, both opened by SIGUSR1.

It then reads how far its clock is off (FAULTS_FOLDER/clock, in seconds) and writes what it holds
to FAULTS_FOLDER/held.json. Wall time is what `bots.clock` says; monotonic time nobody can set.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
import threading
from datetime import timedelta
from pathlib import Path

from bots import clock

FOLDER = Path(os.environ["FAULTS_FOLDER"])
_true_now = clock.utc_now
_off = timedelta()


def main() -> None:
    clock.utc_now = lambda: _true_now() + _off
    signal.signal(signal.SIGUSR1, lambda number, frame: _open_doors())
    from bots.cli.main import main as townsfolk  # only now: it takes the clock by name

    townsfolk()


def _open_doors() -> None:
    global _off
    told = FOLDER / "clock"
    _off = timedelta(seconds=float(told.read_text()) if told.exists() else 0.0)
    written = FOLDER / "held.json"
    gc.collect()
    held = {
        "tasks": len(asyncio.all_tasks(asyncio.get_running_loop())),
        "threads": threading.active_count(),
        "blocks": sys.getallocatedblocks(),
    }
    part = written.with_suffix(".part")
    part.write_text(json.dumps(held))
    part.replace(written)


if __name__ == "__main__":
    main()
