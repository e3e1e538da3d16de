"""Words that go with the goal before them: `placed.torch:4 near:home any`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from bots.goals.goal import Goal, PlacedGoal
from bots.goals.parsing.refusals import GoalRefused, quoted

NEAR, ANY = "near", "any"


def phrases(words: Iterable[str]) -> Iterator[str]:
    """The words, those of a name of several words joined: `near:old mine`."""
    phrase = ""
    for word in words:
        if phrase.startswith(f"{NEAR}:") and _is_bare(word):
            phrase += f" {word}"
            continue
        if phrase:
            yield phrase
        phrase = word
    if phrase:
        yield phrase


def modifier(word: str) -> Callable[[Goal, str], Goal] | None:
    """What the word does with the goal before it; None when it is no such word."""
    return MODIFIERS.get(word.partition(":")[0].lower())


def near(goal: Goal, word: str) -> Goal:
    name = word.partition(":")[2].strip()
    if not name:
        sentence = f"{quoted(word)}: the name is missing, as in near:home."
        raise GoalRefused("invalid_format", sentence)
    return replace(_placed(goal, word), near=name)


def by_anyone(goal: Goal, word: str) -> Goal:
    return replace(_placed(goal, word), by_anyone=True)


MODIFIERS: dict[str, Callable[[Goal, str], Goal]] = {NEAR: near, ANY: by_anyone}


def _placed(goal: Goal, word: str) -> PlacedGoal:
    if isinstance(goal, PlacedGoal):
        return goal
    sentence = f"{quoted(word)} goes with a goal such as placed.torch:4, not with {goal}."
    raise GoalRefused("invalid_format", sentence)


def _is_bare(word: str) -> bool:
    return word.lower() not in MODIFIERS and not any(sign in word for sign in ".:@")
