"""requirements.toml names the tests that prove each promise; checked in both directions."""

import ast
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MAP: dict[str, dict[str, Any]] = tomllib.loads((ROOT / "tests/requirements.toml").read_text())
HOUSE = ROOT / "tests/house"


def names_of_tests(path: Path) -> set[str]:
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def test_every_requirement_says_what_it_promises_and_names_a_test() -> None:
    assert [key for key, entry in MAP.items() if not (entry["says"] and entry["tests"])] == []


def test_every_named_test_exists() -> None:
    missing = []
    for key, entry in MAP.items():
        for test in entry["tests"]:
            file, _, name = test.partition("::")
            path = ROOT / "tests" / file
            if not path.is_file() or (name and name not in names_of_tests(path)):
                missing.append(f"{key}: {test}")
    assert missing == []


def test_every_test_file_proves_a_requirement() -> None:
    named = {test.partition("::")[0] for entry in MAP.values() for test in entry["tests"]}
    files = {
        str(path.relative_to(ROOT / "tests"))
        for path in (ROOT / "tests").rglob("test_*.py")
        if HOUSE not in path.parents
    }
    assert files - named == set()
