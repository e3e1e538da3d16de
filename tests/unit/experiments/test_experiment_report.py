"""The report: one self-contained page, and tables that other programs can read."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support.experiments import THREE, played, prepared_run

from bots.experiments.metrics import Spread
from bots.experiments.report.comparison import participants_csv
from bots.experiments.report.figures import distances
from bots.experiments.report.writing import write_reports
from bots.experiments.run import simulate
from bots.experiments.runs import read_run
from bots.experiments.scenario import LogError

pytestmark = pytest.mark.slow

EVIL = '<script>alert(1)</script> & "quotes"'


class Elements(HTMLParser):
    """Counts elements, and collects what would be fetched or run."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.outside: list[str] = []
        self.ids: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count[tag] = self.count.get(tag, 0) + 1
        for name, value in attrs:
            if name == "id" and value:
                self.ids.append(value)
            if name.startswith("on") or (
                name in ("src", "href", "xlink:href") and not (value or "").startswith("#")
            ):
                self.outside.append(f"{tag} {name}={value}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    text = THREE.replace("Bob, look at that.", EVIL.replace('"', "'")) + (
        '[[people]]\nname = "Steve"\nlines = [{ during_turn = 2, text = "=1+1" }]\n'
        '[[events]]\nafter_turn = 1\ndo = "teleport"\nwho = "Bob"\nto = "far"\n'
    )
    run = played(tmp_path_factory.mktemp("report"), text)
    write_reports([run.folder])
    return run.folder


def test_the_page_needs_nothing_from_outside_and_runs_nothing(folder: Path) -> None:
    found = Elements((folder / "report.html").read_text(encoding="utf-8"))
    assert found.outside == [
        value for value in found.outside if value.startswith("image xlink:href=data:")
    ]
    assert not {"script", "link", "iframe", "object"} & found.count.keys()


def test_what_was_said_is_text_on_the_page(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in page
    assert "<script" not in page


def test_every_picture_is_there_with_a_name_and_sections_have_headings(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert re.findall(r'<svg role="img" aria-label="([^"]+)"', page) == [
        *("who spoke when", "who spoke after whom", "distances over time", "waiting for each line"),
        "repetition by line",
    ]
    assert "no tokens, no cost" in page
    headings = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert headings == [
        *("Who spoke when", "The talk", "Who spoke after whom", "Distances"),
        *("Waiting for an answer", "Repetition", "Tokens and cost", "Participants"),
        *("Why it was their turn", "The scenario"),
    ]
    labelled = re.findall(r'<section aria-labelledby="([^"]+)"', page)
    assert all(page.count(f'<h2 id="{name}"') == 1 for name in labelled)
    groups = re.findall(r'<g id="[^"]*"', page)
    assert groups == []  # each picture would call its own alike


def test_pictures_of_tokens_and_cost_are_drawn_where_there_was_any(tmp_path: Path) -> None:
    run = played(tmp_path, THREE.replace("again", "tokens = 9, cost_usd = 0.01, again"))
    (page,) = write_reports([run.folder]).pages
    assert 'aria-label="tokens and cost"' in page.read_text()
    assert "$0.0600" in page.read_text()


def test_unheard_lines_say_who_missed_them(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "not heard by Bob (out_of_range)" in page


def test_the_same_run_gives_the_same_page(folder: Path) -> None:
    page = (folder / "report.html").read_bytes()
    write_reports([folder])
    assert (folder / "report.html").read_bytes() == page


def test_the_tables_hold_every_line_and_every_participant(folder: Path) -> None:
    run = read_run(folder)
    with (folder / "lines.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["speaker"] for row in rows] == [line.speaker for line in run.timeline.lines]
    assert [int(row["at_ms"]) for row in rows] == [line.at_ms for line in run.timeline.lines]
    with (folder / "participants.csv").open(newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == ["Alice", "Bob", "Carol", "Steve"]
    metrics = json.loads((folder / "metrics.json").read_text())
    assert metrics["lines"] == len(rows)
    assert metrics["participants"][3]["kind"] == "person"


def test_each_number_of_a_participant_has_its_own_column(folder: Path) -> None:
    run = read_run(folder)
    one = replace(
        run.metrics.participants[0], latency_s=Spread(2, 2.0, 1.5, 3.25, 4.0), tokens=7, missed=2
    )
    run = replace(run, metrics=replace(run.metrics, participants=(one,)))
    (row,) = csv.DictReader(participants_csv(run).splitlines())
    assert (row["latency_p50_s"], row["latency_p95_s"]) == ("1.5", "3.25")
    assert (row["tokens"], row["missed"], row["kind"]) == ("7", "2", "bot")


def test_words_that_look_like_a_formula_stay_words_in_a_spreadsheet(folder: Path) -> None:
    assert "'=1+1" in (folder / "lines.csv").read_text()


def test_several_runs_are_compared(tmp_path: Path) -> None:
    text = THREE.replace("[1, 1]", "[1, 3]")
    for seed in (1, 2):
        simulate(prepared_run(text).with_seed(seed), tmp_path / f"seed-{seed}")
    pages = write_reports([tmp_path]).pages
    assert pages[-1] == tmp_path / "comparison.html"
    assert len(pages) == 3
    with (tmp_path / "comparison.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["run"], row["seed"]) for row in rows] == [(f"seed-{n}", str(n)) for n in (1, 2)]
    assert len({row["latency_p50_s"] for row in rows}) == 2
    assert [row["run"] for row in json.loads((tmp_path / "comparison.json").read_text())] == [
        "seed-1",
        "seed-2",
    ]
    page = pages[-1].read_text()
    assert 'aria-label="latency_p50_s"' in page
    assert "The same in all: lines," in page


def test_who_stood_still_and_then_moved_did_not_drift_there(tmp_path: Path) -> None:
    text = THREE + '[[events]]\nat_s = 6\ndo = "teleport"\nwho = "Bob"\nto = "far"\n'
    points = distances(played(tmp_path, text))["Alice, Bob"]
    assert points[:3] == [(0, 0.0), (5_000, 0.0), (6_000, 52.0)]


def test_there_is_no_distance_between_two_dimensions(tmp_path: Path) -> None:
    run = played(tmp_path, THREE)
    (line,) = run.log.of_kind("positions")
    line["positions"]["Bob"][3] = "the_nether"
    assert distances(run).keys() == {"Alice, Carol"}


def test_a_long_talk_is_drawn_in_pixels_and_shortened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.experiments.report.figures.MOST_VECTORS", 30)
    monkeypatch.setattr("bots.experiments.report.page.MOST_LINES", 30)
    run = played(tmp_path, THREE.replace("turns = 9", "turns = 60"))
    (page,) = write_reports([run.folder]).pages
    assert Elements(page.read_text()).count["image"] >= 3
    assert "more: see transcript.txt" in page.read_text()


def test_many_participants_are_shown_by_their_nearest(tmp_path: Path) -> None:
    more = "".join(f'[[cast]]\nname = "N{n}"\ncues = ["Hm."]\n' for n in range(4))
    run = played(tmp_path, THREE.replace("turns = 9", "turns = 21") + more)
    (page,) = write_reports([run.folder]).pages
    assert "Alice to the nearest" in page.read_text()


def test_a_folder_without_an_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="holds no experiment"):
        write_reports([tmp_path])
