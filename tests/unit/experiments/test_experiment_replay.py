"""A replay gives the same talk byte for byte; any change since makes it fail."""

import json
import random
from pathlib import Path
from typing import get_args

import pytest
from support.experiments import THREE, log_lines, played

from bots.experiments.runs import (
    LOG_NAME,
    SCENARIO_NAME,
    TRANSCRIPT_NAME,
    Run,
    prepare,
    read_run,
    replay,
)
from bots.experiments.scenario import LogError
from bots.experiments.simulation import simulate
from bots.talks.machine.events import TalkEffect, TalkEvent

KEPT = Path(__file__).parents[2] / "data" / "experiment"
"""A run that was kept, with every kind of event and effect in its log."""

RICH = (
    THREE.replace("[1, 1]", "[1, 3]").replace("[talk]", '[talk]\norder = "nominate"')
    + """
[[people]]
name = "Steve"
lines = [{ during_turn = 3, text = "Carol!" }, { at_s = 14.2, text = "Anybody?" }]
[[events]]
after_turn = 4
do = "walk"
who = "Bob"
to = "far"
"""
)


def change(run: Run, name: str, old: str, new: str) -> None:
    """Change the first place where this stands, which must be there."""
    text = (run.folder / name).read_text()
    assert old in text
    (run.folder / name).write_text(text.replace(old, new, 1))


def change_line(run: Run, number: int, old: str, new: str) -> None:
    lines = (run.folder / LOG_NAME).read_text().splitlines(keepends=True)
    assert old in lines[number]
    lines[number] = lines[number].replace(old, new, 1)
    (run.folder / LOG_NAME).write_text("".join(lines))


def taken(run: Run, kind: str) -> int:
    """The number of the first line of the log in which the talk took in such a happening."""
    transitions = [line for line in log_lines(run) if line["kind"] == "moment"]
    return next(
        int(line["n"]) for line in transitions if (line["happening"] or {}).get("is") == kind
    )


def test_a_kept_run_replays_and_is_played_as_then(tmp_path: Path) -> None:
    assert replay(KEPT).differences == ()
    simulate(prepare(KEPT / SCENARIO_NAME), tmp_path)
    assert (tmp_path / TRANSCRIPT_NAME).read_bytes() == (KEPT / TRANSCRIPT_NAME).read_bytes()
    now, then = (log_lines(read_run(folder))[1:-1] for folder in (tmp_path, KEPT))
    assert now == then  # the first and last lines tell more since schema 2


def test_the_kept_run_has_every_kind_of_event_and_effect() -> None:
    written = {
        json.dumps(value)
        for line in log_lines(read_run(KEPT))
        if line["kind"] == "moment"
        for value in (line["happening"], *line["wishes"])
        if value is not None
    }
    kinds = {json.loads(value)["is"] for value in written}
    assert kinds == {kind.__name__ for kind in (*get_args(TalkEvent), *get_args(TalkEffect))}


def test_a_replay_gives_the_same_transcript_byte_for_byte(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    again = replay(run.folder)
    assert again.differences == ()
    assert again.transcript.encode() == (run.folder / TRANSCRIPT_NAME).read_bytes()
    assert again.turns == 9


def test_replays_of_many_random_scenarios_are_identical(tmp_path: Path) -> None:
    for number in range(40):
        rng = random.Random(number)
        events = "".join(
            f'[[events]]\nat_s = {rng.uniform(0, 40):.3f}\ndo = "{do}"\nwho = "{who}"\nto = "far"\n'
            for do, who in (
                (rng.choice(["walk", "leave", "busy", "free", "join"]), rng.choice("ABC"))
                for _ in range(6)
            )
        )
        for short, name in (("A", "Alice"), ("B", "Bob"), ("C", "Carol")):
            events = events.replace(f'who = "{short}"', f'who = "{name}"')
        order = rng.choice(["rounds", "nominate"])
        text = RICH.replace('"nominate"', f'"{order}"').replace("seed = 7", f"seed = {number}")
        run = played(tmp_path / str(number), text + events)
        assert replay(run.folder).differences == (), number


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('order = "nominate"', 'order = "rounds"', "order was 'nominate', is 'rounds'"),
        ("turns = 9", "turns = 8", "caps was"),
        ("[talk]", '[talk]\nfallback = "random"', "fallback was 'round_robin', is 'random'"),
        ("seed = 7", "seed = 8", "seed was 7, is 8"),
    ],
)
def test_another_policy_makes_it_fail(tmp_path: Path, old: str, new: str, told: str) -> None:
    run = played(tmp_path, RICH)
    change(run, SCENARIO_NAME, old, new)
    assert told in "\n".join(replay(run.folder).differences)


def test_another_order_makes_another_talk_even_if_the_record_claims_it(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    change(run, SCENARIO_NAME, 'order = "nominate"', 'order = "rounds"')
    change_line(run, 0, '"order":"nominate"', '"order":"rounds"')
    differences = "\n".join(replay(run.folder).differences)
    assert "it asked for" in differences
    assert f"{TRANSCRIPT_NAME}: line" in differences


def test_a_changed_answer_makes_it_fail_with_the_first_difference(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    change_line(run, taken(run, "Answered"), "look at that", "look at this")
    differences = replay(run.folder).differences
    assert "look at that" in differences[0]
    assert "look at this" in differences[0]
    assert any(TRANSCRIPT_NAME in difference for difference in differences)


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("Spoke", '"Carol":null', '"Carol":"out_of_range"'),
        ("Delivered", '"at_ms":', '"at_ms":1'),
        ("Answered", '"turn":1,"text":"Bob, look at that."', '"turn":1,"text":"Bob, look!"'),
    ],
)
def test_another_event_makes_it_fail(tmp_path: Path, kind: str, old: str, new: str) -> None:
    run = played(tmp_path, RICH)
    change_line(run, taken(run, kind), old, new)
    assert not replay(run.folder).identical


def test_a_line_left_out_makes_it_fail(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    lines = [line for line in log_lines(run) if line["n"] != taken(run, "Delivered")]
    for number, line in enumerate(lines):
        line["n"] = number
    (run.folder / LOG_NAME).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert not replay(run.folder).identical


def test_a_changed_transcript_makes_it_fail(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    change(run, TRANSCRIPT_NAME, "Bob, look", "Bob, l00k")
    (difference,) = replay(run.folder).differences
    assert difference.startswith("transcript.txt: line ")


def test_words_that_nobody_but_the_seal_guards_are_guarded(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    thought = next(line["n"] for line in log_lines(run) if line["kind"] == "thought")
    change_line(run, thought, '"source":"cues"', '"source":"model"')
    (difference,) = replay(run.folder).differences
    assert "digest does not fit" in difference
    with pytest.raises(LogError, match="digest does not fit"):
        read_run(run.folder)


def test_a_run_that_was_cut_off_replays_as_far_as_it_came_and_says_so(tmp_path: Path) -> None:
    run = played(tmp_path, RICH)
    lines = (run.folder / LOG_NAME).read_text().splitlines(keepends=True)
    (run.folder / LOG_NAME).write_text("".join(lines[:-3]))
    assert "log.jsonl: it has no end: the experiment was cut off" in replay(run.folder).differences
    with pytest.raises(LogError, match="cut off"):
        read_run(run.folder)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is empty"),
        ("not json\n", ":1: not JSON"),
        ('{"n":0,"at_ms":0,"kind":"run","schema":99}\n', "not the beginning of a log of schema 2"),
        ('{"n":1,"at_ms":0,"kind":"run","schema":1}\n', "not line 0"),
        ("[]\n", "not line 0"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, content: str, told: str) -> None:
    (tmp_path / LOG_NAME).write_text(content)
    with pytest.raises(LogError, match=told):
        replay(tmp_path)


@pytest.mark.parametrize(
    ("old", "new"),
    [('"is":"Answered"', '"is":"Guessed"'), ('"turn":1', '"tern":1'), ('"wishes":', '"wish":')],
)
def test_a_malformed_transition_is_refused_by_line(tmp_path: Path, old: str, new: str) -> None:
    run = played(tmp_path, RICH)
    number = taken(run, "Answered")
    change_line(run, number, old, new)
    with pytest.raises(LogError, match=f"line {number}: not a moment of a talk"):
        replay(run.folder)
