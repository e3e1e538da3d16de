"""The simulated world: lines reach those in range, at the time the scenario says."""

import json
import os
import stat
from pathlib import Path

import pytest
from support.experiments import THREE, log_lines, played, prepared_run, said

from bots.experiments.report.writing import write_reports
from bots.experiments.runs import LOG_NAME, TRANSCRIPT_NAME
from bots.experiments.scenario import ExperimentFailed, LogError, ScenarioError
from bots.experiments.simulation import simulate
from llm.function_model import FunctionModel
from llm.model import Question

STEVE = '[[people]]\nname = "Steve"\nat = "here"\n'
CIRCLE = ["Alice", "Bob", "Carol"]


def speakers(text: str, folder: Path) -> list[str]:
    return [line.speaker for line in played(folder, text).timeline.lines]


def test_everybody_speaks_in_turn_and_hears_the_others(tmp_path: Path) -> None:
    run = played(tmp_path, THREE)
    assert [line.speaker for line in run.timeline.lines] == CIRCLE * 3
    assert all(len(line.heard_by) == 2 and not line.missed_by for line in run.timeline.lines)
    assert said(run)[-3:] == ["Bye from Alice.", "Bye from Bob.", "Bye from Carol."]


def test_the_same_seed_writes_the_same_log_and_another_seed_another(tmp_path: Path) -> None:
    text = THREE.replace("[1, 1]", "[1, 3]")
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        simulate(prepared_run(text).with_seed(seed), tmp_path / name)
    first, same, other = ((tmp_path / name / LOG_NAME).read_bytes() for name in "abc")
    assert first == same
    assert first != other


def test_turns_take_the_time_the_scenario_says(tmp_path: Path) -> None:
    text = THREE.replace("per_s = 1000", "per_s = 10").replace("again", "takes_s = 2.5, again", 1)
    lines = played(tmp_path, text).timeline.lines
    assert lines[0].at_ms == 2500
    assert lines[0].done_ms == 2500 + len(lines[0].text) * 100
    assert lines[1].at_ms == lines[0].done_ms + 1000


def test_who_walks_out_of_earshot_hears_and_is_heard_no_more_until_back(tmp_path: Path) -> None:
    walks = """
    [[events]]
    after_turn = 1
    do = "walk"
    who = "Bob"
    to = "far"
    [[events]]
    at_s = 25
    do = "teleport"
    who = "Bob"
    to = "here"
    """
    run = played(tmp_path, THREE.replace("turns = 9", "turns = 40") + walks)
    missed = [line for line in run.timeline.lines if line.missed_by]
    assert {why for line in missed for why in line.missed_by.values()} == {"out_of_range"}
    assert all("Bob" in line.missed_by or line.speaker == "Bob" for line in missed)
    # 15 of 52 blocks at walking speed from the end of turn 1; back at 25 s.
    assert 3_000 < missed[0].at_ms < 6_500
    assert 23_000 < missed[-1].at_ms < 25_000
    assert all(line.missed_by == {} for line in run.timeline.lines if line.at_ms > 25_000)


NOMINATE = THREE.replace("[talk]", '[talk]\norder = "nominate"')
CAROL_FAR = THREE.replace("[60,", "[90,").replace(
    'name = "Carol"\nat = "here"', 'name = "Carol"\nat = "far"'
)
SCENES: dict[str, tuple[str, ...]] = {
    "a person who speaks while a bot thinks ends its thought": (
        f'{THREE}{STEVE}lines = [{{ during_turn = 2, text = "Carol, run!" }}]\n',
        "00:01.000    1  Alice: Bob, look at that.",
        "00:01.518    *  Bob drops a thought: interrupted",
        "00:01.518    -  Steve: Carol, run!",
        "00:02.518    3  Carol: Alice, I have seen nothing.",
    ),
    "a line is heard where everybody stands when its saying begins": (
        THREE + '[[events]]\nat_s = 1.001\ndo = "teleport"\nwho = "Carol"\nto = "far"\n',
        "00:01.000    1  Alice: Bob, look at that.",
        "00:02.018    2  Bob: Carol, have you seen it too?   [not heard by Carol: out_of_range]",
    ),
    "who is too far to be seen does not hear, whatever the range": (
        CAROL_FAR.replace("[talk]", "[talk]\nhearing_range = 100"),
        "00:01.000    1  Alice: Bob, look at that.   [not heard by Carol: entity_not_available]",
    ),
    "lost lines are told as undelivered": (
        THREE + '[[events]]\nat_s = 0\ndo = "lose_lines"\nwho = "Carol"\n',
        "00:01.000    1  Alice: Bob, look at that.   [not heard by Carol: undelivered]",
    ),
    "a person may open": (
        THREE.replace("[talk]", '[talk]\nopening = { by = "Steve", text = "Hi." }') + STEVE,
        "00:00.000    -  Steve: Hi.",
        "00:01.000    1  Alice: Bob, look at that.",
    ),
    "a bot that opens says the opening and then its cues": (
        THREE.replace("[talk]", '[talk]\nopening = { by = "Bob", text = "Hear!" }'),
        "00:01.000    1  Bob: Hear!",
        "00:02.005    2  Carol: Alice, I have seen nothing.",
        "00:03.032    3  Alice: Bob, look at that.",
        "00:04.050    4  Bob: Carol, have you seen it too?",
    ),
    "a paused talk is silent until it goes on": (
        THREE + '[[events]]\nat_s=1.5\ndo="pause"\n[[events]]\nat_s=20\ndo="resume"\n',
        "00:01.000    1  Alice: Bob, look at that.",
        "00:01.500    *  the scenario paused the group talk.",
        "00:01.500    *  Bob drops a thought: paused",
        "00:20.000    *  the scenario resumed the group talk.",
        "00:21.000    3  Bob: Carol, have you seen it too?",
    ),
    "the scenario can end the talk": (
        THREE + '[[events]]\nafter_turn = 1\ndo = "end"\n',
        "00:01.000    1  Alice: Bob, look at that.",
        "00:01.018    *  Bob drops a thought: ended",
        "00:01.018    *  Group talk ended: it was ended on request.",
    ),
    "thinking that fails is told and the talk goes on": (
        THREE.replace('cues = [{ say = "Carol,', 'cues = [{ fails = "hiccups" }, { say = "Carol,'),
        "00:01.000    1  Alice: Bob, look at that.",
        "00:02.018    *  Bob could not answer: hiccups",
        "00:03.018    3  Carol: Alice, I have seen nothing.",
    ),
    "tags nominate and are not spoken": (
        NOMINATE.replace("Bob, look at that.", "Look at that. [Next: Carol]"),
        "00:01.000    1  Alice: Look at that.",
        "00:02.013    2  Carol: Alice, I have seen nothing.",
    ),
}


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_begins_as_it_is_written(tmp_path: Path, scene: str) -> None:
    text, *expected = SCENES[scene]
    run = played(tmp_path, text)
    told = (run.folder / TRANSCRIPT_NAME).read_text().splitlines()[1:]  # after who takes part
    assert told[: len(expected)] == expected


def test_who_joins_later_is_heard_from_then_on_and_who_leaves_no_more(tmp_path: Path) -> None:
    text = THREE.replace('name = "Carol"', 'name = "Carol"\npresent = false') + (
        '[[events]]\nafter_turn = 2\ndo = "join"\nwho = "Carol"\n'
        '[[events]]\nafter_turn = 5\ndo = "leave"\nwho = "Alice"\nwhy = "supper"\n'
    )
    run = played(tmp_path, text)
    assert all("Carol" not in line.hearing for line in run.timeline.lines[:2])
    assert all(
        "Carol" in line.hearing for line in run.timeline.lines[2:] if line.speaker != "Carol"
    )
    assert "Carol" in [line.speaker for line in run.timeline.lines]
    assert "Alice" not in [line.speaker for line in run.timeline.lines[5:]]
    assert any("supper" in notice.text for notice in run.timeline.notices)


def test_a_busy_bot_is_passed_over_until_it_is_free(tmp_path: Path) -> None:
    text = THREE + (
        '[[events]]\nat_s = 0.5\ndo = "busy"\nwho = "Bob"\n'
        '[[events]]\nafter_turn = 4\ndo = "free"\nwho = "Bob"\n'
    )
    order = speakers(text, tmp_path)
    assert "Bob" not in order[:5]  # Alice has the fifth turn already
    assert order[5] == "Bob"


def test_cues_follow_what_the_bot_itself_heard(tmp_path: Path) -> None:
    text = """
    [talk]
    topic = "tea"
    [caps]
    turns = 12
    [[cast]]
    name = "A"
    cues = ["The password is swordfish.", "Well?", "And?", "So?"]
    [[cast]]
    name = "B"
    cues = [
      { hears = "password", say = "I heard it, {last}." },
      { knows = "swordfish", near = "A", say = "I still know it." },
      { unaware = "swordfish", say = "I know nothing of {topic}." },
    ]
    [[cast]]
    name = "C"
    at = [90, 64, 8]
    cues = [
      { hears = "swordfish", say = "Wrong." },
      { unaware = "swordfish", away = ["A", "B"], say = "Nobody tells me anything." },
    ]
    """
    run = played(tmp_path, text)
    assert said(run, "B") == ["I heard it, A.", "I still know it."]
    assert said(run, "C") == ["Nobody tells me anything."]


def test_what_was_heard_before_its_own_last_line_is_old(tmp_path: Path) -> None:
    text = """
    [caps]
    turns = 8
    [[cast]]
    name = "A"
    cues = ["Fire!", "Water.", "Earth."]
    [[cast]]
    name = "B"
    cues = ["First I finish this.", { hears = "fire", say = "Fire?" }, { near = "C", say = "C!" }]
    [[cast]]
    name = "C"
    at = [90, 64, 8]
    """
    assert said(played(tmp_path, text), "B") == ["First I finish this."]


def test_a_later_time_to_wake_up_replaces_an_earlier_one(tmp_path: Path) -> None:
    """Every turn asks anew to be woken should its answer not come: none of these is ever due."""
    text = THREE.replace("[1, 1]", "[20, 20]")
    taken = [line.get("happening") or {} for line in log_lines(played(tmp_path, text))]
    assert not [event for event in taken if event.get("is") == "TimePassed"]


def test_a_dropped_thought_that_cost_nothing_is_never_told(tmp_path: Path) -> None:
    person = STEVE + 'lines = [{ during_turn = 2, text = "Stop!" }]\n'
    log = log_lines(played(tmp_path, THREE + person))
    taken = [line.get("happening") or {} for line in log]
    assert 2 not in [h["turn"] for h in taken if h.get("is") == "Answered"]
    assert 2 not in [line["turn"] for line in log if line["kind"] == "thought"]


def test_words_that_are_being_said_at_the_end_are_said_to_their_end(tmp_path: Path) -> None:
    text = THREE.replace("per_s = 1000", "per_s = 2") + '[[events]]\nat_s = 3\ndo = "end"\n'
    run = played(tmp_path, text)
    assert (run.timeline.ended, run.timeline.ended_ms) == ("asked", 3000)
    (line,) = run.timeline.lines
    assert (line.done_ms, line.heard_by) == (1000 + 500 * len(line.text), ["Bob", "Carol"])


def test_a_cue_can_nominate_as_a_structured_answer_does(tmp_path: Path) -> None:
    text = THREE.replace("[talk]", '[talk]\norder = "nominate"\nheeds_names = false').replace(
        'look at that.", again', 'look at that.", next = "Carol", again'
    )
    assert speakers(text, tmp_path)[:2] == ["Alice", "Carol"]


def test_a_function_beside_the_scenario_speaks(tmp_path: Path) -> None:
    (tmp_path / "mind.py").write_text(
        "def answer(asked):\n"
        "    if asked.turn == 4:\n"
        "        raise ValueError('no idea')\n"
        "    return f'{len(asked.heard)} lines, {sorted(asked.near)}'\n"
    )
    text = THREE.replace(
        'cues = [{ say = "Bob, l', 'function = "mind.py:answer"\ncues = [{ say = "L'
    )
    run = played(tmp_path, text)
    assert said(run, "Alice")[0] == "0 lines, ['Bob', 'Carol']"
    assert "Alice could not answer: mind.py:3: ValueError: no idea" in [
        n.text for n in run.timeline.notices
    ]


@pytest.mark.parametrize("name", ["none.py:answer", "mind.py:none", "mind.py:number"])
def test_a_function_that_is_not_there_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "mind.py").write_text("number = 3\n")
    text = THREE.replace('name = "Bob"', f'name = "Bob"\nanswers = "function"\nfunction = "{name}"')
    with pytest.raises(ScenarioError, match=r"cast\.Bob\.function"):
        played(tmp_path, text)


@pytest.mark.parametrize(
    "named", ["{outside}/mind.py", "../outside/mind.py", "sub/../../outside/mind.py", "linked.py"]
)
def test_code_outside_the_folder_of_the_scenario_is_not_run(tmp_path: Path, named: str) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside"
    for folder in (home / "sub", outside):
        folder.mkdir(parents=True)
    mark = tmp_path / "it was run"
    (outside / "mind.py").write_text(f"open({str(mark)!r}, 'w')\ndef answer(asked): return 'Hi.'\n")
    (home / "linked.py").symlink_to(outside / "mind.py")
    function = f"{named.format(outside=outside)}:answer"
    text = THREE.replace('name = "Bob"', f'name = "Bob"\nfunction = "{function}"')
    with pytest.raises(ScenarioError, match=r"cast\.Bob\.function: .* is outside the folder"):
        played(home, text)
    assert not mark.exists()


def test_code_in_a_folder_below_the_scenario_is_run(tmp_path: Path) -> None:
    (tmp_path / "minds").mkdir()
    (tmp_path / "minds/mind.py").write_text("def answer(asked): return 'From below.'\n")
    cues = 'cues = [{ say = "Bob, l'
    run = played(tmp_path, THREE.replace(cues, f'function = "minds/mind.py:answer"\n{cues}'))
    assert said(run, "Alice")[0] == "From below."


def test_a_run_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        run = played(tmp_path, THREE)
        write_reports([run.folder], None, [])
    finally:
        os.umask(before)
    modes = {
        path.relative_to(run.folder): stat.S_IMODE(path.stat().st_mode)
        for path in (run.folder, *run.folder.rglob("*"))
    }
    assert len(modes) >= 5
    assert set(modes.values()) == {0o700, 0o600}


def test_without_cues_bots_talk_by_rules(tmp_path: Path) -> None:
    text = '[caps]\nturns = 6\n[[cast]]\nname = "Alice"\n[[cast]]\nname = "Bob"\n'
    run = played(tmp_path, text)
    assert len(run.timeline.lines) == 6
    assert {line["source"] for line in log_lines(run) if line["kind"] == "thought"} == {"rules"}


def test_a_model_gets_the_view_of_its_bot_and_its_prompt_is_kept(tmp_path: Path) -> None:
    def answer(question: Question) -> str:
        return '{"says": "I think so.", "next": "Bob"}'

    model = FunctionModel(answer)
    text = THREE.replace('name = "Carol"', 'name = "Carol"\nanswers = "model"\npersona = "Owl."')
    run = played(tmp_path, text, model)
    assert said(run, "Carol")[0] == "I think so."
    first = model.questions[0]
    assert "Owl." in first.system
    assert [turn.text for turn in first.turns[:2]] == [
        '(Alice said) "Bob, look at that."',
        '(Bob said) "Carol, have you seen it too?"',
    ]
    assert (
        run.timeline.lines[2].at_ms - run.timeline.lines[2].asked_ms < 500
    )  # the model's own time
    (thought, *_) = [line for line in log_lines(run) if line.get("source") == "model"]
    assert thought["prompt"]["system"] == first.system
    assert thought["nominates"] == "Bob"


SECRET = "The cake is in the mill."
TWO_APART = f"""
title = "A secret"
[talk]
opening = {{ by = "Alice", text = "{SECRET}" }}
thinking_s = [0, 0]
[caps]
turns = 8
repetition_lines = 0
[places]
here = [8, 64, 8]
far = [60, 64, 8]
[[cast]]
name = "Alice"
at = "here"
answers = "model"
[[cast]]
name = "Bob"
at = "here"
answers = "model"
[[cast]]
name = "Carol"
at = "far"
answers = "model"
[[events]]
after_turn = 3
do = "teleport"
who = "Carol"
to = "here"
"""


def test_what_two_said_apart_is_shown_to_none_who_speaks_before_the_third(tmp_path: Path) -> None:
    def repeats(question: Question) -> str:
        read = "\n".join(turn.text for turn in question.turns)
        return "In the mill then." if "mill" in read else "What a day."

    model = FunctionModel(repeats)
    run = played(tmp_path, TWO_APART, model)
    lines = run.timeline.lines
    apart = [line for line in lines if "Carol" in line.missed_by]
    assert [line.text for line in apart][:2] == [SECRET, "In the mill then."]
    heard = [line for line in lines if line.speaker == "Carol" or "Carol" in line.heard_by]
    assert len(heard) >= 3
    assert not [line for line in heard if "mill" in line.text]


def test_who_comes_near_while_a_line_is_thought_is_not_told_it(tmp_path: Path) -> None:
    model = FunctionModel(lambda question: "What a day.")
    during = TWO_APART.replace("after_turn = 3", "during_turn = 2").replace("[0, 0]", "[1, 1]")
    second = played(tmp_path, during, model).timeline.lines[1]
    assert second.speaker == "Bob"
    assert second.missed_by == {"Carol": "not_told"}


def test_a_round_has_one_scene_for_all_its_speakers(tmp_path: Path) -> None:
    model = FunctionModel(lambda question: '{"says": "Yes.", "next": "Alice"}')
    text = THREE.replace("again = true }]", "again = true }]\nanswers = 'model'") + (
        '[[events]]\nduring_turn = 2\ndo = "teleport"\nwho = "Alice"\nto = "far"\n'
    )
    played(tmp_path, text.replace("[1, 1]", "[0, 0]"), model)
    scenes = [
        json.loads(asked.turns[-1].text)["now"]["scene"]["place"] for asked in model.questions
    ]
    assert scenes[:3] == [[8, 64, 8]] * 3
    assert scenes[3] == [60, 64, 8]


def test_without_a_model_a_bot_that_should_ask_one_goes_by_rules(tmp_path: Path) -> None:
    text = THREE.replace('name = "Carol"', 'name = "Carol"\nanswers = "model"')
    sources = {line["source"] for line in log_lines(played(tmp_path, text)) if "source" in line}
    assert sources == {"cues", "rules"}


def test_tokens_and_money_of_dropped_thoughts_are_paid_too(tmp_path: Path) -> None:
    person = STEVE + 'lines = [{ during_turn = 2, text = "Stop!" }]\n'
    text = THREE.replace("again = true", "again = true, tokens = 10, cost_usd = 0.5") + person
    run = played(tmp_path, text)
    turns = len(run.timeline.turns)
    spoken_by_cue = turns - sum("Bye" in line for line in said(run))
    assert run.metrics.thoughts_dropped == 1
    assert (run.metrics.tokens, run.metrics.cost_usd) == (10 * spoken_by_cue, 0.5 * spoken_by_cue)


def test_events_that_never_came_are_counted(tmp_path: Path) -> None:
    text = THREE + '[[events]]\nafter_turn = 500\ndo = "end"\n'
    assert log_lines(played(tmp_path, text))[-1]["events_left"] == 1


def test_an_experiment_is_never_overwritten(tmp_path: Path) -> None:
    played(tmp_path, THREE)
    with pytest.raises(LogError, match="holds an experiment"):
        played(tmp_path, THREE)


def test_positions_are_written_when_they_change_and_only_then(tmp_path: Path) -> None:
    text = THREE + '[[events]]\nat_s = 2.5\ndo = "teleport"\nwho = "Bob"\nto = "far"\n'
    text += '[[events]]\nat_s = 3.5\ndo = "busy"\nwho = "Carol"\n'
    seen = [line for line in log_lines(played(tmp_path, text)) if line["kind"] == "positions"]
    assert [(line["at_ms"], line["positions"]["Bob"][0]) for line in seen] == [(0, 8), (2500, 60)]


def test_a_talk_whose_machine_never_ends_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.experiments.simulation.MOST_STEPS", 1)
    with pytest.raises(ExperimentFailed):
        played(tmp_path, THREE.replace("turns = 9", "turns = 100"))


def test_a_thousand_turns_are_played_in_a_time_of_their_own(tmp_path: Path) -> None:
    text = THREE.replace("turns = 9", "turns = 1000\ntime_s = 1e9")
    simulate(prepared_run(text), tmp_path / "long")
    lines = (tmp_path / "long" / LOG_NAME).read_text().count('"is":"Think"')
    assert lines == 1000
