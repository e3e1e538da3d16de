"""`townsfolk top`: what stands on the screen, and what keys do, against a stub of the daemon."""

import fcntl
import json
import os
import signal
import struct
import sys
import termios
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from support.http_stub import StubDaemon
from support.screen import Seen, in_terminal
from support.served import serving
from typer.testing import CliRunner

from bots.cli.main import app
from bots.cli.top.run import Key, keys_of
from bots.cli.top.screen import ASCII, View, frame, lines_of
from bots.cli.top.snapshot import Line, Snapshot, changed, load_in_words, spoken
from bots.daemon.shapes import GoalsShape, Json, LoadShape, StepShape

PROGRAM = Path(sys.executable).with_name("townsfolk")
RESTORED = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
STARTS_WITHIN_S = 60.0  # on a busy machine
HOSTILE = "red \x1b[31m\x07 \u202e\n"


def step(thing: str, took_s: float | None) -> StepShape:
    return {
        "action": "craft",
        "thing": thing,
        "count": 4,
        "tool": None,
        "station": None,
        "consumes": {},
        "produces": {},
        "estimateS": 3.0,
        "tookS": took_s,
    }


class Busy(StubDaemon):
    """Alice is at a goal, Bob waits for his server."""

    def __init__(self) -> None:
        super().__init__()
        fares = {"yaw": 0.0, "dimension": "the_nether", "health": 5.5, "food": 20.0, "held": None}
        self.here["bots"] = [{"name": "Alice", "x": 9.4, "y": 64, "z": -15.6, **fares}]  # type: ignore[typeddict-item]
        self.says = ["Hello 世界"]
        """What is said once somebody looks."""

    def bots(self) -> list[Json]:
        progress = {"done": 1, "total": 3, "what": "oak_log", "stage": "step 2 of 3"}
        at_work = {"doing": ["!goal"], "goal": "inventory.stick:4"}
        job = {"command": "!goal", "progress": progress}
        away = {"state": "waiting", "advice": f"Nothing listens {HOSTILE}", "doing": []}
        return [
            {"name": "Alice", "state": "online", **at_work, "job": job},
            {"name": "Bob", **away, "goal": None, "job": None},
        ]

    def goals(self, bot: str) -> GoalsShape:
        steps = [step("planks", 2.5), step("stick", None), step("torch", None)]
        kept = [
            {"goal": "inventory.stick:4", "state": "under_way", "givenBy": "@operator"},
            {"goal": "inventory.torch:4", "state": "waiting", "givenBy": "Steve"},
        ]
        plan = {"goal": "stick", "steps": steps, "leftS": 40.0}
        return {"success": True, "goals": kept, "plan": plan}  # type: ignore[typeddict-item]

    async def load(self) -> LoadShape:
        for words in self.says:
            self.trace.note("smalltalk.said", "Alice", to=["Bob"], text=words)
        self.says = []
        return await super().load()


def snapshot(**changes: Any) -> Snapshot:
    stub = Busy()
    load = {"memoryBytes": 120_000_000, "cpuSeconds": 4.5}
    parts = {
        "bots": stub.bots(),
        "positions": stub.here,
        "budget": stub.budget(),
        "load": {"daemon": load, "node": load, "nodes": 1, "server": None, "loopLagS": 0.004},
        "goals": {"Alice": stub.goals("Alice")},
        "taken_at_s": 10.0,
    }
    return Snapshot(**{**parts, **changes})


def shown(view: View, columns: int = 80, rows: int = 24) -> list[str]:
    return [row.plain.rstrip() for row in frame(view, columns, rows)]


def test_a_screen_tells_bots_work_talk_cost_and_load() -> None:
    lines = [Line("12:00:01", "Alice → Bob", "こんにちは")]
    rows = shown(View(snapshot(), chosen="Alice", server="Minecraft 1.16.5", lines=lines))
    assert rows[0] == "townsfolk · Minecraft 1.16.5 · 1 of 2 bots online"
    assert rows[2].startswith("▸ Alice           5.5     20    9 64 -16 nether goal inventory.")
    assert rows[3].startswith("  Bob             -       -     -               waiting: Nothing")
    assert rows[5] == (
        "  Alice           ████░░░░░░░░  33% stick: oak log 1/3, about 40 s left, 1 more…"
    )
    assert rows[7] == "12:00:01  Alice → Bob: こんにちは"
    assert rows[-3].startswith("Cost  $0.25 of $2.00 in 24 h · background $0.25/$2.00")
    assert rows[-2].startswith("Load  daemon 120 MB, 4 s of CPU · Node 120 MB")
    assert rows[-1] == "Tab choose  t talk  s stop  S stop all  ? help  q quit"


def cluster() -> Snapshot:
    alone = snapshot()
    here, there = alone.bots
    load = {**alone.load, "daemons": {"west": alone.load}, "silent": []}
    return snapshot(bots=[{**here, "daemon": "east"}, {**there, "daemon": "west"}], load=load)


def test_of_a_cluster_it_tells_where_a_bot_lives_and_the_load_of_each_daemon() -> None:
    rows = shown(View(cluster(), chosen="Alice"), columns=120)
    assert "on east: goal" in rows[2]
    assert "on west: waiting" in rows[3]
    assert rows[-3].startswith("Load  here: daemon 120 MB")
    assert rows[-2].startswith("Load  west: daemon 120 MB")
    assert [line[:23] for line in lines_of(cluster())][-2:] == [
        "Load             here: ",
        "Load             west: ",
    ]


@pytest.mark.parametrize("columns", [8, 20, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("rows", [1, 2, 4, 8, 24, 60])
def test_every_screen_is_filled_and_no_row_is_too_wide(columns: int, rows: int) -> None:
    lines = [Line("12:00:01", "Alice → Bob", "世界" * 40 + " word" * 40) for _ in range(5)]
    for view in (
        View(snapshot(), chosen="Alice", lines=lines),
        View(snapshot(), chosen="Alice", lines=lines, is_helping=True, trouble="the daemon " * 9),
        View(snapshot(bots=[], goals={}), typed="あいうえお" * 30),
    ):
        drawn = frame(view, columns, rows)
        assert len(drawn) == rows
        assert max(row.cell_len for row in drawn) <= columns
        assert all(row.plain.isprintable() for row in drawn)


def test_a_narrow_screen_says_below_a_name_what_it_does() -> None:
    rows = shown(View(snapshot(), chosen="Alice"), columns=40)
    assert rows[2] == "▸ Alice           health 5.5 at 9 64 -1…"
    assert rows[3].startswith("    goal inventory.stick:4, step 2")


def test_of_many_bots_the_chosen_one_is_shown() -> None:
    bots = [{"name": f"Bot{n}", "state": "online", "doing": []} for n in range(50)]
    view = View(snapshot(bots=bots, goals={}), chosen="Bot0")
    for _ in range(40):
        view.choose(1)
    rows = shown(view)
    assert any(row.startswith("▸ Bot40") for row in rows)
    assert "of 50)" in rows[1]
    view.choose(-41)
    assert view.chosen == "Bot49"


def test_what_is_typed_shows_its_end_and_its_cursor() -> None:
    view = View(snapshot(), chosen="Alice", typed="あ" * 60 + "end")
    row = shown(view, columns=40)[-1]
    assert row.startswith("to Alice> あ")
    assert row.endswith("あend_")
    assert cell_len(row) in (39, 40)


def test_a_terminal_without_such_signs_gets_plain_ones() -> None:
    rows = shown(View(snapshot(), chosen="Alice", signs=ASCII, lines=[]))
    assert "".join(rows).isascii()


def test_a_chosen_bot_that_leaves_is_replaced_and_trouble_goes_with_news() -> None:
    view = View(snapshot(), chosen="Alice", trouble="the daemon does not answer")
    assert shown(view)[1] == "! the daemon does not answer"
    view.take(snapshot(bots=[{"name": "Bob", "state": "online", "doing": []}], goals={}))
    assert (view.chosen, view.trouble) == ("Bob", "")


def test_the_load_is_a_share_of_a_processor_since_the_look_before() -> None:
    before, now = snapshot().load, snapshot().load
    now = {**now, "daemon": {"memoryBytes": 120_000_000, "cpuSeconds": 5.0}}
    now["node"] = {"memoryBytes": 90_000_000, "cpuSeconds": 0.1}
    assert load_in_words(now, before, 2.0) == [
        "daemon 25% 120 MB",
        "Node 0% 90 MB",
        "loop lag 4 ms",
    ]
    assert load_in_words({**now, "nodes": 2}, before, 2.0)[1] == "2 Nodes 0% 90 MB"


@pytest.mark.parametrize(
    ("read", "keys"),
    [
        ("\x1b[A\x1bOBq", [Key("up"), Key("down"), Key(text="q")]),
        ("\x1b", [Key("escape")]),
        ("あ\x7f\r", [Key(text="あ"), Key("erase"), Key("enter")]),
        ("\x1b[200~two\nlines S\x1b[201~", [Key(text="two lines S", is_pasted=True)]),
        ("\x1b[200~cut", [Key(text="cut", is_pasted=True)]),
        ("\x1b[15~\x1b[1;5C\x01", []),
    ],
)
def test_keys_are_read_as_terminals_send_them(read: str, keys: list[Key]) -> None:
    assert list(keys_of(read)) == keys


def event(name: str, **facts: object) -> Json:
    return {"sequence": 1, "at": "2026-11-23T12:00:00+00:00", "name": name, "bot": "Alice", **facts}


def test_what_others_say_reaches_no_terminal_as_it_is() -> None:
    line = spoken(event("message.heard", speaker=HOSTILE, text=HOSTILE), ["Alice"], "->")
    assert line is not None
    assert str(line).isprintable()
    told = changed(event("job.finished", command=HOSTILE, result={"message": HOSTILE}))
    assert told is not None
    assert str(told).isprintable()
    assert all(line.isprintable() for line in lines_of(snapshot()))


@pytest.mark.parametrize(
    ("name", "facts", "told"),
    [
        ("connection.changed", {"state": "waiting", "cause": "full"}, "Alice is waiting: full."),
        (
            "bot.died",
            {"position": [8, 64, 8], "cause": {"by": "fall", "kind": "thing", "how": "seen"}},
            "Alice died at 8 64 8: a fall killed it.",
        ),
        ("health.changed", {"health": 17.5, "food": 20}, "Alice: health 17.5, food 20."),
        (
            *("job.progressed", {"command": "!goal", "done": 1, "total": 3, "what": "oak_log"}),
            "Alice: !goal: oak log 1/3.",
        ),
        ("job.finished", {"command": "!goal", "result": {"success": True}}, "Alice: !goal: done."),
        ("decision.made", {"cost_usd": 0.0123, "model": "m"}, "Alice has decided by m: $0.0123."),
        ("decision.made", {"cost_usd": 0, "model": None}, None),
        ("knowledge.used", {}, None),
    ],
)
def test_a_change_is_a_line(name: str, facts: Json, told: str | None) -> None:
    line = changed(event(name, **facts))
    assert (line and line.words) == told


@pytest.fixture
def daemon() -> Busy:
    return Busy()


def test_once_prints_how_things_are_in_words_or_json(daemon: Busy, tmp_path: Path) -> None:
    with serving(daemon, tmp_path):
        once = CliRunner().invoke(app, ["top", "--once", "--data-dir", str(tmp_path)])
        as_json = CliRunner().invoke(app, ["top", "--json", "--data-dir", str(tmp_path)])
    assert (once.exit_code, as_json.exit_code) == (0, 0)
    alice, bob, work, cost, load = once.stdout.splitlines()
    assert alice.startswith("Alice            health 5.5, food 20, at 9 64 -16 nether: goal ")
    assert bob.startswith("Bob              waiting: Nothing listens")
    assert work == (
        "Work             Alice: stick 33%, oak log 1/3, about 40 s left, 1 more waiting"
    )
    assert (cost[:4], load[:4]) == ("Cost", "Load")
    found = json.loads(as_json.stdout)
    assert found["success"] is True
    assert found["goals"]["Alice"]["plan"]["goal"] == "stick"


@contextmanager
def looking(folder: Path, **variables: str) -> Iterator[Seen]:
    env = {"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    with in_terminal([PROGRAM, "top", "--data-dir", folder], env) as seen:
        yield seen


@pytest.mark.slow
def test_keys_talk_and_stop_and_the_terminal_is_given_back(daemon: Busy, tmp_path: Path) -> None:
    with serving(daemon, tmp_path), looking(tmp_path) as seen:
        before = termios.tcgetattr(seen.terminal)
        seen.shows("Alice → Bob: Hello 世界", STARTS_WITHIN_S)
        seen.types("\t")
        seen.shows("▸ Bob")
        seen.types("tgood mornimg\x7f\x7fng あ\n")
        seen.shows("(Bob heard you, but has not answered.)")
        seen.types("1sS")
        seen.shows("Alice: done")
        seen.shows("All bots have stopped.")
        fcntl.ioctl(seen.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        seen.shows("t talk s stop S all")
        seen.types("th\x1b?")
        seen.shows("? or h           this help")
        assert max(map(len, seen.lines)) <= 40
        asked = {asked[:3] for asked in daemon.asked}
        assert asked >= {
            ("message", "Bob", "good morning あ"),
            ("command", "Alice", "!stop"),
            ("stop",),
        }
        assert not [one for one in asked if one[-1] == "h"]
        seen.types("q")
        assert seen.ended() == 0
        assert termios.tcgetattr(seen.terminal) == before
        assert seen.raw.decode().endswith(RESTORED)


@pytest.mark.slow
def test_signals_leave_the_terminal_as_it_was(daemon: Busy, tmp_path: Path) -> None:
    with serving(daemon, tmp_path):
        with looking(tmp_path, NO_COLOR="1") as seen:
            seen.shows("Hello", STARTS_WITHIN_S)
            seen.types("\x1a\x03")
            assert seen.ended() == 0
            assert "\x1b[1m" not in seen.raw.decode()
        with looking(tmp_path) as seen:
            seen.shows("Hello", STARTS_WITHIN_S)
            seen.process.send_signal(signal.SIGTERM)
            assert seen.ended() == 128 + signal.SIGTERM
            assert RESTORED in seen.raw.decode()


@pytest.mark.slow
def test_the_end_of_the_daemon_is_told_once(daemon: Busy, tmp_path: Path) -> None:
    with ExitStack() as terminals:
        with serving(daemon, tmp_path):
            seen = terminals.enter_context(looking(tmp_path))
            seen.shows("Hello", STARTS_WITHIN_S)
        assert seen.ended() == 1
        assert "the daemon has ended" in seen.raw.decode().rpartition(RESTORED)[2]


@pytest.mark.slow
def test_without_a_terminal_each_change_is_a_line(daemon: Busy, tmp_path: Path) -> None:
    env = {"LANG": "C.UTF-8", "PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    out = tmp_path / "out"
    words: list[str | Path] = [PROGRAM, "top", "--data-dir", tmp_path]
    with out.open("wb") as stdout, ExitStack() as terminals:
        with serving(daemon, tmp_path):
            seen = terminals.enter_context(in_terminal(words, env, stdout=stdout))
            seen.becomes(lambda: "Hello" in out.read_text(), "a line", STARTS_WITHIN_S)
        assert seen.ended() == 1
        assert "the daemon has ended" in seen.text
    *_, last = out.read_text().splitlines()
    assert last.endswith("  Alice → Bob: Hello 世界")
    assert "\x1b" not in out.read_text()
