"""Conditions: what `--set` changes, how its runs are kept, and what many runs say together."""

import json
import re
from pathlib import Path

import pytest
from support.experiments import THREE, package_in, play_seeds, prepared_run, rows_in

from bots.experiments.report.comparison import TAKEN, row
from bots.experiments.report.writing import write_reports
from bots.experiments.runs import LOG_NAME, read_run, replay
from bots.experiments.scenario import LogError, ScenarioError
from bots.experiments.scenario_file import conditions_of, folder_names, label_of
from bots.experiments.simulation import simulate
from bots.experiments.tables import own_metrics

pytestmark = pytest.mark.slow

VARIED = THREE.replace("[1, 1]", "[1, 3]")
ROOT = Path(__file__).parents[3]
SEEDS = range(1, 13)


def test_each_combination_of_values_is_a_condition_in_the_order_given() -> None:
    found = conditions_of(["caps.turns=9", "talk.order=rounds", "caps.turns=3"])
    assert [label_of(condition) for condition in found] == [
        "caps.turns=9, talk.order=rounds",
        "caps.turns=3, talk.order=rounds",
    ]
    assert conditions_of([]) == [{}]


@pytest.mark.parametrize(
    ("text", "value"),
    [("2", 2), ("0.5", 0.5), ("true", True), ("[1, 2]", [1, 2]), ("'7'", "7"), ("", "")]
    + [(text, text) for text in ("rounds", "I am Ann.", "2026-01-02", "1\nb = 2")],
)
def test_a_value_is_what_toml_takes_it_for_else_its_words(text: str, value: object) -> None:
    assert conditions_of([f"key={text}"]) == [{"key": value}]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (["talk.order"], "write KEY=VALUE"),
        (["=3"], "write KEY=VALUE"),
        (["talk..order=rounds"], "write KEY=VALUE"),
        (["seed=3"], "seeds are given by --seed and --runs"),
        (["caps.turns=3", "caps.turns=3"], "is there twice"),
        (["caps.tuns=3"], "caps.tuns: unknown key; did you mean turns"),
        (["caps.turns=many"], "caps.turns"),
        (["cast.Dora.persona=x"], "there is no 'Dora'; there are Alice, Bob, Carol"),
        (["cast.4.persona=x"], "there is no '4'"),
        (["cast.temperature=1"], "cast.temperature: name whose it is, as cast.Alice.temperature"),
        (["title.short=x"], "name what is to be changed there"),
    ],
)
def test_what_cannot_be_set_is_refused_with_what_can(settings: list[str], why: str) -> None:
    with pytest.raises(ScenarioError, match=why.replace(".", r"\.")):
        prepared_run(THREE).under(conditions_of(settings))


def test_an_entry_of_a_list_is_meant_by_its_name_or_its_number() -> None:
    settings = ["cast.Bob.persona=Bob is shy.", "cast.3.persona=Carol is loud."]
    (prepared,) = prepared_run(THREE).under(conditions_of(settings))
    personas = [member.persona for member in prepared.scenario.cast]
    assert personas == ["", "Bob is shy.", "Carol is loud."]
    assert prepared.text == THREE


def test_a_condition_that_makes_no_name_for_a_folder_has_its_number() -> None:
    found = conditions_of(["cast.Bob.persona=Bob is shy.", "cast.Bob.persona=shy"])
    assert folder_names(found) == ["condition-1", "cast.Bob.persona=shy"]
    alike = conditions_of(["caps.turns=1", "caps.turns='1'"])
    assert folder_names(alike) == ["condition-1", "condition-2"]


def test_a_condition_may_be_long_and_hold_dollars(tmp_path: Path) -> None:
    settings = ("cast.Bob.persona=Give me $5 or \\$x^{$ of it", "caps.turns=4")
    play_seeds(tmp_path, VARIED, (1, 2), *settings)
    (page,) = write_reports([tmp_path], with_pages=False).pages
    assert "cast.Bob.persona=Give me $5" in page.read_text()


def test_every_column_that_a_report_has_is_taken(tmp_path: Path) -> None:
    simulate(prepared_run(VARIED), tmp_path / "run")
    assert row(read_run(tmp_path / "run")).keys() == TAKEN


def test_a_run_under_a_condition_replays_and_says_its_condition(tmp_path: Path) -> None:
    (prepared,) = prepared_run(VARIED).with_seed(5).under(conditions_of(["caps.turns=4"]))
    simulate(prepared, tmp_path / "run")
    run = read_run(tmp_path / "run")
    assert (run.scenario.seed, run.scenario.caps.turns, run.condition) == (5, 4, {"caps.turns": 4})
    assert replay(run.folder).identical
    log = run.folder / LOG_NAME
    log.write_text(log.read_text().replace('"caps.turns":4', '"caps.turns":5'))
    assert any("the policy changed" in each for each in replay(run.folder).differences)
    log.write_text(log.read_text().replace('{"caps.turns":5}', "7"))
    with pytest.raises(LogError, match="`changed` is no table of keys"):
        replay(run.folder)


def documented_metric() -> str:
    """As the documentation shows it."""
    text = (ROOT / "docs/experiments.md").read_text()
    (code,) = re.findall(r"^```py\n(.+?)^```$", text, re.DOTALL | re.MULTILINE)
    return str(code)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two conditions that differ in how long bots think, twelve seeds each."""
    settings = ("talk.thinking_s=[2, 4]", "talk.thinking_s=[1, 3]")
    home = play_seeds(tmp_path_factory.mktemp("conditions"), VARIED, SEEDS, *settings)
    (home / "own.py").write_text(
        "import asyncio\n" + documented_metric() + "def nothing(run):\n    return None\n"
        "async def later(run):\n    await asyncio.sleep(0)\n    return len(run.timeline.lines)\n"
        "def words(run):\n    return 'many'\n"
        "def fault(run):\n    return run.timeline.lines[999]\n"
    )
    return home


def conditions_in(home: Path) -> dict[tuple[str, str], dict[str, str]]:
    rows = rows_in(home / "conditions.csv")
    return {(row["condition"], row["metric"]): row for row in rows}


def test_conditions_are_compared_by_means_in_the_order_given(home: Path) -> None:
    (page,) = write_reports([home], with_pages=False).pages
    found = conditions_in(home)
    slow, quick = (
        found[f"talk.thinking_s={span}", "latency_p50_s"] for span in ("[2, 4]", "[1, 3]")
    )
    assert list(found)[:2] == [(slow["condition"], "lines"), (quick["condition"], "lines")]
    assert float(slow["low"]) < float(slow["mean"]) < float(slow["high"])
    assert float(quick["difference"]) == pytest.approx(-1, abs=0.3)
    assert float(quick["difference_high"]) < 0 < float(quick["p"]) < 0.01
    assert slow["difference"] == ""
    text = page.read_text()
    assert "Differences are to talk.thinking_s=[2, 4]," in text
    assert "p &lt; 0.001" in text or "p 0.00" in text
    assert 'aria-label="latency_p50_s"' in text
    assert 'aria-label="lines"' not in text  # the same in all


def test_the_table_of_runs_has_a_column_for_what_was_set_and_counts_seeds_up(home: Path) -> None:
    write_reports([home], with_pages=False)
    rows = json.loads((home / "comparison.json").read_text())
    assert [row["seed"] for row in rows] == [*SEEDS, *SEEDS]
    assert rows[0]["set talk.thinking_s"] == [2, 4]


def test_a_metric_of_ones_own_is_compared_too(home: Path) -> None:
    own = own_metrics([f"{home}/own.py:questions", f"{home}/own.py:nothing"], ())
    write_reports([home], None, own, with_pages=False)
    found = conditions_in(home)
    lines = read_run(home / "0-seed-1").timeline.lines
    expected = sum("?" in line.text for line in lines) / len(lines)
    asked = found["talk.thinking_s=[2, 4]", "questions"]
    assert float(asked["mean"]) == pytest.approx(expected)
    assert found["talk.thinking_s=[2, 4]", "nothing"]["runs"] == "0"


def test_a_metric_of_an_installed_package_is_found_by_its_name(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points = "[townsfolk.metrics]\ncounted = counting:lines\nbroken = counting:away\n"
    code = "def lines(run):\n    return run.metrics.lines\n"
    package_in(tmp_path, "counting-1.0", points, code)
    monkeypatch.syspath_prepend(tmp_path)
    (counted,) = own_metrics(["counted"], ())
    run = read_run(home / "0-seed-1")
    assert counted.of(run) == run.metrics.lines > 0
    with pytest.raises(ScenarioError, match=r"--metric broken: .*away"):
        own_metrics(["broken"], ())
    with pytest.raises(ScenarioError, match="no installed package has 'nobodys'"):
        own_metrics(["nobodys"], ())


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("words", r"own\.py:\d+: 'many' is no number"),
        ("fault", r"own\.py:\d+: IndexError: list index out of range"),
    ],
)
def test_a_metric_that_fails_is_told_with_its_run(home: Path, named: str, why: str) -> None:
    own = own_metrics([f"{home}/own.py:{named}"], ())
    with pytest.raises(LogError, match=rf"metric {named} of .*seed-1.*: {why}"):
        write_reports([home], None, own, with_pages=False)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("own.py:none", "has no function 'none'"),
        ("away.py:x", "there is no file"),
        ("own.py:lines", "there is a metric lines already"),
    ],
)
def test_a_metric_that_is_not_there_is_refused(home: Path, named: str, why: str) -> None:
    with pytest.raises(ScenarioError, match=why):
        own_metrics([f"{home}/{named}"], ["lines"])


def test_how_nominations_were_read_is_compared(tmp_path: Path) -> None:
    text = (ROOT / "examples/experiments/pudding.toml").read_text()
    seed = prepared_run(text).scenario.seed
    settings = ("talk.fuzzy_threshold=0.85", "talk.fuzzy_threshold=1.0")
    play_seeds(tmp_path, text, [seed], *settings)
    write_reports([tmp_path], with_pages=False)
    found = conditions_in(tmp_path)
    assert found["talk.fuzzy_threshold=1.0", "nominated_fuzzy"]["difference"] == "-1.0"
    assert found["talk.fuzzy_threshold=1.0", "nominated_round_robin"]["difference"] == "1.0"


def test_few_runs_are_told_to_say_little(tmp_path: Path) -> None:
    play_seeds(tmp_path, VARIED, (1, 2))
    assert "With fewer than 10 runs" in write_reports([tmp_path]).pages[-1].read_text()
