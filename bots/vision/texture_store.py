"""The pictures of blocks that an operator may install: how they come, where they lie, and how
they go.

They are Mojang's, so none is part of townsfolk. At an operator's word npm fetches a package that
holds them into the cache of the user, and there they stay. No numpy is needed here."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import structlog

from bridge.errors import UserError
from bridge.node import (
    NodeSetup,
    ensure,
    is_installed,
    node_binary,
    npm_command,
    user_cache,
)
from bridge.npm import Progress

FOLDER = "textures"
"""Of the cache."""
PACKAGE = "minecraft-assets"
BLOCKS, STATES, MODELS = "blocks", "blocks_states.json", "blocks_models.json"
"""What is read of a version."""
UNUSED = tuple(
    f"{PACKAGE}/{PACKAGE}/data/*/{unread}" for unread in ("[!b]*", "blocks_textures.json")
)
"""Items, creatures, fonts and the like: most of what the package holds."""
HOW_TO_INSTALL = "townsfolk vis textures install"

_MISSING = "vision.textures is on, but no textures are installed: blocks are drawn in our colours"

_OURS = re.compile(r"[0-9a-f]{16}(\.lock|\.partial-.*)?")
_HERE = Path(__file__).parent
_DATA = Path("node_modules") / PACKAGE / PACKAGE / "data"

log = structlog.get_logger()


class TextureStore:
    """A folder of the cache."""

    def __init__(self, cache_dir: Path | None = None) -> None:
        self._cache = cache_dir or user_cache()

    @property
    def folder(self) -> Path:
        return self._cache / FOLDER

    @property
    def installed(self) -> Path | None:
        """Holds a folder for each version; None where nothing is installed, or another release of
        the package."""
        folder = self._setup(()).packages_dir
        return folder / _DATA if is_installed(folder) else None

    async def install(self, progress: Progress, *, offline: bool = False) -> Path:
        """The same, fetched if need be. Raises NodeSetupError, and UserError: offline."""
        if offline and self.installed is None:
            raise UserError("the setting offline forbids fetching the textures; switch it off once")
        setup = self._setup(npm_command(node_binary()))
        return await ensure(setup, progress) / _DATA

    def remove(self) -> bool:
        """Whether there was anything. Raises UserError, also where others put something there."""
        if not self.folder.exists():
            return False
        strange = [one.name for one in self.folder.iterdir() if not _OURS.fullmatch(one.name)]
        if strange or self.folder.is_symlink():
            held = f" (it has {min(strange)!r})" if strange else ": it is a link"
            raise UserError(f"{self.folder} is not of townsfolk alone{held}: remove it yourself")
        downloads = self._cache / "npm" / self._setup(()).packages_dir.name
        try:
            shutil.rmtree(downloads, ignore_errors=True)  # of an installation that was cut off
            shutil.rmtree(self.folder)
        except OSError as error:
            raise UserError(f"{self.folder} cannot be removed: {error.strerror}") from error
        return True

    def _setup(self, npm: Sequence[str | Path]) -> NodeSetup:
        return NodeSetup(
            manifest=_HERE / "textures_package.json",
            lock=_HERE / "textures_package_lock.json",
            cache_dir=self._cache,
            npm=npm,
            what="block textures",
            kept_in=FOLDER,
            tick_s=5.0,
            unused=UNUSED,
        )


def package_and_release() -> str:
    """What would be installed, as npm names it."""
    wanted = json.loads((_HERE / "textures_package.json").read_bytes())["dependencies"]
    return f"{PACKAGE} {wanted[PACKAGE]}"


def versions_in(root: Path) -> list[str]:
    """The versions of Minecraft whose pictures are there, oldest first."""
    held = [folder.parent.name for folder in root.glob(f"*/{STATES}")]
    return sorted(held, key=numbers_of)


def numbers_of(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())


def nearest(wanted: str, held: list[str]) -> str:
    """The nearest of the same minor version, else the newest older one, else the oldest.

    `held` is not empty, oldest first."""
    number = numbers_of(wanted)
    kin = [one for one in held if numbers_of(one)[:2] == number[:2]]
    if kin:
        patch = number[2] if len(number) > 2 else 0
        return min(kin, key=lambda one: abs((*numbers_of(one), 0)[2] - patch))
    older = [one for one in held if numbers_of(one) < number]
    return older[-1] if older else held[0]


class ChosenTextures:
    """What the settings choose: pictures, once they are installed, or colours of our own."""

    def __init__(self, store: TextureStore | None = None) -> None:
        """Without a store: our colours."""
        self._store = store
        if store is not None and store.installed is None:
            log.warning("textures.missing", found=_MISSING, advice=f"run `{HOW_TO_INSTALL}`")

    @property
    def root(self) -> Path | None:
        return self._store.installed if self._store is not None else None
