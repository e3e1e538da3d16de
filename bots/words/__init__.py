"""What bots say, from one file a language: `en.toml`, `ja.toml`, and a little in `zh.toml`. Another
language is another file.

    sentence("idle.counted", "ja", n=3, animal="羊") ─▶ that of ja.toml, with its slots filled in

An id says what is meant. It stands for a sentence, for a list of sentences of which any will do, or
for one sentence each for `one` and `other` numbers of `n`. A slot can change its words: {thing!c}
begins with a capital, {thing!a} has its article, {thing!A} both, {thing!p} is the plural,
{thing!x} is spelt out, and {n!w} is a number in words. What a language does not have is said in
English.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from bots.text.language import tongue_of
from bots.text.plurals import in_words, plural, with_article


def sentence(meaning: str, language: str, **slots: object) -> str:
    """What is said of this id."""
    entry = _entry(meaning, language)
    pattern = entry["one" if slots["n"] == 1 else "other"] if isinstance(entry, dict) else entry
    return filled(pattern, slots)


def said_to(meaning: str, text: str, **slots: object) -> str:
    """The same in the language of a text that is answered."""
    return sentence(meaning, tongue_of(text), **slots)


def variants(meaning: str, language: str) -> tuple[str, ...]:
    """The sentences of this id of which any will do, with their slots; none where there is one."""
    entry = _entry(meaning, language)
    return tuple(entry) if isinstance(entry, list) else ()


@cache
def table(name: str, language: str) -> Mapping[str, Any]:
    """A section: what there is to say of each of its keys."""
    return {**(found(name, "en") or {}), **(found(name, language) or {})}


def filled(pattern: str, slots: Mapping[str, object]) -> str:
    """A sentence with its slots filled in."""
    return _FORMAT.vformat(pattern, (), slots)


def fitting(pattern: str, slots: Mapping[str, object]) -> str | None:
    """The same; None where one of its slots is not known now."""
    return filled(pattern, slots) if slots_of(pattern) <= slots.keys() else None


def slots_of(pattern: str) -> frozenset[str]:
    """The names of the slots of a sentence."""
    return frozenset(name for _, name, _, _ in _FORMAT.parse(pattern) if name)


def joined(sentences: Iterable[str | None], language: str) -> str:
    """One sentence after another, without the empty ones."""
    return sentence("list.sentences", language).join(filter(None, sentences))


@dataclass(frozen=True, slots=True)
class Saying:
    """A sentence that is yet to be told, in whatever language it is asked for."""

    meaning: str
    slots: Mapping[str, object]


def saying(meaning: str, **slots: object) -> Saying:
    return Saying(meaning, slots)


def _entry(meaning: str, language: str) -> Any:
    own = found(meaning, language)
    entry = found(meaning, "en") if own is None else own
    if entry is None:
        raise KeyError(meaning)
    return entry


@cache
def found(meaning: str, language: str) -> Any:
    """What a language itself has of this id; None where it has nothing."""
    entry: Any = _file(language)
    for key in meaning.split("."):
        entry = entry.get(key, _NOTHING)
    return None if entry is _NOTHING else entry


@cache
def languages() -> tuple[str, ...]:
    """Those that have a file."""
    names = sorted(file.name for file in files(__package__).iterdir())
    return tuple(name.removesuffix(".toml") for name in names if name.endswith(".toml"))


@cache
def _file(language: str) -> Mapping[str, Any]:
    file = files(__package__) / f"{language}.toml"
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


_NOTHING: Mapping[str, Any] = {}
_TURNS: Mapping[str, Callable[[str], str]] = {
    "e": lambda words: words.rstrip(".。"),
    "l": lambda words: words[:1].lower() + words[1:],
    "c": lambda words: words[:1].upper() + words[1:],
    "a": with_article,
    "A": lambda words: _TURNS["c"](with_article(words)),
    "p": plural,
    "w": in_words,
    "x": lambda words: "-".join(words.replace(" ", "").upper()),
}


class _Format(Formatter):
    def convert_field(self, value: Any, conversion: str | None) -> Any:
        return _TURNS[conversion](f"{value}") if conversion else value


_FORMAT = _Format()
