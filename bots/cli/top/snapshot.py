"""How a daemon is at one moment and what happens in it, as its HTTP interface tells them."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bots.access.origin import called
from bots.cli.client import DaemonClient, Json
from bots.observability.terminal_log import SENTENCES, spoken_line
from bots.observability.trace import Trace
from bots.text.numbers import duration
from bots.text.printable import printable

MB = 1_000_000
HOUR_S = 3_600.0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Each part is what its endpoint answers (docs/http.md)."""

    bots: list[Json]
    positions: Json
    budget: Json
    load: Json
    goals: Mapping[str, Json]
    """Of the bots that have any, by name."""
    taken_at_s: float
    """By the stopwatch."""

    @classmethod
    def of(cls, daemon: DaemonClient) -> Snapshot:
        """Raises DaemonSilent."""
        bots = daemon.bots()
        goals = {bot["name"]: daemon.get("goals", bot["name"]) for bot in bots if bot.get("goal")}
        parts = (daemon.get("positions"), daemon.get("budget"), daemon.get("load"))
        return cls(bots, *parts, goals, time.monotonic())

    @property
    def names(self) -> list[str]:
        return [bot["name"] for bot in self.bots]

    def as_json(self) -> Json:
        return {
            "success": True,
            "bots": self.bots,
            "positions": self.positions,
            "budget": self.budget,
            "load": self.load,
            "goals": dict(self.goals),
        }

    def place_of(self, bot: str) -> Json | None:
        """Where it is and how it fares; None while it is in no world."""
        return next((one for one in self.positions["bots"] if one["name"] == bot), None)


@dataclass(frozen=True, slots=True)
class Work:
    """What a bot is at, or will be, and how far it is."""

    bot: str
    what: str
    done: float
    total: float
    """0 = nobody knows."""
    details: str

    @property
    def share(self) -> float:
        return min(1.0, self.done / self.total) if self.total else 0.0


def works_of(snapshot: Snapshot) -> Iterator[Work]:
    """The work of all bots: jobs that tell their progress, and goals."""
    for bot in snapshot.bots:
        if work := work_of(bot, snapshot.goals.get(bot["name"])):
            yield work


def work_of(bot: Json, goals: Json | None) -> Work | None:
    """What a bot with these goals is at, if it is at anything."""
    progress = (bot.get("job") or {}).get("progress")
    if goals is not None and goals.get("goals"):
        return _pursuit(bot, goals, progress)
    if not progress:
        return None
    what, total = printable(str(bot["job"]["command"])), float(progress["total"])
    return Work(bot["name"], what, float(progress["done"]), total, printable(_part(progress)))


def doing_of(bot: Json) -> str:
    """What a bot does now, in a few words; in a cluster, at which daemon."""
    where = f"on {printable(str(bot['daemon']))}: " if bot.get("daemon") else ""
    if bot.get("state") != "online":
        why = f": {bot['advice']}" if bot.get("advice") else ""
        return where + printable(f"{bot.get('state')}{why}")
    goal, doing = bot.get("goal"), list(bot.get("doing") or ())
    if not doing:
        return f"{where}idle"
    if goal and doing[0].startswith("!goal"):
        doing[0] = f"goal {goal}"
    if progress := (bot.get("job") or {}).get("progress"):
        doing += [str(progress["stage"])] if progress.get("stage") else []
        doing.append(_part(progress))
    return where + printable(", ".join(doing))


def place_in_words(place: Json) -> str:
    """As one types it in the game; the overworld goes without saying."""
    at = " ".join(str(round(place[axis])) for axis in "xyz")
    world = str(place["dimension"])
    return printable(at if world == "overworld" else f"{at} {world.removeprefix('the_')}")


def cost_in_words(budget: Json) -> list[str]:
    """Spent of the limit, and of the limits within it."""
    own, strangers = budget["background"], budget["strangers"]
    return [
        f"{_of(budget)} in {budget['periodS'] / HOUR_S:g} h",
        f"background {_of(own, '/')}",
        f"strangers {_of(strangers, '/')}",
    ]


def loads_in_words(now: Snapshot, before: Snapshot | None) -> list[list[str]]:
    """Of the daemon that is asked, then of each other one of its cluster."""
    passed_s = now.taken_at_s - before.taken_at_s if before else 0.0
    earlier = before.load if before else {}
    own = load_in_words(now.load, earlier or None, passed_s)
    others, was = now.load.get("daemons") or {}, earlier.get("daemons") or {}
    if not others:
        return [own]
    there = (
        _at(name, load_in_words(load, was.get(name), passed_s))
        for name, load in sorted(others.items())
    )
    return [_at("here", own), *there]


def _at(daemon: str, load: list[str]) -> list[str]:
    return [f"{printable(daemon)}: {load[0]}", *load[1:]]


def load_in_words(now: Json, before: Json | None, passed_s: float) -> list[str]:
    """Processor and memory of each process, and how late the event loop is."""
    nodes = now.get("nodes", 1)
    carriers = f"{nodes} Nodes" if nodes > 1 else "Node"
    parts = [
        f"{called} {_taken(now[name], (before or {}).get(name), passed_s)}"
        for name, called in (("daemon", "daemon"), ("node", carriers), ("server", "server"))
        if now.get(name)
    ]
    return [*parts, f"loop lag {now['loopLagS'] * 1000:.0f} ms"]


def _pursuit(bot: Json, goals: Json, progress: Json | None) -> Work:
    plan, kept = goals.get("plan"), goals["goals"]
    waiting = [f"{len(kept) - 1} more waiting"] if len(kept) > 1 else []
    what = printable(str(plan["goal"] if plan else kept[0]["goal"]))
    if plan is None:
        state = str(kept[0]["state"]).replace("_", " ")
        return Work(bot["name"], what, 0, 0, ", ".join([state, *waiting]))
    steps = plan["steps"]
    done = sum(step["tookS"] is not None for step in steps)
    left = [f"about {duration(plan['leftS'])} left"] if plan["leftS"] else []
    at = [_part(progress)] if progress else []
    if not progress and done < len(steps):
        step = steps[done]
        at = [f"{step['action']} {step['count']} {step['thing']}".replace("_", " ")]
    return Work(bot["name"], what, done, len(steps), printable(", ".join([*at, *left, *waiting])))


def _part(progress: Json) -> str:
    what = str(progress["what"]).replace("_", " ")
    return f"{what} {progress['done']:g}/{progress['total']:g}"


def _of(purse: Json, between: str = " of ") -> str:
    return f"${purse['spentUsd']:.2f}{between}${purse['capUsd']:.2f}"


def _taken(now: Json, before: Json | None, passed_s: float) -> str:
    memory = f"{now['memoryBytes'] / MB:.0f} MB"
    if before is None or passed_s <= 0:
        return f"{memory}, {now['cpuSeconds']:.0f} s of CPU"
    used_s = max(0.0, now["cpuSeconds"] - before["cpuSeconds"])  # Node may have begun anew
    return f"{used_s / passed_s:.0%} {memory}"


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
        names = f"{self.names}: " if self.names else ""
        return f"{self.time}  {names}{self.words}"


def spoken(event: Json, fellows: Container[str], arrow: str) -> Line | None:
    """The line that was said, if the event is one; each is told once."""
    facts = {name: value for name, value in event.items() if name not in _HEAD}
    at = datetime.fromisoformat(event["at"])
    trace = Trace(event["sequence"], at, event["name"], event.get("bot"), facts)
    found = spoken_line(trace, fellows)
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
    return _clock(datetime.fromisoformat(str(event["at"])))


def time_now() -> str:
    return _clock(datetime.now(UTC))


def _clock(at: datetime) -> str:
    return at.astimezone().strftime("%H:%M:%S")


def _connection(event: Json) -> str:
    why = f": {event['cause']}" if event.get("cause") else ""
    return f"{event['bot']} is {event['state']}{why}."


def _progressed(event: Json) -> str:
    stage = f"{event['stage']}, " if event.get("stage") else ""
    what = str(event["what"]).replace("_", " ")
    return f"{_job_of(event)}: {stage}{what} {event['done']:g}/{event['total']:g}."


def _finished(event: Json) -> str:
    result = event["result"]
    if result.get("success") is True:
        return f"{_job_of(event)}: done."
    return f"{_job_of(event)}: {result.get('message') or result.get('reason') or 'failed'}"


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


def _job_of(event: Json) -> str:
    return f"{event['bot']}: {event['command']}"


_CHANGES: Mapping[str, Callable[[Json], str]] = {
    "connection.changed": _connection,
    "health.changed": lambda e: f"{e['bot']}: health {e['health']:g}, food {e['food']:g}.",
    "bot.died": lambda e: SENTENCES["bot.died"](dict(e)),
    "job.started": lambda e: f"{_job_of(e)} begins.",
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
