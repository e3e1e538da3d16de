"""What the daemon and the processes below it take of the machine."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import anyio
import psutil
import pytest
from support.descriptors import no_descriptor_left

from bots.daemon.health import LOOKS_FOR_NEW_EVERY_S, Load

WAITS = "import sys; print(flush=True); sys.stdin.readline()"
PARENT = f"""
import subprocess, sys
sys.stdin.readline()
below = [
    subprocess.Popen([sys.executable, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for words in (["-c", {WAITS!r}], sys.argv[1:])
]
for one in below:
    one.stdout.readline()
print(flush=True)
sys.stdin.readline()
for one in below:
    one.communicate()
print(flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def parent(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Starts two processes at a line, the second of them as the server; ends them at the next."""
    script = tmp_path / "server" / "main.cjs"
    script.parent.mkdir()
    script.write_text(WAITS)
    words, pipe = [sys.executable, "-c", PARENT, str(script)], subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) as process:
        yield process
        process.communicate()


def go_on(pipes: tuple[IO[str] | None, IO[str] | None]) -> None:
    to, back = pipes
    assert to is not None
    assert back is not None
    to.write("\n")
    to.flush()
    assert back.readline() == "\n"


def test_child_processes_count_by_kind_until_they_end(parent: subprocess.Popen[str]) -> None:
    now_s = 0.0
    load = Load(lambda: 0.25, lambda: now_s, psutil.Process(parent.pid))
    nothing = {"memoryBytes": 0, "cpuSeconds": 0}
    assert (anyio.run(load.now)["node"], anyio.run(load.now)["nodes"]) == (nothing, 0)
    go_on((parent.stdin, parent.stdout))
    assert anyio.run(load.now)["node"] == nothing  # it does not look for new ones each time
    now_s += LOOKS_FOR_NEW_EVERY_S
    found = anyio.run(load.now)
    assert found["loopLagS"] == 0.25
    assert found["server"] is not None
    assert found["server"]["memoryBytes"] > 1_000_000
    assert found["node"]["memoryBytes"] > 1_000_000
    assert found["nodes"] == 1
    assert found["daemon"]["memoryBytes"] > 1_000_000
    go_on((parent.stdin, parent.stdout))
    after = anyio.run(load.now)
    assert (after["node"], after["nodes"], after["server"]) == (nothing, 0, None)


def test_where_no_descriptor_is_left_the_load_is_told_without_numbers() -> None:
    load = Load(lambda: 0.25)
    with no_descriptor_left():
        told = load._read()
    assert told["loopLagS"] == 0.25
    assert told["daemon"] == {"memoryBytes": 0, "cpuSeconds": 0.0}
