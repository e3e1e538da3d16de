"""Every snippet of Python in README and on the page for Python runs as it stands there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import townsfolk
from townsfolk import FakeBridge

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs/python.md"]
SNIPPETS = [
    (page.name, snippet)
    for page in PAGES
    for snippet in re.findall(r"^```python\n(.+?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
]
TESTS = [snippet for _, snippet in SNIPPETS if "def test_" in snippet]
SCRIPTS = [
    snippet
    for _, snippet in SNIPPETS
    if re.search(r"Daemon\(settings\)|Daemon\(Settings\(", snippet) and snippet not in TESTS
]
OFFLINE = [snippet for _, snippet in SNIPPETS if "simulate(" in snippet]

pytest_plugins = ("pytester",)


def test_every_snippet_is_run_below() -> None:
    assert len(TESTS) + len(SCRIPTS) + len(OFFLINE) == len(SNIPPETS) > 3


@pytest.mark.parametrize("snippet", TESTS)
def test_a_snippet_that_is_a_test_passes(snippet: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(snippet)
    pytester.runpytest_subprocess("-p", "no:randomly").assert_outcomes(passed=1)


@pytest.mark.parametrize("snippet", SCRIPTS)
def test_a_snippet_that_is_a_script_runs_in_a_simulated_world(
    snippet: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = townsfolk.Daemon

    def simulated(settings: townsfolk.Settings) -> townsfolk.Daemon:
        chosen = settings.model_copy(update={"data_dir": tmp_path})
        bridge = FakeBridge()
        bridge.world.set_block(townsfolk.Position(11, 64, 8), "oak_log")
        bridge.world.person("Steve")
        return real(chosen, bridge=bridge, times=townsfolk.Times.of(bridge.world.clock))

    monkeypatch.setitem(vars(townsfolk), "Daemon", simulated)
    exec(compile(snippet, "snippet", "exec"), {"__name__": "snippet"})


@pytest.mark.real
@pytest.mark.parametrize("snippet", OFFLINE)
def test_a_snippet_that_needs_no_bot_runs(snippet: str, node_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run(
        [sys.executable, "-c", snippet],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=100,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("True [")
