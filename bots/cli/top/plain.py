"""The same without a screen: a snapshot in words, and a line for each change."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from bots.cli.client import DaemonClient, Json
from bots.cli.output import print_line
from bots.cli.top.events import changed, spoken
from bots.cli.top.snapshot import (
    Snapshot,
    cost_in_words,
    doing_of,
    loads_in_words,
    place_in_words,
    works_of,
)
from bots.observability.terminal_log import speaks_unicode
from bots.text.printable import printable

NAME = 16  # columns


def arrow() -> str:
    return "→" if speaks_unicode(sys.stdout) else "->"


def follow(daemon: DaemonClient) -> None:
    """Print how things are, and then each change, until the daemon ends."""
    with daemon.new_traces() as events:
        now = Snapshot.of(daemon)
        for line in lines_of(now):
            _print(line)
        for event in events:
            for line in told(event, now.names):
                _print(line)


def lines_of(snapshot: Snapshot) -> Iterator[str]:
    """A line for each bot, each work, what it costs, and what each daemon takes."""
    for bot in snapshot.bots:
        place = snapshot.place_of(bot["name"])
        fares = f"health {place['health']:g}, food {place['food']:g}, " if place else ""
        at = f"at {place_in_words(place)}: " if place else ""
        yield f"{printable(bot['name']):<{NAME}} {fares}{at}{doing_of(bot)}"
    for work in works_of(snapshot):
        far = f" {work.share:.0%}" if work.total else ""
        yield f"{'Work':<{NAME}} {printable(work.bot)}: {work.what}{far}, {work.details}"
    yield f"{'Cost':<{NAME}} {', '.join(cost_in_words(snapshot.budget))}"
    for load in loads_in_words(snapshot, None):
        yield f"{'Load':<{NAME}} {'; '.join(load)}"


def told(event: Json, fellows: list[str]) -> Iterator[str]:
    """An event as lines; most are none or one."""
    if skipped := event.get("skipped"):
        yield f"… {skipped} more happened in between"
    if line := spoken(event, fellows, arrow()) or changed(event):
        yield str(line)


def _print(line: str) -> None:
    print_line(line)
    sys.stdout.flush()
