"""What must hold all the while, whatever breaks: each breach is noted in a sentence."""

import json
import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from e2e.daemon_client import Json
from faults.model import SECRET

BUGS = frozenset(
    {
        *("event.failed", "decision.failed", "saying.failed", "stop.failed", "model.broke"),
        *("next_speaker.failed", "effect.failed", "talk.event_refused", "task.failed"),
        *("event.malformed", "task.not_ended", "request.failed"),
    }
)
"""Events of the log that no fault excuses."""
LONGEST_TOLD = 300  # characters of a breach

CHILDREN = 2  # Node and the embedded server
MORE_FILES, MORE_THREADS, MORE_TASKS = 25, 6, 80  # than at first: what work under way takes

Line = tuple[str, str, str]
"""Bot, speaker, words."""


@dataclass(frozen=True, slots=True)
class Sample:
    """What the processes hold at one moment."""

    minute: float
    daemon: int
    """Its number: each start is another one."""
    daemon_mb: float
    node_mb: float
    server_mb: float
    files: int
    threads: int
    tasks: int
    blocks: int
    children: int
    in_use_mb: tuple[float, float] | None
    """Of Node and server once their garbage is collected, which is done rarely."""


class Promises:
    """Watches what persons hear, what the trace tells and what the log says."""

    def __init__(self, strangers: Collection[str], numbered: Collection[str]) -> None:
        self.broken: list[str] = []
        self.acknowledged: set[Line] = set()
        self.lost = 0
        self.counts: Counter[str] = Counter()
        self._strangers, self._numbered = strangers, numbered
        self._floor: dict[int, str] = {}
        """By talk: who was chosen to speak."""
        self._said: set[tuple[int, int]] = set()
        self._first: Sample | None = None
        """Of the present daemon."""

    def breach(self, what: str) -> None:
        self.broken.append(what[:LONGEST_TOLD])

    def overhears(self, person: str, speaker: str, text: str) -> None:
        """A person has heard a line."""
        self.counts["lines heard by persons"] += 1
        if person in self._strangers:
            for secret in SECRET.findall(text):
                if secret.split("-")[1] != person:
                    self.breach(f"{person} heard {secret} from {speaker}: {text}")

    def traced(self, trace: Json) -> None:
        """Something happened."""
        match trace["name"]:
            case "message.heard" if trace["speaker"] in self._numbered:
                self.counts["lines acknowledged"] += 1
                self.acknowledged.add((trace["bot"], trace["speaker"], trace["text"]))
            case "speaker.chosen":
                self._floor[trace["talk"]] = trace["next"]
            case "talk.said":
                self._one_speaks(trace["talk"], trace["turn"], trace["bot"])
            case "goal.step_done" | "talk.begun" | "talk.ended" | "decision.made" as name:
                self.counts[name] += 1

    def logged(self, line: str) -> None:
        """A line of the daemon's stderr."""
        try:
            event = json.loads(line)["event"]
        except (ValueError, KeyError, TypeError):
            event = ""
        if event in BUGS or "Traceback" in line:
            self.breach(f"log: {line[-LONGEST_TOLD:]}")

    def started_anew(self) -> None:
        """Another daemon: its talks are taken up from the database."""
        self._floor.clear()
        self._said.clear()
        self._first = None

    def sampled(self, now: Sample) -> None:
        """Nothing is left over by what is done again and again."""
        first = self._first = self._first or now
        for what, grown, most in (
            ("files", now.files - first.files, MORE_FILES),
            ("threads", now.threads - first.threads, MORE_THREADS),
            ("tasks", now.tasks - first.tasks, MORE_TASKS),
        ):
            if grown > most:
                self.breach(f"{grown} {what} more than at first: {now}")
        if now.children != CHILDREN:
            self.breach(f"{now.children} processes below the daemon: {now}")

    def check_kept(self, database: Path) -> None:
        """Whatever was acknowledged is in the database, heard by that bot."""
        kept = set(lines_in(database))
        for line in self.acknowledged - kept:
            self.lost += 1
            self.breach(f"lost: {line}")
        self.acknowledged &= kept

    def only_these_were_kept(self, database: Path) -> None:
        """Another database was put there: nobody can know what is not in it."""
        self.acknowledged &= set(lines_in(database))

    def _one_speaks(self, talk: int, turn: int, bot: str) -> None:
        self.counts["talk.said"] += 1
        chosen = self._floor.get(talk, bot)
        if chosen != bot:
            self.breach(f"{bot} spoke in talk {talk}, turn {turn}, where {chosen} was to speak")
        if (talk, turn) in self._said:
            self.breach(f"turn {turn} of talk {talk} was said twice, now by {bot}")
        self._said.add((talk, turn))


def lines_in(database: Path) -> Iterator[Line]:
    """Every line that a bot heard."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda stored: stored.decode("utf-8", "replace")
        rows = connection.execute(
            "SELECT bot, speaker, content FROM hearings JOIN utterances ON id = utterance_id"
        ).fetchall()
    for bot, speaker, content in rows:
        try:
            words = json.loads(content)
        except ValueError:
            continue
        if isinstance(words, str):
            yield bot, speaker, words
