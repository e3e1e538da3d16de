"""What judges are shown of a talk, and the scores that they gave: `judged.jsonl` of a study.

    run ─▶ lines, letters for names ─▶ Question ─▶ a model ─▶ Score, kept by the digest of
                                                              instructions, model and lines

Judges know neither names nor condition. A score is asked for once (judging.py); reports read. The
scores of a script that stands in for a model count until a model has given one.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bots.experiments.identity import digest_of
from bots.experiments.metrics import counted
from bots.experiments.paid_models import SCRIPTED
from bots.experiments.report.statistics import kappa
from bots.experiments.runs import JUDGED_NAME, Run
from bots.experiments.scenario import LogError
from bots.experiments.study import Judge, declared_in
from bots.private_files import ends_torn, for_owner_alone
from bridge.foreign_json import NotJson, read_object
from llm.model import Question, Turn
from llm.prompts import JUDGE

MOST_TOKENS = 1_000  # of an answer
ADDED = "added"
"""The key of a line that holds a judge who was not declared."""


def shown_to_judges(run: Run) -> str:
    """The lines of a talk, with letters for the names in an order that the seed draws."""
    letters = _letters(run)
    longest = sorted(map(re.escape, letters), key=len, reverse=True)
    named = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(longest)})(?![A-Za-z0-9_])", re.IGNORECASE)

    def hidden(text: str) -> str:
        return named.sub(lambda found: letters[found[0].casefold()], text)

    said = ({"who": hidden(one.speaker), "says": hidden(one.text)} for one in run.timeline.lines)
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in said)


def _letters(run: Run) -> dict[str, str]:
    """For every name by which somebody may be called, in small letters."""
    called: dict[str, tuple[str, ...]] = {one.speaker: () for one in run.timeline.lines}
    called |= {one.name: (one.display_name, one.short_name) for one in run.scenario.roster}
    for member in run.scenario.cast:
        called[member.name] += (member.player,)
    names = sorted(called)
    random.Random(f"{run.scenario.seed}:judged").shuffle(names)
    found: dict[str, str] = {}
    for place, name in enumerate(names):
        more, letter = divmod(place, len(ascii_uppercase))
        for each in filter(None, (name, *called[name])):
            found.setdefault(each.casefold(), f"{ascii_uppercase[letter]}{more or ''}")
    return found


def question_of(judge: Judge, shown: str) -> Question:
    schema = {
        "type": "object",
        "properties": {"why": {"type": "string"}, "score": {"enum": list(judge.scores)}},
        "required": ["why", "score"],
        "additionalProperties": False,
    }
    scores = ", ".join(map(str, judge.scores))
    system = JUDGE.substitute(question=judge.question, scores=scores)
    return Question(system, (Turn("user", shown),), MOST_TOKENS, schema=schema)


def key_of(question: Question, model: str) -> str:
    return digest_of([question.system, model, *(turn.text for turn in question.turns)])


def score_in(answer: str, judge: Judge) -> tuple[int | str, str] | None:
    """(score, why); None where the answer has no score of the scale."""
    first, last = answer.find("{"), answer.rfind("}")
    try:
        found = read_object(answer[first : last + 1])
    except NotJson:
        return None
    score = found.get("score")
    if not isinstance(score, int | str) or isinstance(score, bool) or score not in judge.scores:
        return None
    return score, str(found.get("why", ""))


@dataclass(frozen=True, slots=True)
class Score:
    """One answer of a model about one run."""

    key: str
    judge: str
    run: str
    model: str
    """Its id, or that of the script in its place."""
    named: str
    """What the API calls the model that answered."""
    score: int | str | None
    """None: it gave none."""
    why: str
    """Its reason; without a score why there is none."""
    tokens: int
    cost_usd: float

    @property
    def is_scripted(self) -> bool:
        return self.model.startswith(SCRIPTED)


_SCORE = TypeAdapter(Score)


@dataclass(slots=True)
class Judged:
    """The judges of a folder, declared or added later, and their scores."""

    judges: dict[str, Judge] = field(default_factory=dict)
    declared: frozenset[str] = frozenset()
    given: list[Score] = field(default_factory=list)
    """All answers, oldest first."""
    by_key: dict[str, Score] = field(default_factory=dict)
    """Those of models."""
    by_script: dict[str, Score] = field(default_factory=dict)

    @classmethod
    def read(cls, home: Path) -> Judged:
        """Raises LogError. A line that a kill has torn is left out."""
        study = declared_in(home)
        named = {one.name: one for one in study.study.judges} if study else {}
        found, file = cls(dict(named), frozenset(named)), home / JUDGED_NAME
        try:
            texts = file.read_bytes().splitlines(keepends=True) if file.exists() else []
            for text in texts:
                with suppress(NotJson):
                    found._take(read_object(text))
        except (OSError, ValidationError) as error:
            raise LogError(f"{file}: cannot be read: {type(error).__name__}") from error
        return found

    def _take(self, line: Mapping[str, Any]) -> None:
        if ADDED in line:
            one = Judge.model_validate(line[ADDED])
            if one.name not in self.declared:
                self.judges[one.name] = one
            return
        self.gave(_SCORE.validate_python(line))

    def gave(self, score: Score) -> None:
        self.given.append(score)
        if score.score is not None:
            (self.by_script if score.is_scripted else self.by_key)[score.key] = score

    def is_scripted(self, judge: Judge) -> bool:
        """Whether its scores are those of scripts: until a model has given it one."""
        own = [one for one in self.given if one.judge == judge.name and one.score is not None]
        return bool(own) and all(one.is_scripted for one in own)

    @property
    def measures(self) -> list[JudgeMeasure]:
        """Of each judge the number that is compared."""
        return [self._measure(one, one.model, one.name) for one in self.judges.values()]

    @property
    def seconds(self) -> list[JudgeMeasure]:
        """What a second model says."""
        judges = (one for one in self.judges.values() if one.second)
        return [self._measure(one, one.second, f"{one.name}_second") for one in judges]

    def _measure(self, judge: Judge, model: str, name: str) -> JudgeMeasure:
        scripted = self.is_scripted(judge)
        scores = self.by_script if scripted else self.by_key
        by = f"a script in place of {model}" if scripted else model
        return JudgeMeasure(judge, model, name, scores, f"score by {by}: {judge.question}")

    def told(self, rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], dict[str, float | None]]:
        """Sentences and numbers for the report of these runs."""
        said, numbers = list[str](), dict[str, float | None]()
        for one in self.judges.values():
            agreed = _agreement(one, rows)
            scored = sum(row[one.name] is not None for row in rows)
            cost_usd = sum(each.cost_usd for each in self.given if each.judge == one.name)
            numbers |= {f"{one.name}_talks": scored, f"{one.name}_usd": cost_usd, **agreed.numbers}
            by = counted(self._named(one)) or one.model
            rehearsed = " No model was asked: a script made them up." * self.is_scripted(one)
            said.append(
                f"{one.name}: {scored} of {len(rows)} talks have a score; answers by {by},"
                f" ${cost_usd:.4f}.{agreed}{rehearsed}"
            )
        return said, numbers

    def _named(self, judge: Judge) -> dict[str, int]:
        scripted = self.is_scripted(judge)
        answers = (one for one in self.given if one.judge == judge.name and one.named)
        own = [one.named for one in answers if one.is_scripted == scripted]
        return {name: own.count(name) for name in dict.fromkeys(own)}


@dataclass(frozen=True, slots=True)
class JudgeMeasure:
    """The scores of one model, as a number of each talk: of words their place in the scale."""

    judge: Judge
    model: str
    name: str
    scores: Mapping[str, Score]
    """By key."""
    meaning: str

    def of(self, run: Run) -> float | None:
        key = key_of(question_of(self.judge, shown_to_judges(run)), self.model)
        found = self.scores.get(key)
        return None if found is None else self.judge.number_of(found.score)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two models about the same talks."""

    judge: Judge
    talks: int
    share: float | None
    """Of talks to which both gave the same score."""
    kappa: float | None

    @property
    def numbers(self) -> dict[str, float | None]:
        name = self.judge.name
        of_both = {f"{name}_agreement": self.share, f"{name}_kappa": self.kappa}
        return of_both if self.judge.second else {}

    def __str__(self) -> str:
        if not self.judge.second:
            return ""
        kind = "weighted kappa" if self.judge.is_of_numbers else "Cohen's kappa"
        share = "–" if self.share is None else f"{self.share:.2f}"
        found = "–" if self.kappa is None else f"{self.kappa:.2f}"
        both = f"{self.judge.model} and {self.judge.second}"
        return f" {both} agree in {share} of {self.talks} talks, {kind} {found}."


def _agreement(judge: Judge, rows: Iterable[Mapping[str, Any]]) -> Agreement:
    scored = ((row[judge.name], row.get(f"{judge.name}_second")) for row in rows)
    pairs = [(one, other) for one, other in scored if one is not None and other is not None]
    share = sum(one == other for one, other in pairs) / len(pairs) if pairs else None
    return Agreement(judge, len(pairs), share, kappa(pairs, weighted=judge.is_of_numbers))


class ScoreWriter:
    """Adds to the file of a folder; each line is on its way before the next question."""

    def __init__(self, home: Path) -> None:
        self._file = home / JUDGED_NAME

    def score(self, given: Score) -> None:
        self._add(asdict(given))

    def judge(self, judge: Judge) -> None:
        self._add({ADDED: judge.model_dump(mode="json")})

    def _add(self, line: Mapping[str, Any]) -> None:
        """Raises LogError."""
        text = json.dumps(line, ensure_ascii=False) + "\n"
        try:
            with open(self._file, "a+b", opener=for_owner_alone) as out:
                if ends_torn(out):
                    out.write(b"\n")
                out.write(text.encode())
        except OSError as error:
            raise LogError(f"cannot write {self._file}: {error.strerror}") from error


def all_of(judge: Judge) -> Iterator[str]:
    """Its models."""
    yield from dict.fromkeys(filter(None, (judge.model, judge.second)))
