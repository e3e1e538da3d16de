"""What the process of a daemon needs: signals, descriptors, short collections, free memory."""

from __future__ import annotations

import asyncio
import ctypes
import errno
import gc
import signal
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import psutil
import structlog

from bots.clock import Sleep
from bots.daemon import daemon_file
from bots.owned_tasks import OwnedTasks
from bridge.errors import UserError

log = structlog.get_logger()

FEW = 512  # below this, many connections at once can use them up
WANTED = 4_096
MORE_FILES = "allow more open files, as with `ulimit -n 4096`, then start again"
EVERYTHING_EVERY_S = 900.0
_THRESHOLDS = (700, 5, 1)
_FULL = 2
EVERY_S = 60.0
M_ARENA_MAX = -8  # malloc.h of glibc


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


def descriptors_allowed() -> int | None:
    """How many this process may have open; None where there is no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def allow_descriptors() -> None:
    """Take as many as are of use, as far as the system lets us; warn when they stay few."""
    allowed = descriptors_allowed()
    if allowed is None:
        return
    if allowed < WANTED:
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        allowed = descriptors_allowed() or allowed
    if allowed < FEW:
        log.warning("descriptors.few", allowed=allowed, advice=MORE_FILES)


def tell_when_exhausted(loop: asyncio.AbstractEventLoop) -> None:
    """Say in a sentence what asyncio tells by a traceback for each connection."""

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        if isinstance(failure, OSError) and failure.errno in (errno.EMFILE, errno.ENFILE):
            log.error("descriptors.exhausted", allowed=descriptors_allowed(), advice=MORE_FILES)
        else:
            loop.default_exception_handler(context)

    loop.set_exception_handler(handle)


@asynccontextmanager
async def short_collections() -> AsyncIterator[None]:
    """Keep collections short while the block lasts: all bots stand still during one.

    CPython's full collection walks everything that is old: with a hundred bots it takes 30 to
    70 ms, six times a minute. Here full collections come often and find little: what one leaves
    is frozen, so no later one walks it. A cycle that is given up after it was frozen stays until
    everything is thawed and collected, which happens a few times an hour.
    """
    tasks, thresholds = OwnedTasks(), gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    gc.callbacks.append(_freeze_what_is_left)
    tasks.start(keep_collecting(asyncio.sleep), "garbage-collector")
    try:
        yield
    finally:
        await tasks.aclose()
        gc.callbacks.remove(_freeze_what_is_left)
        gc.set_threshold(*thresholds)
        gc.unfreeze()


async def keep_collecting(sleep: Sleep) -> None:
    """Until cancelled."""
    while True:
        await sleep(EVERYTHING_EVERY_S)
        collect_everything()


def collect_everything() -> None:
    """Also what is frozen, which takes 0.15 s; what is left is frozen again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    # CPython lets the next full collection wait until a quarter of what the last one left has been
    # added. This one leaves next to nothing.
    gc.collect()


def _freeze_what_is_left(phase: str, facts: Mapping[str, Any]) -> None:
    if phase == "stop" and facts["generation"] == _FULL:
        gc.freeze()


Trim: TypeAlias = Callable[[], object]


@asynccontextmanager
async def giving_back_memory() -> AsyncIterator[None]:
    """Give free memory back to the system while the block lasts, where there is a way to.

    Pictures and plans need some 30 MB for a moment, in threads, and glibc keeps what each thread
    once had: a thousand random orders left 50 MB free that never went back. Giving it back takes
    3 ms of a thread; never keeping it (M_MMAP_THRESHOLD) would make a picture take twice as long.
    Threads that begin in the block share one heap, so what one has freed is there for the next.
    """
    share_one_heap()
    tasks, trim = OwnedTasks(), trim_of_glibc()
    if trim is not None:
        tasks.start(keep_trimming(trim, asyncio.sleep), "memory-trimmer")
    try:
        yield
    finally:
        await tasks.aclose()


async def keep_trimming(trim: Trim, sleep: Sleep) -> None:
    """Until cancelled."""
    while True:
        await sleep(EVERY_S)
        await asyncio.to_thread(trim)


def share_one_heap() -> None:
    """Nothing where memory is another library's."""
    mallopt = _of_glibc("mallopt")
    if mallopt is not None:
        mallopt(M_ARENA_MAX, 1)


def trim_of_glibc() -> Trim | None:
    """None where memory is another library's."""
    trim = _of_glibc("malloc_trim")
    return None if trim is None else lambda: trim(0)


def _of_glibc(name: str) -> Callable[..., object] | None:
    """musl has none of them."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


ENDS_WITHIN_S = 15.0


class NotEnded(UserError):
    """The daemon was told to end and did not."""


def stop(data_dir: Path, within_s: float = ENDS_WITHIN_S) -> str:
    """What came of it. Raises NoDaemon, NotEnded."""
    pid = daemon_file.read(data_dir).pid
    try:
        process = psutil.Process(pid)
        process.terminate()
        process.wait(within_s)
    except psutil.NoSuchProcess:
        pass  # it ended by itself just then
    except psutil.AccessDenied:
        raise NotEnded(f"the daemon (process {pid}) is another user's; have them end it") from None
    except psutil.TimeoutExpired:
        raise NotEnded(
            f"the daemon (process {pid}) has not ended within {within_s:g} s; "
            f"wait, or force it: kill -9 {pid}"
        ) from None
    return f"The daemon (process {pid}) has ended."
