"""Checks that `bots`, `bridge` and `llm` are those of townsfolk and whole.

Other projects have packages of these names. Where both are installed, pip lays the files of one
over those of the other, whichever came first, and neither works. Nothing of ours is imported here:
it may be a stranger's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

NAMES = ("bots", "bridge", "llm")
WAY_OUT = (
    "Install townsfolk where nothing else is installed: with pipx, or into a virtual environment "
    "of its own (python3 -m venv .venv)."
)
_OURS = Path(__file__).resolve().parents[1]


class PackagesMixed(ImportError):
    """Code of another project would run in place of ours."""


def refuse_mixed(ours: Path = _OURS) -> None:
    """Raises PackagesMixed, with the reason and the way out."""
    if found := mixed(ours):
        raise PackagesMixed(f"{'; '.join(found)}. {WAY_OUT}")


def mixed(ours: Path = _OURS) -> list[str]:
    """What is wrong with each of the packages in the folder `ours`; nothing when all is well."""
    installed = _installed_files(ours)
    checks = (_fault_of(name, ours, installed) for name in NAMES)
    return [fault for fault in checks if fault]


def _fault_of(name: str, ours: Path, installed: Mapping[str, int]) -> str:
    folder = _folder_of(name)
    if folder is None and not (ours / name / "__init__.py").exists():
        return f"the package {name} is not whole: {name}/__init__.py is missing in {ours}"
    if folder != ours / name:
        return f"the package {name} comes from {folder or 'nowhere'}, not from townsfolk in {ours}"
    of_package = {file: size for file, size in installed.items() if file.startswith(f"{name}/")}
    if not of_package:
        return ""  # a checkout: pip lays nothing over it
    if strange := next(_strange_files(folder, of_package), None):
        return f"files of another package lie in {folder}: {strange}{_owner_of(strange, ours)}"
    if changed := next(_changed_files(ours, of_package), None):
        return f"{ours / changed} is not as townsfolk installed it{_owner_of(changed, ours)}"
    return ""


def _folder_of(name: str) -> Path | None:
    """Where a package would be imported from."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).resolve().parent


def _installed_files(ours: Path) -> dict[str, int]:
    """The modules that pip noted for townsfolk, with their sizes; none in a checkout."""
    records = ours.glob("townsfolk-*.dist-info/RECORD")
    lines = (line.rsplit(",", 2) for record in records for line in _lines_of(record))
    return {
        cells[0]: int(cells[2])
        for cells in lines
        if len(cells) == 3 and cells[0].endswith(".py") and cells[2].isdigit()
    }


def _strange_files(folder: Path, installed: Mapping[str, int]) -> Iterator[str]:
    """Modules directly in a package that townsfolk did not install, as `llm/cli.py`."""
    for path in sorted(folder.glob("*.py")):
        if (file := f"{folder.name}/{path.name}") not in installed:
            yield file


def _changed_files(ours: Path, installed: Mapping[str, int]) -> Iterator[str]:
    for file, size in installed.items():
        path = ours / file
        if not path.exists() or path.stat().st_size != size:
            yield file


def _owner_of(file: str, ours: Path) -> str:
    """Which other project says that this file is its own, as ` (llm 0.27)`."""
    for record in sorted(ours.glob("*.dist-info/RECORD")):
        name, _, version = record.parent.stem.partition("-")
        if name != "townsfolk" and any(line.startswith(f"{file},") for line in _lines_of(record)):
            return f" ({name} {version})"
    return ""


def _lines_of(record: Path) -> list[str]:
    try:
        return record.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
