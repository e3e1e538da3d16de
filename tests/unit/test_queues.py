"""The bounded queue: in order, bounded, and it counts what it lost."""

import asyncio

import pytest

from bots.queues import BoundedQueue


def filled(queue: BoundedQueue[int], count: int) -> list[bool]:
    return [queue.put(number) for number in range(count)]


async def test_items_come_out_in_the_order_they_went_in() -> None:
    queue = BoundedQueue[int](10, "refuse")
    filled(queue, 3)
    assert [await anext(queue) for _ in range(3)] == [0, 1, 2]
    assert len(queue) == 0


async def test_a_full_queue_drops_its_oldest_item() -> None:
    queue = BoundedQueue[int](2, "drop_oldest")
    assert filled(queue, 5) == [True] * 5
    assert (queue.taken(), queue.lost) == ([3, 4], 3)


async def test_a_full_queue_refuses_the_new_item() -> None:
    queue = BoundedQueue[int](2, "refuse")
    assert filled(queue, 3) == [True, True, False]
    assert (queue.taken(), queue.lost) == ([0, 1], 1)


async def test_whoever_reads_an_empty_queue_is_woken_by_the_next_item() -> None:
    queue = BoundedQueue[int](2, "refuse")
    for number in (7, 8):
        reading = asyncio.create_task(anext(queue))
        await asyncio.sleep(0)
        assert not reading.done()
        queue.put(number)
        assert await asyncio.wait_for(reading, 1) == number


@pytest.mark.parametrize("count", [3, 0])
async def test_draining_waits_for_the_first_item_or_the_end_and_takes_all(count: int) -> None:
    queue = BoundedQueue[int](9, "refuse")
    draining = asyncio.create_task(queue.drain())
    await asyncio.sleep(0)
    filled(queue, count)
    if not count:
        queue.close()
    assert await asyncio.wait_for(draining, 1) == [*range(count)]


async def test_a_closed_queue_gives_what_it_holds_and_then_ends() -> None:
    queue = BoundedQueue[int](9, "drop_oldest")
    filled(queue, 2)
    queue.close()
    assert queue.put(99) is False
    assert [item async for item in queue] == [0, 1]
    assert await queue.drain() == []
    assert queue.lost == 0
