"""What the daemon is asked and answers, field by field; `/api/openapi.json` is made from these."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, NewType, NotRequired, TypeAlias

from pydantic import BaseModel, ConfigDict
from typing_extensions import TypedDict

Json: TypeAlias = dict[str, Any]
Html = NewType("Html", str)
"""A page for people."""


class Body(BaseModel):
    """What a request carries, strictly read."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class MetricsText(NamedTuple):
    """Figures for Prometheus."""

    body: bytes
    media_type: str


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """`since` is a sequence: only later messages, of the newest. `before`: only earlier ones,
    however old. `talk` is the number of a group talk: only what was said to it."""

    usernames: tuple[str, ...] | None = None
    type: str | None = None
    since: int | None = None
    before: int | None = None
    talk: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class RecallQuery:
    words: str
    speaker: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 10
    offset: int = 0
    episodes: bool = False


class Outcome(TypedDict):
    """What came of a request. A command adds fields of its own."""

    success: bool
    reason: NotRequired[str]
    """Why not, in one word."""
    message: NotRequired[str]
    """Why not, in a sentence."""


class BotShape(TypedDict):
    """A bot and how it is."""

    name: str
    state: str
    """connecting, online, waiting, refused or gone."""
    advice: str | None
    """Why it is not in the world, and what to try."""
    doing: list[str]
    job: dict[str, Any] | None
    goal: str | None
    """The goal under way, or else the next one."""
    talk: int | str | None
    """The number of the talk that it takes part in."""
    latestSequence: int
    linesWithheld: int
    daemon: NotRequired[str]
    """Of a cluster: where it lives."""


class Bots(Outcome):
    bots: list[BotShape]
    daemon: NotRequired[str]
    """Of a cluster: which of its daemons answers."""


class PositionShape(TypedDict):
    """Where a bot is, and how it fares."""

    name: str
    x: float
    y: float
    z: float
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    dimension: str
    health: float
    food: float
    held: str | None


class PersonShape(TypedDict):
    """A person whom some bot sees."""

    name: str
    x: float
    y: float
    z: float
    dimension: str
    seenBy: list[str]


class AreaShape(TypedDict):
    """A part of the world that people spoke of: a box, and what is level with it and near."""

    name: str
    rule: str
    """allow, ask or forbid."""
    dimension: str
    west: float
    north: float
    east: float
    south: float
    within: float
    """Blocks around the box that belong to it."""
    saidBy: str
    """Empty: the server protects the land there."""


class Positions(TypedDict):
    """Where everybody is now; on the WebSocket the newest replaces those before it."""

    name: Literal["positions"]
    at: str
    timeOfDay: int | None
    """Ticks since sunrise, 0 to 23,999; null while no bot is in a world."""
    hearingRange: float
    """How far a whisper of the talk carries, blocks."""
    bots: list[PositionShape]
    people: list[PersonShape]
    areas: NotRequired[list[AreaShape]]
    """Where the bots may touch things and where not, the weightiest first."""
    silent: NotRequired[list[str]]
    """Daemons of the cluster that did not answer in time."""


class TerrainShape(Outcome):
    """The ground around a bot, as a picture with a pixel for each block, north up."""

    bot: str
    west: int
    north: int
    """Where the picture's corner is in the world."""
    width: int
    height: int
    png: str
    """Base64."""


class TalkLine(TypedDict):
    number: int
    speaker: str
    text: str
    turn: int | None


class TalkShape(TypedDict):
    """A group talk under way."""

    talk: int | str
    """As `3@west` where another daemon of the cluster counts it."""
    topic: str
    participants: list[dict[str, str]]
    """`name`, and `kind`: bot or person."""
    mainBot: str | None
    speaking: str | None
    paused: bool
    startedBy: str
    lines: list[TalkLine]


class TalksShape(Outcome):
    talks: list[TalkShape]
    silent: NotRequired[list[str]]


class StepShape(TypedDict):
    """A step of a plan."""

    action: str
    thing: str
    count: int
    tool: str | None
    station: str | None
    consumes: dict[str, int]
    produces: dict[str, int]
    estimateS: float
    tookS: float | None
    """Null until it is done."""


class PlanShape(TypedDict):
    goal: str
    steps: list[StepShape]
    leftS: float
    """Estimated seconds until the goal is reached."""


class GoalShape(TypedDict):
    goal: str
    state: Literal["under_way", "waiting", "paused"]
    givenBy: str


class GoalsShape(Outcome):
    goals: list[GoalShape]
    plan: PlanShape | None
    """Of the goal under way, once it is planned."""


class PurseShape(TypedDict):
    spentUsd: float
    capUsd: float


class ModelShape(TypedDict):
    """Whether the model answers, and if not, why and what to do."""

    state: Literal["ok", "off", "unusable"]
    why: str | None
    found: str | None
    nextStep: str | None


class BudgetShape(Outcome):
    """What models cost in the period that ends now, and whether they answer."""

    model: ModelShape
    periodS: float
    spentUsd: float
    heldUsd: float
    """Set aside for calls under way."""
    capUsd: float
    background: PurseShape
    strangers: PurseShape
    bots: dict[str, PurseShape]
    silent: NotRequired[list[str]]


class ExperimentRunShape(TypedDict):
    """A run that was played to its end."""

    run: str
    ended: str
    """Why the talk ended."""
    lines: int
    costUsd: float
    report: str | None
    """Where its report is served; null while there is none."""


class ExperimentShape(TypedDict):
    """An experiment that `townsfolk experiment run` plays or has played."""

    id: str
    title: str
    about: str
    world: str
    """simulated or embedded."""
    state: Literal["running", "ended", "stopped"]
    why: str | None
    """Why it was stopped."""
    startedAt: str
    endedAt: str | None
    participants: list[dict[str, str]]
    """`name`, and `kind`: bot or person."""
    folder: str
    planned: int
    """How many runs there are to be."""
    runs: list[ExperimentRunShape]
    """Those that were played to their end."""
    costUsd: float
    report: str | None
    """Of several runs, their comparison."""


class ExperimentsShape(Outcome):
    experiments: list[ExperimentShape]


class ProcessShape(TypedDict):
    memoryBytes: int
    cpuSeconds: float
    """Since it began."""


class LoadShape(Outcome):
    """What the daemon and its Node processes take of the machine."""

    daemon: ProcessShape
    node: ProcessShape
    """What carries the bots, all of it."""
    nodes: int
    """How many Node processes that is."""
    server: ProcessShape | None
    """The embedded server."""
    loopLagS: float
    """How late a turn of the daemon's event loop was, at worst in the last ten seconds."""
    ended: list[str]
    """Parts of the daemon that failed while the rest goes on, each with why."""
    daemons: NotRequired[dict[str, LoadShape]]
    """The same of the other daemons of the cluster, by name."""
    silent: NotRequired[list[str]]


class PromptShape(Outcome):
    """What a model was asked for a decision, as far as it is still kept."""

    prompt: NotRequired[dict[str, Any]]


class HealthShape(TypedDict):
    """For those who supervise the daemon."""

    ok: bool
    why: list[str]


class Link(Outcome):
    """An address that opens the page once."""

    url: str


class Acquaintance(TypedDict):
    name: str
    firstMet: str
    lastMet: str


class People(Outcome):
    people: list[Acquaintance]
    """Those met last first."""


class FactShape(TypedDict):
    """One thing that a bot knows of somebody or some place."""

    kind: str
    words: str
    at: str
    said: NotRequired[str]
    """The line it was told by."""
    by: NotRequired[str | None]
    count: NotRequired[int]


class PersonCard(Outcome):
    what: Literal["person"]
    name: str
    firstMet: str | None
    lastMet: str | None
    facts: list[FactShape]


class PlaceCard(Outcome):
    what: Literal["place"]
    name: str
    position: dict[str, float]
    dimension: str
    namedBy: str | None
    namedAt: str | None
    placed: dict[str, int]
    living: list[str]
    facts: list[FactShape]


class NamedPlace(TypedDict):
    name: str
    position: dict[str, float]
    dimension: str


class Places(Outcome):
    places: list[NamedPlace]


class EntryShape(TypedDict):
    """Something that a bot knows."""

    id: int
    type: str
    topic: str
    insight: str
    context: str
    tags: list[dict[str, str]]
    situations: list[str]
    always: bool
    learntFrom: str
    speaker: str
    level: str
    utterance: int | None
    confidence: float
    links: list[int]
    used: int
    usedAt: str | None
    madeAt: str | None
    updatedAt: str | None
    expiresAt: str | None
    sources: dict[str, Any]
    weight: NotRequired[float]
    """Of one that was looked for."""
    references: NotRequired[int]
    depth: NotRequired[int]
    claim: NotRequired[bool]


class Entries(Outcome):
    count: int
    entries: list[EntryShape]


class OneEntry(Outcome):
    entry: EntryShape
