"""Which model speaks, how, and by which prompt: keys of a scenario, asked for as they stand."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.experiments import experiment, prepared_run

from bots.experiments.paid_models import planned_llm
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import read_run
from bots.experiments.scenario import ScenarioError
from bots.experiments.scenario_file import conditions_of
from bots.settings.settings import LlmSettings
from bots.store.database import FILE_NAME
from llm.engine.prices import DOLLAR
from llm.fake_api import Failure, FakeClaude, Reply
from llm.prompts import TALK_PARTS

pytestmark = pytest.mark.slow

DEBATE = """
title = "A debate"
[llm]
model = "llama"
temperature = 0.9
max_tokens = 300
[talk]
opening = { by = "Alice", text = "Cake or pie?" }
thinking_s = [0, 0]
[caps]
turns = 7
repetition_lines = 0
[[cast]]
name = "Alice"
answers = "model"
model = "qwen3"
temperature = 0.0
[[cast]]
name = "Bob"
answers = "model"
"""


Asking: TypeAlias = Callable[..., Awaitable[list[dict[str, Any]]]]


@pytest.fixture
def asked_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asking:
    """What the API is asked while a scenario is played, in order."""
    file, out = tmp_path / "debate.toml", tmp_path / "out"

    async def asked_in(text: str, *words: str, api: FakeClaude | None = None) -> list[Any]:
        file.write_text(text)
        async with (api or FakeClaude(Reply("Pie, I think."))).serving() as claude:
            monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
            await asyncio.to_thread(experiment, "run", file, "--out", out, *words)
            return claude.requests

    return asked_in


async def test_each_bot_asks_the_model_that_the_scenario_names(
    tmp_path: Path, asked_in: Asking
) -> None:
    asked = await asked_in(DEBATE)
    # The first of each is the check.
    assert Counter(one["model"] for one in asked) == {"qwen3": 4, "llama": 4}
    turns = asked[2:]
    assert {(one["model"], one["temperature"], one["max_tokens"]) for one in turns} == {
        ("qwen3", 0.0, 300),
        ("llama", 0.9, 300),
    }
    run = read_run(tmp_path / "out")
    assert run.played_with["model"] == "llama, qwen3"
    models = run.log.run["models"]
    assert models["asked"] == {"haiku": "llama", "Alice": "qwen3"}
    assert models["named"] == {"llama": "llama", "qwen3": "qwen3"}
    assert models["usd_per_million"].keys() == {"llama", "qwen3"}
    assert run.metrics.answers == {"llama": 3, "qwen3": 3, "opening": 1}


async def test_talks_at_the_same_time_wait_for_an_api_that_is_busy(
    tmp_path: Path, asked_in: Asking
) -> None:
    """Two processes pay from one budget; each is told to come back later, and does."""
    busy = Failure(429, headers={"retry-after": "60"})
    api = FakeClaude(busy, *[Reply("Pie.")] * 9, busy, Reply("Pie."))
    asked = await asked_in(DEBATE, "--runs", "4", "--jobs", "2", api=api)
    assert len(asked) >= 4 * 8 + 2  # each busy answer was asked for again
    runs = [read_run(folder) for folder in (tmp_path / "out").iterdir()]
    assert {run.status for run in runs} == {"whole"}
    assert len(runs) == 4
    assert all(run.metrics.thinking_s.most < 1 for run in runs if run.metrics.thinking_s.most)
    with closing(sqlite3.connect(tmp_path / "data" / FILE_NAME)) as base:
        ((charged,),) = base.execute("SELECT sum(nanodollars) FROM charges").fetchall()
    assert sum(run.charged_usd or 0 for run in runs) == pytest.approx(charged / DOLLAR)


async def test_the_models_of_set_are_conditions(tmp_path: Path, asked_in: Asking) -> None:
    words = [f"--set=llm.model={name}" for name in ("llama", "mistral")]
    asked = await asked_in(DEBATE.replace('model = "qwen3"\n', ""), *words)
    assert Counter(one["model"] for one in asked) == {"llama": 7, "mistral": 7}
    write_reports([tmp_path / "out"], with_pages=False)
    lines = (tmp_path / "out/conditions.csv").read_text()
    assert "llm.model=llama,lines,1," in lines
    assert "llm.model=mistral,lines,1," in lines


def test_a_price_that_was_set_for_another_model_does_not_make_a_dear_one_cheap() -> None:
    free = LlmSettings(haiku_model="mine", haiku_price=(0, 0, 0, 0), price=(0, 0, 0, 0))
    plan = prepared_run(DEBATE.replace('"llama"', '"claude-opus-4-5"')).scenario.llm
    found = planned_llm(free, plan)
    assert (found.model_id("haiku"), found.rates("haiku")) == ("claude-opus-4-5", ())


@pytest.mark.parametrize("key", ["base_url", "api_key", "price", "cost_limit_usd", "budget_dir"])
def test_a_scenario_says_neither_where_to_ask_nor_who_pays(key: str) -> None:
    with pytest.raises(ScenarioError, match=f"llm.{key}: unknown key"):
        prepared_run(DEBATE).under(conditions_of([f"llm.{key}=x"]))


def test_settings_that_do_not_fit_together_are_told() -> None:
    plan = prepared_run(DEBATE.replace("max_tokens = 300", "shown_lines = 3")).scenario.llm
    with pytest.raises(ScenarioError, match="have to grow"):
        planned_llm(LlmSettings(), plan)


def system_of(request: dict[str, Any]) -> str:
    return str(request["system"][0]["text"])


PLAIN = """
[prompt]
setting = "$name is a guest of a radio show; the prize is $5."
style = ""
added = "Always speak in verse."
scene = false
"""


async def test_parts_of_the_prompt_are_replaced_left_out_and_added(asked_in: Asking) -> None:
    asked = await asked_in(DEBATE + PLAIN)
    system = system_of(asked[-1])
    assert "is a guest of a radio show; the prize is $5." in system
    assert "Minecraft" not in system
    assert "two short sentences" not in system
    assert system.endswith("Always speak in verse.")
    assert "<persona_lock>" in system
    last = str(asked[-1]["messages"][-1])
    assert "say_goodbye" in last or "others" in last
    assert '"scene"' not in last
    assert '"you"' not in last


async def test_the_usual_prompt_is_ours_whole(asked_in: Asking) -> None:
    asked = await asked_in(DEBATE)
    system = system_of(asked[-1])
    assert all(part.splitlines()[0].split("$")[0] in system for part in TALK_PARTS.values())
    assert "$" not in system
    assert '\\"scene\\"' in repr(asked[-1]["messages"]) or '"scene"' in str(asked[-1]["messages"])


def test_another_prompt_makes_another_condition_and_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "debate.toml").write_text(DEBATE)
    shown = experiment("show", tmp_path / "debate.toml", "--prompt", "--set", "prompt.style=Sing.")
    assert shown.stdout.startswith("prompt.style=Sing.: scenario ")
    assert "\n=== Alice\n\n<persona_lock>\nYou are Alice and nobody else." in shown.stdout
    assert "\nSing.\n" in shown.stdout
    assert "two short sentences" not in shown.stdout
    usual, sung = (
        prepared_run(DEBATE + extra).identity["prompts"]
        for extra in ("", '[prompt]\nstyle = "Sing."')
    )
    assert usual != sung


SCRIPT = """
[[rule]]
once = true
text = "I like pie. [Next: Bob]"

[[rule]]
when = "pie"
text = "Pie? With cream."

[[rule]]
text = "Cake it is."
"""


@pytest.fixture
def without_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with DEBATE, a script, and nobody who pays."""
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "debate.toml").write_text(DEBATE)
    (tmp_path / "script.toml").write_text(SCRIPT)
    return tmp_path


def by_script(folder: Path, out: str = "out", *, code: int = 0, said: str = "") -> None:
    script = ("--fake-llm", folder / "script.toml", "--out", folder / out)
    experiment("run", folder / "debate.toml", *script, code=code, said=said)


def test_who_has_no_key_plays_bots_of_models_by_a_script(without_key: Path) -> None:
    by_script(without_key)
    run = read_run(without_key / "out")
    lines = [line.text for line in run.timeline.lines]
    assert lines[:3] == ["Cake or pie?", "I like pie.", "Pie? With cream."]
    assert (run.status, run.charged_usd) == ("whole", 0.0)
    (name,) = run.metrics.answers.keys() - {"opening"}
    assert name.startswith("fake-llm-")
    assert run.played_with["model"] == name
    assert run.log.run["models"]["wanted"]["server"] == "a script"
    by_script(without_key, said="1 of 1 are played already and kept")


def test_runs_by_a_script_are_never_taken_for_those_of_a_model(without_key: Path) -> None:
    by_script(without_key, out="all/first")
    (without_key / "script.toml").write_text(SCRIPT.replace("cream", "salt"))
    by_script(without_key, out="all/first", code=1, said="other settings of the model")
    by_script(without_key, out="all/second")
    reported = experiment("report", without_key / "all", "--no-pages")
    assert "Conditions of their own, as they differ in: model," in reported.output
    assert (without_key / "all/conditions.csv").read_text().count(",lines,1,") == 2


def test_a_script_that_cannot_be_used_is_refused_before_anything_is_played(
    without_key: Path,
) -> None:
    (without_key / "script.toml").write_text("[[rule]]\nstop = 'enough'")
    by_script(without_key, code=2, said="rule.0.stop")
    (without_key / "script.toml").unlink()
    by_script(without_key, code=2, said="No such file")
    assert not (without_key / "out").exists()
