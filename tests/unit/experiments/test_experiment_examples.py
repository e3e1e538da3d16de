"""The example scenarios run without a key and replay identically."""

from pathlib import Path

import pytest
from support.experiments import log_lines, said

from bots.experiments.runs import Run, prepare, read_run, replay
from bots.experiments.simulation import simulate

EXAMPLES = sorted((Path(__file__).parents[3] / "examples/experiments").glob("*.toml"))


def run(name: str, folder: Path) -> Run:
    (file,) = [path for path in EXAMPLES if path.stem == name]
    simulate(prepare(file), folder / name)
    return read_run(folder / name)


def test_there_are_three() -> None:
    assert [path.stem for path in EXAMPLES] == ["bridge", "pudding", "surprise"]


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_each_is_played_to_its_goodbye_and_replays_identically(name: str, tmp_path: Path) -> None:
    played = run(name, tmp_path)
    assert played.timeline.ended == "goodbye"
    assert replay(played.folder).differences == ()
    assert log_lines(played)[-1]["events_left"] == 0


def test_tom_never_hears_of_the_cake_until_he_gets_it(tmp_path: Path) -> None:
    timeline = run("surprise", tmp_path).timeline
    cake = next(line for line in timeline.lines if "cake" in line.text)
    assert cake.missed_by == {"Tom": "out_of_range"}
    bed = next(line for line in timeline.lines if "under the bed" in line.text)
    assert "Tom" in bed.heard_by
    (next_line,) = timeline.lines[timeline.lines.index(bed) + 1 :][:1]
    assert (next_line.speaker, next_line.text) == ("Tom", "What goes under the bed?")
    heard = [line.text for line in timeline.lines if "Tom" in line.heard_by]
    assert not any("cake" in text for text in heard[:-6])


def test_every_way_to_write_a_nomination_is_in_the_trial(tmp_path: Path) -> None:
    played = run("pudding", tmp_path)
    assert played.metrics.reasons.keys() == {"tag", "fuzzy", "round_robin"}
    assert not any("[" in text for text in said(played))


def test_the_bridge_has_two_interruptions_a_failure_and_a_latecomer(tmp_path: Path) -> None:
    played = run("bridge", tmp_path)
    metrics = played.metrics
    assert (metrics.thoughts_dropped, metrics.persons_lines, metrics.answers_failed) == (2, 2, 1)
    assert said(played, "Ida")
    after_steve = [
        later.speaker
        for earlier, later in zip(played.timeline.lines, played.timeline.lines[1:], strict=False)
        if earlier.speaker == "Steve"
    ]
    assert after_steve[0] == "Gil"
