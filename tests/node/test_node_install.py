"""Installing the Node packages, with a fake npm in place of the real one."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from bridge.errors import NodeSetupError
from bridge.node import NodeSetup, ensure, node_binary, ready

ROOT = Path(__file__).parent.parent.parent

FAKE_NPM = """
import os, pathlib, sys, time

here, mode = pathlib.Path.cwd(), sys.argv[1]
with open(sys.argv[2], "a") as log:
    log.write(" ".join(sys.argv[3:]) + "\\n")
if mode == "hangs":
    time.sleep(60)
if mode == "sent":
    came = pathlib.Path(sys.argv[sys.argv.index("--cache") + 1]) / "_cacache"
    came.mkdir(parents=True)
    (came / "vec3").touch()
if mode in ("waits", "sent"):
    while not pathlib.Path(sys.argv[2] + ".go").exists():
        time.sleep(0.01)
said = {
    "unreachable": "npm error code ENOTFOUND\\nnpm error request to registry.test failed",
    "full": "npm error code ENOSPC\\nnpm error nospc no space left on device",
    "full while unpacking": "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left\\n" * 9
    + "npm error A complete log of this run can be found in: /x",
    "unsafe": "npm error code SELF_SIGNED_CERT_IN_CHAIN\\nnpm error registry.test failed",
    "unknown issuer": "npm error code UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "odd": "npm error code EODD\\nnpm error something else",
}
if mode in said:
    print(said[mode], file=sys.stderr)
    sys.exit(1)
(here / "node_modules" / "vec3").mkdir(parents=True)
(here / "node_modules" / "vec3" / "package.json").write_text("{}")
laid = '{"packages": {"node_modules/vec3": {}}}'
(here / "node_modules" / ".package-lock.json").write_text(laid)
for version in ("bedrock/1.20.0", "bedrock/common", "pc/1.16.5"):
    (here / "node_modules/minecraft-data/minecraft-data/data" / version).mkdir(parents=True)
downloads = pathlib.Path(sys.argv[sys.argv.index("--cache") + 1])
downloads.mkdir(parents=True, exist_ok=True)
"""


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """The fake's log: one line of arguments for each time it ran."""
    log = tmp_path / "runs"
    log.touch()
    return log


@pytest.fixture
def setup(tmp_path: Path, runs: Path) -> Callable[..., NodeSetup]:
    script = tmp_path / "fake_npm.py"
    script.write_text(FAKE_NPM)
    (tmp_path / "node_package.json").write_text('{"name": "x"}')
    lock: object = {"packages": {"": {}, "node_modules/vec3": {}, "node_modules/uint4": {}}}
    (tmp_path / "lock.json").write_text(json.dumps(lock))

    def make(mode: str = "good", **limits: Any) -> NodeSetup:
        usual = NodeSetup(
            manifest=tmp_path / "node_package.json",
            lock=tmp_path / "lock.json",
            cache_dir=tmp_path / "cache",
            npm=(sys.executable, script, mode, runs),
            tick_s=0.05,
        )
        return replace(usual, **limits)

    return make


def ignore(line: str) -> None:
    """For tests that do not look at the progress."""


def logged(runs: Path) -> list[str]:
    return runs.read_text().splitlines()


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not condition():  # noqa: ASYNC110 - another process writes the file looked at
            await anyio.sleep(0.01)


async def test_a_first_start_installs_and_a_second_does_not(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    first = await ensure(setup(), ignore)
    second = await ensure(setup(), ignore)
    assert first == second
    assert (first / "node_modules" / "vec3").is_dir()
    assert (first / "package.json").read_text() == '{"name": "x"}'
    assert len(logged(runs)) == 1


async def test_what_no_bot_reads_is_let_go(setup: Callable[..., NodeSetup]) -> None:
    folder = await ensure(setup(), ignore)
    data = folder / "node_modules/minecraft-data/minecraft-data/data"
    left = sorted(str(path.relative_to(data)) for path in data.glob("*/*"))
    assert left == ["bedrock/common", "pc/1.16.5"]
    assert list((setup().cache_dir / "npm").iterdir()) == []  # npm's downloads


async def test_npm_runs_no_scripts_of_packages(setup: Callable[..., NodeSetup], runs: Path) -> None:
    await ensure(setup(), ignore)
    assert logged(runs)[0].startswith("ci --ignore-scripts --no-audit --no-fund")


async def test_a_changed_lock_gets_a_folder_of_its_own(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    before = await ensure(setup(), ignore)
    setup().lock.write_text('{"packages": {"": {}, "node_modules/vec3": {}}}')
    after = await ensure(setup(), ignore)
    assert before != after
    assert len(logged(runs)) == 2


async def test_progress_tells_how_many_packages_and_how_long(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    told: list[str] = []
    async with asyncio.TaskGroup() as group:
        task = group.create_task(ensure(setup("waits"), told.append))
        await until(lambda: len(told) > 2)
        runs.with_name("runs.go").touch()
    assert task.result().is_dir()
    assert told[0] == "installing Node packages (2): 0 s"
    assert told[-1] == "installed 2 Node packages"


async def test_of_two_starts_at_once_one_installs_and_the_other_waits_for_it(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    waiting: list[str] = []
    async with asyncio.TaskGroup() as group:
        first = group.create_task(ensure(setup("waits"), ignore))
        await until(lambda: bool(logged(runs)))
        second = group.create_task(ensure(setup("waits"), waiting.append))
        await until(lambda: len(waiting) > 1)
        runs.with_name("runs.go").touch()
    assert first.result() == second.result()
    assert waiting[0] == "waiting for another start that installs the Node packages: 0 s"
    assert len(logged(runs)) == 1


async def test_waiting_for_another_start_has_a_deadline(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    async with asyncio.TaskGroup() as group:
        first = group.create_task(ensure(setup("waits"), ignore))
        await until(lambda: bool(logged(runs)))
        with pytest.raises(NodeSetupError, match="another start has been installing"):
            await ensure(setup("waits", wait_deadline_s=0.1), ignore)
        runs.with_name("runs.go").touch()
    assert first.done()


@pytest.mark.parametrize("left", ["folder", "partial"])
async def test_what_a_cut_off_install_left_is_never_taken_for_whole(
    setup: Callable[..., NodeSetup], left: str
) -> None:
    folder = setup().packages_dir
    remains = folder if left == "folder" else folder.with_name(f"{folder.name}.partial-x")
    (remains / "node_modules" / "half").mkdir(parents=True)
    assert await ensure(setup(), ignore) == folder
    assert (folder / "node_modules" / "vec3").is_dir()
    assert [path.name for path in folder.parent.iterdir() if path.is_dir()] == [folder.name]
    assert not (folder / "node_modules" / "half").exists()


def notes(folder: Path) -> None:
    (folder / "node_modules").mkdir(parents=True)
    (folder / "notes.txt").write_text("mine")


def a_file(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    folder.write_text("mine")


def a_link(folder: Path) -> None:
    folder.parent.mkdir(parents=True)
    elsewhere = folder.parent.parent / "elsewhere"
    elsewhere.mkdir()
    folder.symlink_to(elsewhere)


@pytest.mark.parametrize("make", [notes, a_file, a_link])
@pytest.mark.parametrize("end", ["", ".partial-x"])
async def test_what_others_put_in_the_place_of_packages_is_left_as_it_is(
    setup: Callable[..., NodeSetup], runs: Path, make: Callable[[Path], None], end: str
) -> None:
    folder = setup().packages_dir
    theirs = folder.with_name(f"{folder.name}{end}")
    make(theirs)
    before = sorted(theirs.parent.parent.rglob("*"))
    with pytest.raises(NodeSetupError, match="is not of townsfolk alone"):
        await ensure(setup(), ignore)
    left = set(theirs.parent.parent.rglob("*")) - {folder.with_suffix(".lock")}
    assert sorted(left) == before
    assert logged(runs) == []


@pytest.mark.parametrize(
    "gone", ["node_modules", "node_modules/vec3", "node_modules/vec3/package.json"]
)
async def test_packages_that_have_gone_are_installed_again(
    setup: Callable[..., NodeSetup], runs: Path, gone: str
) -> None:
    """Cleaners of caches take what was not read for long."""
    folder = await ensure(setup(), ignore)
    at = folder / gone
    shutil.rmtree(at) if at.is_dir() else at.unlink()
    with pytest.raises(NodeSetupError, match="not installed"):
        await ensure(setup(), ignore, offline=True)
    assert await ensure(setup(), ignore) == folder
    assert (folder / "node_modules/vec3/package.json").is_file()
    assert len(logged(runs)) == 2


async def test_a_cancelled_install_leaves_nothing_and_ends_npm(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    told: list[str] = []
    task = asyncio.ensure_future(ensure(setup("hangs"), told.append))
    await until(lambda: bool(logged(runs)))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    folder = setup().packages_dir
    assert not folder.exists()
    assert not list(folder.parent.glob("*.partial-*"))
    assert await ensure(setup(), ignore) == folder  # and the turn is free


async def test_a_late_install_fails_and_leaves_nothing(setup: Callable[..., NodeSetup]) -> None:
    with pytest.raises(NodeSetupError, match=r"not done after 0\.2 s"):
        await ensure(setup("hangs", install_deadline_s=0.2), ignore)
    assert not list(setup().packages_dir.parent.glob("*.partial-*"))


async def test_a_registry_that_sends_nothing_is_told_long_before_the_deadline(
    setup: Callable[..., NodeSetup], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bridge.npm.TOLD_AFTER_S", 0.1)
    lines: list[str] = []
    with pytest.raises(NodeSetupError, match=r"within 0\.4 s\..*PROXY"):
        await ensure(setup("hangs", silent_s=0.4), lines.append)
    assert lines[0].endswith(": 0 s")
    assert lines[-1].endswith("; nothing has come from the registry yet")


async def test_one_that_has_sent_something_is_waited_for(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    lines: list[str] = []
    waiting = asyncio.create_task(ensure(setup("sent", silent_s=0.4), lines.append))
    await until(lambda: len(lines) > 20)  # 20 ticks of 0.05 s
    runs.with_name("runs.go").touch()
    await waiting
    assert not [line for line in lines if "nothing" in line]


@pytest.mark.parametrize(
    ("mode", "parts"),
    [
        ("unreachable", ["registry", "needed once", "HTTPS_PROXY", "registry.test failed"]),
        ("full", ["full or not writable", "XDG_CACHE_HOME", "no space left"]),
        ("full while unpacking", ["full or not writable", "no space left"]),
        ("unsafe", ["NODE_EXTRA_CA_CERTS", "strict-ssl", "registry.test failed"]),
        ("unknown issuer", ["NODE_EXTRA_CA_CERTS"]),
        ("odd", ["exit code 1", "something else"]),
    ],
)
async def test_a_failure_says_what_npm_said_and_what_to_do(
    setup: Callable[..., NodeSetup], mode: str, parts: list[str]
) -> None:
    with pytest.raises(NodeSetupError) as caught:
        await ensure(setup(mode), ignore)
    assert [part for part in parts if part not in str(caught.value)] == []
    assert not setup().packages_dir.exists()


async def test_offline_without_packages_says_to_start_once_without_it(
    setup: Callable[..., NodeSetup], runs: Path
) -> None:
    with pytest.raises(NodeSetupError, match="start once without --offline"):
        await ensure(setup(), ignore, offline=True)
    assert logged(runs) == []


async def test_offline_with_packages_is_content(setup: Callable[..., NodeSetup]) -> None:
    folder = await ensure(setup(), ignore)
    assert await ensure(setup("unreachable"), ignore, offline=True) == folder


async def test_a_cache_that_cannot_be_written_is_told(setup: Callable[..., NodeSetup]) -> None:
    setup().cache_dir.write_text("a file where the folder should be")
    with pytest.raises(NodeSetupError, match="XDG_CACHE_HOME"):
        await ensure(setup(), ignore)


async def test_the_cache_lies_where_the_user_wants_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(NodeSetupError, match=str(tmp_path / "townsfolk" / "node")):
        await ready(ignore, offline=True)


def test_nodes_binary_comes_with_our_dependencies() -> None:
    assert os.access(node_binary(), os.X_OK)


def test_no_lock_in_the_project_names_an_address() -> None:
    ours = [
        path for path in ROOT.rglob("*lock*.json") if not {".venv", "node_modules"} & {*path.parts}
    ]
    assert ROOT / "bridge" / "host" / "package-lock.json" in ours
    assert [path for path in ours if "http://" in path.read_text()] == []
    assert [path for path in ours if "https://" in path.read_text()] == []


def test_the_lock_pins_every_package_by_its_content() -> None:
    lock = json.loads((ROOT / "bridge" / "host" / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert [name for name, entry in packages.items() if "integrity" not in entry] == []
    wanted = json.loads((ROOT / "node_package.json").read_text())["dependencies"]
    assert lock["packages"][""]["dependencies"] == wanted
