"""supported.toml names every version that the installed packages speak; the docs show it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from versions.supported import SUPPORTED, TOO_NEW

ROOT = Path(__file__).parents[2]
MEANINGS = {
    "bench": "protocol bench",
    "bytes": "protocol bench, bytes recorded from vanilla",
    "real": "protocol bench, a real server",
}
TELL_VERSIONS = """
const { load } = require(process.argv[1])
const { testedVersions, latestSupportedVersion } = load('mineflayer')
const data = load('minecraft-data')
const all = data.versions.pc.filter(one => one.releaseType === 'release')
const newest = data(latestSupportedVersion).version.version
console.log(JSON.stringify({
  joined: testedVersions,
  newer: Object.fromEntries(all.filter(one => one.version > newest && one.version < 2 ** 30)
    .map(one => [one.minecraftVersion, one.version]))
}))
"""


@pytest.fixture(scope="module")
def installed(node_binary: Path, node_dir: Path) -> dict[str, Any]:
    """The versions that the installed packages join, and the newer ones they have heard of."""
    packages = ROOT / "bridge/host/packages.cjs"
    done = subprocess.run(
        [str(node_binary), "-e", TELL_VERSIONS, str(packages)],
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        capture_output=True,
        text=True,
        check=True,
    )
    told: dict[str, Any] = json.loads(done.stdout)
    return told


@pytest.mark.real
def test_every_version_the_packages_join_is_in_the_table(installed: dict[str, Any]) -> None:
    assert list(SUPPORTED) == installed["joined"]


@pytest.mark.real
def test_every_newer_release_is_known_to_be_too_new(installed: dict[str, Any]) -> None:
    assert installed["newer"] == TOO_NEW


def test_the_docs_show_the_table() -> None:
    page = (ROOT / "docs/versions.md").read_text()
    lines = [line for line in page.splitlines() if line.startswith("| ")][1:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    shown = {version: how for versions, how in rows for version in versions.split()}
    assert shown == {version: MEANINGS[row["known"]] for version, row in SUPPORTED.items()}
