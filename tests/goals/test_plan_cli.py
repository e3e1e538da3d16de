"""`townsfolk plan` as a process: what it prints, where, and how it ends."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.plan_replay import faults
from support.vanilla_rules import rules_of

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

BASE = {"oak_log": 24, "stone": 400, "coal_ore": 16, "iron_ore": 12, "dirt": 200, "sand": 20}
DIAMONDS = {**BASE, "diamond_ore": 6}
EIGHT = {
    "oak_planks": 10,
    "wooden_pickaxe": 1,
    "stone_pickaxe": 1,
    "iron_pickaxe": 1,
    "diamond_pickaxe": 1,
    "iron_sword": 1,
    "chest": 1,
    "bucket": 1,
}


def townsfolk_plan(
    *words: str, stdin: str | bytes = "", environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("townsfolk")), "plan", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env={**os.environ, **(environment or {})},
        timeout=240,
    )


def world_file(tmp_path: Path, told: Any) -> str:
    path = tmp_path / "world.json"
    path.write_text(told if isinstance(told, str) else json.dumps(told))
    return str(path)


@pytest.fixture(scope="module", autouse=True)
def _installed(node_dir: Path) -> None:
    """The command brings its data along by itself; that is not what is tested here."""


def test_a_plan_for_people_is_a_tree_on_stdout(tmp_path: Path) -> None:
    world = world_file(tmp_path, {"nearby": BASE})
    done = townsfolk_plan("inventory.iron_pickaxe:1", "--world", world)
    assert (done.returncode, done.stderr) == (0, b"")
    first, second, *_ = done.stdout.decode().splitlines()
    assert first.startswith("inventory.iron_pickaxe:1: ")
    assert "craft 1 iron_pickaxe at a crafting_table from 3 iron_ingot + 2 stick" in second


def test_json_is_one_object_with_a_plan_that_works(tmp_path: Path, node_dir: Path) -> None:
    world = {"version": "1.20.1", "nearby": DIAMONDS}
    done = townsfolk_plan(
        "inventory.diamond_pickaxe:1", "--json", "--world", world_file(tmp_path, world)
    )
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["found"]) == (0, True)
    assert faults(rules_of(node_dir, "1.20.1"), answer["goal"], world, answer) == []


@pytest.mark.parametrize(
    "words", [("inventory.stick:4 inventory.chest:1",), ("inventory.stick:4", "inventory.chest:1")]
)
def test_several_goals_are_one_argument_or_several(tmp_path: Path, words: tuple[str, ...]) -> None:
    world = world_file(tmp_path, {"nearby": BASE})
    answer = json.loads(townsfolk_plan(*words, "--json", "--world", world).stdout)
    made = {step["target"] for step in answer["steps"]}
    assert answer["goal"] == "inventory.stick:4 inventory.chest:1"
    assert {"stick", "chest"} <= made


def test_an_impossible_goal_ends_with_one_and_says_what_is_missing() -> None:
    done = townsfolk_plan("inventory.diamond_pickaxe:1", "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["found"], done.stderr) == (1, False, b"")
    assert {one["item"] for one in answer["missing"]} >= {"diamond"}
    assert all(one["need"] > one["have"] for one in answer["missing"])


@pytest.mark.parametrize("name", ["inventory.nosuchthing:1", "inventory.planks:4", "nonsense"])
def test_a_wrong_name_ends_with_one_and_a_message_with_the_name(name: str) -> None:
    done = townsfolk_plan(name, "--json")
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["found"]) == (1, False)
    assert name.partition(".")[2].partition(":")[0] in answer["message"]
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told", "said"),
    [
        ((), None, b"--batch"),
        (("--batch", "inventory.stick:1"), None, b"--batch"),
        (("inventory.stick:1", "--world", "/nowhere/w.json"), None, b"/nowhere/w.json"),
        (("inventory.stick:1", "--nonsense"), None, b"--nonsense"),
        (("inventory.stick:1",), "{", b"JSON"),
        (("inventory.stick:1",), [], b"object"),
        (("inventory.stick:1",), {"inventory": 7}, b"inventory"),
        (("inventory.stick:1",), {"nearbye": {}}, b"nearby"),
    ],
)
def test_wrong_usage_ends_with_two_and_says_why_on_stderr(
    tmp_path: Path, words: tuple[str, ...], told: Any, said: bytes
) -> None:
    world = () if told is None else ("--world", world_file(tmp_path, told))
    done = townsfolk_plan(*words, *world)
    assert (done.returncode, done.stdout) == (2, b"")
    assert said in done.stderr
    assert b"Traceback" not in done.stderr


def test_wrong_usage_is_json_for_who_asked_for_json(tmp_path: Path) -> None:
    world = world_file(tmp_path, {"inventory": 7})
    done = townsfolk_plan("inventory.stick:1", "--json", "--world", world)
    assert (done.returncode, json.loads(done.stdout)["found"]) == (2, False)


def test_an_unknown_version_names_the_known_ones(tmp_path: Path) -> None:
    world = world_file(tmp_path, {"version": "1.2.3"})
    done = townsfolk_plan("inventory.stick:1", "--json", "--world", world)
    message = json.loads(done.stdout)["message"]
    assert (done.returncode, "1.2.3" in message, "1.20.1" in message) == (1, True, True)


def test_explain_says_what_each_tool_is_for_and_what_it_costs(tmp_path: Path) -> None:
    world = world_file(tmp_path, {"nearby": BASE})
    done = townsfolk_plan("inventory.iron_ingot:1", "--explain", "--world", world)
    text = done.stdout.decode()
    assert "stone_pickaxe: iron_ore would give nothing to the hand" in text
    assert " s]\n" in text


def test_a_batch_answers_every_line_and_ends_well(node_dir: Path) -> None:
    asked = [
        {"id": f"{version} {item}", "goal": f"inventory.{item}:{count}", "world": world}
        for version in ("1.16.5", "1.20.1")
        for item, count in EIGHT.items()
        for world in [{"version": version, "nearby": DIAMONDS}]
    ]
    lines = [json.dumps(one) for one in asked]
    lines[3:3] = ["", "{", '{"id": "lost", "goal": }']
    done = townsfolk_plan("--batch", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert (done.returncode, done.stderr, len(answers)) == (0, b"", len(asked) + 2)
    assert [answers.pop(3)["id"], answers.pop(3)["id"]] == [None, "lost"]
    for question, answer in zip(asked, answers, strict=True):
        world: Any = question["world"]
        rules = rules_of(node_dir, world["version"])
        assert (answer["id"], answer["found"]) == (question["id"], True)
        assert faults(rules, answer["goal"], world, answer) == []


def test_an_answer_comes_as_soon_as_its_line_is_there() -> None:
    townsfolk = str(Path(sys.executable).with_name("townsfolk"))
    with subprocess.Popen(
        [townsfolk, "plan", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(json.dumps({"id": number, "goal": "x"}).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_offline_without_the_data_says_what_is_missing(tmp_path: Path) -> None:
    empty = {"XDG_CACHE_HOME": str(tmp_path), "HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    done = townsfolk_plan("inventory.stick:1", "--offline", "--json", environment=empty)
    assert done.returncode == 1
    assert b"data of Minecraft" in done.stderr
    assert b"without --offline" in done.stderr
    assert "data of Minecraft" in json.loads(done.stdout)["message"]


def test_a_terminal_of_few_letters_gets_the_tree_as_well(tmp_path: Path) -> None:
    world = world_file(tmp_path, {"nearby": BASE})
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = townsfolk_plan("inventory.stick:1", "--world", world, environment=ascii_only)
    assert (done.returncode, b"1. dig 1 oak_log" in done.stdout) == (0, True)
