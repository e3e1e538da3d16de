"""The process of a daemon: its memory, its garbage, its descriptors, and no core."""

import asyncio
import ctypes
import errno
import gc
import resource
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from structlog.testing import capture_logs

import bots.cli.main as command_line
from bots.cli import process
from bots.cli.main import NO_FILE_NOR_PIPE, forbid_core_dumps


async def test_it_is_given_back_after_each_pause_and_not_in_the_thread_of_the_loop() -> None:
    slept: list[float] = []
    trimmed_in: list[threading.Thread] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await process.keep_trimming(lambda: trimmed_in.append(threading.current_thread()), sleep)
    assert slept == [process.EVERY_S] * 3
    assert len(trimmed_in) == 2
    assert threading.main_thread() not in trimmed_in


async def test_no_trimming_is_left_after_the_block() -> None:
    before = asyncio.all_tasks()
    async with process.giving_back_memory():
        pass
    assert asyncio.all_tasks() == before


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not glibc")
def test_glibc_is_asked_where_it_is() -> None:
    trim = process.trim_of_glibc()
    assert trim is not None
    trim()


THREADS_WITH_MEMORY = """
import asyncio, ctypes, sys, threading
from bots.cli.process import giving_back_memory

async def begin():
    async with giving_back_memory():
        pass

if sys.argv[1] == "shared":
    asyncio.run(begin())
kept = []
enough = threading.Barrier(4)

def take():
    kept.extend(bytes(50_000) for _ in range(20))
    enough.wait()

threads = [threading.Thread(target=take) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
libc = ctypes.CDLL(None)
libc.fopen.restype = ctypes.c_void_p
file = ctypes.c_void_p(libc.fopen(b"/dev/stdout", b"w"))
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="not glibc")
def test_threads_share_one_heap() -> None:
    def heaps(how: str) -> int:
        program = [sys.executable, "-c", THREADS_WITH_MEMORY, how]
        return subprocess.run(program, capture_output=True, check=True).stdout.count(b"<heap nr=")

    assert heaps("each its own") > 1
    assert heaps("shared") == 1


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert process.trim_of_glibc() is None
    process.share_one_heap()


class Part:
    """Of a cycle."""

    other: "Part"


def cycle() -> Part:
    one, two = Part(), Part()
    one.other, two.other = two, one
    return one


def is_walked(wanted: Part) -> bool:
    """Whether a collection may still look at it."""
    return any(one is wanted for one in gc.get_objects())


async def test_what_a_full_collection_leaves_no_later_one_walks() -> None:
    async with process.short_collections():
        kept = cycle()
        assert is_walked(kept)
        gc.collect()
        assert not is_walked(kept)


async def test_what_is_young_may_still_be_garbage_soon() -> None:
    async with process.short_collections():
        kept = cycle()
        gc.collect(0)
        gc.collect(1)
        assert is_walked(kept)


async def test_full_collections_come_often_so_that_each_finds_little() -> None:
    async with process.short_collections():
        process.collect_everything()
        before = gc.get_stats()[2]["collections"]
        kept = [[number] for number in range(20_000)]
        assert gc.get_stats()[2]["collections"] > before
    assert len(kept) == 20_000


@pytest.mark.slow
async def test_garbage_among_what_was_frozen_goes_after_each_pause() -> None:
    slept: list[float] = []
    lost: list[weakref.ref[Part]] = []

    async def sleep(seconds: float) -> None:
        assert all(one() is None for one in lost)
        slept.append(seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError
        given_up = cycle()
        gc.collect()  # freezes it
        lost.append(weakref.ref(given_up))
        del given_up
        gc.collect()
        assert lost[-1]() is not None

    async with process.short_collections():
        with pytest.raises(asyncio.CancelledError):
            await process.keep_collecting(sleep)
    assert slept == [process.EVERYTHING_EVERY_S] * 3


async def test_no_collecting_is_left_after_the_block() -> None:
    before = gc.get_threshold(), list(gc.callbacks), asyncio.all_tasks()
    async with process.short_collections():
        process.collect_everything()
    assert (gc.get_threshold(), list(gc.callbacks), asyncio.all_tasks()) == before
    assert gc.get_freeze_count() == 0


class Limits:
    """The limits of a process, in place of ours."""

    def __init__(self, soft: int, hard: int) -> None:
        self.now = (soft, hard)

    def get(self, _what: int) -> tuple[int, int]:
        return self.now

    def set(self, _what: int, limits: tuple[int, int]) -> None:
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "allowed", "told"),
    [
        (256, 256, 256, ["descriptors.few"]),
        (256, 8_192, 4_096, []),
        (1_024, resource.RLIM_INFINITY, 4_096, []),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY, []),
    ],
)
def test_it_takes_what_it_may_and_says_when_that_is_little(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, allowed: int, told: list[str]
) -> None:
    limits = Limits(soft, hard)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    with capture_logs() as logged:
        process.allow_descriptors()
    assert limits.now[0] == allowed
    assert [entry["event"] for entry in logged] == told


def test_a_loop_without_descriptors_says_so_in_a_sentence() -> None:
    loop = asyncio.new_event_loop()
    process.tell_when_exhausted(loop)
    with capture_logs() as logged:
        loop.call_exception_handler({"message": "", "exception": OSError(errno.EMFILE, "many")})
    loop.close()
    assert [entry["event"] for entry in logged] == ["descriptors.exhausted"]


CRASHES = """
import os, resource, signal, subprocess, sys
{forbid}
child = "import os, resource, signal; print(resource.getrlimit(resource.RLIMIT_CORE), flush=True); "
subprocess.run([sys.executable, "-c", child + "os.kill(os.getpid(), signal.SIGABRT)"])
os.kill(os.getpid(), signal.SIGABRT)
"""


def test_neither_a_process_nor_its_children_leave_a_core(tmp_path: Path) -> None:
    """The limit before is as high as the system lets us set it."""
    forbid = "from bots.cli.main import forbid_core_dumps; forbid_core_dumps()"
    run = subprocess.run(
        [sys.executable, "-c", CRASHES.format(forbid=forbid)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        preexec_fn=_allow_cores,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == -signal.SIGABRT, run.stderr
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    least = NO_FILE_NOR_PIPE if hard == resource.RLIM_INFINITY else min(hard, NO_FILE_NOR_PIPE)
    assert run.stdout == f"{(least, least)}\n"
    assert list(tmp_path.iterdir()) == []


def _allow_cores() -> None:
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def test_every_command_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(command_line, "forbid_core_dumps", lambda: done.append("no core"))
    monkeypatch.setattr(command_line, "app", lambda: done.append("command"))
    command_line.main()
    assert done == ["no core", "command"]


def test_a_limit_that_was_lower_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (0, 0))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: given.append(limits))
    forbid_core_dumps()
    assert given == [(0, 0)]
