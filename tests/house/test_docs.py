"""The reference in docs/ is complete: each command, setting, event and endpoint has its row."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from bots.access.origin import Level
from bots.commands.catalogue import commands
from bots.http.app import ENDPOINTS
from bots.registry.registry import Command
from bots.settings.settings import settings_table
from bridge.actions import Action

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = [path for name in ("bots", "bridge", "llm") for path in (ROOT / name).rglob("*.py")]
EVENT = re.compile(r"[a-z_]+\.[a-z_]+")
LEVELS = {"debug", "info", "warning", "error", "exception"}


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of a page in docs/, its header left out."""
    text = (ROOT / "docs" / page).read_text()
    lines = re.split(rf"^#+ {heading}\n", text, maxsplit=1, flags=re.MULTILINE)[1].splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("|")) + 2
    table = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        table.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return table


def names(page: str, heading: str) -> list[str]:
    """What the rows of a table are about; a row may name several things that are alike."""
    return [name for row in rows(page, heading) for name in re.findall(r"`([^`]+)`", row[0])]


@cache
def calls() -> list[tuple[ast.expr, str]]:
    """Every call whose arguments hold the name of an event: what is called, and that name."""
    found = []
    for path in SOURCES:
        for call in ast.walk(ast.parse(path.read_text())):
            if not isinstance(call, ast.Call):
                continue
            for argument in call.args:
                value = argument.value if isinstance(argument, ast.Constant) else None
                if isinstance(value, str) and EVENT.fullmatch(value):
                    found.append((call.func, value))
    return found


def traced_events() -> set[str]:
    """The names of all events of the trace, read from the source."""
    return {
        event
        for called, event in calls()
        if isinstance(called, ast.Attribute) and called.attr in {"note", "_note"}
    }


def logged_events() -> set[str]:
    """The names of all events of the log, read from the source."""
    return {
        event
        for called, event in calls()
        if (isinstance(called, ast.Attribute) and called.attr in LEVELS)
        or (isinstance(called, ast.Name) and called.id == "tell")
    }


def example(command: Command[Any]) -> str:
    """The name of a command, and the arguments that its example has."""
    name = f"!{command.name}"
    arguments = command.example.removeprefix(name).strip()
    return f"`{name}` `{arguments}`" if arguments else f"`{name}`"


def commands_of(heading: str) -> list[list[str]]:
    """The rows of commands below a heading, without the other names that a command has."""
    return [[row[0].split(" — ")[0], *row[1:]] for row in rows("commands.md", heading)]


def test_every_command_has_a_row_with_its_level_and_meaning() -> None:
    headings = {
        Level.PLAYER: "Of everybody",
        Level.TRUSTED: "Of trusted players and owners",
        Level.OWNER: "Of owners",
    }
    assert {command.level for command in commands} == set(headings)
    for level, heading in headings.items():
        those = [command for command in commands if command.level is level]
        assert commands_of(heading) == [[example(one), one.summary] for one in those]


def test_the_commands_that_bots_may_say_are_named() -> None:
    page = (ROOT / "docs/commands.md").read_text()
    named = page.partition("Bots may say these too:")[2].partition("\n\n")[0]
    allowed = [f"!{command.name}" for command in commands if command.allow_bots]
    assert re.findall(r"`([^`]+)`", named) == allowed


def settings_of(row: list[str]) -> Iterator[list[str]]:
    """The settings of a row, which may be several with the same meaning."""
    settings = row[0].split(", ")
    defaults = row[1].split(", ") if len(settings) > 1 and row[1] else [row[1]] * len(settings)
    for name, default in zip(settings, defaults, strict=True):
        yield [name.strip("`"), default.strip("`"), row[2]]


def test_every_setting_has_a_row_with_its_default_and_meaning() -> None:
    written = [setting for row in rows("settings.md", "Settings") for setting in settings_of(row)]
    assert sorted(written) == sorted(list(row) for row in settings_table())


def test_every_event_of_the_trace_has_a_row() -> None:
    written = names("events.md", "The trace")
    assert set(written) == traced_events()
    assert len(written) == len(set(written))


def test_every_event_of_the_log_has_a_row() -> None:
    written = names("events.md", "The log")
    assert set(written) == logged_events()
    assert len(written) == len(set(written))


def test_every_action_has_a_row_with_what_its_success_rests_on() -> None:
    heading = "What a success rests on"
    written = names("architecture.md", heading)
    assert sorted(written) == sorted(action.kind for action in get_args(Action))
    assert all(row[1] for row in rows("architecture.md", heading))


def test_every_endpoint_has_a_row() -> None:
    written = [[row[0].strip("`"), row[1]] for row in rows("http.md", "HTTP and WebSocket")]
    assert written == [[f"{one.method} {one.path}", one.meaning] for one in ENDPOINTS]


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub links to them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in link:
            continue
        file, _, heading = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (heading and heading not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_every_page_of_the_docs_is_linked_from_a_page() -> None:
    linked = {
        (page.parent / link.partition("#")[0]).resolve()
        for page in PAGES
        for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text())
    }
    assert [page.name for page in PAGES if page.parent != ROOT and page not in linked] == []


def test_every_promise_of_security_names_tests_that_are_there() -> None:
    table = (ROOT / "SECURITY.md").read_text().partition("| promise |")[2].partition("\n\n")[0]
    promised = [line.split("|") for line in table.splitlines()[2:]]
    assert [row[1].strip() for row in promised][:12] == [str(point) for point in range(1, 13)]
    for row in promised:
        tests = re.findall(r"`([^`]+)`", row[4])
        assert tests, row
        assert [one for one in tests if not (ROOT / "tests" / one).is_file()] == []
