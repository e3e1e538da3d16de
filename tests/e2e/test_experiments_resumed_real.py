"""Real bots on the embedded server: models and prompts by the scenario, and on after a kill."""

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from e2e.daemon_process import PROGRAM, Site

from bots.experiments.log import glance
from bots.experiments.runs import read_run, replay
from llm.fake_api import FakeClaude, Reply

pytestmark = pytest.mark.real

PLAYED_WITHIN_S = 110.0
SCENARIO = """
title = "Two models and a function"
world = "embedded"
[llm]
model = "llama"
[prompt]
setting = "$name is at a conference."
scene = false
[talk]
thinking_s = [0.1, 0.2]
opening = { by = "Ada", text = "Cake or pie?" }
[caps]
turns = 9
repetition_lines = 0
time_s = 60
[[cast]]
name = "Ada"
answers = "model"
model = "qwen3"
temperature = 0.5
[[cast]]
name = "Gil"
answers = "model"
[[cast]]
name = "Mo"
function = "mind.py:say"
[[cast]]
name = "Ida"
answers = "rules"
"""
MIND = """
import asyncio
async def say(asked):
    await asyncio.sleep(0.01)
    return f"I am {asked.name}, and I heard {len(asked.heard)} lines."
"""


def environment(site: Site, claude: FakeClaude) -> dict[str, str]:
    kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "ANTHROPIC_BASE_URL": claude.url}
    return kept | {"HOME": str(site.folder), "XDG_CACHE_HOME": str(site.cache_home)}


def words(site: Site) -> list[str | Path]:
    return [PROGRAM, "experiment", "run", site.folder / "two.toml", "--out", site.folder / "out"]


def killed_in_the_talk(site: Site, env: dict[str, str]) -> str:
    """Kill it once it told anything of the talk; what that was."""
    with subprocess.Popen(words(site), env=env, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        first = program.stdout.readline()
        program.kill()
    return first


def running(out: Path) -> str:
    """The processes that have this folder among their words."""
    return subprocess.run(["pgrep", "-af", str(out)], capture_output=True, text=True).stdout


def played(site: Site, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words(site), env=env, capture_output=True, text=True, timeout=PLAYED_WITHIN_S
    )


async def test_a_talk_of_real_bots_that_was_killed_is_played_anew_as_the_scenario_says(
    new_site: Callable[[], Site],
) -> None:
    site = new_site()
    out = site.folder / "out"
    (site.folder / "two.toml").write_text(SCENARIO)
    (site.folder / "mind.py").write_text(MIND)
    async with FakeClaude(Reply("Pie, I think.")).serving() as claude:
        env = environment(site, claude)
        assert "Group talk began" in await asyncio.to_thread(killed_in_the_talk, site, env)
        assert glance(out / "log.jsonl").end is None
        claude.requests.clear()
        done = await asyncio.to_thread(played, site, env)
    assert done.returncode == 0, done.stderr
    run = read_run(out)
    assert (run.status, run.played_with["model"]) == ("whole", "llama, qwen3")
    assert run.log.run["models"]["asked"] == {"haiku": "llama", "Ada": "qwen3"}
    assert run.metrics.answers.keys() == {"llama", "qwen3", "function", "rules", "opening"}
    turns = [one for one in claude.requests if "conference" in one["system"][0]["text"]]
    assert {(one["model"], one.get("temperature")) for one in turns} == {
        ("qwen3", 0.5),
        ("llama", None),
    }
    assert not any("Minecraft" in json.dumps(one) for one in turns)
    assert any(line.text.startswith("I am Mo, and I heard") for line in run.timeline.lines)
    assert replay(out).identical
    assert await asyncio.to_thread(running, out) == ""
