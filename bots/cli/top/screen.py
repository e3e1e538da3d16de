"""What stands on the screen, row by row; without a screen, the same in plain lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rich.cells import cell_len, set_cell_size
from rich.console import OverflowMethod
from rich.text import Text

from bots.cli.client import DaemonClient, Json
from bots.cli.output import print_line
from bots.cli.top.snapshot import (
    Line,
    Snapshot,
    Work,
    changed,
    cost_in_words,
    doing_of,
    loads_in_words,
    place_in_words,
    spoken,
    works_of,
)
from bots.observability.terminal_log import speaks_unicode
from bots.text.columns import wrapped
from bots.text.printable import printable

NARROW = 60  # columns; below, what a bot does stands below its name
LEAST_ROWS = 8
ROWS_FOR_EACH_LOAD = 6  # a screen of 24 rows shows the load of four daemons
NAME, HEALTH, FOOD, PLACE = 16, 8, 6, 16  # columns
BAR = 12
LABEL = 6
DIM, BOLD, LOW, WARNING = "dim", "bold", "red", "yellow"
LOW_HEALTH = 7
HELP = (
    "up, down, Tab    choose a bot",
    "t or Enter       talk to it; what begins with ! is a command",
    "s                stop what it does",
    "S                stop what all of them do",
    "1 to 9           choose by number",
    "? or h           this help",
    "q or Ctrl-C      leave; the daemon goes on",
)


@dataclass(slots=True)
class Signs:
    """What is drawn where the terminal can show it, and in its place."""

    line: str = "─"
    chosen: str = "▸"
    full: str = "█"
    empty: str = "░"
    between: str = " · "
    cut: OverflowMethod = "ellipsis"


ASCII = Signs("-", ">", "#", ".", " | ", "crop")


@dataclass(slots=True)
class View:
    """Everything that the screen shows."""

    newest: Snapshot
    before: Snapshot | None = None
    server: str = ""
    lines: list[Line] = field(default_factory=list)
    chosen: str = ""
    typed: str | None = None
    """What is being said to the chosen bot; None while nobody types."""
    is_helping: bool = False
    trouble: str = ""
    """Why nothing new comes."""
    signs: Signs = field(default_factory=Signs)

    def take(self, snapshot: Snapshot) -> None:
        self.before, self.newest, self.trouble = self.newest, snapshot, ""
        if self.chosen not in snapshot.names:
            self.chosen = next(iter(snapshot.names), "")

    def choose(self, by: int) -> None:
        """The bot so many after the chosen one, around the end."""
        names = self.newest.names
        if names:
            at = names.index(self.chosen) if self.chosen in names else 0
            self.chosen = names[(at + by) % len(names)]


def frame(view: View, columns: int, rows: int) -> list[Text]:
    """Exactly so many rows, none wider than the screen."""
    head, foot = list(_head(view)), list(_foot(view, columns, rows))
    middle = rows - len(head) - len(foot)
    if view.is_helping:
        body = [_title("Keys", view, columns), *map(Text, HELP)]
    else:
        body = _body(view, columns, middle)
    kept = body[: max(0, middle)]
    filled = (Text() for _ in range(middle - len(kept)))
    fitted = [*head, *kept, *filled, *foot][-rows:]
    for row in fitted:
        row.truncate(columns, overflow=view.signs.cut)
    return fitted


def _head(view: View) -> Iterator[Text]:
    online = sum(bot.get("state") == "online" for bot in view.newest.bots)
    told = f"{online} of {len(view.newest.bots)} bots online"
    parts = ["townsfolk", *([view.server] if view.server else []), told]
    yield Text(view.signs.between.join(parts), BOLD)
    if view.trouble:
        yield Text(f"! {printable(view.trouble)}", WARNING)


def _foot(view: View, columns: int, rows: int) -> Iterator[Text]:
    if rows >= LEAST_ROWS:
        cost = cost_in_words(view.newest.budget)
        loads = loads_in_words(view.newest, view.before)
        yield from _labelled("Cost", cost if columns >= NARROW else cost[:1], view, columns)
        for load in loads[: max(1, rows // ROWS_FOR_EACH_LOAD)]:
            yield from _labelled("Load", load, view, columns)
    if view.typed is not None:  # its end, behind whom it is for
        lead, typed = f"to {view.chosen}> ", view.typed
        while typed and cell_len(lead + typed) >= columns:
            typed = typed[1:]
        yield Text.assemble((lead, BOLD), typed, "_")
    elif columns >= NARROW:
        yield Text("Tab choose  t talk  s stop  S stop all  ? help  q quit", DIM)
    else:
        yield Text("t talk s stop S all ? help q quit", DIM)


def _labelled(label: str, parts: Iterable[str], view: View, columns: int) -> Iterator[Text]:
    """A label and what belongs to it, in as many rows as it takes."""
    first, *more = wrapped(view.signs.between.join(parts), max(LABEL, columns - LABEL))
    yield Text.assemble((f"{label:<{LABEL}}", BOLD), first)
    yield from (Text(" " * LABEL + row) for row in more)


def _body(view: View, columns: int, rows: int) -> list[Text]:
    """Bots, work and talk, each with its share of the rows."""
    bots = _bots(view, columns, max(2, rows // 2))
    room = rows - len(bots)
    works = list(works_of(view.newest))
    work = [_work(one, view, columns) for one in works[: max(1, room // 3 - 1)]]
    if work and room > 2:
        bots += [_title("Work", view, columns), *work]
        room = rows - len(bots)
    if room > 1:
        bots += [_title("Talk", view, columns), *_talk(view, columns, room - 1)]
    return bots


def _bots(view: View, columns: int, rows: int) -> list[Text]:
    """As many bots as fit, the chosen one among them."""
    is_narrow = columns < NARROW
    each = 2 if is_narrow else 1
    bots, fits = view.newest.bots, max(1, (rows - 1) // each)
    at = view.newest.names.index(view.chosen) if view.chosen in view.newest.names else 0
    first = max(0, min(at - fits // 2, len(bots) - fits))
    shown = bots[first : first + fits]
    more = f" ({first + 1} to {first + len(shown)} of {len(bots)})" if len(bots) > fits else ""
    heads = (("  Bot", NAME + 2), ("Health", HEALTH), ("Food", FOOD), ("Place", PLACE))
    named = "".join(f"{name:<{width}}" for name, width in heads)
    title = _title(f"Bots{more}", view, columns) if is_narrow else Text(f"{named}Now{more}", DIM)
    return [title, *(row for bot in shown for row in _bot(bot, view, is_narrow))]


def _bot(bot: Json, view: View, is_narrow: bool) -> Iterator[Text]:
    name, doing = str(bot["name"]), doing_of(bot)
    place = view.newest.place_of(name)
    is_chosen = name == view.chosen
    lead = f"{view.signs.chosen} " if is_chosen else "  "
    health = f"{place['health']:g}" if place else "-"
    food = f"{place['food']:g}" if place else "-"
    at = place_in_words(place) if place else "-"
    is_low = place is not None and place["health"] < LOW_HEALTH
    style = BOLD if is_chosen else ""
    named = Text(set_cell_size(f"{lead}{printable(name)}", NAME + 1) + " ", style)
    if is_narrow:
        yield Text.assemble(named, (f"health {health} ", LOW if is_low else ""), f"at {at}")
        yield Text(f"    {doing}")
        return
    row = Text.assemble(named, (f"{health:<{HEALTH}}", LOW if is_low else ""), f"{food:<{FOOD}}")
    yield row.append(f"{set_cell_size(at, PLACE - 1)} {doing}")


def _work(work: Work, view: View, columns: int) -> Text:
    full = round(work.share * BAR)
    bar = view.signs.full * full + view.signs.empty * (BAR - full)
    far = f"{bar} {work.share:>4.0%} " if work.total else ""
    if columns < NARROW:
        return Text(f"{work.bot}: {work.share:.0%} {work.what}, {work.details}")
    named = set_cell_size(printable(work.bot), NAME - 1)
    return Text(f"  {named} {far}{work.what}: {work.details}")


def _talk(view: View, columns: int, rows: int) -> list[Text]:
    """The newest lines, as many as fit."""
    shown: list[Text] = []
    for line in reversed(view.lines):
        more = list(_line(line, columns))
        if len(shown) + len(more) > rows:
            break
        shown = more + shown
    return shown or [Text("  Nobody has said anything yet.", DIM)]


def _line(line: Line, columns: int) -> Iterator[Text]:
    lead = f"{line.time}  " if columns >= NARROW else ""
    names = f"{line.names}: " if line.names else ""
    room = max(LABEL, columns - len(lead))
    first, *more = wrapped(names + line.words, room)
    row = Text.assemble((lead, DIM), first)
    if names and first.startswith(names):
        row.stylize(BOLD, len(lead), len(lead) + len(names) - 1)
    yield row
    yield from (Text(" " * len(lead) + rest) for rest in more)


def _title(words: str, view: View, columns: int) -> Text:
    return Text(f"{words} ".ljust(columns, view.signs.line), DIM)


def arrow() -> str:
    return "→" if speaks_unicode(sys.stdout) else "->"


def follow(daemon: DaemonClient) -> None:
    """Print how things are, and then each change, until the daemon ends."""
    with daemon.new_traces() as events:
        now = Snapshot.of(daemon)
        for line in lines_of(now):
            _print_now(line)
        for event in events:
            for line in told(event, now.names):
                _print_now(line)


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


def _print_now(line: str) -> None:
    print_line(line)
    sys.stdout.flush()
