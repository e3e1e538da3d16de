"""A study in one archive, to hand on: a zip with the SHA-256 of every file in it.

    DIR ─▶ experiment pack ─▶ FILE ─▶ experiment unpack ─▶ DIR ─▶ replay, report, export

It holds what a replay needs, and no data of daemons. The archive of the same runs is the same, byte
for byte. `sha256sum -c SHA256SUMS` checks it without this program.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from bots.experiments.anonymous import anonymise, is_anonymised
from bots.experiments.identity import digest, versions
from bots.experiments.runs import (
    GROUND_NAME,
    JUDGED_NAME,
    LOG_NAME,
    SCENARIO_NAME,
    TRANSCRIPT_NAME,
    all_runs_in,
    read_run,
    replay,
)
from bots.experiments.scenario import CutOff, LogError
from bots.experiments.study import STUDY_NAME
from bots.experiments.tables import players_in
from bots.private_files import FILE_MODE, for_owner_alone, make_private_folder

ABOUT_NAME = "pack.json"
SUMS_NAME = "SHA256SUMS"
OF_RUN = (SCENARIO_NAME, LOG_NAME, TRANSCRIPT_NAME, GROUND_NAME)
OF_STUDY = (STUDY_NAME, JUDGED_NAME)
MOST_BYTES = 2**31  # of one file: an archive from anywhere may swell to any size
DEEPEST = 3  # failed/RUN/FILE
EPOCH = (1980, 1, 1, 0, 0, 0)
FAULTS = (OSError, BadZipFile, zlib.error, ValueError, KeyError, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class Packed:
    """What is in an archive, and what has to be said of it."""

    runs: int
    cut: int
    """Runs that were cut off, and left out."""
    players_lines: int
    """Lines of real players: personal data, unless the study was anonymised before."""
    unlike: list[str]
    """What differs in the replay of anonymised runs."""
    sha256: str
    """Of the archive."""


def pack(home: Path, archive: Path) -> Packed:
    """Put all runs of a folder into a new archive. Raises LogError, also for a run that does not
    replay."""
    files: dict[str, bytes] = {}
    unlike: list[str] = []
    runs = cut = players_lines = 0
    for name in OF_STUDY:
        if (home / name).exists():
            files[name] = _bytes(home / name)
    for folder in all_runs_in(home):
        try:
            run = read_run(folder)
        except CutOff:
            cut += 1
            continue
        runs += 1
        differences = replay(folder).differences
        within = PurePosixPath(*folder.relative_to(home).parts)
        if is_anonymised(run.log):
            unlike.extend(f"{within}: {one}" for one in differences)
        elif differences:
            raise LogError(f"{folder} does not replay: {differences[0]}")
        else:
            players = players_in(run)
            players_lines += sum(line.speaker in players for line in run.timeline.lines)
        present = (name for name in OF_RUN if (folder / name).exists())
        files |= {str(within / name): _bytes(folder / name) for name in present}
    about = {"runs": runs, "players_lines": players_lines, "packed_with": dict(versions())}
    files[ABOUT_NAME] = (json.dumps(about) + "\n").encode()
    _write(archive, files)
    return Packed(runs, cut, players_lines, unlike, digest(_bytes(archive)))


def pack_anonymised(home: Path, archive: Path) -> Packed:
    """The same without names and words of people. Raises LogError."""
    with TemporaryDirectory() as draft:
        cut = anonymise(home, Path(draft) / "runs")
        return replace(pack(Path(draft) / "runs", archive), cut=cut)


def unpack(archive: Path, out: Path) -> list[Path]:
    """Write what an archive holds into a new folder; its files. Nothing is written unless every
    byte is as it was packed. Raises LogError."""
    try:
        if out.exists() and any(out.iterdir()):
            raise LogError(f"{out} is not empty; name a new folder")
        with ZipFile(archive) as packed:
            names = _checked(packed, archive)
            for name in names:
                file = out / name
                make_private_folder(file.parent)
                with open(file, "xb", opener=for_owner_alone) as into:
                    into.write(packed.read(name))
    except FAULTS as fault:
        raise LogError(f"{archive} cannot be unpacked: {fault}") from fault
    return [out / name for name in names]


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise LogError(f"cannot read {file}: {error.strerror}") from error


def _write(archive: Path, files: Mapping[str, bytes]) -> None:
    sums = "".join(f"{digest(content)}  {name}\n" for name, content in sorted(files.items()))
    try:
        make_private_folder(archive.parent)
        with (
            open(archive, "xb", opener=for_owner_alone) as out,
            ZipFile(out, "w") as packed,
        ):
            for name, content in [(SUMS_NAME, sums.encode()), *sorted(files.items())]:
                entry = ZipInfo(name, EPOCH)
                entry.external_attr = FILE_MODE << 16
                packed.writestr(entry, content, ZIP_DEFLATED)
    except FileExistsError:
        raise LogError(f"{archive} exists; name another file") from None
    except OSError as error:
        raise LogError(f"cannot write {archive}: {error.strerror}") from error


def _checked(packed: ZipFile, archive: Path) -> list[str]:
    """The names of all files. Raises LogError where anything is not as it was packed."""
    there = [entry.filename for entry in packed.infolist()]
    if swollen := [one.filename for one in packed.infolist() if one.file_size > MOST_BYTES]:
        raise LogError(f"{archive}: {swollen[0]!r} is too large")
    lines = packed.read(SUMS_NAME).decode().splitlines()
    sums = {name: wanted for wanted, _, name in (line.partition("  ") for line in lines)}
    if sorted(there) != sorted([SUMS_NAME, *sums]):
        raise LogError(f"{archive}: {SUMS_NAME} does not list just the files that it holds")
    for name, wanted in sums.items():
        if not _is_ours(name):
            raise LogError(f"{archive}: {name!r} is no file of a study")
        with packed.open(name) as file:
            if file_digest(file, "sha256").hexdigest() != wanted:  # type: ignore[arg-type]
                raise LogError(f"{archive}: {name} was changed after it was packed")
    return list(sums)


def _is_ours(name: str) -> bool:
    """Whether an archive from anywhere may write a file of this name."""
    *folders, last = name.split("/")
    safe = all(one.strip(".") and not set(one) & set('\\:*?"<>|\0') for one in folders)
    return safe and len(folders) < DEEPEST and last in (*OF_RUN, *OF_STUDY, ABOUT_NAME)
