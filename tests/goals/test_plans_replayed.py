"""Plans of real versions, carried out on paper by Minecraft's own rules."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.plan_replay import faults, replayed
from support.vanilla_rules import Rules, rules_of

from benchmarks.planner import SERIES, VERSIONS, Answered, ask, measure, questions
from bots.goals.offline import OfflinePlanner

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

SAMPLE = 60  # of the items, one in so many
COUNTRY = {
    "oak_log": 24,
    "stone": 400,
    "coal_ore": 16,
    "iron_ore": 12,
    "redstone_ore": 6,
    "sand": 20,
}
FEW = {"version": "1.16.5", "nearby": COUNTRY}


@pytest.fixture(scope="module")
def asker(node_dir: Path) -> OfflinePlanner:
    return OfflinePlanner.with_packages(node_dir)


@pytest.fixture(scope="module")
def rules(node_dir: Path) -> Rules:
    return rules_of(node_dir, "1.16.5")


def asked(asker: OfflinePlanner, version: str, every: int) -> Iterator[Answered]:
    domain = asker.known(version).domain
    for series in SERIES:
        yield from ask(asker, questions(domain, series, seed=7, every=every))


def wrong(rules: Rules, answers: Iterator[Answered]) -> list[tuple[str, list[str]]]:
    judged = [
        (one.question.goal, faults(rules, one.question.goal, dict(one.question.world), told(one)))
        for one in answers
    ]
    return [(goal, why) for goal, why in judged if why]


def told(answered: Answered) -> dict[str, Any]:
    as_json: dict[str, Any] = json.loads(json.dumps(answered.plan.as_json()))
    return as_json


@pytest.mark.parametrize("version", VERSIONS)
def test_plans_of_a_sample_of_items_can_be_carried_out_with_no_needless_step(
    asker: OfflinePlanner, node_dir: Path, version: str
) -> None:
    assert wrong(rules_of(node_dir, version), asked(asker, version, SAMPLE)) == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("version", VERSIONS)
def test_plans_of_every_fourth_item_can_be_carried_out_with_no_needless_step(
    asker: OfflinePlanner, node_dir: Path, version: str
) -> None:
    assert wrong(rules_of(node_dir, version), asked(asker, version, 4)) == []


@pytest.mark.parametrize(
    ("goal", "more", "held"),
    [
        ("inventory.piston:1", {}, {}),
        ("inventory.anvil:1", {"iron_ore": 40}, {}),
        ("inventory.rail:16", {}, {}),
        ("inventory.bookshelf:3", {"sugar_cane": 30}, {"leather": 9}),
        ("inventory.torch:64", {}, {}),
        ("inventory.chest:1", {}, {"oak_log": 1}),
        ("inventory.wooden_pickaxe:1", {}, {"oak_log": 2, "oak_planks": 8}),
        ("inventory.stone_pickaxe:1", {}, {"oak_log": 2, "oak_planks": 8}),
        ("inventory.chest:1", {}, {"oak_planks": 3, "birch_planks": 5, "crafting_table": 1}),
        ("inventory.iron_ingot:3 inventory.torch:+4 placed.torch:2", {}, {"torch": 1}),
        ("equipment.iron_pickaxe:true position:1,2,3", {}, {}),
    ],
)
def test_named_goals_are_planned_and_can_be_carried_out(
    asker: OfflinePlanner, rules: Rules, goal: str, more: dict[str, int], held: dict[str, int]
) -> None:
    world = {"version": "1.16.5", "inventory": held, "nearby": COUNTRY | more}
    answer = asker.answer(goal, world).as_json()
    assert answer["found"], answer["message"]
    assert faults(rules, goal, world, answer) == []


def test_three_oak_and_five_birch_planks_are_a_chest(asker: OfflinePlanner) -> None:
    held = {"oak_planks": 3, "birch_planks": 5}
    plan = asker.answer("inventory.chest:1", {"inventory": held, "nearby_workbench": True})
    (step,) = plan.steps
    assert (step.consumes, step.produces) == (held, {"chest": 1})


# --- the judge itself ----------------------------------------------------------------


def iron(asker: OfflinePlanner) -> dict[str, Any]:
    plan = asker.answer("inventory.iron_pickaxe:1", FEW)
    judged: dict[str, Any] = json.loads(json.dumps(plan.as_json()))
    assert judged["found"]
    return judged


def step_of(answer: dict[str, Any], action: str, target: str) -> dict[str, Any]:
    found: dict[str, Any] = next(
        step for step in answer["steps"] if (step["action"], step["target"]) == (action, target)
    )
    return found


@pytest.mark.parametrize(
    ("action", "target", "spoilt"),
    [
        ("gather", "stone", {"tool": None}),
        ("gather", "iron_ore", {"tool": "wooden_pickaxe"}),
        ("gather", "iron_ore", {"produces": {"iron_ore": 4}}),
        ("gather", "stone", {"produces": {"stone": 11}}),
        ("gather", "oak_log", {"count": 999}),
        ("craft", "furnace", {"station": "hand"}),
        ("craft", "stick", {"station": "crafting_table"}),
        ("craft", "furnace", {"consumes": {"cobblestone": 7}}),
        ("craft", "furnace", {"consumes": {"cobblestone": 7, "oak_log": 1}}),
        ("craft", "oak_planks", {"count": 11}),
        ("smelt", "iron_ingot", {"consumes": {"iron_ore": 3}}),
        ("smelt", "iron_ingot", {"consumes": {"iron_ore": 3, "cobblestone": 3}}),
        ("smelt", "iron_ingot", {"station": None}),
        ("place", "furnace", {"consumes": {}}),
    ],
)
def test_a_spoilt_step_is_found(
    asker: OfflinePlanner, rules: Rules, action: str, target: str, spoilt: dict[str, Any]
) -> None:
    answer = iron(asker)
    step_of(answer, action, target).update(spoilt)
    assert faults(rules, "inventory.iron_pickaxe:1", FEW, answer) != []


def test_each_step_left_out_is_found(asker: OfflinePlanner, rules: Rules) -> None:
    answer = iron(asker)
    for index in range(len(answer["steps"])):
        rest = answer["steps"][:index] + answer["steps"][index + 1 :]
        assert replayed(rules, "inventory.iron_pickaxe:1", FEW, rest) is not None


def test_needless_steps_and_blocks_are_found(asker: OfflinePlanner, rules: Rules) -> None:
    answer = iron(asker)
    answer["steps"].insert(0, step_of(answer, "gather", "oak_log") | {"target": "sand", "count": 1})
    answer["steps"][0]["produces"] = {"sand": 1}
    assert "needless" in faults(rules, "inventory.iron_pickaxe:1", FEW, answer)[0]
    answer = iron(asker)
    step_of(answer, "gather", "oak_log").update(count=20, produces={"oak_log": 20})
    assert "one less" in faults(rules, "inventory.iron_pickaxe:1", FEW, answer)[0]


def test_a_no_without_a_reason_is_found(rules: Rules, asker: OfflinePlanner) -> None:
    answer = asker.answer("inventory.bow:1", FEW).as_json()
    assert faults(rules, "inventory.bow:1", FEW, answer) == []
    answer["missing"][0]["have"] = answer["missing"][0]["need"]
    assert faults(rules, "inventory.bow:1", FEW, answer) != []


def test_the_benchmark_counts_what_it_asked(node_dir: Path) -> None:
    report = measure(node_dir, ["1.16.5"], every=120)["1.16.5"]
    for series in SERIES:
        assert report[series]["asked"] == report[series]["found"] + report[series]["impossible"]
    assert report["supplied"]["found"] >= report["empty"]["found"]
    assert report["empty"]["unexplained"] == 0
