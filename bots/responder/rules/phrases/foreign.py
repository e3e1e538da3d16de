"""Languages that are a file and nothing else, such as zh.toml.

    line ─▶ a row of the file ─▶ its English sentence, which the rules carry out, and the answer

A language without a file is told so in one sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from bots.responder.case.inbox import EventReport
from bots.responder.case.wording import clock_time, item_counts, place
from bots.responder.rules.scene import Scene
from bots.text.language import clauses, normal, tongue_of

_OURS = ("en", "ja")
_NO_LETTER = re.compile(r"[^\w\s]+")
UNCLEAR, NOT_DONE = "unclear", "not_done"
_NOT_ROWS = (*(UNCLEAR, NOT_DONE, "words", "numbers", "items", "failures", "ended", "danger"),)


@dataclass(frozen=True, slots=True)
class Meant:
    """A row of the file that a line is, with what stood in its slots."""

    row: Mapping[str, Any]
    slots: Mapping[str, str] = field(default_factory=dict)
    english: Mapping[str, str] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """In English; '' where there is only something to say."""
        return _filled(self.row.get("means", ""), self.english)


def tongue_in(line: str) -> str | None:
    """The language of a line that is neither English nor Japanese."""
    tongue = tongue_of(line)
    return None if tongue in _OURS else tongue


def in_english(line: str, bot: str) -> str:
    """The English sentence of a line in a language with a file; the line itself else."""
    tongue = tongue_in(line)
    meant = () if tongue is None else found(line, bot, tongue)
    return next((one.sentence for one in meant if one.sentence), line)


def found(line: str, bot: str, tongue: str) -> tuple[Meant, ...]:
    """The rows that a line and its clauses are."""
    parts = (_row_of(part, bot, tongue) for part in (line, *clauses(line)))
    return tuple({id(one.row): one for one in parts if one is not None}.values())


def _row_of(line: str, bot: str, tongue: str) -> Meant | None:
    said = _NO_LETTER.sub("", normal(line).replace(bot.casefold() or "\0", "")).replace(" ", "")
    for words in _less_polite(said, _file(tongue).get("words", {})):
        for pattern, row in _rows(tongue):
            match = pattern.fullmatch(words)
            meant = match and _with_slots(row, match.groupdict(), tongue)
            if meant:
                return meant
    return None


def said(scene: Scene, tongue: str, meant: Sequence[Meant], why: str = "") -> str:
    """The answers of rows; of none, that it was not understood, or `why` it was not done."""
    if not _file(tongue):
        return unspoken(scene)
    facts = {**_facts(scene, tongue), "why": why}
    if why or not meant:
        meant = (Meant(_file(tongue)[NOT_DONE if why else UNCLEAR]),)
    return "".join(_told(scene, one, facts) for one in meant)


def told_of_event(scene: Scene, tongue: str, meant: Sequence[Meant], event: EventReport) -> str:
    """That what the rows asked for is done, or why not; or that the bot was hurt at it."""
    file = _file(tongue)
    if event.kind == "danger":
        return str(file["danger"]["says"][0])
    if not event.success:
        return why_not(tongue, event.reason)
    done = [_filled(one.row["done"], one.slots) for one in meant if "done" in one.row]
    return "".join(done) or str(file["ended"]["says"][0])


def why_not(tongue: str, reason: str) -> str:
    """Why something was not done, by its reason."""
    failures = _file(tongue)["failures"]
    return str(failures.get(reason, failures["other"]))


def unspoken(scene: Scene) -> str:
    """That the language is none of the bot's."""
    return scene.say(
        "I do not speak that language. I understand English, Japanese and Chinese.",
        "その言葉はわかりません。日本語と英語、中国語ならわかります。",
    )


def _told(scene: Scene, meant: Meant, facts: Mapping[str, str]) -> str:
    texts = meant.row["says"]
    if "{items}" in texts[0] and not facts["items"]:
        texts = meant.row["says_nothing"]
    return _filled(scene.rng.choice(texts), {**facts, **meant.slots})


def _facts(scene: Scene, tongue: str) -> dict[str, str]:
    facts = {"name": scene.called, "bot": scene.bot, "place": "?", "items": "", "time": "?"}
    if scene.world is not None:
        names = {english: name for name, english in _file(tongue)["items"].items()}
        carried = [
            f"{names.get(name.replace('_', ' '), name.replace('_', ' '))}×{count}"
            for name, count in item_counts(scene.world).items()
        ]
        facts["place"], facts["time"] = (
            place(scene.world.position),
            clock_time(scene.world.time_of_day),
        )
        facts["items"] = _file(tongue)["words"]["list"].join(carried)
    return facts


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
    """None where what stands there is no item."""
    if not slots:
        return Meant(row)
    file, heard = _file(tongue), slots["count"]
    count = str(file["numbers"].get(heard, heard or 1))
    english = file["items"].get(slots["thing"])
    if english is None:
        return None
    return Meant(row, {"count": count, "thing": slots["thing"]}, {"count": count, "thing": english})


@cache
def _rows(tongue: str) -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    return tuple(
        (_pattern(heard, tongue), row)
        for name, row in _file(tongue).items()
        if name not in _NOT_ROWS
        for heard in row["heard"]
    )


def _pattern(heard: str, tongue: str) -> re.Pattern[str]:
    file = _file(tongue)
    number, counters = (
        "|".join(map(re.escape, words)) for words in (file["numbers"], file["words"]["counters"])
    )
    text = re.escape(normal(heard)).replace(
        r"\{count\}", rf"(?P<count>\d+|(?:{number})|)(?:{counters})?"
    )
    return re.compile(text.replace(r"\{thing\}", r"(?P<thing>.+?)"))


@cache
def _file(tongue: str) -> Mapping[str, Any]:
    """Empty for a language that has none."""
    path = files(__package__) / f"{tongue}.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
