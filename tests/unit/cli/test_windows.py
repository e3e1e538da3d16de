"""Where a system lacks what Unix has, as Windows does, everything loads all the same.

An imitation: names are removed. Windows itself is not tried."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

MISSING = """
import os, pkgutil, signal, sys

import anyio, asyncio, filelock, mcp, platformdirs, psutil, subprocess, uvicorn  # not ours
for name in ("resource", "fcntl", "pwd", "grp", "termios", "tty", "pty", "readline"):
    sys.modules[name] = None
for name in ("SIGHUP", "SIGKILL", "SIGUSR1", "SIGUSR2", "pthread_kill", "pause"):
    delattr(signal, name)
for name in ("killpg", "geteuid", "getuid", "getpgid", "setsid", "fork"):
    delattr(os, name)

import bots, bridge, llm
for package in (bots, bridge, llm):
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if "pytest_plugin" not in found.name:
            __import__(found.name)
from bots.cli.up import _ending_signals
print([number.name for number in _ending_signals()])
"""


def test_every_module_loads_without_what_windows_lacks() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", MISSING], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.stderr == ""
    assert ended.stdout.strip() == "['SIGINT', 'SIGTERM']"
