"""What experiments cost: one budget with the daemon, a cap of each run, and no silent rules."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from support.experiments import DEBATE, experiment, log_lines, prepared_run

from bots.clock import Times
from bots.daemon.models import shared_budget
from bots.experiments.live import AskedModels, settings_of
from bots.experiments.paid_models import Means, Opening, paid_models
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import Run, read_run
from bots.experiments.scenario import ExperimentFailed
from bots.experiments.simulation import simulate
from bots.settings.settings import LlmSettings, PermissionSettings, Settings
from bots.store.database import FILE_NAME
from llm.engine.budget import Payer
from llm.engine.engine import ASKED
from llm.engine.prices import DOLLAR
from llm.fake_api import Failure, FakeClaude, Reply
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, ModelUnavailable, Question, Usage

ALICE = Payer("Alice", background=True)


def costs(output: int) -> Callable[[Question], Answer]:
    """Answers of so many tokens."""

    def answer(question: Question) -> Completion:
        return Completion("Cake, I think.", "function", Usage(100, output))

    return answer


def settings_in(folder: Path, **llm: Any) -> Settings:
    """A tenth of a dollar is the worst case of a turn; ten tokens are a thousandth."""
    price = (1.0, 100.0, 1.0, 1.0)
    return Settings(data_dir=folder, llm=LlmSettings(haiku_price=price, **llm))


def opened(
    settings: Settings, model: FunctionModel, *, allow_rules: bool = False, text: str = DEBATE
) -> Opening:
    scenario = prepared_run(text).scenario
    return paid_models(scenario, settings, Times.real(), allow_rules=allow_rules, model=model)


def played(folder: Path, settings: Settings, model: FunctionModel, name: str = "run") -> Run:
    simulate(prepared_run(DEBATE), folder / name, opened(settings, model))
    return read_run(folder / name)


def charges(folder: Path) -> list[tuple[int, int]]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as base:
        return base.execute("SELECT nanodollars, settled FROM charges").fetchall()


def test_every_question_of_a_run_is_charged_to_its_folders_budget(tmp_path: Path) -> None:
    model, data = FunctionModel(costs(10)), tmp_path / "data"
    run = played(tmp_path, settings_in(data), model)
    kept = charges(data)
    assert len(kept) == len(model.questions) == 7  # one before the first turn
    assert all(settled for _, settled in kept)
    assert run.charged_usd == pytest.approx(sum(amount for amount, _ in kept) / DOLLAR)
    assert (run.charged_usd or 0) > run.metrics.cost_usd > 0


def test_what_a_daemon_holds_meanwhile_an_experiment_cannot_spend(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data", background_share=1.0)

    async def daemon_holds() -> None:
        async with shared_budget(settings, Times.real()) as budget:
            await budget.hold(budget.room(ALICE), ALICE)

    async def answer(question: Question) -> Answer:
        if len(model.questions) == 3:  # the first one, and two turns
            await daemon_holds()
        return costs(10)(question)

    model = FunctionModel(answer)
    run = played(tmp_path, settings, model)
    assert run.metrics.answers == {"rules": 4, "claude-haiku-5-5": 2, "opening": 1}
    assert run.metrics.faults == {"budget": 4}
    assert sum(amount for amount, _ in charges(tmp_path / "data")) <= 2 * DOLLAR


def test_runs_one_after_another_share_the_budget_of_the_day(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data", cost_limit_usd=0.6, background_share=1.0)
    runs = [played(tmp_path, settings, FunctionModel(costs(400)), name) for name in "abc"]
    spent = [run.charged_usd or 0.0 for run in runs]
    assert spent[0] == pytest.approx(0.28, abs=0.01)
    assert 0.4 < sum(spent) <= 0.6
    assert runs[2].metrics.faults == {"budget": 6}


def test_no_run_begins_on_a_spent_budget(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")

    async def all_is_held() -> None:
        async with shared_budget(settings, Times.real()) as budget:
            await budget.hold(budget.room(ALICE), ALICE)

    asyncio.run(all_is_held())
    with pytest.raises(ExperimentFailed, match="the budget is spent"):
        played(tmp_path, settings, FunctionModel(costs(10)))


def test_a_run_keeps_to_its_own_cap_and_the_next_has_one_of_its_own(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data", cost_limit_run_usd=0.25)
    for name in "ab":
        run = played(tmp_path, settings, FunctionModel(costs(400)), name)
        assert run.charged_usd == pytest.approx(0.16, abs=0.01)
        assert run.metrics.answers == {"claude-haiku-5-5": 3, "rules": 3, "opening": 1}
        assert run.metrics.faults == {"budget": 3}


@pytest.mark.parametrize(
    ("given", "usd"), [({}, 0.5), ({"budget_usd": 0.1}, 0.1), ({"budget_usd": 0.0}, 0.0)]
)
def test_a_run_may_cost_half_a_dollar_unless_somebody_says_otherwise(
    tmp_path: Path, given: dict[str, float], usd: float
) -> None:
    means = Means(data_dir=tmp_path, **given)  # type: ignore[arg-type]
    assert means.settings(prepared_run(DEBATE).scenario).llm.cost_limit_run_usd == usd


def test_settings_of_the_data_folder_say_what_a_run_may_cost(tmp_path: Path) -> None:
    (tmp_path / "townsfolk.toml").write_text("[llm]\ncost_limit_run_usd = 1.5\n")
    found = Means(data_dir=tmp_path).settings(prepared_run(DEBATE).scenario)
    assert found.llm.cost_limit_run_usd == 1.5


def test_a_model_that_does_not_answer_ends_the_run_before_its_first_turn(tmp_path: Path) -> None:
    def unknown(question: Question) -> Answer:
        raise ModelUnavailable("bad_request", unbilled=True)

    model = FunctionModel(unknown)
    with pytest.raises(ExperimentFailed) as failed:
        played(tmp_path, settings_in(tmp_path / "data"), model)
    assert "claude-haiku-5-5: the API does not know it" in str(failed.value)
    assert "--allow-rules" in str(failed.value)
    assert [question.system for question in model.questions] == [ASKED.system]
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_where_rules_may_speak_the_report_says_that_no_model_did(tmp_path: Path) -> None:
    """A report of fifteen 404s read as if no model had been asked."""

    def unknown(question: Question) -> Answer:
        raise ModelUnavailable("bad_request", unbilled=True)

    settings = settings_in(tmp_path / "data")
    paid = opened(settings, FunctionModel(unknown), allow_rules=True)
    simulate(prepared_run(DEBATE), tmp_path / "run", paid)
    write_reports([tmp_path / "run"])
    found = json.loads((tmp_path / "run/metrics.json").read_text())
    assert found["answers"] == {"rules": 6, "opening": 1}
    assert found["faults"] == {"bad_request": 6}
    assert found["charged_usd"] == 0
    (check,) = found["checks"]
    assert (check["model"], check["why"]) == ("claude-haiku-5-5", "bad_request")
    page = (tmp_path / "run/report.html").read_text()
    assert "where a model failed: bad_request 6." in page
    assert "gave no answer (bad_request)" in page
    assert "No model was asked" not in page


def test_a_scenario_with_people_asks_the_model_that_answers_them_too(tmp_path: Path) -> None:
    text = DEBATE + '[[people]]\nname = "Steve"\n'

    async def checked() -> list[str]:
        model = FunctionModel(costs(10))
        async with opened(settings_in(tmp_path / "data"), model, text=text) as paid:
            return [check.model for check in paid.checks]

    assert asyncio.run(checked()) == ["claude-haiku-5-5", "claude-sonnet-5-5"]


def test_a_dry_run_without_a_key_leaves_no_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    file, data = tmp_path / "debate.toml", tmp_path / "data"
    file.write_text(DEBATE)
    words = ("run", file, "--out", tmp_path / "out", "--data-dir", data)
    told = "no model: set ANTHROPIC_API_KEY or llm.base_url; or add --allow-rules"
    experiment(*words, code=1, said=told)
    experiment(*words, "--allow-rules", said="no_model 6")
    assert [file.name for file in data.iterdir()] == ["experiments"]
    assert log_lines(read_run(tmp_path / "out"))[-1]["charged_usd"] == 0


@pytest.mark.slow
async def test_from_the_terminal_a_run_pays_and_tells_what_it_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data = tmp_path / "debate.toml", tmp_path / "data"
    file.write_text(DEBATE)
    async with FakeClaude(Reply("Pie, I think.")).serving() as claude:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
        words = ("run", file, "--out", tmp_path / "out", "--data-dir", data)
        told = "answers: claude-haiku-5-5 6, opening 1; cost $0.0"
        await asyncio.to_thread(experiment, *words, "--budget-usd", "0.3", said=told)
        claude.script[:] = [Failure(404)]
        anew, told = ("--out", tmp_path / "no"), "claude-haiku-5-5: the API does not know it"
        await asyncio.to_thread(experiment, *words, *anew, code=1, said=told)
    assert len(charges(data)) == 8  # seven of the first run; a 404 costs nothing


def test_a_scenario_without_a_model_needs_no_settings(tmp_path: Path) -> None:
    file, data = tmp_path / "cues.toml", tmp_path / "data"
    file.write_text(DEBATE.replace('answers = "model"', 'cues = ["Hm."]'))
    data.mkdir()
    (data / "townsfolk.toml").write_text("nonsense = 1\n")
    experiment("run", file, "--out", tmp_path / "out", "--data-dir", data)
    file.write_text(DEBATE)
    experiment(
        "run",
        file,
        "--out",
        tmp_path / "two",
        "--data-dir",
        data,
        code=2,
        said="nonsense: unknown setting",
    )


def test_real_bots_of_an_experiment_pay_from_the_same_budget(tmp_path: Path) -> None:
    """Their daemon has a data folder of its own, in the folder of the run."""
    user = settings_in(tmp_path, cost_limit_usd=1.0, cost_limit_run_usd=0.5, api_key="k")
    owned = user.model_copy(update={"permissions": PermissionSettings(owners=("Olga",))})
    asked = AskedModels(owned, (), charged_usd=0.1)
    text = DEBATE.replace("[talk]", 'world = "embedded"\n[talk]')
    scenario, data = prepared_run(text).scenario, tmp_path / "run/data"
    found = settings_of(scenario, data, asked, Means().server(scenario))
    assert (found.data_dir, found.llm.budget_dir) == (tmp_path / "run/data", tmp_path)
    assert found.llm.cost_limit_run_usd == pytest.approx(0.4)
    assert found.llm.cost_limit_usd == pytest.approx(0.8)  # a fifth is kept for Olga
    assert (found.llm.haiku_price, found.model_active) == (owned.llm.haiku_price, True)
    asks = scenario.model_copy(update={"survival": True})
    alive = [
        settings_of(one, data, None, Means().server(one)).survival.enabled
        for one in (scenario, asks)
    ]
    assert alive == [False, True]
    assert not settings_of(scenario, data, None, Means().server(scenario)).model_active


@pytest.mark.parametrize(
    ("world", "host", "lines"),
    [
        *[("embedded", "", 0), ("else.example:1", "else.example", 0)],
        ("mc.example:25565", "mc.example", 1),
    ],
)
def test_only_the_server_of_the_users_own_settings_gets_their_lines_to_log_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, world: str, host: str, lines: int
) -> None:
    monkeypatch.setenv("TOWNSFOLK_SERVER__HOST", "mc.example")
    monkeypatch.setenv("TOWNSFOLK_SERVER__ON_JOIN", "/login {secret}")
    monkeypatch.setenv("TOWNSFOLK_SERVER__SECRET", "open sesame")
    means = Means(data_dir=tmp_path)
    scenario = prepared_run(f'world = "{world}"\n{DEBATE}').scenario
    found = settings_of(scenario, tmp_path / "run", None, means.server(scenario)).server
    assert (found.host, len(found.on_join)) == (host, lines)
    assert (found.secret is not None) == bool(lines)
