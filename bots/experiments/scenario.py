"""A whole scenario, and its schedule: what happens in a run, and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from bots.clock import MS_PER_S
from bots.errors import SettingsError
from bots.next_speaker import Fallback
from bots.responder.case.persona import Persona
from bots.settings.fields import Blocks, check_name, one_or_more
from bots.settings.loading import parse_address
from bots.talks.live.prompt import TalkPrompt
from bots.talks.machine.events import Participant
from bots.talks.machine.policy import Caps, TalkPolicy
from bots.text.sanitise import sanitise
from bridge.errors import UserError
from llm.prompts import TALK_PARTS


class ScenarioError(UserError):
    """The scenario is wrong; the text says where, and what would be right."""


class LogError(UserError):
    """The log of an experiment cannot be read; the text names the line."""


class CutOff(LogError):
    """The run was broken off before its end."""


class ExperimentFailed(UserError):
    """The experiment could not be played to its end."""


Tell: TypeAlias = Callable[[str], None]
"""Gets a sentence about each step of the preparations."""


class Part(BaseModel):
    """A table of the file; unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def key(default: Any, meaning: str) -> Any:
    """A key with its default; the documentation shows `meaning`."""
    return Field(default=default, description=meaning)


def _check_function(named: str) -> str:
    if named and not re.fullmatch(r".*:.*|[\w-]+", named):
        raise ValueError('a function is written as "rules.py:next_one", or as what is installed')
    return named


def _check_text(text: str) -> str:
    if text and not sanitise(text):
        raise ValueError("holds nothing that can be said")
    return text


def _plain_words(value: object) -> object:
    """A plain text counts as a cue without conditions."""
    return {"say": value} if isinstance(value, str) else value


def _check_range(span: tuple[float, float]) -> tuple[float, float]:
    if span[0] > span[1]:
        raise ValueError("write the least first, then the most")
    return span


cue_of = BeforeValidator(_plain_words)

NotNegative = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Number = Annotated[int, Field(ge=1, le=1_000_000)]
Range = Annotated[tuple[NotNegative, NotNegative], AfterValidator(_check_range)]
Coordinate = Annotated[float, Field(ge=-30_000_000, le=30_000_000, allow_inf_nan=False)]
Point: TypeAlias = tuple[Coordinate, Coordinate, Coordinate]
PlaceName = Annotated[str, Field(min_length=1, max_length=40)]
Place: TypeAlias = PlaceName | Point
Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]
Tokens = Annotated[int, Field(ge=1, le=32_000)]
Name = Annotated[str, AfterValidator(check_name)]
Names = Annotated[tuple[Name, ...], BeforeValidator(one_or_more)]
Function = Annotated[str, AfterValidator(_check_function)]
Text = Annotated[str, AfterValidator(_check_text)]
Texts = Annotated[tuple[Text, ...], BeforeValidator(one_or_more)]
Words = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(one_or_more)]


Group = Literal["actors", "orders", "stops", "metrics"]
"""Of entry points, by which installed code is found: `townsfolk.actors` …"""
ORDERS = ("rounds", "nominate")
"""Those that need no code."""
Answers = Literal["cues", "rules", "function", "model", "human"]
EventKind = Literal[
    "walk", "teleport", "join", "leave", "busy", "free", "pause", "resume", "end", "lose_lines"
]
KINDS_WITH_WHO = frozenset({"walk", "teleport", "join", "leave", "busy", "free", "lose_lines"})


class When(Part):
    """When something happens: exactly one of the three."""

    at_s: NotNegative | None = key(None, "seconds after the talk began")
    after_turn: Number | None = key(None, "once the words of this turn are said")
    during_turn: Number | None = key(None, "while somebody thinks about this turn")

    @model_validator(mode="after")
    def _one_moment(self) -> When:
        given = [self.at_s, self.after_turn, self.during_turn]
        if sum(value is not None for value in given) != 1:
            raise ValueError("write one of at_s, after_turn and during_turn")
        return self


class Cue(Part):
    """Words for a turn, and when they fit; without conditions they always fit."""

    say: Texts = key((), "the words; of several, one by chance; none: it says nothing")
    hears: Words = key((), "if one of these was heard since its last line")
    knows: Words = key((), "if one was ever heard or said")
    unaware: Words = key((), "if none was ever heard or said")
    near: Names = key((), "if all can hear it now")
    away: Names = key((), "if none can hear it now")
    again: bool = key(False, "whether it may be used more than once")
    next: str = key("", "whom it nominates")
    takes_s: NotNegative | None = key(None, "seconds of thinking, instead of those of `talk`")
    tokens: Annotated[int, Field(ge=0)] = key(0, "tokens it counts as")
    cost_usd: NotNegative = key(0.0, "US dollars it counts as")
    fails: str = key("", "thinking fails, and this is why")


class Member(Part):
    """One `[[cast]]`: a bot."""

    name: Name = key(..., "username; nominations name it")
    display_name: str = key("", "as others may call it")
    short_name: str = key("", "shorter still")
    persona: Text = key("", "who it is: its persona.md")
    memory: Text = key("", "what it remembers: its core_memory.md")
    at: Place = key((8.5, 64.0, 8.5), "a place, or [x, y, z]")
    present: bool = key(True, "whether it takes part from the start")
    answers: Answers | None = key(
        None, "cues, rules (small talk), function, model or human; unset: cues where there are any"
    )
    cues: tuple[Annotated[Cue, cue_of], ...] = key(
        (), "what it says: plain words in this order, or tables with conditions"
    )
    goodbye: Texts = key((), "its last words when the talk is about to end")
    carries: dict[str, Number] = key({}, "items and numbers in its bag from the start; real bots")
    model: str = key("", "id of its own model; empty: the one of `llm`")
    temperature: Temperature | None = key(None, "of its model; unset: that of `llm`")
    max_tokens: Tokens | None = key(None, "ceiling of its answers; unset: that of `llm`")
    function: Function = key("", "FILE.py:NAME beside this file, or installed; called each turn")
    player: Annotated[str, Field(pattern=r"^\w{0,16}$")] = key(
        "", "username of a human in the game; empty: whoever sits at the terminal of `run`"
    )
    chat: Annotated[str, Field(pattern=r"^[\w.-]{0,32}$")] = key(
        "", "name of a human who joins by `townsfolk chat --as`, instead of either"
    )
    answer_within_s: Annotated[float, Field(gt=0, le=3_600)] = key(
        60.0, "seconds that a human has for a turn"
    )
    unanswered: Literal["silent", "fail"] = key(
        "silent", "what a turn is for which a human found no words in time: silent, or failed"
    )

    @property
    def is_live(self) -> bool:
        return self.mind == "human"

    @property
    def as_persona(self) -> Persona:
        return Persona(self.name, self.persona, self.memory)

    @property
    def mind(self) -> Answers:
        """What finds its words."""
        if self.answers is not None:
            return self.answers
        return "function" if self.function else "cues" if self.cues else "rules"

    @model_validator(mode="after")
    def _answers_from_somewhere(self) -> Member:
        if self.mind == "function" and not self.function:
            raise ValueError('a function is written as "personas.py:answer"')
        if self.player and self.mind != "human":
            raise ValueError('a player needs answers = "human"')
        if self.chat and (self.player or self.mind != "human"):
            raise ValueError('chat needs answers = "human", and no player')
        if self.mind == "cues" and not self.cues:
            raise ValueError('answers is "cues", but there are no cues')
        return self


class SlotLine(When):
    """A line that a person says, and when."""

    text: Text = key(..., "the words")


class Slot(Part):
    """One `[[people]]`: a person."""

    name: Name = key(..., "username")
    display_name: str = key("", "as others may call them")
    at: Place = key((8.5, 64.0, 8.5), "a place, or [x, y, z]")
    present: bool = key(True, "whether they take part from the start")
    live: bool = key(False, "a real player joins under this name, where bots are real")
    lines: tuple[SlotLine, ...] = key((), "what they say by themselves, and when")

    @property
    def is_live(self) -> bool:
        return self.live


class ScheduledEvent(When):
    """One `[[events]]`: something that happens, and when."""

    do: EventKind = key(..., "what happens")
    who: str = key("", "whom it happens to")
    to: Place | None = key(None, "where to, for walk and teleport")
    why: str = key("", "the reason that is given")

    @model_validator(mode="after")
    def _complete(self) -> ScheduledEvent:
        if self.do in KINDS_WITH_WHO and not self.who:
            raise ValueError(f'"{self.do}" needs who')
        if self.do in ("walk", "teleport") and self.to is None:
            raise ValueError(f'"{self.do}" needs to: a place, or [x, y, z]')
        return self


class Task(When):
    """One `[[tasks]]`: something that a bot is given to do, and when."""

    who: Name = key(..., "the bot that is given it")
    goal: Annotated[str, Field(min_length=1)] = key(..., "what is to be so, as `!goal` takes it")
    ask: Text = key("", "a request in plain words in place of `!goal`")
    within_s: Positive = key(120.0, "seconds after which it is not done, and the bot stops")


class Opening(Part):
    """The first line."""

    by: Name = key(..., "who says it")
    text: Text = key("", "the words; of a live person none: all wait for theirs")


class TalkPlan(Part):
    """`[talk]`: the topic and the rules."""

    topic: str = key("", "what it is about; models are told")
    opening: Opening | None = key(None, "the line it begins with")
    order: Function = key(
        "rounds", "whose turn is next: rounds, nominate or a function: FILE.py:NAME, or installed"
    )
    stop: Function = key("", "a function after whose yes the talk ends")
    fallback: Fallback = key("round_robin", "who is next when nobody was nominated")
    allow_self_nomination: bool = key(False, "whether a bot may give itself the next turn")
    fuzzy_threshold: Annotated[float, Field(gt=0, le=1)] = key(
        0.85, "how alike a misspelt name must be to count"
    )
    heeds_names: bool = key(True, "whether who is called by name comes first")
    interruptions: bool = key(True, "whether a person's line ends a bot's thought")
    goodbye: bool = key(True, "whether each bot says goodbye when a cap comes near")
    gap_s: NotNegative = key(0.0, "seconds kept quiet after a bot's line")
    settle_s: NotNegative = key(0.0, "seconds kept quiet after a person's line")
    nudge_after_s: NotNegative = key(20.0, "quiet after which a bot speaks unasked; 0: never")
    hearing_range: Blocks = key(15.0, "blocks that a line reaches")
    thinking_s: Range = key((0.8, 2.5), "least and most seconds of thinking, drawn by the seed")
    saying_characters_per_s: Positive = key(30.0, "how fast words are said, in the simulated world")
    walking_blocks_per_s: Positive = key(4.317, "Minecraft's walking speed")


class CapsPlan(Part):
    """`[caps]`: the first that is reached ends the talk."""

    turns: Number = key(24, "turns of bots")
    time_s: Positive = key(600.0, "seconds")
    tokens: Number | None = key(None, "tokens of a model; unset: no cap")
    cost_usd: Positive | None = key(None, "US dollars; unset: no cap")
    bot_turns: Number | None = key(None, "turns of bots in a row without a person; unset: no cap")
    silence_s: Positive = key(120.0, "seconds in which nobody says anything")
    repetition_lines: Annotated[int, Field(ge=0)] = key(
        3, "lines in a row that repeat earlier ones; 0: no cap"
    )
    repetition_overlap: Annotated[float, Field(gt=0, le=1)] = key(
        0.8, "part of a line said before that makes it one"
    )


class ModelPlan(Part):
    """`[llm]`: of the settings `llm`, those that change what is said. None says where to ask, and
    who pays: a scenario may be from anywhere."""

    model: str = key("", "id of the model of all bots; empty: as set")
    haiku_model: str = key("", "the same while bots are among themselves")
    sonnet_model: str = key("", "the same while people take part")
    temperature: Temperature | None = key(None, "of the models; unset: their own")
    max_tokens: Tokens | None = key(None, "ceiling of one answer; unset: 1000")
    model_cut_s: Annotated[float, Field(gt=0, le=7.5)] | None = key(
        None, "seconds after which a model has not answered; unset: 7"
    )
    shown_lines: Annotated[int, Field(ge=1, le=100)] | None = key(
        None, "newest lines that a model is shown; unset: as set"
    )


class PromptPlan(Part):
    """`[prompt]`: our part of what a model is asked; `experiment show --prompt` prints it."""

    lock: str | None = key(None, "the persona lock")
    setting: str | None = key(None, "the sentence on Minecraft")
    persona: str | None = key(None, "the section with `$persona`")
    memory: str | None = key(None, "the section with `$memory`")
    company: str | None = key(None, "the section with `$other_characters`")
    style: str | None = key(None, "“How you speak”: two short sentences …")
    reading: str | None = key(None, "how lines and facts are written")
    next: str | None = key(None, "“Who speaks next”")
    added: str = key("", "a last section")
    scene: bool = key(True, "whether place, time and things carried are told")

    @property
    def as_asked(self) -> TalkPrompt:
        parts = {name: getattr(self, name) for name in TALK_PARTS}
        own = {name: text for name, text in parts.items() if text is not None}
        return TalkPrompt({**TALK_PARTS, **own, "added": self.added}, self.scene)


def _check_world(world: str) -> str:
    if world in ("simulated", "embedded"):
        return world
    if ":" not in world:
        raise ValueError("write simulated, embedded, or a server as HOST:PORT")
    try:
        parse_address(world)
    except SettingsError as error:
        raise ValueError(str(error)) from None
    return world


JOIN_WITHIN_S = 600.0  # for persons who take part
HUMAN_LATE_S = 5.0  # more than a human's time: the talk does not give up first
World = Annotated[str, AfterValidator(_check_world)]
POLICY_KEYS = {*TalkPlan.model_fields} & {one.name for one in fields(TalkPolicy)} - {"opening"}
"""Keys of `[talk]` that `TalkPolicy` has under the same name."""


class Scenario(Part):
    """A whole scenario file."""

    title: str = key("", "its name")
    about: Text = key("", "what happens, in a sentence")
    world: World = key(
        "simulated", "simulated (no server, own time), embedded (real bots), or a server: HOST:PORT"
    )
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = key(1, "chance; the same seed plays the same")
    max_failed: Annotated[int, Field(ge=0)] = key(
        0, "turns that others than named here may answer before a run is no data"
    )
    survival: bool = key(False, "whether real bots have reflexes that keep them alive")
    llm: ModelPlan = ModelPlan()
    prompt: PromptPlan = PromptPlan()
    talk: TalkPlan = TalkPlan()
    caps: CapsPlan = CapsPlan()
    places: dict[PlaceName, Point] = key({}, "points with names")
    offset: Point = key((0.0, 0.0, 0.0), "blocks by which all points lie elsewhere, as on a server")
    cast: tuple[Member, ...] = key((), "the bots")
    people: tuple[Slot, ...] = key((), "the persons")
    tasks: tuple[Task, ...] = key((), "what bots are to do")
    events: tuple[ScheduledEvent, ...] = key((), "what else happens")

    def point(self, place: Place) -> Point:
        """The coordinates of a place, which may be given by name, where it lies in the world."""
        x, y, z = self.places[place] if isinstance(place, str) else place
        east, up, south = self.offset
        return x + east, y + up, z + south

    @property
    def server(self) -> tuple[str, int] | None:
        """Host and port of a server that is not ours; None for another world."""
        return parse_address(self.world) if ":" in self.world else None

    @property
    def players(self) -> tuple[Member | Slot, ...]:
        return (*self.cast, *self.people)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(who.name for who in self.players)

    @property
    def roster(self) -> tuple[Participant, ...]:
        """Everybody, whether present from the start or not; first the bot that opens."""
        bots = [Participant(m.name, "bot", m.display_name, m.short_name) for m in self.cast]
        people = (Participant(p.name, "person", p.display_name) for p in self.people)
        first = next((place for place, bot in enumerate(bots) if bot.name == self.opener), 0)
        return (*bots[first:], *bots[:first], *people)

    @property
    def opener(self) -> str:
        """Who says the opening line; '' if there is none."""
        return self.talk.opening.by if self.talk.opening else ""

    @property
    def opening_words(self) -> str:
        return self.talk.opening.text if self.talk.opening else ""

    @property
    def opened_by_person(self) -> bool:
        return self.opener in {person.name for person in self.people}

    @property
    def functions(self) -> Iterator[tuple[str, str, Group]]:
        """(key, function, its kind) of all code of the user's own that takes part."""
        for member in self.cast:
            if member.mind == "function":
                yield f"cast.{member.name}.function", member.function, "actors"
        if self.talk.order not in ORDERS:
            yield "talk.order", self.talk.order, "orders"
        if self.talk.stop:
            yield "talk.stop", self.talk.stop, "stops"

    @property
    def policy(self) -> TalkPolicy:
        rules = self.talk.model_dump(include=POLICY_KEYS)
        if self.talk.order not in ORDERS:
            rules["order"] = "own"
        caps = self.caps.model_dump()
        policy = TalkPolicy(
            **{**rules, "nudge_after_s": rules["nudge_after_s"] or None},
            caps=Caps(**{**caps, "repetition_lines": caps["repetition_lines"] or None}),
            opening="person" if self.opened_by_person else "bot",
            seed=self.seed,
        )
        waits = [member.answer_within_s for member in self.cast if member.is_live]
        return replace(policy, answer_within_s=max(waits) + HUMAN_LATE_S) if waits else policy

    @property
    def present(self) -> frozenset[str]:
        """Those who take part from the start."""
        return frozenset(who.name for who in self.players if who.present)

    @property
    def beginners(self) -> tuple[Participant, ...]:
        return tuple(who for who in self.roster if who.name in self.present)

    @model_validator(mode="after")
    def _names_fit(self) -> Scenario:
        for complaint in _complaints(self):
            raise ValueError(complaint)
        return self


def _complaints(scenario: Scenario) -> Iterator[str]:
    """Mistakes across keys, e.g. names that nobody has and places that do not exist."""
    simulated = scenario.world == "simulated"
    live = {person.name for person in scenario.people if person.live}
    if len({name.casefold() for name in scenario.names}) < len(scenario.names):
        yield "cast: every participant needs a name of its own"
    if not scenario.cast:
        yield "cast: name at least one bot: [[cast]] with a name"
    if len(scenario.present) < 2:
        yield "cast: a talk needs two participants present from the start"
    if simulated and live:
        yield 'people: live persons need world = "embedded" or a server; here give them lines'
    for where, name, known, nobody in _mentions(scenario):
        if isinstance(name, str) and name not in known:
            there_are = ", ".join(known) or "none; write [places]"
            yield f"{where}: {nobody} is called {name!r}; there are {there_are}"
    if simulated and (scenario.tasks or any(member.carries for member in scenario.cast)):
        yield 'tasks: nobody works in the simulated world; write world = "embedded", or a server'
    sitting = [one.chat for one in scenario.cast]
    for member in scenario.cast:
        where = f"cast.{member.name}"
        if member.player and simulated:
            yield f'{where}.player: players need world = "embedded" or a server'
        if member.player in scenario.names:
            yield f"{where}.player: {member.player} is in the talk already"
        if member.chat and (sitting.count(member.chat) > 1 or member.chat in scenario.names):
            yield f"{where}.chat: {member.chat} is in the talk already"
    yield from _complaints_of_opening(scenario, live)


def _complaints_of_opening(scenario: Scenario, live: set[str]) -> Iterator[str]:
    if scenario.opener and scenario.opener not in scenario.present:
        yield f"talk.opening.by: {scenario.opener!r} is not present from the start"
    if scenario.opener and not scenario.opening_words and scenario.opener not in live:
        yield f"talk.opening.text: write what {scenario.opener} says"


def _mentions(scenario: Scenario) -> Iterator[tuple[str, Any, Collection[str], str]]:
    """(key, name or point, the names there are, who is missing) of everything that is named."""
    names, places = scenario.names, scenario.places
    bots = [member.name for member in scenario.cast]
    if scenario.talk.opening is not None:
        yield "talk.opening.by", scenario.talk.opening.by, names, "nobody"
    for number, task in enumerate(scenario.tasks, 1):
        yield f"tasks.{number}.who", task.who, bots, "no bot"
    for number, event in enumerate(scenario.events, 1):
        yield f"events.{number}.who", event.who or None, names, "nobody"
        yield f"events.{number}.to", event.to, places, "no place"
    for member in scenario.cast:
        yield f"cast.{member.name}.at", member.at, places, "no place"
        for number, cue in enumerate(member.cues, 1):
            for name in (*cue.near, *cue.away):
                yield f"cast.{member.name}.cues.{number}", name, names, "nobody"
    for slot in scenario.people:
        yield f"people.{slot.name}.at", slot.at, places, "no place"


class PersonLine(NamedTuple):
    name: str
    text: str


ScheduledStep: TypeAlias = ScheduledEvent | PersonLine | Task


class Schedule:
    """Returns each step once, when it is due, in the order of the file."""

    def __init__(self, scenario: Scenario) -> None:
        steps: list[tuple[When, ScheduledStep]] = []
        if scenario.opened_by_person and scenario.opening_words:
            steps.append((When(at_s=0.0), PersonLine(scenario.opener, scenario.opening_words)))
        steps += [(task, task) for task in scenario.tasks]
        steps += [(event, event) for event in scenario.events]
        for person in scenario.people:
            steps += [(line, PersonLine(person.name, line.text)) for line in person.lines]
        self.timed = [(round(w.at_s * MS_PER_S), step) for w, step in steps if w.at_s is not None]
        """(milliseconds, step) of those that are due at a time."""
        self._during = [(w.during_turn, step) for w, step in steps if w.during_turn]
        self._after = [(w.after_turn, step) for w, step in steps if w.after_turn]

    def during(self, turn: int) -> list[ScheduledStep]:
        """The steps due while a bot thinks about this turn."""
        due, self._during = _due(self._during, turn)
        return due

    def after(self, turn: int) -> list[ScheduledStep]:
        """The steps due once the words of this turn are said."""
        due, self._after = _due(self._after, turn)
        return due

    @property
    def left(self) -> int:
        """How many steps wait for a turn that has not come."""
        return len(self._during) + len(self._after)


Waiting: TypeAlias = list[tuple[int, ScheduledStep]]


def _due(steps: Waiting, turn: int) -> tuple[list[ScheduledStep], Waiting]:
    """Steps of turns that were skipped are due with the next."""
    due = [step for when, step in steps if when <= turn]
    return due, [(when, step) for when, step in steps if when > turn]
