"""Every commit passes lint, types and layers, keeps functions short, and pins what it installs."""

import ast
import asyncio
import dataclasses
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.node import ensure, product_setup

ROOT = Path(__file__).parents[2]
SOURCES = [
    p
    for name in ("townsfolk", "bridge", "bots", "llm")
    for p in sorted((ROOT / name).rglob("*.py"))
]
SCRIPTS = [p for p in sorted((ROOT / "bridge").rglob("*.cjs")) if "node_modules" not in p.parts]
STANDARD = Path(__file__).with_name("standard")
TOKENIZER = ROOT / "tests/tokenizer"


def run(*command: str) -> None:
    bin_dir = Path(sys.executable).parent
    done = subprocess.run(
        [str(bin_dir / command[0]), *command[1:]], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy",), ("lint-imports",)],
    ids=lambda command: "-".join(command[:2]),
)
def test_the_gate_is_green(command: tuple[str, ...]) -> None:
    run(*command)


@pytest.mark.real
def test_every_script_of_the_host_and_the_server_parses(node_binary: Path) -> None:
    for script in SCRIPTS:
        done = subprocess.run(
            [str(node_binary), "--check", str(script)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


@pytest.mark.real
@pytest.mark.timeout(300)
def test_every_script_is_in_standard_style(node_binary: Path) -> None:
    tools = dataclasses.replace(
        product_setup(node_binary),
        manifest=STANDARD / "package.json",
        lock=STANDARD / "package-lock.json",
    )
    folder = asyncio.run(ensure(tools, lambda line: None))
    standard = folder / "node_modules/standard/bin/cmd.cjs"
    done = subprocess.run(
        [
            str(node_binary),
            str(standard),
            "bridge/**/*.cjs",
            "tests/**/*.cjs",
            "benchmarks/**/*.cjs",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def functions(path: Path) -> list[tuple[str, int]]:
    """Every function with its length in lines, without its docstring."""
    found: list[tuple[str, int]] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) and node.body[1:] else node.body
            found.append((node.name, (body[-1].end_lineno or 0) - body[0].lineno + 1))
    return found


def test_the_median_function_is_short() -> None:
    lengths = sorted(n for p in SOURCES for _, n in functions(p))
    assert lengths[len(lengths) // 2] <= 8


def test_javascript_and_anthropic_are_each_imported_in_one_file() -> None:
    importers = {
        name: [
            str(p.relative_to(ROOT))
            for p in SOURCES
            if re.search(rf"^\s*(import|from) {name}\b", p.read_text(), re.MULTILINE)
        ]
        for name in ("javascript", "anthropic")
    }
    assert {name: len(files) for name, files in importers.items()} == {
        "javascript": 1,
        "anthropic": 1,
    }, importers


def test_only_the_mailbox_worker_catches_everything() -> None:
    catchers = {
        str(p.relative_to(ROOT))
        for p in SOURCES
        for node in ast.walk(ast.parse(p.read_text()))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
    }
    assert catchers == {"bots/daemon/session.py"}


def test_lock_files_pin_everything_and_hold_no_address() -> None:
    pins = (ROOT / "constraints.txt").read_text()
    assert "://" not in pins
    for folder in (ROOT / "bridge/host", STANDARD, TOKENIZER):
        lock = (folder / "package-lock.json").read_text()
        assert "://" not in lock
        packages = json.loads(lock)["packages"]
        unsure = [n for n, p in packages.items() if n and "sha512-" not in p.get("integrity", "")]
        assert unsure == []
    assert all(re.fullmatch(r"[\w.\-]+==[\w.!+\-]+", pin) for pin in pins.splitlines())


def test_what_is_imported_is_this_checkout() -> None:
    import bots
    import bridge
    import llm
    import townsfolk

    modules = (townsfolk, bots, bridge, llm)
    assert [Path(module.__file__ or "").parents[1] for module in modules] == [ROOT] * 4
