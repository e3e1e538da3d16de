"""A run from above, as a film: who walked where, and what was said meanwhile."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

from bots.clock import MS_PER_S
from bots.experiments.runs.folder import GROUND_NAME, Run
from bots.experiments.scenario.errors import LogError
from bots.private_files import FILE_MODE, make_private, refuse_other
from bots.text.printable import printable
from bots.text.reading import read_bytes
from bots.vision.course import Course, Ground, Moment, Standing, frames_of
from bots.vision.film import FILM, write_film
from bridge.foreign_json import read_object

MOST_FRAMES = 200
FRAME_S = 0.12
EVERY_MS = 1_000  # from moment to moment, when nobody walks and nothing is said


def film_run(run: Run, file: Path) -> int:
    """Write the film; the number of its frames. Raises LogError, OSError."""
    frames = frames_of(course_of(run), MOST_FRAMES)
    if not frames:
        raise LogError(f"{run.folder}: it is not recorded where anybody stood")
    refuse_other(file, FILM)
    file.touch(FILE_MODE)
    make_private(file)
    write_film(frames, file, FRAME_S)
    return len(frames)


def course_of(run: Run) -> Course:
    people = {who.name for who in run.scenario.roster if who.kind == "person"}
    return Course(list(_moments(run)), people, list(_grounds(run.folder)))


def _moments(run: Run) -> Iterator[Moment]:
    """One for each time when somebody has moved or speaks, and each second between."""
    standing = {line["at_ms"]: line["positions"] for line in run.log.of_kind("positions")}
    said = {line.at_ms: f"{line.speaker}: {line.text}" for line in run.timeline.lines}
    ended_ms = max([run.timeline.ended_ms, *standing, *said])
    here: dict[str, Standing] = {}
    caption = ""
    for at_ms in sorted({*standing, *said, *range(0, ended_ms + 1, EVERY_MS)}):
        found = standing.get(at_ms)
        if found is not None:
            here = {name: (x, z, str(world)) for name, (x, _, z, world) in found.items()}
        caption = said.get(at_ms, caption)
        yield Moment(at_ms / MS_PER_S, here, printable(caption))


def _grounds(folder: Path) -> Iterator[Ground]:
    """What was kept of the world; a simulated one has none."""
    try:
        kept = read_object(read_bytes(folder / GROUND_NAME))
        yield Ground(base64.b64decode(kept["png"]), int(kept["west"]), int(kept["north"]))
    except FileNotFoundError:
        return
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LogError(f"{folder / GROUND_NAME}: cannot be read: {error}") from error
