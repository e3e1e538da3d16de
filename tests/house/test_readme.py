"""README cannot rot: every command, setting, event and endpoint has its row, and no other."""

import ast
import re
from pathlib import Path

from bots.commands.catalogue import commands
from bots.http.page import ENDPOINTS
from bots.settings.settings import settings_table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading, header left out."""
    section = README.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def noted_events() -> set[str]:
    """The names of all traces the program notes, read from its source."""
    return {
        argument.value
        for path in (ROOT / "bots").rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in {"note", "_note"}
        for argument in call.args
        if isinstance(argument, ast.Constant)
        and isinstance(argument.value, str)
        and re.fullmatch(r"[a-z_]+\.[a-z_]+", argument.value)
    }


def test_every_command_has_a_row_with_its_level_and_meaning() -> None:
    declared = [
        [f"`!{c.name}`", c.level.name.lower(), "yes" if c.allow_bots else "no", c.summary]
        for c in commands
    ]
    written = rows("Commands")
    assert [[row[0], row[1], row[2], row[4]] for row in written] == declared
    assert [row[3].split(" — ")[0] for row in written] == [f"`{c.example}`" for c in commands]


def test_every_setting_has_a_row_with_its_default_and_meaning() -> None:
    written = [[row[0].strip("`"), row[1].strip("`"), row[2]] for row in rows("Settings")]
    assert written == [list(row) for row in settings_table()]


def test_every_event_has_a_row() -> None:
    assert {row[0].strip("`") for row in rows("Events")} == noted_events()


def test_every_endpoint_has_a_row() -> None:
    written = [[row[0].strip("`"), row[1]] for row in rows("HTTP")]
    assert written == [[f"{method} {path}", meaning] for method, path, meaning in ENDPOINTS]


def test_the_test_command_is_the_one_ci_runs() -> None:
    command = re.search(r"<!-- test command -->\n```sh\n(.+)\n```\n<!-- end -->", README)
    assert command is not None
    assert command[1].endswith("python -m pytest -n 2 --dist loadfile")  # nothing is left out
