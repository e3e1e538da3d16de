"""The report: one self-contained page, and tables that other programs can read."""

import csv
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image
from support.experiments import THREE, experiment, play_seeds, played, rows_in

from bots.experiments.metrics import Spread
from bots.experiments.report.comparison import participants_csv, shown_estimate
from bots.experiments.report.figures import distances, of_run
from bots.experiments.report.statistics import Estimate, difference
from bots.experiments.report.writing import write_reports
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


def test_what_was_said_is_text_and_unheard_lines_say_who_missed_them(folder: Path) -> None:
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp;" in page
    assert "<script" not in page
    assert "not heard by Bob (out_of_range)" in page


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


def test_the_same_run_gives_the_same_page(folder: Path) -> None:
    page = (folder / "report.html").read_bytes()
    write_reports([folder])
    assert (folder / "report.html").read_bytes() == page


def test_the_tables_hold_every_line_and_every_participant(folder: Path) -> None:
    run = read_run(folder)
    rows = rows_in(folder / "lines.csv")
    assert [row["speaker"] for row in rows] == [line.speaker for line in run.timeline.lines]
    assert [int(row["at_ms"]) for row in rows] == [line.at_ms for line in run.timeline.lines]
    names = [row["name"] for row in rows_in(folder / "participants.csv")]
    assert names == ["Alice", "Bob", "Carol", "Steve"]
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
    play_seeds(tmp_path, THREE.replace("[1, 1]", "[1, 3]"), (1, 2))
    pages = write_reports([tmp_path]).pages
    assert pages[-1] == tmp_path / "comparison.html"
    assert len(pages) == 3
    rows = rows_in(tmp_path / "comparison.csv")
    assert [(row["run"], row["seed"]) for row in rows] == [(f"seed-{n}", str(n)) for n in (1, 2)]
    assert len({row["latency_p50_s"] for row in rows}) == 2
    same = json.loads((tmp_path / "comparison.json").read_text())
    assert [row["run"] for row in same] == ["seed-1", "seed-2"]
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


# Figures for a paper: each as SVG, PDF and PNG, with a caption that tells how it was made.


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home, text = tmp_path_factory.mktemp("figures"), THREE.replace("[1, 1]", "[1, 3]")
    return play_seeds(home, text, range(4), "talk.order=rounds", "talk.order=nominate")


def figures_of(study: Path, out: Path) -> dict[str, bytes]:
    for _ in ("first", "over it"):
        experiment("report", study, "--no-pages", "--figures", out)
    return {file.name: file.read_bytes() for file in out.iterdir()}


def test_each_number_that_varies_has_its_three_files_and_a_caption(
    study: Path, tmp_path: Path
) -> None:
    files = figures_of(study, tmp_path / "figures")
    captions = files.pop("captions.md").decode()
    stems = re.findall(r"^## (\w+)$", captions, re.MULTILINE)
    assert set(files) == {f"{stem}.{kind}" for stem in stems for kind in ("svg", "pdf", "png")}
    assert "latency_p50_s" in stems
    assert "cost_usd" not in stems  # the same in all
    told = captions.partition("## latency_p50_s")[2].partition("\n## ")[0]
    assert "4 with talk.order=rounds, 4 with talk.order=nominate" in told
    assert "95 % interval" in told
    assert re.search(r"nominate minus talk.order=rounds: .+, p \S+ \(paired over 4 seeds", told)


def test_letters_of_every_format_are_there_wherever_it_is_opened(
    study: Path, tmp_path: Path
) -> None:
    files = figures_of(study, tmp_path / "figures")
    assert b"/FontFile2" in files["latency_p50_s.pdf"]  # the font is within
    assert b"/Type3" not in files["latency_p50_s.pdf"]  # which journals refuse
    assert b"<text" not in files["latency_p50_s.svg"]  # outlines
    with Image.open(tmp_path / "figures" / "latency_p50_s.png") as picture:
        assert round(float(picture.info["dpi"][0])) == 300
        assert picture.width == 1950
        assert picture.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_the_same_runs_make_the_same_files(study: Path, tmp_path: Path) -> None:
    assert figures_of(study, tmp_path / "a") == figures_of(study, tmp_path / "b")


def test_a_single_run_has_files_of_its_own_pictures(tmp_path: Path) -> None:
    run = played(tmp_path, THREE)
    files = figures_of(run.folder, tmp_path / "figures")
    stems = {picture.stem for picture in of_run(run)}
    assert {name.partition(".")[0] for name in files} == {*stems, "captions"}
    assert "who-spoke-when" in stems


def test_a_file_of_somebody_else_is_not_drawn_over(study: Path, tmp_path: Path) -> None:
    (tmp_path / "latency_p50_s.png").write_text("mine")
    experiment("report", study, "--no-pages", "--figures", tmp_path, code=1)
    assert (tmp_path / "latency_p50_s.png").read_text() == "mine"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(11_800.0, "11,800"), (1.23e-5, "0.0000123"), (23.0, "23"), (0.12345, "0.123"), (-2.0, "-2")],
)
def test_no_number_is_shown_as_a_power_of_ten(value: float, shown: str) -> None:
    assert shown_estimate(Estimate(1, value, None, None)) == shown


def test_numbers_that_differ_in_their_last_digits_alone_have_no_effect_size() -> None:
    """The page told d 7640346507016391.00."""
    steady = [0.1 + 0.2, 0.3, 0.3]
    found = difference(steady, [each + 1 for each in steady])
    assert found is not None
    assert found.effect is None
