"""A film of a run from above."""

import json
from pathlib import Path

import pytest
from PIL import Image, ImageSequence
from support.experiments import THREE, experiment, played

from bots.experiments.report.writing import course_of
from bots.experiments.runs import GROUND_NAME, Run

EVENTS = '[[events]]\nafter_turn = 1\ndo = "walk"\nwho = "Bob"\nto = "far"\n'
PEOPLE = '[[people]]\nname = "Steve"\nlines = [{ during_turn = 2, text = "red \\u001B[31m" }]\n'


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return played(tmp_path_factory.mktemp("film"), THREE + PEOPLE + EVENTS)


@pytest.mark.slow
def test_a_film_shows_who_walked_and_what_was_said(run: Run, tmp_path: Path) -> None:
    course = course_of(run)
    assert course.people == {"Steve"}
    assert [moment.at_s for moment in course.moments] == sorted(
        {moment.at_s for moment in course.moments}
    )
    walked = {moment.standing["Bob"][0] for moment in course.moments}
    assert len(walked) > 3
    told = {moment.caption for moment in course.moments}
    assert {"Alice: Bob, look at that.", r"Steve: red \u001b[31m"} <= told
    file = tmp_path / "run.gif"
    experiment("film", run.folder, "--out", file)
    with Image.open(file) as film:
        assert len(list(ImageSequence.Iterator(film))) > 3


def test_what_was_kept_of_the_ground_is_shown_and_what_is_broken_is_told(run: Run) -> None:
    ground = run.folder / GROUND_NAME
    ground.write_text(json.dumps({"west": -8, "north": 3, "png": "AAAA"}))
    assert [(one.west, one.north) for one in course_of(run).grounds] == [(-8, 3)]
    ground.write_text("{}")
    told = "ground.json: cannot be read"
    experiment("film", run.folder, "--out", run.folder / "run.gif", code=1, said=told)
    ground.unlink()


@pytest.mark.slow
def test_no_run_and_a_file_that_cannot_be_written_are_told(run: Run, tmp_path: Path) -> None:
    experiment("film", tmp_path, "--out", "x.gif", code=1)
    file = tmp_path / "no" / "x.gif"
    experiment("film", run.folder, "--out", file, code=1, said="cannot be written")
