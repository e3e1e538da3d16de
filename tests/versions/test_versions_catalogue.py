"""The catalogue over the data of every supported version: the same question, a right answer."""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from versions.supported import tried

from bots.catalogue.entries import Entry
from bots.catalogue.handbook import Handbook
from bots.catalogue.in_words import Aspect, told
from bots.catalogue.names import Names
from bots.registry.render import LINE
from bridge.catalogue import Catalogue, parse_catalogue, parse_recipes

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
TELL_ALL = """
const { load } = require(process.argv[1] + '/packages.cjs')
const queries = process.argv[1] + '/queries/'
const told = process.argv.slice(2).map(version => {
  const registry = load('prismarine-registry')(version)
  const { Recipe } = load('prismarine-recipe')(registry)
  const bot = { registry, version, recipesAll: item => Recipe.find(item, null) }
  const [catalogue, recipes] = ['read_catalogue', 'read_recipes']
    .map(name => require(queries + name + '.cjs')(bot, { known: '' }))
  return [version, { catalogue, recipes }]
})
console.log(JSON.stringify(Object.fromEntries(told)))
"""


WITHOUT_TOOLS = {"1.9.4"}
"""Versions of whose data the recipes of tools are missing."""
RARE = {"carrot", "potato", "iron_ingot", "gold_ingot", "copper_ingot", "tipped_arrow", "bowl"}
"""Dropped by few of a kind, or by those of a certain version: no way to get them."""
OF_KINDS = {"magma_cube", "witch", "elder_guardian"}
"""Mobs of which the data lists what only some leave."""


@pytest.fixture(scope="module")
def answers(node_binary: Path, node_dir: Path) -> Mapping[str, Any]:
    """What the bridge would answer, by version."""
    done = subprocess.run(
        [str(node_binary), "-e", TELL_ALL, str(ROOT / "bridge/host"), *tried()],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    told: Mapping[str, Any] = json.loads(done.stdout)
    return told


@pytest.fixture(scope="module")
def catalogues(answers: Mapping[str, Any]) -> Mapping[str, Catalogue]:
    read = {name: parse_catalogue(answer["catalogue"]) for name, answer in answers.items()}
    return {name: catalogue for name, catalogue in read.items() if catalogue is not None}


@pytest.fixture(scope="module")
def handbooks(
    answers: Mapping[str, Any], catalogues: Mapping[str, Catalogue]
) -> Mapping[str, Handbook]:
    books = {name: parse_recipes(answer["recipes"]) for name, answer in answers.items()}
    return {
        name: Handbook(catalogues[name], book) for name, book in books.items() if book is not None
    }


def _says(handbook: Handbook, words: str, aspect: Aspect = "all") -> str:
    meant = Names(handbook).surely_meant(words, ("item", "block", "mob"))
    assert meant is not None, words
    return told(handbook.entry(meant.kind, meant.name), aspect, "en")


@pytest.mark.parametrize("version", tried())
def test_questions_of_every_day_are_answered(
    handbooks: Mapping[str, Handbook], version: str
) -> None:
    book = handbooks[version]
    piston = _says(book, "piston", "making")
    assert piston.startswith("1 piston takes 3 ")
    assert piston.endswith("4 cobblestone, 1 iron ingot and 1 redstone, at a crafting table.")
    assert _says(book, "pistn", "making") == _says(book, "piston", "making")
    assert _says(book, "gunpowder", "dropping") == (
        "Creepers (0-2), ghasts (0-2) and witches (0-2) drop gunpowder."
    )
    assert "iron pickaxe or better" in _says(book, "diamonds", "finding")
    assert _says(book, "chest", "making").startswith("1 chest takes 8 ")
    if version not in WITHOUT_TOOLS:
        assert "3 iron ingots and 2 sticks" in _says(book, "an iron pickaxe", "making")
    assert "raw iron" in _says(book, "iron ingot") or "iron ore" in _says(book, "iron ingot")


@pytest.mark.parametrize("version", tried())
def test_every_thing_can_be_told_in_both_languages(
    handbooks: Mapping[str, Handbook], version: str
) -> None:
    book = handbooks[version]
    entries: list[Entry] = [
        *(book.item(name) for name in book.items),
        *(book.block(name) for name in book.blocks),
        *(book.mob(name) for name in book.mobs),
    ]
    long = [
        said
        for entry in entries
        for language in ("en", "ja")
        if len(said := told(entry, "making", language)) > LINE or not said
    ]
    assert long == []


@pytest.mark.parametrize("version", tried())
def test_what_mobs_leave_agrees_with_the_data_of_the_version(
    catalogues: Mapping[str, Catalogue], handbooks: Mapping[str, Handbook], version: str
) -> None:
    missing = {
        f"{name}: {item}"
        for name, facts in catalogues[version].mobs.items()
        if name not in OF_KINDS
        for item in facts.drops
        if item not in {spoil.item for spoil in handbooks[version].mob(name).drops} | RARE
    }
    assert missing == set()
