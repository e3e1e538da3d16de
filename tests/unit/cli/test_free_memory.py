"""Free memory goes back to the system now and then, where glibc would keep it."""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading

import pytest

from bots.cli.free_memory import EVERY_S, giving_back_memory, keep_trimming, trim_of_glibc


@pytest.mark.anyio
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


@pytest.mark.anyio
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


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert trim_of_glibc() is None
