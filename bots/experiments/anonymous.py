"""A study without its people: their names and words are replaced, the same everywhere by the same.

Names of all persons become Person1, Person2, …, in logs, scenarios and folders. Every word that a
real player said becomes a made-up one; signs of languages without spaces become あ, ア, 字, 가.
Bots repeat what they hear: in their lines a word is replaced too if a player said it, unless it is
in the scenario, or a bot said it before any player spoke. Prompts are left out. Words of scripted
persons are the scenario's, and stay.

A talk depends on the names and tags in its lines, so it replays without the words too, unless a
misspelt name or the cap on repetition decided something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from bots.experiments.judges import named
from bots.experiments.log import Log, LogWriter, transition_of
from bots.experiments.runs import (
    GROUND_NAME,
    LOG_NAME,
    SCENARIO_NAME,
    TRANSCRIPT_NAME,
    Run,
    all_runs_in,
    digest_of_played,
    read_run,
)
from bots.experiments.scenario import CutOff, LogError, Scenario, ScenarioError
from bots.experiments.scenario_file import parse_scenario
from bots.experiments.study import STUDY_NAME
from bots.experiments.tables import players_in
from bots.experiments.timeline import timeline_of, transcript
from bots.private_files import make_private_folder, write_private
from bots.talks.machine.events import KIND, Think
from bridge.foreign_json import read_object

Change: TypeAlias = Callable[[str], str]
Spoken: TypeAlias = tuple[frozenset[str], set[int]]
"""Names of players, and the turns of bots for whom one speaks."""
MARK = "anonymised"
"""The key in the first line of a log."""
SIGNS = "\u0e00-\u0e7f\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9d々"
"""Of languages that put no spaces between words."""
WORD = re.compile(rf"[{SIGNS}]+|[^\W{SIGNS}]+")
STAND_INS = (
    ("\u3040", "\u309f", "あ"),
    ("\u30a0", "\u31ff", "ア"),
    ("\uff66", "\uff9d", "ア"),
    ("\uac00", "\ud7af", "가"),
    ("\u0e00", "\u0e7f", "ก"),
    ("\u3400", "\u9fff", "字"),
)
"""What stands for a sign from one to another; it tells the language, and no more."""
SYLLABLES = [consonant + vowel for vowel in "aeiou" for consonant in "bdfgklmnprstvz"]
TAG_WORDS = frozenset({"next", "speaker", "next_speaker"})
LEFT_OUT = ("prompt", "raw")
SPOKEN = ("text", "extracted_raw", "normalized", "nominates")
"""Keys of a log whose values are words; others are, where they have spaces."""


def is_anonymised(log: Log) -> bool:
    return bool(log.run.get(MARK))


def anonymise(home: Path, out: Path) -> int:
    """Write the runs of a folder into a new one, without their people; returns how many were left
    out as they were cut off. Raises LogError."""
    folders = all_runs_in(home)
    names = Names(_persons(folders))
    words, kept = Words(), 0
    try:
        make_private_folder(out)
        if any(out.iterdir()):
            raise LogError(f"{out} is not empty; name a new folder")
        if (home / STUDY_NAME).exists():
            study = names.within(read_object((home / STUDY_NAME).read_bytes()))
            write_private(out / STUDY_NAME, json.dumps(study, ensure_ascii=False, indent=2) + "\n")
        for run in filter(None, map(_whole, folders)):
            kept += 1
            _rewrite(run, out / names.of(str(run.folder.relative_to(home))), names, words)
    except OSError as error:
        raise LogError(f"cannot write into {out}: {error.strerror}") from error
    return len(folders) - kept


class Names:
    """Gives every person a name that tells nothing."""

    def __init__(self, persons: Iterable[str]) -> None:
        self._given = {name.casefold(): f"Person{n}" for n, name in enumerate(sorted(persons), 1)}
        self._pattern = named(self._given)

    def of(self, text: str) -> str:
        given = self._given
        return self._pattern.sub(lambda one: _cased_as(one[0], given[one[0].casefold()]), text)

    def within(self, value: Any) -> Any:
        """The same of all texts in a JSON value, keys too."""
        if isinstance(value, str):
            return self.of(value)
        if isinstance(value, list):
            return [self.within(one) for one in value]
        if isinstance(value, dict):
            return {self.of(name): self.within(one) for name, one in value.items()}
        return value


class Words:
    """Made-up words, the same for the same."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}

    def of_player(self, text: str, kept: re.Pattern[str]) -> str:
        """All words but names."""
        return _beside(kept, text, lambda part: WORD.sub(lambda word: self._made_up(word[0]), part))

    def of_bot(self, text: str, kept: re.Pattern[str], told: frozenset[str]) -> str:
        """Of the words those that are told of in `told`; of signs those that follow one another."""
        return _beside(kept, text, lambda part: WORD.sub(lambda w: self._hidden(w[0], told), part))

    def _hidden(self, word: str, told: frozenset[str]) -> str:
        if not _is_of_signs(word):
            return self._made_up(word) if word.casefold() in told else word
        pairs = [a + b in told for a, b in pairwise(word)]
        hidden = [a or b for a, b in pairwise([len(word) == 1 and word in told, *pairs, False])]
        return "".join(_sign(one) if hide else one for one, hide in zip(word, hidden, strict=True))

    def _made_up(self, word: str) -> str:
        if _is_of_signs(word):
            return "".join(map(_sign, word))
        number = len(SYLLABLES) + len(self._made)
        return _cased_as(word, self._made.setdefault(word.casefold(), _syllables(number)))


def _rewrite(run: Run, folder: Path, names: Names, words: Words) -> None:
    make_private_folder(folder)
    text = names.of(str(run.log.run["scenario"]))
    scenario = _read_again(text, run, names)
    write_private(folder / SCENARIO_NAME, text)
    if (run.folder / GROUND_NAME).exists():
        write_private(folder / GROUND_NAME, (run.folder / GROUND_NAME).read_text(encoding="utf-8"))
    players = players_in(run)
    kept = _names_in(run)
    told = _told_by(players, run)
    effects = (effect for step in run.log.transitions for effect in step.effects)
    turns = (effect for effect in effects if isinstance(effect, Think))
    spoken = players, {turn.turn for turn in turns if turn.speaker in players}
    lines = [_without_words(line, words, kept, spoken, told) for line in run.log.lines]
    lines = [names.within(line) for line in lines]
    header = {**_facts(lines[0]), MARK: True}
    if "identity" in header:
        # By the digest of the scenario with its people a name could be guessed at.
        header["identity"] = {**header["identity"], "scenario": digest_of_played(scenario)}
    with LogWriter.create(folder / LOG_NAME) as log:
        log.write(0, "run", header)
        for line in lines[1:-1]:
            log.write(line["at_ms"], line["kind"], _facts(line))
        log.end(lines[-1]["at_ms"], _facts(lines[-1]))
    moments = (transition_of(line) for line in lines if line["kind"] == "moment")
    write_private(folder / TRANSCRIPT_NAME, transcript(timeline_of(moments)))


def _facts(line: Mapping[str, Any]) -> dict[str, Any]:
    """Without what the writer of a log adds."""
    added = ("n", "at_ms", "kind", "lines", "sha256")
    return {name: value for name, value in line.items() if name not in added}


def _without_words(
    value: Any, words: Words, kept: re.Pattern[str], spoken: Spoken, told: frozenset[str]
) -> Any:
    """A JSON value of a log in which players' words are made up."""
    players, turns = spoken
    if not players:
        return value
    if isinstance(value, list):
        return [_without_words(one, words, kept, spoken, told) for one in value]
    if not isinstance(value, dict) or value.get("kind") == "run" or value.get(KIND) == "Announce":
        return value
    said_by_name = value.get(KIND) == "Spoke" and value["name"] in players
    is_answer = value.get(KIND) in ("Answered", "Say") or value.get("kind") == "thought"
    is_players = said_by_name or (is_answer and value["turn"] in turns)
    changed = {}
    for name, one in value.items():
        if not isinstance(one, str):
            changed[name] = _without_words(one, words, kept, spoken, told)
        elif name in SPOKEN or (" " in one and not (is_answer and name == "why")):
            changed[name] = (
                words.of_player(one, kept) if is_players else words.of_bot(one, kept, told)
            )
        else:
            changed[name] = one
    return changed | {name: None for name in LEFT_OUT if name in value}


def _told_by(players: frozenset[str], run: Run) -> frozenset[str]:
    """Words, and pairs of signs, that nobody but players had said."""
    lines = run.timeline.lines
    before = takewhile(lambda line: line.speaker not in players, lines)
    known = {str(run.log.run["scenario"]), *(line.text for line in before)}
    said = (line.text for line in lines if line.speaker in players)
    return frozenset(_parts(said) - _parts(known) - TAG_WORDS)


def _parts(texts: Iterable[str]) -> set[str]:
    words = [word.casefold() for text in texts for word in WORD.findall(text)]
    pairs = {a + b for word in words if _is_of_signs(word) for a, b in pairwise(word)}
    return pairs | set(words)


def _names_in(run: Run) -> re.Pattern[str]:
    """Every name that the talk knows, and tags of humans: a talk depends on where they stand."""
    roster = run.scenario.roster
    names = {n for one in roster for n in (one.name, one.display_name, one.short_name) if n}
    names |= TAG_WORDS if any(member.is_live for member in run.scenario.cast) else set()
    return named(names)


def _read_again(text: str, run: Run, names: Names) -> Scenario:
    """The scenario without its people. Raises LogError where one is called like a key of it."""
    why = (
        f"{run.folder}: its scenario cannot be anonymised: a person is called like one of its words"
    )
    try:
        again = parse_scenario(text, "", names.within(run.condition))
    except ScenarioError as error:
        raise LogError(f"{why}: {error}") from error
    if again.names != tuple(map(names.of, run.scenario.names)):
        raise LogError(why)
    return again


def _persons(folders: Iterable[Path]) -> set[str]:
    """All names of the persons in these runs."""
    found: set[str] = set()
    for run in filter(None, map(_whole, folders)):
        people = run.scenario.people
        found |= {name for one in people for name in (one.name, one.display_name) if name}
        found |= players_in(run)
        found |= {name for one in run.scenario.cast for name in (one.player, one.chat) if name}
        bots = {member.name for member in run.scenario.cast}
        stood = run.log.of_kind("positions")
        found |= {name for line in stood for name in line["positions"]} - bots
    return found


def _whole(folder: Path) -> Run | None:
    try:
        return read_run(folder)
    except CutOff:
        return None


def _is_of_signs(word: str) -> bool:
    return re.match(rf"[{SIGNS}]", word) is not None


def _sign(one: str) -> str:
    return next((new for first, last, new in STAND_INS if first <= one <= last), "字")


def _syllables(number: int) -> str:
    """A word for a number, of two syllables or more."""
    number, last = divmod(number, len(SYLLABLES))
    return (_syllables(number) if number else "") + SYLLABLES[last]


def _cased_as(word: str, made: str) -> str:
    if word.isupper() and len(word) > 1:
        return made.upper()
    return made[0].upper() + made[1:] if word[0].isupper() else made.lower()


def _beside(kept: re.Pattern[str], text: str, change: Change) -> str:
    """The text with all that does not match changed."""
    ends = [0, *(end for found in kept.finditer(text) for end in found.span()), len(text)]
    parts = [text[a:b] for a, b in pairwise(ends)]
    return "".join(part if place % 2 else change(part) for place, part in enumerate(parts))
