"""A whole scenario, and its schedule: what happens in a run, and when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from bots.clock import MS_PER_S
from bots.experiments.scenario.parts import (
    CapsPlan,
    Member,
    Part,
    Place,
    PlaceName,
    Point,
    ScheduledEvent,
    Slot,
    TalkPlan,
    Text,
    When,
    key,
)
from bots.talks.machine.events import Participant
from bots.talks.machine.policy import Caps, TalkPolicy

World = Literal["simulated", "embedded"]
POLICY_KEYS = {
    "order",
    "fallback",
    "allow_self_nomination",
    "fuzzy_threshold",
    "heeds_names",
    "interruptions",
    "goodbye",
    "gap_s",
    "settle_s",
    "nudge_after_s",
}
"""Keys of `[talk]` that `TalkPolicy` has under the same name."""


class Scenario(Part):
    """A whole scenario file."""

    title: str = key("", "its name")
    about: Text = key("", "what happens, in a sentence")
    world: World = key("simulated", "simulated (no server, own time) or embedded (real bots)")
    seed: Annotated[int, Field(ge=0, le=2**63 - 1)] = key(1, "chance; the same seed plays the same")
    talk: TalkPlan = TalkPlan()
    caps: CapsPlan = CapsPlan()
    places: dict[PlaceName, Point] = key({}, "points with names")
    cast: tuple[Member, ...] = key((), "the bots")
    people: tuple[Slot, ...] = key((), "the persons")
    events: tuple[ScheduledEvent, ...] = key((), "what else happens")

    def point(self, place: Place) -> Point:
        """The coordinates of a place, which may be given by name."""
        return self.places[place] if isinstance(place, str) else place

    @property
    def players(self) -> tuple[Member | Slot, ...]:
        """All bots and persons."""
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
    def beginners(self) -> tuple[Participant, ...]:
        """Those who take part from the start."""
        return tuple(who for who in self.roster if who.name in self.present)

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
    def policy(self) -> TalkPolicy:
        """The policy of the talk."""
        rules = self.talk.model_dump(include=POLICY_KEYS)
        caps = self.caps.model_dump()
        return TalkPolicy(
            **{**rules, "nudge_after_s": rules["nudge_after_s"] or None},
            caps=Caps(**{**caps, "repetition_lines": caps["repetition_lines"] or None}),
            opening="person" if self.opened_by_person else "bot",
            topic=self.talk.topic,
            seed=self.seed,
        )

    @property
    def present(self) -> frozenset[str]:
        """Those who take part from the start."""
        return frozenset(who.name for who in self.players if who.present)

    @model_validator(mode="after")
    def _names_fit(self) -> Scenario:
        for complaint in _complaints(self):
            raise ValueError(complaint)
        return self


def _complaints(scenario: Scenario) -> Iterator[str]:
    """Mistakes across keys, e.g. names that nobody has and places that do not exist."""
    names = scenario.names
    if len({name.casefold() for name in names}) < len(names):
        yield "cast: every participant needs a name of its own"
    if not scenario.cast:
        yield "cast: name at least one bot: [[cast]] with a name"
    if len(scenario.present) < 2:
        yield "cast: a talk needs two participants present from the start"
    if scenario.world == "simulated" and any(person.live for person in scenario.people):
        yield 'people: live persons need world = "embedded"; here give them lines'
    for where, name in _mentioned_names(scenario):
        if name not in names:
            yield f"{where}: nobody is called {name!r}; there are {', '.join(names)}"
    if scenario.opener and scenario.opener not in scenario.present:
        yield f"talk.opening.by: {scenario.opener!r} is not present from the start"
    live = {person.name for person in scenario.people if person.live}
    if scenario.opener and not scenario.opening_words and scenario.opener not in live:
        yield f"talk.opening.text: write what {scenario.opener} says"
    for where, place in _mentioned_places(scenario):
        if isinstance(place, str) and place not in scenario.places:
            known = ", ".join(scenario.places) or "none; write [places]"
            yield f"{where}: no place is called {place!r}; there are {known}"


def _mentioned_names(scenario: Scenario) -> Iterator[tuple[str, str]]:
    if scenario.talk.opening is not None:
        yield "talk.opening.by", scenario.talk.opening.by
    for number, event in enumerate(scenario.events, 1):
        if event.who:
            yield f"events.{number}.who", event.who
    for member in scenario.cast:
        for number, cue in enumerate(member.cues, 1):
            for name in (*cue.near, *cue.away):
                yield f"cast.{member.name}.cues.{number}", name


def _mentioned_places(scenario: Scenario) -> Iterator[tuple[str, Any]]:
    for member in scenario.cast:
        yield f"cast.{member.name}.at", member.at
    for slot in scenario.people:
        yield f"people.{slot.name}.at", slot.at
    for number, event in enumerate(scenario.events, 1):
        yield f"events.{number}.to", event.to


@dataclass(frozen=True, slots=True)
class PersonLine:
    """A line that a person says."""

    name: str
    text: str


ScheduledStep: TypeAlias = ScheduledEvent | PersonLine


class Schedule:
    """Returns each step once, when it is due, in the order of the file."""

    def __init__(self, scenario: Scenario) -> None:
        steps = list(_steps(scenario))
        self.timed = [(round(m.at_s * MS_PER_S), d) for m, d in steps if m.at_s is not None]
        """(milliseconds, step) of those that are due at a time."""
        self._during = [(m.during_turn, d) for m, d in steps if m.during_turn is not None]
        self._after = [(m.after_turn, d) for m, d in steps if m.after_turn is not None]

    def during(self, turn: int) -> list[ScheduledStep]:
        """The steps due while a bot thinks about this turn."""
        due, self._during = _due(self._during, turn), _later(self._during, turn)
        return due

    def after(self, turn: int) -> list[ScheduledStep]:
        """The steps due once the words of this turn are said."""
        due, self._after = _due(self._after, turn), _later(self._after, turn)
        return due

    @property
    def left(self) -> int:
        """How many steps wait for a turn that has not come."""
        return len(self._during) + len(self._after)


def _steps(scenario: Scenario) -> Iterator[tuple[When, ScheduledStep]]:
    if scenario.opened_by_person and scenario.opening_words:
        yield When(at_s=0.0), PersonLine(scenario.opener, scenario.opening_words)
    for event in scenario.events:
        yield event, event
    for person in scenario.people:
        for line in person.lines:
            yield line, PersonLine(person.name, line.text)


def _due(steps: list[tuple[int, ScheduledStep]], turn: int) -> list[ScheduledStep]:
    """Steps of turns that were skipped are due with the next."""
    return [step for when, step in steps if when <= turn]


def _later(steps: list[tuple[int, ScheduledStep]], turn: int) -> list[tuple[int, ScheduledStep]]:
    return [(when, step) for when, step in steps if when > turn]
