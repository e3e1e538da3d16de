"""Tasks end with their owner, and no failure is silent."""

import asyncio

import pytest
import structlog

from bots import owned_tasks
from bots.owned_tasks import OwnedTasks, until_first


async def broken() -> None:
    raise RuntimeError("a bug")


async def test_a_failure_is_logged_and_then_given_to_whoever_it_is_fatal_to() -> None:
    failures: list[BaseException] = []
    with structlog.testing.capture_logs() as logged:
        task = OwnedTasks().start(broken(), "pump", failures.append)
        await asyncio.wait([task])
        await asyncio.sleep(0)
    assert [(entry["event"], entry["task"]) for entry in logged] == [("task.failed", "pump")]
    assert [str(failure) for failure in failures] == ["a bug"]


async def test_closing_ends_what_runs_and_that_is_no_failure() -> None:
    async def wait() -> None:
        await asyncio.Event().wait()

    tasks, failures = OwnedTasks(), list[BaseException]()
    task = tasks.start(wait(), "waiting", failures.append)
    await tasks.aclose()
    assert (task.cancelled(), len(tasks), failures) == (True, 0, [])


async def test_a_task_that_does_not_end_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(owned_tasks, "CLOSE_WITHIN_S", 0.01)
    go_on = asyncio.Event()

    async def deaf() -> None:
        while not go_on.is_set():
            try:
                await go_on.wait()
            except asyncio.CancelledError:
                continue

    tasks = OwnedTasks()
    task = tasks.start(deaf(), "deaf")
    await asyncio.sleep(0)
    with structlog.testing.capture_logs() as logged:
        await tasks.aclose()
    go_on.set()
    await task
    assert [(entry["event"], entry["task"]) for entry in logged] == [("task.not_ended", "deaf")]


async def test_the_first_to_end_ends_the_others() -> None:
    ended: list[str] = []

    async def waiting() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("waiting")

    async def quick() -> None:
        await asyncio.sleep(0)

    async with asyncio.timeout(5):
        await until_first(waiting(), quick())
    assert ended == ["waiting"]


async def test_what_the_first_raised_is_raised() -> None:
    with pytest.raises(RuntimeError, match="a bug"):
        await until_first(asyncio.Event().wait(), broken())


async def test_whoever_is_cancelled_while_waiting_leaves_nothing_behind() -> None:
    before = asyncio.all_tasks()
    waiting = asyncio.create_task(until_first(asyncio.Event().wait(), asyncio.Event().wait()))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert asyncio.all_tasks() == before
