"""A crash leaves no core: it held the key of the model and the pin, 184 MB of a daemon's memory."""

import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import bots.cli.main as command_line
from bots.cli.main import NO_FILE_NOR_PIPE, forbid_core_dumps

CRASHES = """
import os, resource, signal, subprocess, sys
{forbid}
child = "import os, resource, signal; print(resource.getrlimit(resource.RLIMIT_CORE), flush=True); "
subprocess.run([sys.executable, "-c", child + "os.kill(os.getpid(), signal.SIGABRT)"])
os.kill(os.getpid(), signal.SIGABRT)
"""


def test_neither_a_process_nor_its_children_leave_a_core(tmp_path: Path) -> None:
    """The limit before is as high as the system lets us set it."""
    forbid = "from bots.cli.main import forbid_core_dumps; forbid_core_dumps()"
    run = subprocess.run(
        [sys.executable, "-c", CRASHES.format(forbid=forbid)],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        preexec_fn=_allow_cores,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == -signal.SIGABRT, run.stderr
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    least = NO_FILE_NOR_PIPE if hard == resource.RLIM_INFINITY else min(hard, NO_FILE_NOR_PIPE)
    assert run.stdout == f"{(least, least)}\n"
    assert list(tmp_path.iterdir()) == []


def _allow_cores() -> None:
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


def test_every_command_begins_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(command_line, "forbid_core_dumps", lambda: done.append("no core"))
    monkeypatch.setattr(command_line, "app", lambda: done.append("command"))
    command_line.main()
    assert done == ["no core", "command"]


def test_a_limit_that_was_lower_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _what: (0, 0))
    monkeypatch.setattr(resource, "setrlimit", lambda _what, limits: given.append(limits))
    forbid_core_dumps()
    assert given == [(0, 0)]
