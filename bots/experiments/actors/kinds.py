"""The other kinds of actors: a function, rules, an opening line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from bots.experiments.actors.actor import Actor, Asked, ThinkingFailed
from bots.experiments.actors.cues import CueActor
from bots.experiments.functions import FAULTS, file_beside, function_of
from bots.experiments.scenario.parts import Member
from bots.responder.case.persona import Persona
from bots.responder.rules.scene import Scene
from bots.talks.live import rules as by_rules
from bots.talks.live.ports import Answer
from bots.text.language import Language, language_of
from bridge.world import WorldSnapshot


def scripted_actor(member: Member, folder: Path) -> Actor | None:
    """The actor of a bot with cues or a function; None for one that uses rules or a model.

    Loading a function runs its file. Raises ScenarioError if there is no such function."""
    if member.mind == "cues":
        return CueActor(member)
    if member.mind == "function":
        return FunctionActor(load_function(member, folder))
    return None


LINES_OF_LANGUAGE = 3  # newest lines that decide which language a bot speaks


class FunctionActor:
    """Calls a function of the scenario; its errors fail the turn, not the run."""

    def __init__(self, function: Callable[[Asked], Any]) -> None:
        self._function = function

    def __call__(self, asked: Asked) -> Answer:
        try:
            answer = self._function(asked)
        except FAULTS as fault:
            raise ThinkingFailed(f"{type(fault).__name__}: {fault}") from fault
        if isinstance(answer, Answer):
            return answer
        if not isinstance(answer, str):
            raise ThinkingFailed(f"the function returned {type(answer).__name__}, not words")
        return Answer(answer, facts={"source": "function"})


class RulesActor:
    """Makes small talk by rules: a remark on what the bot senses and a question."""

    def __init__(self, persona: Persona, look: Callable[[], WorldSnapshot]) -> None:
        self._persona, self._look = persona, look

    def __call__(self, asked: Asked) -> Answer:
        lines = by_rules.Lines(tuple((line.speaker, line.text) for line in asked.shown))
        said = by_rules.say(
            self._scene(asked), lines, sorted(asked.near), topic=None, goodbye=asked.say_goodbye
        )
        return Answer(said, hearers=asked.near, facts={"source": "rules"})

    def _scene(self, asked: Asked) -> Scene:
        shown = asked.shown
        last = shown[-1].speaker if shown else asked.name
        japanese = self._persona.languages[0] in ("日本語", "Japanese")
        lines = [line.text for line in shown[-LINES_OF_LANGUAGE:]]
        language: Language = language_of(lines) if lines else "ja" if japanese else "en"
        return Scene(
            asked.name, last, language, self._look(), asked.rng, self._persona.about, "no_model"
        )


def load_function(member: Member, folder: Path) -> Callable[[Asked], Any]:
    where = f"cast.{member.name}.function"
    file_beside(member.function, folder, where)
    return function_of(member.function, folder, where)


def code_of(cast: Iterable[Member], folder: Path) -> list[Path]:
    """The files of code that playing these bots runs. Raises ScenarioError where one may not be."""
    functions = (each for each in cast if each.mind == "function")
    found = [file_beside(each.function, folder, f"cast.{each.name}.function") for each in functions]
    return list(dict.fromkeys(found))


class OpeningActor:
    """Says the scenario's opening line first, then what another actor says."""

    def __init__(self, opening: str, then: Actor) -> None:
        self._opening, self._then = opening, then
        self._opened = False

    def __call__(self, asked: Asked) -> Answer:
        if self._opened:
            return self._then(asked)
        self._opened = True
        return Answer(self._opening, facts={"source": "opening"})
