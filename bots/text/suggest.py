"""Finds known names similar to an unknown one, and offers them: "Did you mean oak_log?" """

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches

LONGEST = 64  # characters of a word that are compared: comparing takes longer the longer it is
ALIKE = 0.6  # from 0 to 1: how alike a name must be to be offered


def similar(
    word: str, names: Iterable[str], at_most: int = 1, *, alike: float = ALIKE
) -> list[str]:
    """The names most like a word, the most like it first; upper and lower case are alike."""
    by_lower = {name.lower(): name for name in sorted(names)}
    near = get_close_matches(word[:LONGEST].lower(), by_lower, n=at_most, cutoff=alike)
    return [by_lower[name] for name in near]


def most_alike(names: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Of the names similar to each of several words, those of the word that is most like its
    first one."""
    alike = {
        word: SequenceMatcher(None, word[:LONGEST].lower(), near[0].lower()).ratio()
        for word, near in names.items()
        if near
    }
    return names[max(alike, key=alike.__getitem__)] if alike else ()


def as_sentence(names: Sequence[str]) -> str:
    """What goes behind a sentence: ` Did you mean oak_log or oak_planks?`; `""` without names."""
    return f" Did you mean {_either(names)}?" if names else ""


def as_clause(names: Sequence[str]) -> str:
    """What goes behind half a sentence: `; did you mean server.host?`; `""` without names."""
    return f"; did you mean {_either(names)}?" if names else ""


def as_fact(names: Sequence[str]) -> dict[str, str]:
    """What an error carries: the most similar name, as `nearest`, where there is one."""
    return {"nearest": names[0]} if names else {}


def _either(names: Sequence[str]) -> str:
    return " or ".join(names)
