"""One table holds the range, bridge/versions.json: whatever reads it follows a line more."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from versions.pages import PAGES, told
from versions.supported import SUPPORTED, TOO_NEW

from bridge.versions import VERSIONS, Versions

ROOT = Path(__file__).parents[2]
TABLE: dict[str, Any] = json.loads((ROOT / "bridge/versions.json").read_text())
IMAGINED = {"30.0": {"protocol": 800, "known": "bench"}}
"""A version nobody has released."""

TELL_VERSIONS = """
const { load } = require(process.argv[1])
const { testedVersions, latestSupportedVersion } = load('mineflayer')
const data = load('minecraft-data')
const all = data.versions.pc.filter(one => one.releaseType === 'release')
const newest = data(latestSupportedVersion).version.version
const known = data.versionsByMinecraftVersion.pc
console.log(JSON.stringify({
  joined: Object.fromEntries(testedVersions.map(one => [one, known[one].version])),
  newer: Object.fromEntries(all.filter(one => one.version > newest && one.version < 2 ** 30)
    .map(one => [one.minecraftVersion, one.version])),
  withData: all.filter(one => one.version > newest && data(one.minecraftVersion))
    .map(one => one.minecraftVersion)
}))
"""
JUDGE = """
const { Spoken } = require(process.argv[1])
const spoken = new Spoken(JSON.parse(process.argv[2]))
const judged = ask => {
  try { return ask() } catch ({ message, data }) { return [data.key, message] }
}
console.log(JSON.stringify([
  spoken.newest,
  judged(() => spoken.told({ name: 'Paper 30.0', protocol: 800 })),
  judged(() => spoken.told({ name: 'Velocity 1.7.2-30.0', protocol: 999 })),
  judged(() => spoken.named('30.0')),
  judged(() => spoken.told({ name: '26.2', protocol: 776 })),
  judged(() => spoken.told({ name: '', protocol: 801 }))
]))
"""


@pytest.fixture(scope="module")
def installed(node_binary: Path, node_dir: Path) -> dict[str, Any]:
    """The versions that the installed packages join, and the newer ones they have heard of."""
    told: dict[str, Any] = run_node(
        node_binary, node_dir, TELL_VERSIONS, ROOT / "bridge/host/packages.cjs"
    )
    return told


def run_node(node: Path, node_dir: Path, script: str, *args: object) -> Any:
    done = subprocess.run(
        [str(node), "-e", script, *map(str, args)],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.real
def test_every_version_the_packages_join_is_in_the_table(installed: dict[str, Any]) -> None:
    assert {one.name: one.protocol for one in VERSIONS.joined} == installed["joined"]
    assert list(installed["joined"]) == SUPPORTED


@pytest.mark.real
def test_every_newer_release_is_known_to_be_newer(installed: dict[str, Any]) -> None:
    assert installed["newer"] == TOO_NEW


@pytest.mark.real
def test_no_newer_release_has_data_to_join_with_yet(installed: dict[str, Any]) -> None:
    """When one has, try it on the bench and move its line."""
    assert installed["withData"] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_tells_the_range_of_the_table(page: str) -> None:
    """Run `PYTHONPATH=tests:. python -m versions.pages` after a change of the table."""
    text = (ROOT / page).read_text()
    assert str(VERSIONS) in text
    assert told(text, VERSIONS) == text


def test_a_line_more_extends_the_range_in_words_judgement_and_docs() -> None:
    more = Versions.read(json.dumps({**TABLE, **IMAGINED}))
    assert str(more) == f"{SUPPORTED[0]} to 30.0"
    assert VERSIONS.is_too_new(800, "30.0")
    assert not more.is_too_new(800, "30.0")
    assert more.is_too_new(801, "30.1")
    for page in PAGES:
        text = told((ROOT / page).read_text(), more)
        assert str(more) in text
        assert str(VERSIONS) not in text
    assert f" {SUPPORTED[-1]} 30.0 | protocol bench |" in text


def test_a_newer_release_is_in_the_docs_and_not_in_the_range() -> None:
    newer = {"30.1": {"protocol": 801, "known": "newer"}}
    more = Versions.read(json.dumps({**TABLE, **newer}))
    assert str(more) == str(VERSIONS)
    assert " 30.1 | not joined" in told((ROOT / "docs/versions.md").read_text(), more)


@pytest.mark.real
def test_a_line_more_is_joined_by_the_host(node_binary: Path, node_dir: Path) -> None:
    host = ROOT / "bridge/host/versions.cjs"
    more = json.dumps({**TABLE, **IMAGINED})
    assert run_node(node_binary, node_dir, JUDGE, host, more) == [
        *("30.0", "30.0", "30.0", "30.0"),
        ["too_old", "Minecraft 26.2"],
        ["too_new", "Minecraft of protocol 801"],
    ]
    assert run_node(node_binary, node_dir, JUDGE, host, json.dumps(TABLE)) == [
        SUPPORTED[-1],
        ["too_new", "Minecraft Paper 30.0"],
        ["too_new", "Minecraft Velocity 1.7.2-30.0"],
        ["unknown_version", "“30.0” is no version of Minecraft"],
        ["too_new", "Minecraft 26.2"],
        ["too_new", "Minecraft of protocol 801"],
    ]
