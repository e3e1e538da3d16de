"""Languages that are a file and nothing else, such as zh.toml.

    line ─▶ a row of the file ─▶ its English sentence, which the rules carry out, and the answer

A line that no row fits is taken for the row that it is most like. A language without a file is told
so in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from bots.catalogue.japanese import names_in
from bots.responder.rules import phrases
from bots.responder.rules.phrases import file_of, replaced
from bots.responder.rules.phrases.likeness import most_like
from bots.responder.rules.requests.ask import STACK
from bots.responder.rules.scene import Scene
from bots.text.language import clauses, language_of, normal, tongue_of
from bots.words import table
from bots.words.heard import heard

_OURS = ("en", "ja")
_NO_LETTER = re.compile(r"[^\w\s]+")
QUIET, STOP = "quiet", "stop"


@dataclass(frozen=True, slots=True)
class Meant:
    """A row of the file that a line is, with what stood in its slots."""

    row: Mapping[str, Any]
    slots: Mapping[str, str] = field(default_factory=dict)
    english: Mapping[str, str] = field(default_factory=dict)
    heard: str = ""
    """The row, where the line is not surely meant so."""

    @property
    def sentence(self) -> str:
        """In English; '' where there is only something to say."""
        return _filled(self.row.get("means", ""), self.english)


def tongue_in(line: str) -> str | None:
    """The language of a line that is neither English nor Japanese."""
    tongue = tongue_of(line)
    return None if tongue in _OURS else tongue


def is_spoken(tongue: str) -> bool:
    return bool(file_of(tongue))


def in_english(line: str, bot: str) -> str:
    """The English sentence of a line in a language with a file; the line itself else."""
    tongue = tongue_in(line)
    if tongue is None:
        return line
    meant = [one.sentence for one in found(line, bot, tongue) if not one.heard]
    if heard("request.doubt", tongue).search(line) and _row_of(line, line, bot, tongue) is None:
        meant = [one for one in meant if one == STOP]
    return next(filter(None, meant), line)


def asks_for_quiet(line: str, bot: str) -> bool:
    """Whether somebody has heard enough: `be quiet`, 静かにして, 别说了."""
    tongue = tongue_in(line)
    if tongue is not None:
        return any(one.row is file_of(tongue)[QUIET] for one in found(line, bot, tongue))
    phrase = phrases.found(line, bot)
    return phrase is not None and [*phrase.says] == file_of(language_of([line]))[QUIET]["says"]


def found(line: str, bot: str, tongue: str) -> tuple[Meant, ...]:
    """The rows that a line and its clauses are."""
    parts = (_row_of(part, line, bot, tongue) for part in (line, *clauses(line), *line.split()))
    rows = tuple({id(one.row): one for one in parts if one is not None}.values())
    return rows or tuple(_likely(line, bot, tongue))


def _likely(line: str, bot: str, tongue: str) -> Iterator[Meant]:
    """The row that a line is most like."""
    if not file_of(tongue):
        return
    counted = re.compile(f"{_count(tongue)}(?P<thing>.+)")

    def in_slots(words: str) -> Mapping[str, str]:
        found = counted.fullmatch(words)
        return found.groupdict() if found and found["thing"] in _things(tongue) else {}

    like = most_like(line, bot, lambda words: bool(in_slots(words)), tongue)
    if like is not None:
        heard = like.phrase.heard
        row = next(one for one in file_of(tongue).values() if heard in one.get("heard", ()))
        if meant := _with_slots(row, in_slots(like.phrase.thing), tongue):
            yield meant if like.is_clear else replace(meant, heard=_filled(heard, meant.slots))


def _row_of(part: str, line: str, bot: str, tongue: str) -> Meant | None:
    said = _NO_LETTER.sub("", normal(part).replace(bot.casefold() or "\0", "")).replace(" ", "")
    said = replaced(said, tongue) if file_of(tongue) else said
    for words in _less_polite(said, file_of(tongue).get("words", {})):
        for pattern, row in _rows(tongue):
            match = pattern.fullmatch(words)
            slots = match.groupdict() if match else {}
            if "who" in slots:  # as it was spelt
                at = line.casefold().find(slots["who"])
                slots["who"] = line[at : at + len(slots["who"])] or slots["who"]
            meant = match and _with_slots(row, slots, tongue)
            if meant:
                return meant
    return None


def said(scene: Scene, meant: Sequence[Meant], answers: Sequence[str] = ()) -> str:
    """What rows say, and the rules' `answers` to those that say nothing; '' for none of them."""
    if not file_of(scene.tongue):
        return unspoken(scene)
    own = {"name": scene.called, "bot": scene.bot}
    says = [one for one in meant if "says" in one.row]
    told = [_filled(scene.rng.choice(one.row["says"]), {**own, **one.slots}) for one in says]
    return "".join([*told, *answers])


def unspoken(scene: Scene) -> str:
    """That the language is none of the bot's."""
    return scene.tell("closing.unspoken")


def _filled(text: str, slots: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: slots.get(slot[1], slot[0]), text)


def _less_polite(said: str, words: Mapping[str, Any]) -> Iterator[str]:
    """The line, and then without one polite word after the other, those at the end first."""
    ends = sorted(words.get("after", ()), key=len, reverse=True)
    starts = sorted(words.get("before", ()), key=len, reverse=True)
    shorter = said
    while shorter:
        yield shorter
        said = shorter
        shorter = next((said.removesuffix(one) for one in ends if said.endswith(one)), "") or next(
            (said.removeprefix(one) for one in starts if said.startswith(one)), ""
        )


def _with_slots(row: Mapping[str, Any], slots: Mapping[str, str], tongue: str) -> Meant | None:
    """None where what stands there is no thing."""
    own, english = dict(slots), dict(slots)
    if "count" in slots or "{count}" in row.get("means", ""):
        count = slots.get("count", "")
        number = int(file_of(tongue)["numbers"].get(count, count or 1))
        number *= STACK if slots.get("stack") else 1
        own["count"] = english["count"] = str(number)
    if "thing" in slots:
        name = _things(tongue).get(slots["thing"])
        if name is None:
            return None
        english["thing"] = name
    return Meant(row, own, english)


def is_thing(words: str, tongue: str) -> bool:
    return words in _things(tongue)


@cache
def _things(tongue: str) -> Mapping[str, str]:
    """The English words of things, by their names there."""
    named = {**table("names.mob", tongue), **table("names.part", tongue), **names_in(tongue)}
    names = {own: name.replace("_", " ") for name, own in named.items()}
    return {**names, **file_of(tongue)["things"]}


@cache
def _rows(tongue: str) -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    """Those without slots first: what a row says in full is no thing of another's."""
    said = [(one, row) for row in file_of(tongue).values() for one in row.get("heard", ())]
    said.sort(key=lambda pair: "{" in pair[0])
    return tuple((_pattern(heard, tongue), row) for heard, row in said)


def _pattern(heard: str, tongue: str) -> re.Pattern[str]:
    text = re.escape(replaced(normal(heard), tongue)).replace(r"\{count\}", _count(tongue))
    text = text.replace(r"\{who\}", r"(?P<who>[a-z0-9_]{2,16})")
    return re.compile(text.replace(r"\{thing\}", r"(?P<thing>.+?)"))


def _count(tongue: str) -> str:
    file = file_of(tongue)
    words = (file["numbers"], file["words"]["stack"], file["words"]["counters"])
    number, stack, counters = ("|".join(map(re.escape, one)) for one in words)
    return rf"(?P<count>\d+|(?:{number})|)(?:(?P<stack>{stack})|{counters})?"
