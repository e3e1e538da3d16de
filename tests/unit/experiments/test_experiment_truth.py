"""Nothing false becomes data: other models are other conditions, and runs that failed are none."""

import json
import shutil
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from support.experiments import (
    DEBATE,
    THREE,
    experiment,
    paid_from_memory,
    play_seeds,
    played,
    prepared_run,
    rows_in,
    said,
    say_by,
)

from bots.experiments.data import load_study
from bots.experiments.log import Transition
from bots.experiments.paid_models import ModelsUsed
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import LOG_NAME, read_run, unanswered
from bots.experiments.scenario import CutOff
from bots.experiments.simulation import simulate
from bots.talks.machine.events import CancelThinking, Think
from llm.function_model import FunctionModel
from llm.model import Completion, ModelUnavailable, Question, Usage

pytestmark = pytest.mark.slow


def of_model(folder: Path, name: str, seeds: range, text: str = DEBATE) -> None:
    """Play some seeds with a model of this name."""
    for seed in seeds:
        paid = paid_from_memory(FunctionModel(lambda question: f"{name} says pie.", name))
        used = ModelsUsed({"rules_may_speak": False}, {"haiku": name}, {name: name}, {})
        opening = nullcontext(replace(paid, used=used))
        simulate(prepared_run(text).with_seed(seed), folder / f"seed-{seed}", opening)


def conditions(home: Path) -> dict[str, int]:
    """How many runs each condition has, by their lines."""
    found = rows_in(home / "conditions.csv", metric="lines")
    return {row["condition"]: int(row["runs"]) for row in found}


def test_two_models_are_two_conditions_unless_they_are_pooled_and_that_is_said(
    tmp_path: Path,
) -> None:
    for name in ("qwen3", "llama"):
        of_model(tmp_path / name, name, range(1, 5))
    folders, out = [tmp_path / "qwen3", tmp_path / "llama"], tmp_path / "both"
    apart = write_reports(folders, out, with_pages=False)
    found = conditions(out)
    assert list(found.values()) == [4, 4]
    first, second = found
    assert (first.split(", ")[0], second.split(", ")[0]) == ("model qwen3", "model llama")
    assert "as they differ in: model" in apart.remarks[0]
    rows = json.loads((out / "comparison.json").read_text())
    assert len({row["run"] for row in rows}) == 8
    assert {row["run"] for row in rows} >= {"qwen3/seed-1", "llama/seed-1"}
    (page,) = write_reports(folders, out, with_pages=False, pool=True).pages
    assert conditions(out) == {"as written": 8}
    assert "<p>Pooled though they differ in: model" in page.read_text()


def test_a_scenario_that_was_changed_between_runs_is_another_condition(tmp_path: Path) -> None:
    other = DEBATE.replace("turns = 7", "turns = 5")
    of_model(tmp_path / "a", "qwen3", range(1, 3))
    of_model(tmp_path / "b", "qwen3", range(3, 5), other)
    write_reports([tmp_path / "a", tmp_path / "b"], tmp_path / "both", with_pages=False)
    found = conditions(tmp_path / "both")
    assert [name.split()[0] for name in found] == ["scenario", "scenario"]
    assert list(found.values()) == [2, 2]


def test_what_makes_no_other_talk_makes_no_other_condition(tmp_path: Path) -> None:
    other = "# Hungry?\n" + DEBATE.replace("[talk]", 'about = "Food."\n[talk]')
    of_model(tmp_path / "a", "qwen3", range(1, 3))
    of_model(tmp_path / "b", "qwen3", range(3, 5), other)
    write_reports([tmp_path / "a", tmp_path / "b"], tmp_path / "both", with_pages=False)
    assert conditions(tmp_path / "both") == {"as written": 4}


def test_a_model_that_is_swapped_within_a_run_makes_it_another_condition(tmp_path: Path) -> None:
    """Behind one address a server may load another model."""

    def answer(question: Question) -> Completion:
        name = "qwen3:8b" if len(model.questions) < 3 else "qwen3:1b"
        return Completion("Pie.", name, Usage(10, 10))

    model = FunctionModel(answer, "qwen3")
    run = played(tmp_path, DEBATE, model)
    assert run.played_with["model"] == "qwen3:1b, qwen3:8b"


def test_a_turn_that_failed_names_no_other_model(tmp_path: Path) -> None:
    """What the API calls a model is not known of a call that failed."""

    def answer(question: Question) -> Completion:
        if len(model.questions) == 3:
            raise ModelUnavailable("server", unbilled=True)
        return Completion("Pie.", "qwen3:8b", Usage(10, 10))

    model = FunctionModel(answer, "qwen3")
    run = played(tmp_path, DEBATE.replace("[talk]", "max_failed = 1\n[talk]"), model)
    assert run.metrics.answers["rules"] == 1
    assert (run.status, run.played_with["model"]) == ("whole", "qwen3:8b")


def test_code_that_was_changed_between_runs_makes_another_condition(tmp_path: Path) -> None:
    for number, words in enumerate(("Hm.", "Oh.")):
        text = say_by(f"def say(asked): return {words!r}\n", tmp_path)
        simulate(prepared_run(text, tmp_path), tmp_path / "out" / str(number))
    write_reports([tmp_path / "out"], with_pages=False)
    assert [name.split()[0] for name in conditions(tmp_path / "out")] == ["code", "code"]


def test_a_run_tells_what_it_was_played_with(tmp_path: Path) -> None:
    run = played(tmp_path, THREE)
    identity = run.log.run["identity"]
    assert len(identity["scenario"]) == len(identity["prompts"]) == 64
    assert identity["versions"].keys() == {"townsfolk", "python"}
    assert (run.status, run.cause, run.log.lines[-1]["unanswered"]) == ("whole", "", 0)


def dying_after(answers: int) -> FunctionModel:
    """A model that answers so often, and then never again."""

    def answer(question: Question) -> str:
        if len(model.questions) > answers:
            raise ModelUnavailable("server", unbilled=True)
        return "Pie."

    model = FunctionModel(answer)
    return model


def test_a_run_whose_model_died_is_failed_and_out_of_the_means(tmp_path: Path) -> None:
    for seed, model in ((1, dying_after(99)), (2, dying_after(2)), (3, dying_after(99))):
        paid = nullcontext(paid_from_memory(model))
        simulate(prepared_run(DEBATE).with_seed(seed), tmp_path / f"seed-{seed}", paid)
    failed = read_run(tmp_path / "seed-2")
    assert (failed.status, failed.log.lines[-1]["unanswered"]) == ("failed", 4)
    assert failed.cause == "turn 4, Bob: server"
    reports = write_reports([tmp_path], with_pages=False)
    assert conditions(tmp_path) == {"as written": 2}
    assert reports.remarks == ["Left out: 1 failed; the first, seed-2: turn 4, Bob: server."]
    assert "Left out: 1 failed" in reports.pages[-1].read_text()
    told = json.loads((tmp_path / "seed-2/metrics.json").read_text())
    assert (told["status"], told["cause"]) == ("failed", "turn 4, Bob: server")


@pytest.mark.parametrize(
    ("changed", "beside"),
    [
        ({}, ""),
        ({"mind.py": "def say(asked): return 'No.'\n"}, "code"),
        ({"scenario": "\n[prompt]\nadded = 'Be brief.'\n"}, "file, prompt"),
        ({"scenario": "\n# The same.\n"}, ""),
    ],
)
def test_conditions_that_differ_in_more_than_their_names_are_told(
    tmp_path: Path, changed: dict[str, str], beside: str
) -> None:
    """The second is played after a change of what both share."""
    text = say_by("def say(asked): return 'Yes.'\n", tmp_path)
    for gap_s in (0, 1):
        prepared = prepared_run(text, tmp_path)._under({"talk.gap_s": gap_s}, gap_s, "")
        simulate(prepared, tmp_path / "runs" / f"gap-{gap_s}")
        text += changed.pop("scenario", "")
        for name, words in changed.items():
            (tmp_path / name).write_text(words)
    told = "The conditions differ in more than their names say"
    remarks = write_reports([tmp_path / "runs"]).remarks
    assert remarks == ([f"{told}: {beside}."] if beside else [])


def test_conditions_that_are_called_by_models_are_told_where_one_answered_for_all(
    tmp_path: Path,
) -> None:
    for place, name in enumerate(("qwen3", "llama")):
        paid = paid_from_memory(FunctionModel(lambda question: "Pie.", "a-script"))
        used = ModelsUsed({"rules_may_speak": False}, {}, {"haiku": "a-script"}, {})
        prepared = prepared_run(DEBATE)._under({"llm.model": name}, place, "")
        simulate(prepared, tmp_path / name, nullcontext(replace(paid, used=used)))
    assert write_reports([tmp_path]).remarks == [
        "The conditions name several models, but a-script answered in all."
    ]


@pytest.mark.parametrize("pool", [False, True])
def test_a_talk_counts_once_however_often_it_was_played_or_copied(
    tmp_path: Path, pool: bool
) -> None:
    for home in ("ours", "theirs"):
        play_seeds(tmp_path / home, THREE, (1, 2, 3))
    shutil.copytree(tmp_path / "ours/seed-1", tmp_path / "ours/seed-1-copy")
    out = tmp_path / "out"
    told = write_reports([tmp_path / "ours", tmp_path / "theirs"], out, pool=pool).remarks
    assert told == ["Left out: 4 that repeat another run to the letter."]
    assert conditions(out) == {"as written": 3}
    runs = load_study(tmp_path / "ours", tmp_path / "theirs").runs
    assert (len(runs), sum(one.excluded for one in runs)) == (7, 4)
    of_model(tmp_path / "models", "qwen3", range(1, 3))
    of_model(tmp_path / "again", "qwen3", range(1, 3), DEBATE.replace("Bob", "Rob"))
    told = write_reports([tmp_path / "models", tmp_path / "again"], out, pool=True).remarks
    assert told == ["Pooled though they differ in: scenario."]


def test_no_runs_are_played_into_the_folder_of_one(tmp_path: Path) -> None:
    (tmp_path / "three.toml").write_text(THREE)
    words = ("run", tmp_path / "three.toml", "--out", tmp_path / "out")
    experiment(*words)
    experiment(*words, "--runs", "3", code=1, said="holds one run; name another folder")
    assert not list((tmp_path / "out").glob("seed-*"))


def test_what_a_model_says_in_place_of_the_rules_is_no_data() -> None:
    scenario = prepared_run(DEBATE.replace('answers = "model"', 'answers = "rules"')).scenario
    transitions = [Transition(0, None, (Think(2, "Bob", "round", 1),))]
    thoughts = [{"turn": 2, "speaker": "Bob", "source": "model"}]
    found = unanswered(scenario, transitions, thoughts, rules_may_speak=True)
    assert [str(one) for one in found] == ["turn 2, Bob: a model spoke in place of the rules"]
    transitions.append(Transition(1, None, (CancelThinking(2, "interrupted"),)))
    assert unanswered(scenario, transitions, thoughts, rules_may_speak=True) == []


def test_as_many_turns_may_fail_as_the_scenario_says(tmp_path: Path) -> None:
    text = DEBATE.replace("[talk]", "max_failed = 4\n[talk]")
    run = played(tmp_path, text, dying_after(2))
    assert (run.status, run.log.lines[-1]["unanswered"]) == ("whole", 4)


def test_a_function_that_raises_fails_the_run_and_the_command(tmp_path: Path) -> None:
    file = tmp_path / "raises.toml"
    file.write_text(say_by("def say(asked): return asked.nothing\n", tmp_path))
    told = "2 of 2 runs failed; the first, seed-7: turn 1, Alice: mind.py:1: AttributeError"
    experiment("run", file, "--out", tmp_path / "out", "--runs", "2", code=1, said=told)


OWN = """
class Busy(Exception): pass
def busy(asked): raise Busy("try later")
async def later(asked): raise Busy("try later")
def empty(asked): return next(iter(()))
def leaves(asked): raise SystemExit(0)
"""


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("busy", "mind.py:3: Busy: try later"),
        ("later", "mind.py:4: Busy: try later"),
        ("empty", "mind.py:5: StopIteration: "),
        ("leaves", "mind.py:6: SystemExit: 0"),
    ],
)
def test_whatever_a_function_raises_fails_its_run_and_no_other(
    tmp_path: Path, name: str, why: str
) -> None:
    """None ends the study, least of all as if it had been played."""
    run = played(tmp_path, say_by(OWN, tmp_path).replace(":say", f":{name}"))
    assert (run.status, run.cause) == ("failed", f"turn 1, Alice: {why}")


def test_an_async_function_is_awaited(tmp_path: Path) -> None:
    code = (
        "import asyncio\n"
        "async def say(asked):\n"
        "    await asyncio.sleep(0)\n"
        "    return f'I am {asked.name}.' if asked.turn < 5 else {}[asked.name]\n"
    )
    run = played(tmp_path, say_by(code, tmp_path))
    assert said(run, "Alice") == ["I am Alice.", "I am Alice."]
    assert (run.status, run.cause) == ("failed", "turn 7, Alice: mind.py:4: KeyError: 'Alice'")


def test_a_cue_that_is_to_fail_is_what_the_scenario_says(tmp_path: Path) -> None:
    text = THREE.replace('say = "Bob, look at that."', 'fails = "out of paper"')
    run = played(tmp_path, text)
    assert (run.metrics.answers_failed, run.status) == (2, "whole")


@pytest.mark.parametrize("kept", [0, 40, 0.5, 0.99])
def test_a_run_that_was_cut_off_is_counted_and_left_out(tmp_path: Path, kept: float) -> None:
    """Killed before anything was written, in the first line, or anywhere later."""
    play_seeds(tmp_path, THREE, (1, 2, 3))
    log = tmp_path / "seed-2" / LOG_NAME
    whole = log.read_bytes()
    log.write_bytes(whole[: int(kept if kept >= 1 else kept * len(whole))])
    with pytest.raises(CutOff, match="cut off"):
        read_run(tmp_path / "seed-2")
    reports = write_reports([tmp_path], with_pages=False)
    assert conditions(tmp_path) == {"as written": 2}
    assert reports.remarks == ["Left out: 1 cut off before their end."]
