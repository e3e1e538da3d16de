"""Planning questions and answers as lines of JSON, and plans as people read them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.small_country import COUNTRY, RICH

from bots.errors import GameDataError
from bots.goals.activity import Domain
from bots.goals.explain.tree import duration, tree
from bots.goals.offline import OfflinePlanner, answer_line
from bots.goals.plan import Missing, Plan, Step

KEYS = {
    *("id", "found", "goal", "cost", "steps", "missing", "elapsed_ms", "expanded"),
    *("message", "optimal", "nearest"),
}


def country(version: str) -> Domain:
    if version != COUNTRY.version:
        raise GameDataError(f"Minecraft {version!r} is not a version with data.")
    return COUNTRY


ASKER = OfflinePlanner(country)


def answered(line: bytes | str, **options: Any) -> dict[str, Any]:
    told = line.encode() if isinstance(line, str) else line
    answer = answer_line(told, ASKER, **options)
    assert answer is not None
    assert "\n" not in answer
    result: dict[str, Any] = json.loads(answer)
    return result


def question(**asked: Any) -> str:
    return json.dumps(asked)


def test_a_line_is_answered_with_its_id_and_every_key() -> None:
    answer = answered(question(id="a7", goal="inventory.stick:2", world={"nearby": {"oak_log": 3}}))
    assert answer.keys() == KEYS
    assert (answer["id"], answer["found"], answer["goal"]) == ("a7", True, "inventory.stick:2")
    assert [step["action"] for step in answer["steps"]] == ["gather", "craft", "craft"]
    assert answer["elapsed_ms"] > 0


@pytest.mark.parametrize("name", [0, -3, 1.5, "x", None, [1, 2], {"n": 1}, "\ud800"])
def test_any_id_comes_back_as_it_was(name: Any) -> None:
    assert answered(question(id=name, goal="inventory.stick:1", world={}))["id"] == name


@pytest.mark.parametrize(
    ("line", "name", "said"),
    [
        ('{"id": 7, "goal": "inventory.stick:1"', 7, "JSON"),
        ('{"id": "seven", "goal": }', "seven", "JSON"),
        ('{"goal": "inventory.stick:1", "id": 7,, }', 7, "JSON"),
        ('{"id": NaN, "goal": "inventory.stick:1"}', None, "NaN"),
        ('{"id": 1e999, "goal": "inventory.stick:1"}', None, "1e999"),
        ("not json", None, "JSON"),
        ("[]", None, "object"),
        ("7", None, "object"),
        ("null", None, "object"),
        ("{}", None, "goal"),
        ('{"id": 3, "gaol": "inventory.stick:1"}', 3, "goal?"),
        ('{"id": 3, "goal": "inventory.stick:1", "wrold": {}}', 3, "world?"),
        ('{"id": 3, "goal": 7}', 3, "7"),
        ('{"id": 3, "goal": null}', 3, "goal"),
        ('{"id": 3, "goal": "inventory.stik:1"}', 3, "stik"),
        ('{"id": 3, "goal": "inventory.stick:1", "world": []}', 3, "object"),
        ('{"id": 3, "goal": "inventory.stick:1", "world": {"inventory": {"stik": 1}}}', 3, "stik"),
        ('{"id": 3, "goal": "inventory.stick:1", "world": {"inventory": 7}}', 3, "inventory"),
        ('{"id": 3, "goal": "inventory.stick:1", "world": {"version": "0.1"}}', 3, "0.1"),
        ('{"id": 3, "goal": ' + "[" * 5000 + "]" * 5000 + "}", 3, "nested"),
        ('{"id": 3, "goal": "' + "x" * 100_000 + '"}', 3, "xxx"),
    ],
)
def test_a_malformed_line_is_answered_with_what_is_wrong(line: str, name: Any, said: str) -> None:
    answer = answered(line)
    assert answer.keys() == KEYS
    assert (answer["id"], answer["found"], answer["steps"]) == (name, False, [])
    assert said in answer["message"]
    assert len(answer["message"]) < 500


def test_a_line_that_is_no_text_at_all_is_answered() -> None:
    assert answered(b'\xff\xfe{"id": 4}')["found"] is False


@pytest.mark.parametrize("line", [b"", b"  \r\n", b"\xef\xbb\xbf\n"])
def test_a_blank_line_asks_nothing(line: bytes) -> None:
    assert answer_line(line, ASKER) is None


def test_a_foreign_key_of_a_line_is_nobodys_business() -> None:
    line = question(id=1, goal="inventory.stick:1", world={"nearby": RICH}, note="mine")
    assert answered(line)["found"]


def test_the_world_of_the_file_is_for_lines_that_tell_none() -> None:
    line = question(id=1, goal="inventory.stick:1")
    assert not answered(line)["found"]
    assert answered(line, world={"nearby": RICH})["found"]


def test_an_explanation_is_a_key_more() -> None:
    goal = "inventory.iron_pickaxe:1"
    answer = answered(question(goal=goal, world={"nearby": RICH}), explain=True)
    assert answer.keys() == KEYS | {"explanation"}
    assert any("stone_pickaxe: iron_ore" in line for line in answer["explanation"])
    answer = answered(question(goal=goal, world={"nearby": {}}), explain=True)
    assert "with what is missing:" in answer["explanation"]
    assert answered(question(goal="x"), explain=True)["explanation"] == []


@given(st.binary() | st.text().map(str.encode))
def test_any_line_gets_one_line_of_json_or_none(line: bytes) -> None:
    answer = answer_line(line.replace(b"\n", b" "), ASKER)
    assert answer is None or json.loads(answer)["found"] in (True, False)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3)
    ),
)


@given(
    JSON, JSON, st.dictionaries(st.sampled_from(["inventory", "nearby", "version"]), JSON) | JSON
)
def test_any_question_gets_an_answer_with_its_id(name: Any, goal: Any, world: Any) -> None:
    assert answered(json.dumps({"id": name, "goal": goal, "world": world}))["id"] == name


# --- for people ----------------------------------------------------------------------


def lines(goal: str, near: dict[str, int], *, costs: bool = False) -> list[str]:
    return [*tree(ASKER.answer(goal, {"nearby": near}), costs=costs)]


def test_a_plan_is_a_tree_numbered_as_it_is_done() -> None:
    assert lines("inventory.chest:1", {"oak_log": 9})[1:] == [
        "└─ 5. craft 1 chest at a crafting_table from 8 oak_planks",
        "   └─ 4. place 1 crafting_table",
        "      └─ 3. craft 1 crafting_table from 4 oak_planks",
        "         └─ 2. craft 12 oak_planks from 3 oak_log",
        "            └─ 1. dig 3 oak_log",
    ]


def test_every_step_stands_in_the_tree_once() -> None:
    plan = ASKER.answer("inventory.diamond_pickaxe:1 inventory.chest:2", {"nearby": RICH})
    numbers = [int(line.split(". ")[0].split(" ")[-1]) for line in tree(plan) if ". " in line]
    assert sorted(numbers) == [*range(1, len(plan.steps) + 1)]


def test_costs_stand_behind_the_steps_when_asked_for() -> None:
    assert lines("inventory.oak_log:1", {"oak_log": 1}, costs=True)[1].endswith("[9 s]")


def test_the_first_line_says_how_long_and_whether_it_is_proven() -> None:
    step = Step("gather", "oak_log", 1)
    plan = Plan("inventory.oak_log:1", True, (step,), cost_s=75, optimal=True)
    assert next(tree(plan)) == "inventory.oak_log:1: 1 step, about 1 min 15 s (least cost, proven)"


def test_what_is_missing_and_what_is_possible_stand_in_lines_of_their_own() -> None:
    lack = Missing("diamond", 3, 1, "no diamond_ore is near")
    plan = Plan("goal", False, missing=(lack,), message="long", nearest="inventory.stick:1")
    assert [*tree(plan)] == [
        "goal: not possible here",
        "  diamond: need 3, have 1: no diamond_ore is near",
        "  possible: inventory.stick:1",
    ]


def test_a_refused_goal_says_why() -> None:
    assert lines("inventory.stik:1", {})[0].startswith("inventory.stik:1: Minecraft 1.16.5 has no")


def test_a_goal_that_is_met_says_so() -> None:
    plan = ASKER.answer("inventory.stick:1", {"inventory": {"stick": 1}})
    assert [*tree(plan)] == ["inventory.stick:1: already so: nothing to do"]


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "0 s"), (59.4, "59 s"), (60, "1 min 0 s")])
def test_a_duration_is_told_in_minutes_and_seconds(seconds: float, said: str) -> None:
    assert duration(seconds) == said
