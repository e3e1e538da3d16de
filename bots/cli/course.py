"""`townsfolk vis course`: a film from above of what a bot does, until its goal is reached."""

from __future__ import annotations

import base64
import math
import time
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from bots.cli.client import DaemonClient, Json
from bots.cli.top.snapshot import work_of
from bots.vision.course import Course, Ground, Moment, Standing, frames_of
from bots.vision.picture import write_film

EVERY_S = 0.5
GROUND_REACHES = 30.0  # blocks from where it was asked for; beyond, more of it is
MOST_FRAMES = 240
FRAME_S = 0.12


def film_course(data_dir: Path, bot: str, seconds: float, file: Path) -> int:
    """Watch until the bot's goals are reached, the time is over, or Ctrl-C; then write the film.

    The number of its frames; none where there was nothing to see. Raises NoDaemon, DaemonSilent,
    OSError."""
    with DaemonClient.of(data_dir) as daemon:
        if bot not in {one["name"] for one in daemon.bots()}:
            return 0
        watched = CourseWatch(daemon, bot)
        with suppress(KeyboardInterrupt):
            watched.watch(seconds)
    frames = frames_of(Course(watched.moments, watched.people, watched.grounds), MOST_FRAMES)
    if frames:
        write_film(frames, file, FRAME_S)
    return len(frames)


@dataclass(slots=True)
class CourseWatch:
    """What is seen of a bot's course."""

    daemon: DaemonClient
    bot: str
    moments: list[Moment] = field(default_factory=list)
    people: set[str] = field(default_factory=set)
    grounds: list[Ground] = field(default_factory=list)
    _known_around: list[Standing] = field(default_factory=list)

    def watch(self, seconds: float) -> None:
        """Raises DaemonSilent."""
        began_s, had_work = time.monotonic(), False
        for number in count():
            has_work = self._look(time.monotonic() - began_s)
            if number * EVERY_S >= seconds or (had_work and not has_work):
                return
            had_work = had_work or has_work
            time.sleep(max(0.0, began_s + (number + 1) * EVERY_S - time.monotonic()))

    def _look(self, at_s: float) -> bool:
        """Note who is where; whether the bot is at work."""
        found = self.daemon.get("positions")
        self.people |= {person["name"] for person in found["people"]}
        standing = {
            one["name"]: (float(one["x"]), float(one["z"]), str(one["dimension"]))
            for one in (*found["people"], *found["bots"])
        }
        if self.bot in standing:
            self._know_ground(standing[self.bot])
        told: Json = next((one for one in self.daemon.bots() if one["name"] == self.bot), {})
        goals = self.daemon.get("goals", self.bot) if told.get("goal") else None
        work = work_of(told, goals)
        caption = f"{self.bot}: {work.what}: {work.details}" if work else ""
        self.moments.append(Moment(at_s, standing, caption))
        return bool(told.get("goal") or (told.get("job") or {}).get("progress"))

    def _know_ground(self, here: Standing) -> None:
        """Ask for the ground where the bot comes to what is not known yet."""
        for known in self._known_around:
            if here[2] == known[2] and math.dist(here[:2], known[:2]) < GROUND_REACHES:
                return
        self._known_around.append(here)
        found = self.daemon.get("terrain", self.bot)
        if found.get("success") is True:
            png = base64.b64decode(found["png"])
            self.grounds.append(Ground(png, found["west"], found["north"], here[2]))
