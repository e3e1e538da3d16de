"""What ends a program that runs until it is told to, on systems with and without Unix signals."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable


def on_ending_signal(end: Callable[[], object]) -> None:
    """From now on Ctrl-C, SIGTERM and a closed terminal call this, and nothing else."""
    loop = asyncio.get_running_loop()
    for number in ending_signals():
        try:
            loop.add_signal_handler(number, end)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))


def ending_signals() -> list[signal.Signals]:
    """Those that this system has; nohup ignores SIGHUP on purpose."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    found = [getattr(signal, name) for name in names if hasattr(signal, name)]
    return [
        number
        for number in found
        if number in (signal.SIGINT, signal.SIGTERM)
        or signal.getsignal(number) is not signal.SIG_IGN
    ]
