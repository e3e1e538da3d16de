"""What the program must know of every supported version: mobs, and what can be planned."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from versions.supported import SUPPORTED

from bots.goals.domain import GameData, domain_of
from bots.vision.colours import UNKNOWN
from bots.vision.grid import is_seen, look_of
from bridge.diagnosis import diagnose
from bridge.port import ServerAddress

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
TELL_ENTITIES = """
const { load } = require(process.argv[1])
const { mobOf } = require(process.argv[2])
const { testedVersions } = load('mineflayer')
const told = testedVersions.map(version => [version, load('minecraft-data')(version).entitiesArray
  .map(({ name, type, category }) => [name, type, category ?? '', mobOf(name)])])
console.log(JSON.stringify(Object.fromEntries(told)))
"""
TELL_BLOCKS = """
const { load } = require(process.argv[1])
const { testedVersions } = load('mineflayer')
const told = testedVersions.flatMap(version => load('minecraft-data')(version).blocksArray
  .map(({ name, boundingBox }) => JSON.stringify([name, boundingBox])))
console.log(`[${[...new Set(told)].join(',')}]`)
"""
ALIVE = {"hostile", "animal", "passive", "ambient", "water_creature"}
NONE = {"mob", "monster", "end_crystal", "evoker_fangs", "armor_stand", "player", "mannequin"}
"""Of a category of mobs, and no mobs."""
NEUTRAL = {"strider", "skeleton_horse", "zombie_horse"}
"""Hostile to minecraft-data alone."""


@pytest.fixture(scope="module")
def entities(node_binary: Path, node_dir: Path) -> dict[str, list[list[Any]]]:
    """Rows of [name, type, category, what we know] of each version."""
    scripts = [ROOT / "bridge/host/packages.cjs", ROOT / "bridge/vanilla/mobs.cjs"]
    done = subprocess.run(
        [str(node_binary), "-e", TELL_ENTITIES, *map(str, scripts)],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, list[list[Any]]] = json.loads(done.stdout)
    return told


@pytest.mark.parametrize("version", SUPPORTED)
def test_every_creature_of_a_version_is_known(
    entities: dict[str, list[list[Any]]], version: str
) -> None:
    unknown = [
        name
        for name, kind, category, known in entities[version]
        if (kind in ALIVE or category in ("Hostile mobs", "Passive mobs", "NPCs"))
        and known is None
        and name.lower() not in NONE
    ]
    assert unknown == []


@pytest.mark.parametrize("version", SUPPORTED)
def test_what_a_version_calls_hostile_is_a_threat(
    entities: dict[str, list[list[Any]]], version: str
) -> None:
    wrong = [
        name
        for name, kind, category, known in entities[version]
        if known and (kind == "hostile" or category == "Hostile mobs") and not known["isHostile"]
    ]
    assert set(wrong) <= NEUTRAL
    hostile = {known["name"] for *_, known in entities[version] if known and known["isHostile"]}
    assert {"zombie", "creeper", "skeleton", "enderman", "ghast", "slime"} <= hostile


@pytest.mark.parametrize("version", SUPPORTED)
def test_old_names_do_not_make_one_creature_two(
    entities: dict[str, list[list[Any]]], version: str
) -> None:
    names = Counter(known["name"] for *_, known in entities[version] if known)
    assert {name for name, count in names.items() if count > 1} <= {
        "creaking",
        "shulker",
        "snow_golem",
    }


NO_STONE_DROPS = "1.13.2"
"""Its data lacks what stone drops."""
WITH_STONE_DROPS = [version for version in SUPPORTED if version != NO_STONE_DROPS]


@pytest.mark.parametrize("version", [*WITH_STONE_DROPS, "1.8.9", "1.21.7", "1.21.2", "26.1.2"])
def test_stone_tools_can_be_planned_in_every_version(version: str, node_dir: Path) -> None:
    domain = domain_of(GameData.from_folder(node_dir, version))
    assert any("cobblestone" in way.produces for way in domain.digging["stone"])


def test_every_block_of_every_version_has_a_look(node_binary: Path, node_dir: Path) -> None:
    """None is drawn in the colour of what nobody knows."""
    done = subprocess.run(
        [str(node_binary), "-e", TELL_BLOCKS, str(ROOT / "bridge/host/packages.cjs")],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    blocks = [(name, shape == "block") for name, shape in json.loads(done.stdout)]
    assert len(blocks) > 1_000
    unknown = [
        name
        for name, is_cube in blocks
        if is_seen(name) and look_of(name, is_cube=is_cube) == UNKNOWN
    ]
    assert unknown == []


PARTS = ("banned.expiration", "banned_ip.expiration")
"""Of these keys alone nothing is made."""


def test_the_words_of_a_kick_alone_mean_what_their_key_does(node_dir: Path) -> None:
    """ViaVersion writes words into the place of a key that the client does not know."""
    server = ServerAddress("mc.example", 25565)
    kicks = {
        (key, words.replace("%s", "1.20.4"))
        for page in node_dir.glob("node_modules/minecraft-data/minecraft-data/data/pc/*/lang*.json")
        for key, words in json.loads(page.read_text()).items()
        if key.startswith("multiplayer.disconnect.") and not key.endswith(PARTS)
    }
    known = {
        (key, words, cause)
        for key, words in kicks
        if (cause := diagnose("kicked", "", key, bot="Alice", server=server).cause) != "kicked"
    }
    assert len(known) > 15
    assert known == {
        (key, words, diagnose("kicked", words, bot="Alice", server=server).cause)
        for key, words, _ in known
    }
