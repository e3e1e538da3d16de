"""Only bots.app loads the commands. A process of its own shows it: here the tests loaded them."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
ASKING_FOR_HELP = """
import asyncio
import sys
from pathlib import Path

from bots.app import Daemon
from bots.settings.settings import IdleSettings
from bots.settings.settings import BotsSettings, DashboardSettings, Settings, TalkSettings
from bridge import FakeBridge


async def main(folder: Path) -> None:
    bridge = FakeBridge()
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice",)),
        dashboard=DashboardSettings(enabled=False),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
    )
    steve = bridge.world.person("Steve")
    async with Daemon(settings, bridge=bridge) as daemon:
        assert await daemon.all_joined(30)
        steve.whisper("Alice", "!help chat")
        print("heard:", await steve.hears())


asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.slow
def test_a_bot_of_a_daemon_answers_help_by_whisper(tmp_path: Path) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", ASKING_FOR_HELP, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert asked.returncode == 0, asked.stderr
    (heard,) = [line for line in asked.stdout.splitlines() if line.startswith("heard:")]
    assert "sender='Alice'" in heard
    assert "Whisper to a player" in heard
