"""Garbage is collected in short turns, because all bots stand still during each."""

import asyncio
import gc
import weakref

import pytest

from bots.cli.process import (
    EVERYTHING_EVERY_S,
    collect_everything,
    keep_collecting,
    short_collections,
)


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
    async with short_collections():
        kept = cycle()
        assert is_walked(kept)
        gc.collect()
        assert not is_walked(kept)


async def test_what_is_young_may_still_be_garbage_soon() -> None:
    async with short_collections():
        kept = cycle()
        gc.collect(0)
        gc.collect(1)
        assert is_walked(kept)


async def test_full_collections_come_often_so_that_each_finds_little() -> None:
    async with short_collections():
        collect_everything()
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

    async with short_collections():
        with pytest.raises(asyncio.CancelledError):
            await keep_collecting(sleep)
    assert slept == [EVERYTHING_EVERY_S] * 3


async def test_nothing_is_left_of_it_after_the_block() -> None:
    before = gc.get_threshold(), list(gc.callbacks), asyncio.all_tasks()
    async with short_collections():
        collect_everything()
    assert (gc.get_threshold(), list(gc.callbacks), asyncio.all_tasks()) == before
    assert gc.get_freeze_count() == 0
