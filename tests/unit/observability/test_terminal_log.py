"""The log as a person reads it in a terminal."""

import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog
from support.screen import Screen

from bots.observability.logs import log_file, logging_to
from bots.settings.settings import LogSettings
from bots.text.columns import width_of

log = structlog.get_logger()


class Terminal(io.StringIO):
    """Colours can be told from words."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    @property
    def rows(self) -> list[str]:
        """What stands there, times left out."""
        screen = Screen(200)
        screen.feed(self.getvalue().replace("\n", "\r\n"))
        return [re.sub(r"^\d\d:\d\d:\d\d", "TT:TT:TT", row) for row in screen.lines if row]


@contextmanager
def terminal(folder: Path, *, wanted: str = "auto") -> Iterator[Terminal]:
    out = Terminal()
    with logging_to(folder, LogSettings(format=wanted), stream=out):  # type: ignore[arg-type]
        yield out


@pytest.fixture(autouse=True)
def width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_what_is_said_is_told_as_who_to_whom_and_words(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        log.info("line.said", by="Bob", to="Alice", text="Some gravel, 9 blocks away!")
        log.info("line.said", by="Alice", to="Bob, Steve", text="Time for a walk.")
    assert out.rows == [
        "TT:TT:TT  Bob → Alice    Some gravel, 9 blocks away!",
        "TT:TT:TT  Alice → Bob, Steve Time for a walk.",
    ]


@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        (
            "60",
            [
                "TT:TT:TT  Bob → Alice    In the morning I would like to go",
                "                         to the lake with you, and build a",
                "                         bridge.",
            ],
        ),
        (
            "40",
            [
                "TT:TT:TT  Bob → Alice    In the morning",
                "          I would like to go to the lake",
                "          with you, and build a bridge.",
            ],
        ),
    ],
)
def test_long_words_go_on_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str, rows: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = "In the morning I would like to go to the lake with you, and build a bridge."
    with terminal(tmp_path) as out:
        log.info("line.said", by="Bob", to="Alice", text=text)
    assert out.rows == rows
    assert all(width_of(row) <= int(columns) for row in rows)


@pytest.mark.parametrize("columns", [40, 80])
def test_japanese_names_and_words_stand_in_columns_and_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    with terminal(tmp_path) as out:
        log.info("line.said", by="@ユキ", to="Alice", text="おはよう")
        log.info("line.said", by="Bob", to="Alice", text="おはよう")
        log.info("line.said", by="Alice", to="@ユキ", text="湖のそばに橋を作りましょう。" * 4)
    short, plain, *long = out.rows
    at = {width_of(row[: row.index("おはよう")]) for row in (short, plain)}
    assert at == {25}
    assert all(width_of(row) <= columns for row in long)
    assert "".join(row.split("@ユキ")[-1].strip() for row in long) == (
        "湖のそばに橋を作りましょう。" * 4
    )


def test_facts_are_left_to_the_file_unless_asked_for(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        log.info("command.finished", bot="Alice", command="stop")
        log.info("bot.joined", bot="Alice", server="127.0.0.1:25565", version="1.16.5")
    assert out.rows == ["TT:TT:TT  Alice is in the world."]
    events = [json.loads(line)["event"] for line in log_file(tmp_path).read_text().splitlines()]
    assert events == ["command.finished", "bot.joined"]
    with terminal(tmp_path, wanted="console") as verbose:
        log.info("command.finished", bot="Alice", command="stop")
    assert "command.finished" in verbose.getvalue()


def test_a_death_is_told_with_its_place(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        log.info("bot.died", bot="Alice", position=[-1, 60, -7], cause=None)
        zombie = {"by": "zombie", "kind": "creature", "how": "guessed"}
        log.info("bot.died", bot="Alice", position=[-1, 60, -7], cause=zombie)
    assert out.rows == [
        "TT:TT:TT  Alice died at -1 60 -7; nobody knows of what.",
        "TT:TT:TT  Alice died at -1 60 -7: perhaps a zombie killed it.",
    ]


def test_warnings_are_sentences_with_a_next_step(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        log.warning("bot.disconnected", bot="Alice", cause="x", advice="Nobody.", next_try_s=8.2)
        log.warning("bot.disconnected", bot="Bob", cause="x", advice="Nobody.", next_try_s=0.2)
        log.warning("permissions.weak", found="nobody is owner", advice="start with --owner NAME")
        log.warning("reply.failed", bot="Bob", to="Steve", why="too far")
        logging.getLogger("uvicorn.error").warning("port is odd")
    assert out.rows == [
        *("TT:TT:TT  ! Alice: Nobody. Next try in 8 s.", "TT:TT:TT  ! Bob: Nobody. Trying again."),
        "TT:TT:TT  ! Nobody is owner. To do: start with --owner NAME.",
        *("TT:TT:TT  ! Bob: reply failed (to=Steve): too far.", "TT:TT:TT  ! port is odd."),
    ]


def test_of_a_bug_the_last_line_is_shown_and_the_file_has_all(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        try:
            raise ValueError("no such thing")
        except ValueError:
            log.exception("task.failed", task="pump")
    text = " ".join(row.strip() for row in out.rows)
    assert "task failed (task=pump): ValueError: no such thing (the log file has more)" in text
    assert "Traceback" not in out.getvalue()
    assert "Traceback" in log_file(tmp_path).read_text()


def test_progress_is_counted_in_one_place(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        for second in range(3):
            log.info("node.preparing", progress=f"installing: {second} s")
        log.info("node.preparing", progress="installed")
        log.info("bot.joined", bot="Alice")
    assert out.rows == ["TT:TT:TT  installed", "TT:TT:TT  Alice is in the world."]


def test_what_others_say_cannot_steer_the_terminal(tmp_path: Path) -> None:
    with terminal(tmp_path) as out:
        log.info("line.said", by="Bob", to="Alice", text="\x1b[2J\u202e \ud800")
    assert out.rows == [r"TT:TT:TT  Bob → Alice    \u001b[2J\u202e \ud800"]


@pytest.mark.parametrize(("value", "coloured"), [("", True), ("1", False)])
def test_colours_are_for_those_who_did_not_refuse_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str, coloured: bool
) -> None:
    monkeypatch.setenv("NO_COLOR", value)
    with terminal(tmp_path) as out:
        log.info("line.said", by="Bob", to="Alice", text="hi")
        log.warning("reply.failed", why="no")
    assert ("\x1b[" in out.getvalue()) is coloured


def test_a_terminal_without_arrows_gets_simple_ones(tmp_path: Path) -> None:
    out = Terminal()
    out.encoding = "ascii"
    with logging_to(tmp_path, LogSettings(), stream=out):
        log.info("line.said", by="Bob", to="Alice", text="hi")
    assert out.rows == ["TT:TT:TT  Bob -> Alice   hi"]
