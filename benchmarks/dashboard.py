"""What the page costs: a busy daemon watched by several tabs of a browser.

    python -m benchmarks.dashboard [--bots 50] [--events 20] [--tabs 9] [--seconds 20]

The daemon is a process of its own with bots in the simulated world; each bot's trace gets so many
events a second, of the kinds a busy evening has. All times are of this machine's one clock.

- `event_to_screen_ms`: from the event to its line in the page, in one tab that measures.
- `daemon_cpu`: share of a core that all tabs together add to the daemon (with tabs − without).
- `main_thread`: share of a core that the page's main thread of that tab takes.
- `browser_cores`: cores that all processes of the browser take; each tab is drawn as if looked at.
- `load`: programs that want a core (the average of a minute). Where that is more than there are
  cores, times are those of whoever else waits too; shares of a core are little changed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import psutil

from bots.app import Daemon
from bots.settings.settings import BotsSettings, IdleSettings, LogSettings, Settings, TalkSettings
from bridge import FakeBridge
from bridge.fake import FakeWorld, VirtualClock

MARK = "at "
WATCH = """() => {
  window.late = []
  const seen = list => list.forEach(({ addedNodes }) => addedNodes.forEach(node => {
    const found = /at (\\d+\\.\\d+)/.exec(node.textContent)
    if (found) window.late.push(performance.timeOrigin + performance.now() - 1000 * found[1])
  }))
  new MutationObserver(seen).observe(document.querySelector('.lines'), { childList: true })
}"""


async def serve(folder: Path, bots: int, events: int) -> None:
    """The daemon: prints its link, then has its bots talk until it is ended."""
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=tuple(f"Bot{number}" for number in range(bots))),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        log=LogSettings(talk=False),
    )
    world = FakeWorld(VirtualClock(auto=False))
    async with Daemon(settings, bridge=FakeBridge(world), answers=False) as daemon:
        await daemon.all_joined()
        print(daemon.new_link(), flush=True)
        names = enumerate(settings.bots.names)
        await asyncio.gather(*(_chatter(daemon, name, events, n / bots) for n, name in names))


async def _chatter(daemon: Daemon, name: str, events: int, phase: float) -> None:
    """A line said, and for each of those what comes with it; each bot at its own moment."""
    begun = time.monotonic() + phase
    for turn in count(1):
        await asyncio.sleep(begun + turn / events - time.monotonic())
        if turn % events == 0:  # one line a second is much for one bot
            said = f"{MARK}{time.time():.4f} by {name}"
            daemon.trace.note("smalltalk.said", name, to=["Bot0"], text=said)
        elif turn % 4 == 0:
            daemon.trace.note("job.progressed", name, actionId="1", command="!goal", done=turn)
        else:
            daemon.trace.note("speaker.chosen", name, talk=1, next=name, rule="rounds")


async def measure(bots: int, events: int, tabs: int, seconds: float) -> dict[str, Any]:
    from playwright.async_api import async_playwright

    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    async with _daemon(bots, events) as (link, process), async_playwright() as playwright:
        alone = await _cpu(process, seconds / 2)
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": 1400, "height": 850})
        pages = [await context.new_page() for _ in range(tabs)]
        await pages[0].goto(link)
        for page in pages[1:]:
            await page.goto(pages[0].url)
        await pages[0].bring_to_front()
        await asyncio.sleep(3)
        await pages[0].evaluate(WATCH)
        session = await context.new_cdp_session(pages[0])
        await session.send("Performance.enable", {"timeDomain": "threadTicks"})
        busy_s, browser_s = await _busy_s(session), _browser_s()
        watched = await _cpu(process, seconds)
        busy_s, browser_s = await _busy_s(session) - busy_s, _browser_s() - browser_s
        late = await pages[0].evaluate("window.late")
        await browser.close()
    return {
        "event_to_screen_ms": {
            "p50": round(median(late)),
            "p95": round(quantiles(late, n=20)[-1]),
            "lines": len(late),
            "lines_said": round(bots * seconds),
        },
        "daemon_cpu": {"alone": round(alone, 3), "added": round(watched - alone, 3)},
        "main_thread": round(busy_s / seconds, 3),
        "browser_cores": round(browser_s / seconds, 2),
        "load": round(os.getloadavg()[0], 1),
        "bots": bots,
        "events_per_s": bots * events,
        "tabs": tabs,
    }


@asynccontextmanager
async def _daemon(bots: int, events: int) -> AsyncIterator[tuple[str, psutil.Process]]:
    with tempfile.TemporaryDirectory() as folder:
        serving = (sys.executable, "-m", "benchmarks.dashboard", "--serve", folder)
        numbers = ("--bots", str(bots), "--events", str(events))
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*serving, *numbers, stdout=pipe)
        assert process.stdout is not None
        try:
            async with asyncio.timeout(60):
                while not (line := (await process.stdout.readline()).decode()).startswith("http"):
                    pass
            yield line.strip(), psutil.Process(process.pid)
        finally:
            process.kill()
            await process.wait()


async def _cpu(process: psutil.Process, seconds: float) -> float:
    """The share of a core that a process takes."""
    before = _worked_s(process)
    await asyncio.sleep(seconds)
    return (_worked_s(process) - before) / seconds


def _browser_s() -> float:
    """Seconds that the processes of the browser, which is a child of ours, have worked so far."""
    total = 0.0
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            total += _worked_s(process) if "chrom" in process.name() else 0.0
    return total


def _worked_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system)


async def _busy_s(session: Any) -> float:
    """Seconds of processor time that the page's main thread has worked so far."""
    metrics = (await session.send("Performance.getMetrics"))["metrics"]
    return sum(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.dashboard", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--bots", type=int, default=50)
    parser.add_argument("--events", type=int, default=20, help="of each bot, in a second")
    parser.add_argument("--tabs", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        asyncio.run(serve(asked.serve, asked.bots, asked.events))
    else:
        found = asyncio.run(measure(asked.bots, asked.events, asked.tabs, asked.seconds))
        print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
