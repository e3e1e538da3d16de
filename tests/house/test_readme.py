"""README keeps its promises: its commands are the ones that users and CI run."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_test_command_is_the_one_ci_runs() -> None:
    command = re.search(r"<!-- test command -->\n```sh\n(.+)\n```\n<!-- end -->", README)
    assert command is not None
    assert command[1].endswith("python -m pytest -n 2 --dist loadfile")  # nothing is left out


def test_the_start_command_installs_and_starts_what_the_project_declares() -> None:
    command = re.search(r"^python3 -m venv \.venv && .+ && \.venv/bin/(\w+) up$", README, re.M)
    assert command is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert command[1] in project["scripts"]
    assert "constraints.txt" in command[0]


def test_every_file_that_readme_names_exists() -> None:
    named = re.findall(r"(?:examples|tests|docs|benchmarks|bots|bridge|llm)/[\w./-]*\w", README)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
