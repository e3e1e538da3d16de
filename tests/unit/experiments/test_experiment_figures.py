"""Figures for a paper: each as SVG, PDF and PNG, with a caption that tells how it was made."""

import re
from pathlib import Path

import pytest
from PIL import Image
from support.experiments import THREE, played, prepared_run
from typer.testing import CliRunner

from bots.cli.main import app
from bots.experiments.report.comparison import shown_estimate
from bots.experiments.report.figures import of_run
from bots.experiments.report.statistics import Estimate, difference
from bots.experiments.run import simulate
from bots.experiments.scenario_file import conditions_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("figures")
    for prepared in prepared_run(THREE.replace("[1, 1]", "[1, 3]")).under(
        conditions_of(["talk.order=rounds", "talk.order=nominate"])
    ):
        for seed in range(4):
            simulate(prepared.with_seed(seed), home / f"{prepared.place}-seed-{seed}")
    return home


def figures_of(study: Path, out: Path) -> dict[str, bytes]:
    call = ["experiment", "report", str(study), "--no-pages", "--figures", str(out)]
    for _ in ("first", "over it"):
        told = CliRunner().invoke(app, call)
        assert told.exit_code == 0, told.output
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
    call = ["experiment", "report", str(study), "--no-pages", "--figures", str(tmp_path)]
    assert CliRunner().invoke(app, call).exit_code == 1
    assert (tmp_path / "latency_p50_s.png").read_text() == "mine"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (11_800.0, "11,800"),
        (0.0000123, "0.0000123"),
        (23.0, "23"),
        (0.12345, "0.123"),
        (-2.0, "-2"),
    ],
)
def test_no_number_is_shown_as_a_power_of_ten(value: float, shown: str) -> None:
    assert shown_estimate(Estimate(1, value, None, None)) == shown


def test_numbers_that_differ_in_their_last_digits_alone_have_no_effect_size() -> None:
    """The page told d 7640346507016391.00."""
    steady = [0.1 + 0.2, 0.3, 0.3]
    found = difference(steady, [each + 1 for each in steady])
    assert found is not None
    assert found.effect is None
