"""Which turns were not answered by what the scenario names, and so whether a run is data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from bots.experiments.log import Transition
from bots.experiments.scenario import Member, Scenario
from bots.talks.machine.events import AnswerFailed, CancelThinking, Think


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A turn for which somebody else found the words, or nobody did."""

    turn: int
    speaker: str
    why: str

    def __str__(self) -> str:
        return f"turn {self.turn}, {self.speaker}: {self.why}"


def unanswered(
    scenario: Scenario,
    transitions: Iterable[Transition],
    thoughts: Iterable[Mapping[str, Any]],
    *,
    rules_may_speak: bool,
) -> list[Unanswered]:
    """The turns of a run, in order, that its scenario's own minds did not answer whole.

    A turn that was cut off counts for nothing, and so does a cue that is to fail."""
    members = {member.name: member for member in scenario.cast}
    speakers: dict[int, str] = {}
    dropped: set[int] = set()
    why: dict[int, str] = {}
    for transition in transitions:
        event = transition.event
        if isinstance(event, AnswerFailed) and event.turn in speakers:
            why[event.turn] = event.why
        for effect in transition.effects:
            if isinstance(effect, Think):
                speakers[effect.turn] = effect.speaker
            elif isinstance(effect, CancelThinking):
                dropped.add(effect.turn)
    for thought in thoughts:
        mind, source = members[thought["speaker"]].mind, thought.get("source")
        if mind == "model" and source in ("rules", "partial") and not rules_may_speak:
            why[thought["turn"]] = str(thought.get("why") or source)
        elif mind == "rules" and source in ("model", "partial"):
            why[thought["turn"]] = "a model spoke in place of the rules"
    found = [Unanswered(turn, speakers[turn], why[turn]) for turn in sorted(why.keys() - dropped)]
    return [one for one in found if not _is_scripted(members[one.speaker], one.why)]


def _is_scripted(member: Member, why: str) -> bool:
    return member.mind == "cues" and any(cue.fails == why for cue in member.cues)
