"""README and CONTRIBUTING are right: commands, files, names."""

import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text()
FOLDERS = "examples|tests|docs|benchmarks|townsfolk|bots|bridge|llm"


def test_the_test_command_is_the_one_ci_runs() -> None:
    command = re.search(r"<!-- test command -->\n```sh\n(.+)\n```\n<!-- end -->", README)
    assert command is not None
    assert command[1].endswith("python -m pytest -n 3 --dist loadfile")  # nothing is left out


def test_ci_installs_what_tests_are_skipped_without() -> None:
    (packages,) = re.findall(r"`apt-get install -y ([^`]+)`", README)
    tests = [
        path.read_text() for path in (ROOT / "tests").rglob("*.py") if path.name[:5] != "test_"
    ]
    missed = {name for text in tests for name in re.findall(r"apt-get install ([\w-]+)", text)}
    assert missed == set(packages.split())


def test_the_start_command_installs_and_starts_what_the_project_declares() -> None:
    command = re.search(r"^python3 -m venv \.venv && .+ && \.venv/bin/(\w+) up$", README, re.M)
    assert command is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert command[1] in project["scripts"]
    assert "constraints.txt" in command[0]


def test_contributing_is_read_in_one_go() -> None:
    assert len(CONTRIBUTING.splitlines()) <= 80


@pytest.mark.parametrize("text", [README, CONTRIBUTING], ids=["README", "CONTRIBUTING"])
def test_every_file_that_is_named_exists(text: str) -> None:
    named = re.findall(rf"\b(?:{FOLDERS})/[\w./-]*\w", text)
    assert named
    real = [name for name in named if "NAME" not in name]
    assert [name for name in real if not (ROOT / name).exists()] == []


def test_every_import_of_the_snippets_works() -> None:
    lines = re.findall(r"^from ([\w.]+) import ([\w, ]+)$", README, flags=re.MULTILINE)
    imports = [(module, name) for module, names in lines for name in names.split(", ")]
    assert imports
    for module, name in imports:
        assert hasattr(import_module(module), name), f"{module}: {name}"


def test_users_are_shown_one_package_alone() -> None:
    shown = [*ROOT.glob("docs/*.md"), ROOT / "README.md", *ROOT.glob("examples/*.py")]
    inner = re.compile(r"^\s*(?:from|import) (?:bots|bridge|llm)\b", re.MULTILINE)
    assert [page.name for page in shown if inner.search(page.read_text())] == []
