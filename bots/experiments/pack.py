"""A study in one archive, to hand on: a zip with the SHA-256 of every file in it.

    DIR ─▶ experiment pack ─▶ FILE ─▶ experiment unpack ─▶ DIR ─▶ replay, report, export

It holds what a replay needs, and no data of daemons. The archive of the same runs is the same, byte
for byte. `sha256sum -c SHA256SUMS` checks it without this program.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import file_digest
from itertools import pairwise, takewhile
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from bots.experiments import runs
from bots.experiments.identity import digest, versions
from bots.experiments.judges import named
from bots.experiments.log import Log, LogWriter, transition_of
from bots.experiments.runs import Run
from bots.experiments.scenario import CutOff, LogError, Scenario, ScenarioError
from bots.experiments.scenario_file import parse_scenario
from bots.experiments.study import STUDY_NAME
from bots.experiments.tables import players_in
from bots.experiments.timeline import timeline_of, transcript
from bots.private_files import FILE_MODE, for_owner_alone, make_private_folder, write_private
from bots.talks.machine.events import KIND, Think
from bridge.foreign_json import read_object

ABOUT_NAME = "pack.json"
SUMS_NAME = "SHA256SUMS"
OF_RUN = (runs.SCENARIO_NAME, runs.LOG_NAME, runs.TRANSCRIPT_NAME, runs.GROUND_NAME)
OF_STUDY = (STUDY_NAME, runs.JUDGED_NAME)
MOST_BYTES = 2**31  # of one file: an archive from anywhere may swell to any size
DEEPEST = 3  # failed/RUN/FILE
EPOCH = (1980, 1, 1, 0, 0, 0)
FAULTS = (OSError, BadZipFile, zlib.error, ValueError, KeyError, RuntimeError, NotImplementedError)


@dataclass(frozen=True, slots=True)
class Packed:
    """What is in an archive, and what has to be said of it."""

    runs: int
    cut: int
    """Runs that were cut off, and left out."""
    players_lines: int
    """Lines of real players: personal data, unless the study was anonymised before."""
    unlike: list[str]
    """What differs in the replay of anonymised runs."""
    sha256: str
    """Of the archive."""


def pack(home: Path, archive: Path) -> Packed:
    """Put all runs of a folder into a new archive. Raises LogError, also for a run that does not
    replay."""
    files: dict[str, bytes] = {}
    unlike: list[str] = []
    whole = cut = players_lines = 0
    for name in OF_STUDY:
        if (home / name).exists():
            files[name] = _bytes(home / name)
    for folder in runs.all_runs_in(home):
        try:
            run = runs.read_run(folder)
        except CutOff:
            cut += 1
            continue
        whole += 1
        differences = runs.replay(folder).differences
        within = PurePosixPath(*folder.relative_to(home).parts)
        if is_anonymised(run.log):
            unlike.extend(f"{within}: {one}" for one in differences)
        elif differences:
            raise LogError(f"{folder} does not replay: {differences[0]}")
        else:
            players = players_in(run)
            players_lines += sum(line.speaker in players for line in run.timeline.lines)
        present = (name for name in OF_RUN if (folder / name).exists())
        files |= {str(within / name): _bytes(folder / name) for name in present}
    about = {"runs": whole, "players_lines": players_lines, "packed_with": dict(versions())}
    files[ABOUT_NAME] = (json.dumps(about) + "\n").encode()
    _write(archive, files)
    return Packed(whole, cut, players_lines, unlike, digest(_bytes(archive)))


def pack_anonymised(home: Path, archive: Path) -> Packed:
    """The same without names and words of people. Raises LogError."""
    with TemporaryDirectory() as draft:
        cut = anonymise(home, Path(draft) / "runs")
        return replace(pack(Path(draft) / "runs", archive), cut=cut)


def unpack(archive: Path, out: Path) -> list[Path]:
    """Write what an archive holds into a new folder; its files. Nothing is written unless every
    byte is as it was packed. Raises LogError."""
    try:
        if out.exists() and any(out.iterdir()):
            raise LogError(f"{out} is not empty; name a new folder")
        with ZipFile(archive) as packed:
            names = _checked(packed, archive)
            for name in names:
                file = out / name
                make_private_folder(file.parent)
                with open(file, "xb", opener=for_owner_alone) as into:
                    into.write(packed.read(name))
    except FAULTS as fault:
        raise LogError(f"{archive} cannot be unpacked: {fault}") from fault
    return [out / name for name in names]


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise LogError(f"cannot read {file}: {error.strerror}") from error


def _write(archive: Path, files: Mapping[str, bytes]) -> None:
    sums = "".join(f"{digest(content)}  {name}\n" for name, content in sorted(files.items()))
    try:
        make_private_folder(archive.parent)
        with (
            open(archive, "xb", opener=for_owner_alone) as out,
            ZipFile(out, "w") as packed,
        ):
            for name, content in [(SUMS_NAME, sums.encode()), *sorted(files.items())]:
                entry = ZipInfo(name, EPOCH)
                entry.external_attr = FILE_MODE << 16
                packed.writestr(entry, content, ZIP_DEFLATED)
    except FileExistsError:
        raise LogError(f"{archive} exists; name another file") from None
    except OSError as error:
        raise LogError(f"cannot write {archive}: {error.strerror}") from error


def _checked(packed: ZipFile, archive: Path) -> list[str]:
    """The names of all files. Raises LogError where anything is not as it was packed."""
    there = [entry.filename for entry in packed.infolist()]
    if swollen := [one.filename for one in packed.infolist() if one.file_size > MOST_BYTES]:
        raise LogError(f"{archive}: {swollen[0]!r} is too large")
    lines = packed.read(SUMS_NAME).decode().splitlines()
    sums = {name: wanted for wanted, _, name in (line.partition("  ") for line in lines)}
    if sorted(there) != sorted([SUMS_NAME, *sums]):
        raise LogError(f"{archive}: {SUMS_NAME} does not list just the files that it holds")
    for name, wanted in sums.items():
        if not _is_ours(name):
            raise LogError(f"{archive}: {name!r} is no file of a study")
        with packed.open(name) as file:
            if file_digest(file, "sha256").hexdigest() != wanted:  # type: ignore[arg-type]
                raise LogError(f"{archive}: {name} was changed after it was packed")
    return list(sums)


def _is_ours(name: str) -> bool:
    """Whether an archive from anywhere may write a file of this name."""
    *folders, last = name.split("/")
    safe = all(one.strip(".") and not set(one) & set('\\:*?"<>|\0') for one in folders)
    return safe and len(folders) < DEEPEST and last in (*OF_RUN, *OF_STUDY, ABOUT_NAME)


# --- without people ------------------------------------------------------------------------

# Names of all persons become Person1, Person2, …, in logs, scenarios and folders. Every word that a
# real player said becomes a made-up one; signs of languages without spaces become あ, ア, 字, 가.
# Bots repeat what they hear: in their lines a word is replaced too if a player said it, unless it
# is in the scenario, or a bot said it before any player spoke. Prompts are left out. Words of
# scripted persons are the scenario's, and stay.
#
# A talk depends on the names and tags in its lines, so it replays without the words too, unless a
# misspelt name or the cap on repetition decided something.

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
    folders = runs.all_runs_in(home)
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

    def hide(self, text: str, kept: re.Pattern[str], told: frozenset[str] | None) -> str:
        """All words but names; or those alone that are in `told`, of signs such as follow one
        another there."""

        def hidden(word: re.Match[str]) -> str:
            if told is None or not _is_of_signs(word[0]):
                is_told = told is None or word[0].casefold() in told
                return self._made_up(word[0]) if is_told else word[0]
            pairs = [a + b in told for a, b in pairwise(word[0])]
            alone = len(word[0]) == 1 and word[0] in told
            beside = [a or b for a, b in pairwise([alone, *pairs, False])]
            return "".join(_sign(a) if hide else a for a, hide in zip(word[0], beside, strict=True))

        ends = [0, *(end for found in kept.finditer(text) for end in found.span()), len(text)]
        parts = [text[a:b] for a, b in pairwise(ends)]
        return "".join(
            part if place % 2 else WORD.sub(hidden, part) for place, part in enumerate(parts)
        )

    def _made_up(self, word: str) -> str:
        if _is_of_signs(word):
            return "".join(map(_sign, word))
        number = len(SYLLABLES) + len(self._made)
        return _cased_as(word, self._made.setdefault(word.casefold(), _syllables(number)))


def _rewrite(run: Run, folder: Path, names: Names, words: Words) -> None:
    make_private_folder(folder)
    text = names.of(str(run.log.run["scenario"]))
    scenario = _read_again(text, run, names)
    write_private(folder / runs.SCENARIO_NAME, text)
    ground = run.folder / runs.GROUND_NAME
    if ground.exists():
        write_private(folder / runs.GROUND_NAME, ground.read_text(encoding="utf-8"))
    without_words = _hiding_words(run, words)
    first, *others = (names.within(without_words(line)) for line in run.log.lines)
    header = {**_facts(first), MARK: True}
    if "identity" in header:
        # By the digest of the scenario with its people a name could be guessed at.
        digest_of_it = runs.digest_of_played(scenario)
        header["identity"] = {**header["identity"], "scenario": digest_of_it}
    with LogWriter.create(folder / runs.LOG_NAME) as log:
        log.write(0, "run", header)
        for line in others[:-1]:
            log.write(line["at_ms"], line["kind"], _facts(line))
        log.end(others[-1]["at_ms"], _facts(others[-1]))
    moments = (transition_of(line) for line in others if line["kind"] == "moment")
    write_private(folder / runs.TRANSCRIPT_NAME, transcript(timeline_of(moments)))


def _facts(line: Mapping[str, Any]) -> dict[str, Any]:
    """Without what the writer of a log adds."""
    added = ("n", "at_ms", "kind", "lines", "sha256")
    return {name: value for name, value in line.items() if name not in added}


def _hiding_words(run: Run, words: Words) -> Callable[[Any], Any]:
    """What makes up players' words in a JSON value of the log of a run."""
    players, lines = players_in(run), run.timeline.lines
    effects = (effect for step in run.log.transitions for effect in step.effects)
    asked = [effect for effect in effects if isinstance(effect, Think)]
    turns = {turn.turn for turn in asked if turn.speaker in players}
    # Every name that the talk knows, and tags of humans: a talk depends on where they stand.
    roster = run.scenario.roster
    called = {n for one in roster for n in (one.name, one.display_name, one.short_name) if n}
    called |= TAG_WORDS if any(member.is_live for member in run.scenario.cast) else set()
    kept = named(called)
    # Words, and pairs of signs, that nobody but players had said.
    before = takewhile(lambda line: line.speaker not in players, lines)
    known = _parts({str(run.log.run["scenario"]), *(line.text for line in before)})
    told = frozenset(_parts(one.text for one in lines if one.speaker in players))
    told -= known | TAG_WORDS

    def without_words(value: Any) -> Any:
        if isinstance(value, list):
            return [without_words(one) for one in value]
        if not isinstance(value, dict) or value.get("kind") == "run":
            return value
        kind = value.get(KIND)
        if kind == "Announce":
            return value
        is_answer = kind in ("Answered", "Say") or value.get("kind") == "thought"
        is_players = is_answer and value["turn"] in turns
        is_players |= kind == "Spoke" and value["name"] in players
        changed = {}
        for name, one in value.items():
            if not isinstance(one, str):
                changed[name] = without_words(one)
            elif name in SPOKEN or (" " in one and not (is_answer and name == "why")):
                changed[name] = words.hide(one, kept, None if is_players else told)
            else:
                changed[name] = one
        return changed | {name: None for name in LEFT_OUT if name in value}

    return without_words if players else lambda value: value


def _parts(texts: Iterable[str]) -> set[str]:
    words = [word.casefold() for text in texts for word in WORD.findall(text)]
    pairs = {a + b for word in words if _is_of_signs(word) for a, b in pairwise(word)}
    return pairs | set(words)


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
        return runs.read_run(folder)
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
