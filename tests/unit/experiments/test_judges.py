"""Models that judge talks: blind, paid once, within their budget, and checked by a second one."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.experiments import THREE, experiment, played, rows_in
from typer.testing import Result

import townsfolk
from bots.experiments.judges import Judged, shown_to_judges
from bots.experiments.report.statistics import kappa
from bots.experiments.runs import JUDGED_NAME
from bots.experiments.scenario import ScenarioError
from bots.experiments.scenario_file import tables_of
from bots.experiments.study import study_of
from llm.fake_api import Failure, FakeClaude, Reply

pytestmark = pytest.mark.slow

JUDGE = """
[[study.judges]]
name = "length"
question = "How long is it? 1: short … 9: long."
scale = [1, 9]
model = "claude-haiku-4-5"
second = "claude-sonnet-5"
"""
STUDY = (
    """
[study]
seeds = [1, 2, 3]
primary = "length"
direction = "greater"
[study.factors]
caps.turns = [3, 6]
"""
    + JUDGE
)
SCENARIO = THREE.replace('name = "Bob"', 'name = "Bob"\ndisplay_name = "Robert"').replace(
    "Alice, I have", "ALICE and Robert, I have"
)
SCENARIO = SCENARIO.replace("[talk]\n", "[talk]\ngoodbye = false\n")


Judging: TypeAlias = Callable[..., Awaitable[Result]]


def lines_of(question: Mapping[str, Any]) -> list[dict[str, str]]:
    content = question["messages"][0]["content"]
    text = content if isinstance(content, str) else "".join(one["text"] for one in content)
    return [json.loads(line) for line in text.splitlines()]


def by_lines(question: Mapping[str, Any]) -> Reply:
    """The number of lines; the second model finds every talk of A's last word one longer."""
    lines = lines_of(question)
    is_second = "sonnet" in question["model"]
    more = is_second and lines[-1]["who"] == "A"
    return Reply(json.dumps({"why": "I counted.", "score": len(lines) + more}))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Two conditions of three seeds, played and not judged."""
    (tmp_path / "study.toml").write_text(SCENARIO + STUDY)
    told = f"next: townsfolk experiment judge {tmp_path}/out"
    experiment("run", tmp_path / "study.toml", "--out", tmp_path / "out", said=told)
    return tmp_path / "out"


@pytest.fixture
def judged(home: Path, monkeypatch: pytest.MonkeyPatch) -> Judging:
    async def judged(claude: FakeClaude, *words: str | Path, **how: Any) -> Result:
        async with claude.serving():
            monkeypatch.setenv("ANTHROPIC_BASE_URL", claude.url)
            return await asyncio.to_thread(experiment, "judge", home, *words, **how)

    return judged


def scores_in(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / JUDGED_NAME).read_text().splitlines()]


async def test_each_talk_is_scored_by_both_models_and_compared(home: Path, judged: Judging) -> None:
    claude = FakeClaude(decide=by_lines)
    done = await judged(claude)
    assert len(claude.requests) == 12
    assert done.stdout.startswith("length: 12 of 12 scores, 12 new, 12 questions, $0.0")
    experiment("report", home, "--no-pages")
    rows = rows_in(home / "conditions.csv", metric="length")
    assert [float(row["mean"]) for row in rows] == [3, 6]
    assert (float(rows[1]["difference"]), rows[1]["exploratory"]) == (3, "False")
    study = townsfolk.load_study(home)
    pairs = [(one.length, one.length_second) for one in study.runs]  # type: ignore[attr-defined]
    assert sum(one != other for one, other in pairs) in range(1, 6)
    numbers = {row["metric"]: float(row["value"]) for row in rows_in(home / "study.csv")}
    spent = sum(line["cost_usd"] for line in scores_in(home))
    assert numbers == {
        "length_talks": 6,
        "length_usd": pytest.approx(spent),
        "length_agreement": sum(one == other for one, other in pairs) / 6,
        "length_kappa": pytest.approx(kappa(pairs, weighted=True)),
    }
    page = (home / "comparison.html").read_text()
    told = "length: 6 of 6 talks have a score; answers by claude-haiku-4-5 6, claude-sonnet-5 6, "
    assert f"{told}${spent:.4f}. claude-haiku-4-5 and claude-sonnet-5 agree in " in page
    assert f"weighted kappa {numbers['length_kappa']:.2f}." in page
    assert spent > 0


async def test_a_judge_sees_neither_names_nor_condition(home: Path, judged: Judging) -> None:
    claude = FakeClaude(decide=by_lines)
    await judged(claude)
    orders = set()
    for question in claude.requests:
        asked = json.dumps(question, ensure_ascii=False).casefold()
        hidden = ("alice", "bob", "carol", "robert", "caps", "seed", "three", "townsfolk")
        assert [word for word in hidden if word in asked] == []
        lines = lines_of(question)
        first, second, third = (line["who"] for line in lines[:3])
        assert {first, second, third} == {"A", "B", "C"}
        assert lines[0]["says"] == f"{second}, look at that."
        assert lines[2]["says"] == f"{first} and {second}, I have seen nothing."
        orders.add((first, second, third))
    assert len(orders) > 1  # drawn by the seed


def test_nor_the_name_of_the_player_who_speaks_for_a_bot(tmp_path: Path) -> None:
    run = played(tmp_path, THREE.replace("look at that", "and Visitor, look at that"))
    assert "Visitor" in shown_to_judges(run)  # who is nobody here
    cast = (run.scenario.cast[0].model_copy(update={"player": "Visitor"}), *run.scenario.cast[1:])
    with_player = replace(run, scenario=run.scenario.model_copy(update={"cast": cast}))
    assert "visitor" not in shown_to_judges(with_player).casefold()


async def test_what_has_a_score_is_not_asked_again_until_the_question_changes(
    home: Path, judged: Judging, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    claude = FakeClaude(decide=by_lines)
    await judged(claude)
    kept = (home / JUDGED_NAME).read_bytes()
    monkeypatch.delenv("ANTHROPIC_BASE_URL")
    again = await asyncio.to_thread(experiment, "judge", home)  # no model is there
    assert (home / JUDGED_NAME).read_bytes() == kept
    assert "12 of 12 scores, 0 new, 0 questions, $0.0000" in again.stdout
    other, file = JUDGE.replace("How long", "How short"), tmp_path / "other.toml"
    file.write_text(f"[study]\n{other}")
    experiment("judge", home, file, code=1, said="length was declared otherwise")
    file.write_text("[study]\n" + other.replace('"length"', '"brevity"'))
    more = FakeClaude(decide=by_lines)
    await judged(more, file)
    assert len(more.requests) == 12
    experiment("report", home, "--no-pages")
    rows = rows_in(home / "conditions.csv", metric="brevity")
    assert {row["exploratory"] for row in rows[1:]} == {"True"}


async def test_a_torn_file_of_scores_is_read_and_gone_on_with(home: Path, judged: Judging) -> None:
    await judged(FakeClaude(decide=by_lines))
    whole = (home / JUDGED_NAME).read_bytes()
    (home / JUDGED_NAME).write_bytes(whole[:-40])
    claude = FakeClaude(decide=by_lines)
    await judged(claude)
    assert len(claude.requests) == 1
    experiment("report", home, "--no-pages")


def test_without_a_key_it_is_refused_and_a_report_tells_what_is_missing(home: Path) -> None:
    wanted = "no model can judge: set ANTHROPIC_API_KEY or llm.base_url"
    experiment("judge", home, code=1, said=wanted)
    experiment("report", home, "--no-pages")
    assert (
        "length: 0 of 6 talks have a score; answers by claude-haiku-4-5, $0.0000."
        in (home / "comparison.html").read_text()
    )


async def test_a_script_judges_without_a_key_until_a_model_does(
    home: Path, judged: Judging, tmp_path: Path
) -> None:
    def scripted(score: int) -> Result:
        (tmp_path / "script.toml").write_text(f"""[[rule]]\ntext = '{{"score": {score}}}'\n""")
        return experiment("judge", home, "--fake-llm", tmp_path / "script.toml")

    def reported() -> tuple[list[float], str]:
        experiment("report", home, "--no-pages")
        rows = rows_in(home / "conditions.csv", metric="length")
        return [float(row["mean"]) for row in rows], (home / "comparison.html").read_text()

    told = [await asyncio.to_thread(scripted, score) for score in (4, 5, 5)]
    assert [done.stdout.partition(", $")[0] for done in told] == [
        "length: 12 of 12 scores, 12 new, 12 questions",
        "length: 12 of 12 scores, 12 new, 12 questions",  # another script
        "length: 12 of 12 scores, 0 new, 0 questions",
    ]
    means, page = await asyncio.to_thread(reported)
    assert means == [5, 5]
    assert "No model was asked: a script made them up." in page
    assert [one.meaning for one in Judged.read(home).measures] == [
        "score by a script in place of claude-haiku-4-5: How long is it? 1: short … 9: long."
    ]
    claude = FakeClaude(decide=by_lines)
    await judged(claude)
    assert len(claude.requests) == 12
    means, page = await asyncio.to_thread(reported)
    assert (means, "a script" in page) == ([3, 6], False)
    again = await asyncio.to_thread(scripted, 1)
    assert again.stdout.startswith("length: 12 of 12 scores, 0 new")


@pytest.mark.parametrize(
    ("limit", "asked", "why"),
    [("calls = 5", range(5, 6), "calls 7"), ("budget_usd = 0.012", range(1, 12), "budget ")],
)
async def test_a_judge_keeps_within_its_calls_and_its_budget(
    home: Path, judged: Judging, tmp_path: Path, limit: str, asked: range, why: str
) -> None:
    """Before each question its worst case has to fit, a thousand tokens of an answer."""
    (tmp_path / "more.toml").write_text("[study]" + JUDGE.replace('"length"', '"more"') + limit)
    claude = FakeClaude(decide=by_lines)
    await judged(claude, tmp_path / "more.toml", code=1, said=f"more lacks scores: {why}")
    assert len(claude.requests) in asked
    assert 0 < sum(line.get("cost_usd", 0.0) for line in scores_in(home)) <= 0.012


async def test_an_answer_without_a_score_counts_as_none_and_is_asked_again(
    home: Path, judged: Judging
) -> None:
    bad = [Reply("Nine of ten!"), Reply('{"why": "", "score": 10}'), Reply('{"score": true}')]
    claude = FakeClaude(*bad, *[Reply('Well: {"why": "So.", "score": 4}')] * 9)
    await judged(claude, code=1, said="length lacks scores: bad_reply 3")
    assert [line["score"] for line in scores_in(home)] == [None] * 3 + [4] * 9
    again = FakeClaude(Reply('{"why": "So.", "score": 5}'))
    await judged(again)
    assert len(again.requests) == 3


async def test_a_refused_key_ends_it_at_once(home: Path, judged: Judging) -> None:
    claude = FakeClaude(Failure(401))
    await judged(claude, code=1, said="length: claude-haiku-4-5: the key is refused")
    assert len(claude.requests) == 1


async def test_words_count_by_their_place_and_agree_or_not(
    home: Path, judged: Judging, tmp_path: Path
) -> None:
    (tmp_path / "words.toml").write_text(
        "[study]" + JUDGE.replace("[1, 9]", '["no", "yes"]').replace('"length"', '"long_one"')
    )

    def is_long(question: Mapping[str, Any]) -> Reply:
        score = "yes" if len(lines_of(question)) > 4 else "no"
        return Reply(json.dumps({"why": "", "score": score}))

    await judged(FakeClaude(decide=is_long), tmp_path / "words.toml")
    experiment("report", home, "--no-pages")
    rows = rows_in(home / "conditions.csv", metric="long_one")
    assert [float(row["mean"]) for row in rows] == [0, 1]
    assert (
        "agree in 1.00 of 6 talks, Cohen&#x27;s kappa 1.00."
        in (home / "comparison.html").read_text()
    )


async def test_a_pack_takes_the_scores_along_and_an_anonymised_one_does_not(
    home: Path, judged: Judging, tmp_path: Path
) -> None:
    await judged(FakeClaude(decide=by_lines))
    for name, words in (("whole", ()), ("bare", ("--anonymise",))):
        experiment("pack", home, "--out", tmp_path / f"{name}.zip", *words)
        experiment("unpack", tmp_path / f"{name}.zip", "--out", tmp_path / name)
    assert (tmp_path / "whole" / JUDGED_NAME).read_bytes() == (home / JUDGED_NAME).read_bytes()
    assert not (tmp_path / "bare" / JUDGED_NAME).exists()
    elsewhere = townsfolk.load_study(tmp_path / "whole")
    assert [one.length for one in elsewhere.runs] == [3, 3, 3, 6, 6, 6]  # type: ignore[attr-defined]


def test_a_single_run_with_a_judge_is_played_and_waits_for_it(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(SCENARIO + "[study]" + JUDGE)
    experiment("run", tmp_path / "one.toml", "--out", tmp_path / "out")
    experiment("report", tmp_path / "out", said="length: 0 of 1 talks have a score")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"[1, 9]": "[9, 1]"}, "scale: .*least, most"),
        ({"[1, 9]": "[1, 2, 3]"}, "scale: .*least, most"),
        ({"[1, 9]": '["yes"]'}, "scale: .*two different"),
        ({"[1, 9]": '["yes", "yes"]'}, "scale: .*two different"),
        ({'model = "claude-haiku-4-5"\n': ""}, "model"),
        ({'"length"': '"How long"'}, "name"),
        ({"second": "third"}, "third"),
    ],
)
def test_a_judge_that_cannot_judge_is_refused(change: dict[str, str], why: str) -> None:
    text = "[study]" + JUDGE
    for old, new in change.items():
        text = text.replace(old, new)
    with pytest.raises(ScenarioError, match=f"study.judges.*{why}"):
        study_of(tables_of(text, "study.toml"), "study.toml")


def test_a_judge_is_not_called_like_another_number(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(THREE + "[study]" + JUDGE.replace('"length"', '"lines"'))
    experiment(
        "run",
        tmp_path / "a.toml",
        "--out",
        tmp_path / "out",
        code=2,
        said="there is a number lines already",
    )


def test_kappa_is_what_is_known_of_it() -> None:
    """Of 50 readers' yes and no 35 alike, 25 as by chance; then three scores, by hand."""
    readers = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    assert kappa(readers, weighted=False) == pytest.approx(0.4)
    scores = [(1, 1), (2, 2), (3, 3), (1, 2), (2, 3), (3, 1)]
    assert kappa(scores, weighted=True) == pytest.approx(1 - 1 / (12 / 9))
    assert kappa(scores, weighted=False) == pytest.approx((3 / 6 - 1 / 3) / (1 - 1 / 3))
    far = [(1, 1), (2, 2), (3, 3), (1, 3)]  # the square of 2 in four; by chance 26 in sixteen
    assert kappa(far, weighted=True) == pytest.approx(1 - (4 / 4) / (26 / 16))
    assert kappa([(1, 1), (1, 1)], weighted=True) is None
    assert kappa([(1, 2)], weighted=True) is None
