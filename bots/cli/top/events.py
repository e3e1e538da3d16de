"""Events of the daemon as lines: what is said, and what else changes."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bots.access.origin import called
from bots.cli.client import Json
from bots.observability.talk_log import spoken_line
from bots.observability.terminal_log import SENTENCES
from bots.observability.trace import Trace
from bots.text.numbers import duration
from bots.text.printable import printable

_HEAD = frozenset({"sequence", "at", "name", "bot", "skipped"})


@dataclass(frozen=True, slots=True)
class Line:
    """A line for the terminal, in which nothing is left that a terminal would obey."""

    time: str
    """Of the day, here."""
    names: str
    """`Bob → Alice`, of what is said; else empty."""
    words: str

    def __str__(self) -> str:
        return f"{self.time}  {self.names}: {self.words}" if self.names else self.as_note

    @property
    def as_note(self) -> str:
        return f"{self.time}  {self.words}"


def spoken(event: Json, fellows: Container[str], arrow: str) -> Line | None:
    """The line that was said, if the event is one; each is told once."""
    found = spoken_line(_trace(event), fellows)
    if found is None:
        return None
    names = f"{called(found['by'])} {arrow} {called(found['to'])}"
    return Line(time_of(event), printable(names), printable(str(found["text"])))


def changed(event: Json) -> Line | None:
    """What else has changed, if the event tells of it."""
    told = _CHANGES.get(str(event.get("name")))
    words = told(event) if told else ""
    return Line(time_of(event), "", printable(words)) if words else None


def time_of(event: Mapping[str, Any]) -> str:
    return _shown(datetime.fromisoformat(str(event["at"])))


def time_now() -> str:
    return _shown(datetime.now(UTC))


def _shown(at: datetime) -> str:
    return at.astimezone().strftime("%H:%M:%S")


def _trace(event: Json) -> Trace:
    facts = {name: value for name, value in event.items() if name not in _HEAD}
    at = datetime.fromisoformat(event["at"])
    return Trace(event["sequence"], at, event["name"], event.get("bot"), facts)


def _connection(event: Json) -> str:
    why = f": {event['cause']}" if event.get("cause") else ""
    return f"{event['bot']} is {event['state']}{why}."


def _progressed(event: Json) -> str:
    stage = f"{event['stage']}, " if event.get("stage") else ""
    what = str(event["what"]).replace("_", " ")
    return f"{_job(event)}: {stage}{what} {event['done']:g}/{event['total']:g}."


def _finished(event: Json) -> str:
    result = event["result"]
    if result.get("success") is True:
        return f"{_job(event)}: done."
    return f"{_job(event)}: {result.get('message') or result.get('reason') or 'failed'}"


def _planned(event: Json) -> str:
    steps = len(event["steps"])
    takes = duration(event["estimateS"])
    return f"{event['bot']} plans {event['goal']}: {steps} steps, about {takes}."


def _step_done(event: Json) -> str:
    step = event["step"]
    target = str(step["target"]).replace("_", " ")
    return f"{event['bot']} has done a step: {step['action']} {step['count']} {target}."


def _decided(event: Json) -> str:
    cost = event.get("cost_usd") or 0
    return f"{event['bot']} has decided by {event.get('model')}: ${cost:.4f}." if cost else ""


def _host(event: Json) -> str:
    """The bots of a Node that died or is back."""
    host, hosts = event.get("host", 1), event.get("hosts", 1)
    return "The bots are" if hosts == 1 else f"The bots of host {host} are"


def _job(event: Json) -> str:
    return f"{event['bot']}: {event['command']}"


_CHANGES: Mapping[str, Callable[[Json], str]] = {
    "connection.changed": _connection,
    "health.changed": lambda e: f"{e['bot']}: health {e['health']:g}, food {e['food']:g}.",
    "bot.died": lambda e: SENTENCES["bot.died"](dict(e)),
    "job.started": lambda e: f"{_job(e)} begins.",
    "job.progressed": _progressed,
    "job.finished": _finished,
    "goal.planned": _planned,
    "goal.step_done": _step_done,
    "goal.step_failed": lambda e: f"{e['bot']}: a step failed: {e['why']}",
    "decision.made": _decided,
    "talk.begun": lambda e: f"Talk {e['talk']} begins: {', '.join(e['participants'])}.",
    "talk.ended": lambda e: f"Talk {e['talk']} has ended: {e['why']}.",
    "bridge.lost": lambda e: f"{_host(e)} gone: {e['why']}.",
    "bridge.restored": lambda e: f"{_host(e)} back.",
}
