"""Each known defect of the program the seeds describe (Z1 to Z21), and that ours has it not.

Z4 to Z9, about planning towards a goal, stand beside this as far as jobs and skills could
have them; the planner's own versions come with goals. Those that a server's rules decide stand
with the actions on a real server. Z1, Z3, Z10, Z13, Z16 and Z19 to Z21 are not repeated here:
tests of `!info`, `!skill gather`, `!chat`, `!navigation`, of levels, of the pace of lines, and of
restarts show them.
"""

import ast
import re
from pathlib import Path

import pytest
from support.job_runs import begin, carry_out
from support.rig import Rig, alice_at, run_json, until

from bots.bot.bot import Bot
from bridge.world import BotName, Position

pytestmark = pytest.mark.slow

HERE = Position(0.5, 64, 0.5)
A_WHILE_S = 60.0
ROOT = Path(__file__).parents[2]
alice = alice_at(HERE)


def where(rig: Rig, bot: str = "Alice") -> Position:
    return rig.world.body(bot).position


def put(rig: Rig, name: str, *cells: tuple[int, int, int]) -> None:
    for x, y, z in cells:
        rig.world.set_block(Position(x, y, z), name)


@pytest.mark.parametrize(
    "order",
    [
        *("!navigation goto mine", "!navigation gotoCoords 60 64 0"),
        *('!navigation moveInDirection {"distance": 60, "yaw": 270}', "!navigation follow Steve"),
        *("!navigation dropItem bread 1 Steve", "!navigation chestOpen 20 64 0"),
        *("!skill moveTo 60 64 0", "!skill gather oak_log 4", "!skill place dirt 60 64 0"),
        "!primitive moveTo 60 64 0",
    ],
)
async def test_z02_stop_ends_a_walk_and_a_skill(rig: Rig, alice: Bot, order: str) -> None:
    await run_json(alice, '!navigation register {"name": "mine", "coords": [60, 64, 0]}')
    rig.world.person("Steve", Position(24.5, 64, 0.5))
    rig.world.give("Alice", "bread")
    rig.world.give("Alice", "dirt")
    put(rig, "oak_log", *((24, 64, z) for z in range(4)))
    put(rig, "chest", (20, 64, 0))
    working = await begin(rig, alice, order)
    await rig.world.clock.advance(1)
    assert where(rig) != HERE
    stopped = await run_json(alice, "!stop")
    assert stopped["stoppedActions"] == alice_doing(order)
    here = where(rig)
    await rig.world.clock.advance(A_WHILE_S)
    assert (await working)["reason"] == "stopped"
    assert (where(rig), rig.bridge.running_actions, alice.doing) == (here, 0, [])


def alice_doing(order: str) -> list[str]:
    return [" ".join(order.split()[:2])]


@pytest.mark.parametrize("suffix", [".py", ".cjs"])
def test_z11_no_module_needs_itself_in_a_circle(suffix: str) -> None:
    files = [f for top in ("bridge", "bots", "llm") for f in (ROOT / top).rglob(f"*{suffix}")]
    needed = {file: needs(file) & set(files) for file in files}
    assert len(files) > 50
    while free := [file for file, others in needed.items() if not others]:
        for file in free:
            del needed[file]
        needed = {file: others - set(free) for file, others in needed.items()}
    assert sorted(needed) == []


def needs(file: Path) -> set[Path]:
    """What a module loads when it is loaded itself."""
    if file.suffix == ".cjs":
        found = re.findall(r"^const .*require\('(\.[^']+)'\)", file.read_text(), re.MULTILINE)
        return {(file.parent / name).resolve() for name in found}
    named: set[str] = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            named |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{name.name}" for name in node.names}
            modules = {name for name in inside if file_of(name).exists()}
            named |= modules or {node.module}
    return {file_of(name) for name in named} - {file}


def file_of(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


async def test_z12_sensing_anew_is_one_crossing_and_work_needs_no_scan_of_a_ball(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = rig.bridge.snapshots
    await run_json(alice, "!refresh")
    assert rig.bridge.snapshots == before + 1
    scanned: list[int] = []
    snapshot = rig.bridge.snapshot

    async def seen(bot: BotName, *, blocks_within: int = 0) -> object:
        scanned.append(blocks_within)
        return await snapshot(bot, blocks_within=blocks_within)

    monkeypatch.setattr(rig.bridge, "snapshot", seen)
    put(rig, "oak_log", (3, 64, 0), (3, 64, 1))
    assert (await carry_out(rig, alice, "!skill gather oak_log 2"))["success"] is True
    assert scanned
    assert set(scanned) == {0}


@pytest.mark.parametrize("family", ["navigation", "skill", "primitive", "info", "look", "creative"])
@pytest.mark.parametrize("name", ["toString", "constructor", "__proto__", "__class__", "names"])
async def test_z14_a_known_name_is_no_action(alice: Bot, family: str, name: str) -> None:
    result = await run_json(alice, f"!{family} {name}")
    assert result["success"] is False
    assert result["reason"] in ("unknown_command", "invalid_format")


@pytest.mark.parametrize(
    ("order", "seconds"),
    [
        ('!primitive moveTo {"position": [500, 64, 0], "timeout": 3000}', 3),
        ("!navigation dropItem bread 1 Steve", 30),
    ],
)
async def test_z15_what_took_too_long_walks_no_further(
    rig: Rig, alice: Bot, order: str, seconds: int
) -> None:
    steve = rig.world.person("Steve", Position(20.5, 64, 0.5))
    rig.world.give("Alice", "bread")
    walking = await begin(rig, alice, order)
    for _ in range(seconds + 1):
        steve.move_to(Position(where(rig).x + 20, 64, 0.5))
        await rig.world.clock.advance(1)
    await until(walking.done)
    assert (await walking)["reason"] == "deadline"
    here = where(rig)
    await rig.world.clock.advance(A_WHILE_S)
    assert (where(rig), rig.bridge.running_actions, alice.doing) == (here, 0, [])
