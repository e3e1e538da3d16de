"""Free memory goes back to the system now and then, where glibc would keep it."""

import asyncio
import ctypes
import subprocess
import sys
import threading

import pytest

from bots.cli.process import (
    EVERY_S,
    giving_back_memory,
    keep_trimming,
    share_one_heap,
    trim_of_glibc,
)


async def test_it_is_given_back_after_each_pause_and_not_in_the_thread_of_the_loop() -> None:
    slept: list[float] = []
    trimmed_in: list[threading.Thread] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await keep_trimming(lambda: trimmed_in.append(threading.current_thread()), sleep)
    assert slept == [EVERY_S] * 3
    assert len(trimmed_in) == 2
    assert threading.main_thread() not in trimmed_in


async def test_nothing_is_left_of_it_after_the_block() -> None:
    before = asyncio.all_tasks()
    async with giving_back_memory():
        pass
    assert asyncio.all_tasks() == before


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not glibc")
def test_glibc_is_asked_where_it_is() -> None:
    trim = trim_of_glibc()
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
    assert trim_of_glibc() is None
    share_one_heap()
