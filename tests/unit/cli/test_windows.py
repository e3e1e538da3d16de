"""Where a system lacks what Unix has, as Windows does, everything loads all the same.

An imitation: names are removed. Windows itself is not tried."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

MISSING = """
import os, pkgutil, signal, socket, sys

import anyio, asyncio, filelock, mcp, platformdirs, psutil, subprocess, uvicorn  # not ours
for name in ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "readline"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "pthread_kill", "pause"):
    delattr(signal, name)
for name in ("killpg", "geteuid", "getuid", "getpgid", "setsid", "fork"):
    delattr(os, name)

del socket.AF_UNIX

import bots, bridge, llm
for package in (bots, bridge, llm):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if "pytest_plugin" not in found.name:
            __import__(found.name)
from bots.cli.process import ending_signals
print([number.name for number in ending_signals()])
"""

WITHOUT_HANDLERS = """
import asyncio, signal
from bots.cli.process import on_ending_signal

class Loop(asyncio.SelectorEventLoop):
    def add_signal_handler(self, *_):
        raise NotImplementedError  # as on Windows

async def main():
    for number in (signal.SIGINT, signal.SIGTERM):
        told = asyncio.Event()
        on_ending_signal(told.set)
        signal.raise_signal(number)
        await asyncio.wait_for(told.wait(), 30)
        print(number.name)

with asyncio.Runner(loop_factory=Loop) as runner:
    runner.run(main())
"""


def said_by(program: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.stderr == ""
    return ended.stdout.strip()


def test_every_module_loads_without_what_windows_lacks() -> None:
    assert said_by(MISSING) == "['SIGINT', 'SIGTERM']"


def test_a_loop_without_signal_handlers_is_told_to_end_all_the_same() -> None:
    assert said_by(WITHOUT_HANDLERS).split() == ["SIGINT", "SIGTERM"]
