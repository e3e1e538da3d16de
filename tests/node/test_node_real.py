"""The real install, into an empty cache."""

import re
import subprocess
from pathlib import Path

import pytest

from bridge.node import product_setup, ready

pytestmark = [pytest.mark.real, pytest.mark.slow, pytest.mark.timeout(600)]

MOST_BYTES, VERSIONS = 160_000_000, 28
EVERY_VERSION = """
const versions = require('mineflayer').testedVersions
for (const version of versions) {
  const data = require('minecraft-data')(version)
  for (const name of Object.keys(data)) void data[name]
  for (const part of ['block', 'item', 'chunk', 'recipe', 'entity', 'biome']) {
    require('prismarine-' + part)(version)
  }
}
versions.length
"""


async def test_an_empty_cache_is_filled_and_mineflayer_loads_from_it(tmp_path: Path) -> None:
    told: list[str] = []
    runtime = await ready(told.append, cache_dir=tmp_path)
    again = await ready(told.append, cache_dir=tmp_path, offline=True)
    assert again == runtime
    assert told[-1].startswith("installed ")
    script = "require('mineflayer').createBot.name + require('flying-squid').createMCServer.name"
    said = subprocess.run(  # noqa: ASYNC221 - nothing else runs here
        [runtime.binary, "-p", script], cwd=runtime.packages_dir, capture_output=True, check=True
    )
    assert said.stdout.decode().split() == ["createBotcreateMCServer"]
    files = [path for path in tmp_path.rglob("*") if path.is_file()]  # noqa: ASYNC240
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    read = subprocess.run(  # noqa: ASYNC221
        [runtime.binary, "-p", EVERY_VERSION], cwd=runtime.packages_dir, capture_output=True
    )
    assert int(read.stdout) >= VERSIONS, read.stderr.decode()


def test_no_package_lacks_the_signature_that_its_registry_gives(
    node_binary: Path, node_dir: Path, tmp_path: Path
) -> None:
    """A registry without keys, or none within reach, says nothing of signatures; the integrity of
    each package is in the lock, and npm has checked it."""
    npm = product_setup(node_binary).npm
    audit = [*npm, "audit", "signatures", "--cache", tmp_path, "--fetch-retries", "0"]
    asked = subprocess.run(audit, cwd=node_dir, capture_output=True, text=True, check=False)
    told = asked.stdout + asked.stderr
    assert not re.search(r"(invalid|missing) registry signature", told), told
