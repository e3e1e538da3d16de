"""The virtual clock of the simulated world."""

import asyncio
import time

import anyio
from hypothesis import given
from hypothesis import strategies as st

from bridge.fake import VirtualClock


async def test_an_hour_of_sleep_takes_no_hour_and_shows_on_clock_and_stopwatch() -> None:
    clock = VirtualClock()
    before = clock.now()
    with anyio.fail_after(5):
        await clock.sleep(3600)
    assert clock.monotonic() == (clock.now() - before).total_seconds() == 3600
    assert clock.now().tzinfo is not None


async def test_time_stands_still_while_a_task_has_work_to_do() -> None:
    clock = VirtualClock(idle_s=0)
    sleeper = asyncio.create_task(clock.sleep(1))
    for _ in range(100):
        await asyncio.sleep(0)
        assert clock.monotonic() == 0
    await sleeper
    assert clock.monotonic() == 1


async def test_time_stands_still_while_a_thread_works() -> None:
    clock = VirtualClock(idle_s=0)
    sleeper = asyncio.create_task(clock.sleep(1))

    def work() -> float:
        time.sleep(0.05)  # what a planner takes
        return clock.monotonic()

    assert await asyncio.to_thread(work) == 0
    await sleeper
    assert clock.monotonic() == 1


async def test_time_stands_still_while_it_is_held() -> None:
    clock, works = VirtualClock(idle_s=0), True
    clock.hold_while(lambda: works)
    sleeper = asyncio.create_task(clock.sleep(1))
    with anyio.move_on_after(0.05):
        await asyncio.Event().wait()
    assert clock.monotonic() == 0
    works = False
    await sleeper
    assert clock.monotonic() == 1


async def test_a_hand_moved_clock_waits_for_the_hand() -> None:
    clock = VirtualClock(auto=False)
    sleeper = asyncio.create_task(clock.sleep(10))
    await clock.advance(9.5)
    assert not sleeper.done()
    await clock.advance(0.5)
    assert sleeper.done()
    assert clock.monotonic() == 10


async def test_a_hand_that_moves_the_clock_waits_for_what_holds_it() -> None:
    clock, written = VirtualClock(auto=False), list[float]()
    works = False

    async def write_after(seconds: float) -> None:
        nonlocal works
        await clock.sleep(seconds)
        works = True
        await asyncio.sleep(0.02)  # what a commit takes
        works = False
        written.append(clock.monotonic())

    clock.hold_while(lambda: works)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(write_after(1))
        tasks.create_task(clock.sleep(2))
        await asyncio.sleep(0)
        await clock.advance(5)
    assert written == [1]


async def test_whoever_wakes_on_the_way_acts_at_their_own_time() -> None:
    clock = VirtualClock(auto=False)
    woken: list[tuple[str, float]] = []

    async def sleep_twice(name: str, seconds: float) -> None:
        for _ in range(2):
            await clock.sleep(seconds)
            woken.append((name, clock.monotonic()))

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(sleep_twice("long", 3))
        tasks.create_task(sleep_twice("short", 2))
        await asyncio.sleep(0)
        await clock.advance(10)
    assert woken == [("short", 2), ("long", 3), ("short", 4), ("long", 6)]
    assert clock.monotonic() == 10


async def test_a_cancelled_sleeper_moves_no_time() -> None:
    clock = VirtualClock(idle_s=0)
    sleeper = asyncio.create_task(clock.sleep(100))
    await asyncio.sleep(0)
    sleeper.cancel()
    await asyncio.gather(sleeper, return_exceptions=True)
    await clock.sleep(1)
    assert clock.monotonic() == 1


@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=20))
def test_sleepers_wake_in_the_order_of_their_times(naps_s: list[float]) -> None:
    woken: list[float] = []

    async def nap(clock: VirtualClock, seconds: float) -> None:
        await clock.sleep(seconds)
        woken.append(seconds)

    async def all_nap() -> None:
        clock = VirtualClock(auto=False)
        async with asyncio.TaskGroup() as tasks:
            for seconds in naps_s:
                tasks.create_task(nap(clock, seconds))
            await asyncio.sleep(0)
            await clock.advance(1001)

    asyncio.run(all_nap())
    assert woken == sorted(naps_s)
