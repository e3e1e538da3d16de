"""One run: faults by schedule on a testbed, each followed by a look whether all is well."""

import asyncio
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from faults.injection import done
from faults.life import living
from faults.promises import Sample
from faults.schedule import Fault, Kind
from faults.testbed import BOTS, Testbed

WELL_WITHIN_S = 45.0  # after most faults; on a busy machine
SLOW_TO_MEND_S = 90.0
SLOW_TO_MEND = frozenset({Kind.SERVER_KILLED, Kind.SERVER_STOPPED, Kind.DAEMON_STOPPED})
SAMPLE_EVERY_S = 60.0
COLLECTING_EVERY = 10  # samples
HASTE = 5.0  # of people in the warm-up
DISK_MB = 192  # of a data folder whose disk is filled


@dataclass
class Report:
    """What a run came to."""

    seed: int
    mended: list[tuple[Fault, float]] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)


async def play(
    folder: Path,
    seed: int,
    minutes: float,
    schedule: Iterable[Fault],
    tell: Callable[[str], None],
    bots: tuple[str, ...] = BOTS,
    beside: Callable[[Testbed], AbstractAsyncContextManager[None]] = lambda testbed: nullcontext(),
    *,
    keeps_world: bool = False,
    difficulty: str = "peaceful",
    warm_up_minutes: float = 0.0,
    warm_up: Iterable[Fault] = (),
    hurries_after: Collection[Kind] = (),
) -> Report:
    """Play a schedule for so many minutes; `beside` is what goes on besides, from when all is
    well.

    In the warm-up before, people hurry, so that what has a bound is full; then come its faults,
    one after the other, so that what a first time costs is paid. After faults of the kinds in
    `hurries_after` people hurry until the next.
    """
    report = Report(seed)
    opened = Testbed.open(folder, seed, bots, keeps_world=keeps_world, difficulty=difficulty)
    async with opened as testbed:
        report.broken = testbed.promises.broken
        async with living(testbed, seed), AsyncExitStack() as stack:
            await testbed.well(WELL_WITHIN_S)
            await stack.enter_async_context(beside(testbed))
            with testbed.warming_up():
                with testbed.hurried(HASTE):
                    await _calm(testbed, report, tell, warm_up_minutes * 60)
                for fault in warm_up:
                    await _through(testbed, fault, report, tell)
            ends_s = time.monotonic() + minutes * 60
            haste = 1.0
            for fault in schedule:
                with testbed.hurried(haste):
                    left_s = ends_s - time.monotonic()
                    await _calm(testbed, report, tell, min(fault.after_s, left_s))
                if time.monotonic() >= ends_s:
                    break
                await _through(testbed, fault, report, tell)
                haste = HASTE if fault.kind in hurries_after else 1.0
            await _calm(
                testbed, report, tell, ends_s - time.monotonic()
            )  # where no fault is wanted
            await _sample(testbed, report, tell)
        testbed.check()
        promises, model = testbed.promises, testbed.model
        report.counts = {
            **promises.counts,
            "lines lost": promises.lost,
            "questions to the model": model.asked,
            "of them in a fault of its API": model.faulty,
            "dearest period in nanodollars": model.dearest,
            "daemons": testbed.number,
        }
    return report


async def _through(
    testbed: Testbed, fault: Fault, report: Report, tell: Callable[[str], None]
) -> None:
    """One fault, and the way back from it."""
    earlier = len(testbed.promises.broken)
    async with done(testbed, fault):
        await asyncio.sleep(fault.lasts_s)
    within_s = SLOW_TO_MEND_S if fault.kind in SLOW_TO_MEND else WELL_WITHIN_S
    try:
        took_s = await testbed.well(within_s)
    except TimeoutError:
        took_s = within_s
        testbed.promises.breach(f"{fault}: not well again after {within_s:g} s")
        await testbed.kill()
        await testbed.start()
    testbed.check()
    report.mended.append((fault, took_s))
    tell(f"{fault}: well again after {took_s:.1f} s")
    for breach in testbed.promises.broken[earlier:]:
        tell(f"  BROKEN {breach}")


async def _calm(
    testbed: Testbed, report: Report, tell: Callable[[str], None], seconds: float
) -> None:
    """Let it live, and take a sample each minute."""
    ends_s = time.monotonic() + seconds
    while (left_s := ends_s - time.monotonic()) > 0:
        await asyncio.sleep(min(left_s, SAMPLE_EVERY_S))
        last = report.samples[-1].minute if report.samples else -1.0
        if testbed.minute - last >= SAMPLE_EVERY_S / 60:
            await _sample(testbed, report, tell)


async def _sample(testbed: Testbed, report: Report, tell: Callable[[str], None]) -> None:
    """The garbage of the Nodes is left to them, but for now and then."""
    collecting = len(report.samples) % COLLECTING_EVERY == 1
    report.samples.append(await testbed.sample(collecting))
    if testbed.haste == 1.0 and not testbed.is_warming_up:  # else more waits to be answered
        testbed.promises.sampled(report.samples[-1])
    tell(f"{report.samples[-1]}")


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """A data folder with a disk of its own; False where we may not mount one."""
    folder.mkdir(parents=True, exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(folder)]
    may = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        yield may
    finally:
        if may:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
