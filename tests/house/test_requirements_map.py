"""requirements.toml names, for each promise, the tests that prove it or what is missing."""

import ast
import tomllib
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parents[1]
MAP: dict[str, dict[str, Any]] = tomllib.loads((TESTS / "requirements.toml").read_text())
PROMISES: dict[str, int] = MAP.pop("promises")
DONE = {key: entry for key, entry in MAP.items() if entry.get("done", True)}
OPEN = {key: entry for key, entry in MAP.items() if key not in DONE}


def names_of_tests(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def files_of(named: str) -> list[Path]:
    """The file that an entry names, or, for a folder, each test file in it."""
    path = TESTS / named
    return [*path.glob("test_*.py")] if named.endswith("/") else [path]


def test_every_promise_has_an_entry_and_no_other() -> None:
    promised = [f"{letter}{n}" for letter, last in PROMISES.items() for n in range(1, last + 1)]
    assert sorted(MAP) == sorted(promised)


def test_every_entry_has_the_same_few_keys() -> None:
    known = {"says", "tests", "done", "finding"}
    assert [key for key, entry in MAP.items() if not {"says", "tests"} <= set(entry) <= known] == []
    assert [key for key, entry in MAP.items() if not entry["says"].endswith(".")] == []


def test_a_promise_that_is_done_names_tests_and_no_finding() -> None:
    assert [key for key, entry in DONE.items() if not entry["tests"] or "finding" in entry] == []


def test_a_promise_that_is_not_done_names_its_finding() -> None:
    assert [key for key, entry in OPEN.items() if not entry.get("finding")] == []


def test_every_named_test_exists() -> None:
    missing = []
    for key, entry in MAP.items():
        for test in entry["tests"]:
            file, _, name = test.partition("::")
            path = TESTS / file
            if file.endswith("/"):
                if not any(path.glob("test_*.py")):
                    missing.append(f"{key}: {test}")
            elif not path.is_file() or (name and name not in names_of_tests(path)):
                missing.append(f"{key}: {test}")
    assert missing == []


def test_every_test_file_belongs_to_a_promise() -> None:
    named = {
        str(path.relative_to(TESTS))
        for entry in MAP.values()
        for test in entry["tests"]
        for path in files_of(test.partition("::")[0])
    }
    files = {
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("test_*.py")
        if (TESTS / "house") not in path.parents
    }
    assert files - named == set()
