"""What judges are shown of a talk, and the scores that they gave: `judged.jsonl` of a study.

    run ─▶ lines, letters for names ─▶ Question ─▶ a model ─▶ Score, kept by the digest of
                                                              instructions, model and lines

Judges know neither names nor condition. A score is asked for once; reports read. The
scores of a script that stands in for a model count until a model has given one.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from pydantic import TypeAdapter, ValidationError

from bots.clock import Times
from bots.daemon.models import models_of, scripted_model, shared_budget, tiers_of
from bots.experiments.identity import digest_of
from bots.experiments.metrics import counted
from bots.experiments.paid_models import ADVICE, BUSY, OF_NO_MODEL, SCRIPTED, Means, patiently
from bots.experiments.report.statistics import kappa
from bots.experiments.runs import JUDGED_NAME, Run, names_of, read_run, runs_in
from bots.experiments.scenario import CutOff, ExperimentFailed, LogError, ScenarioError
from bots.experiments.scenario_file import scenario_text, tables_of
from bots.experiments.study import Judge, declared_in, study_of
from bots.private_files import ends_torn, for_owner_alone
from bots.settings.settings import Settings
from bridge.foreign_json import NotJson, read_object
from llm.engine.budget import Payer
from llm.engine.engine import HeldCalls
from llm.engine.prices import DOLLAR
from llm.engine.tiers import TierModel
from llm.model import ChatModel, Question, Turn
from llm.prompts import JUDGE

MOST_TOKENS = 1_000  # of an answer
ADDED = "added"
"""The key of a line that holds a judge who was not declared."""


def shown_to_judges(run: Run) -> str:
    """The lines of a talk, with letters for the names in an order that the seed draws."""
    called: dict[str, tuple[str, ...]] = {one.speaker: () for one in run.timeline.lines}
    called |= {one.name: (one.display_name, one.short_name) for one in run.scenario.roster}
    for member in run.scenario.cast:
        called[member.name] += (member.player,)
    shuffled = sorted(called)
    random.Random(f"{run.scenario.seed}:judged").shuffle(shuffled)
    letters: dict[str, str] = {}
    for place, name in enumerate(shuffled):
        more, letter = divmod(place, len(ascii_uppercase))
        for each in filter(None, (name, *called[name])):
            letters.setdefault(each.casefold(), f"{ascii_uppercase[letter]}{more or ''}")
    names = named(letters)

    def hidden(text: str) -> str:
        return names.sub(lambda found: letters[found[0].casefold()], text)

    said = ({"who": hidden(one.speaker), "says": hidden(one.text)} for one in run.timeline.lines)
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in said)


def named(names: Iterable[str]) -> re.Pattern[str]:
    """Finds these names where they stand as words, in small and capital letters."""
    longest = sorted(map(re.escape, names), key=len, reverse=True)
    found = rf"(?<![A-Za-z0-9_])(?:{'|'.join(longest)})(?![A-Za-z0-9_])"
    return re.compile(found if longest else r"(?!)", re.IGNORECASE)


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
        declared = {one.name: one for one in study.study.judges} if study else {}
        found, file = cls(dict(declared), frozenset(declared)), home / JUDGED_NAME
        try:
            for text in file.read_bytes().splitlines() if file.exists() else ():
                with suppress(NotJson):
                    line = read_object(text)
                    if ADDED not in line:
                        found.gave(_SCORE.validate_python(line))
                        continue
                    added = Judge.model_validate(line[ADDED])
                    if added.name not in declared:
                        found.judges[added.name] = added
        except (OSError, ValidationError) as error:
            raise LogError(f"{file}: cannot be read: {type(error).__name__}") from error
        return found

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
        for judge in self.judges.values():
            name, scripted = judge.name, self.is_scripted(judge)
            agreed, of_both = _agreement(judge, rows)
            scored = sum(row[name] is not None for row in rows)
            own = [each for each in self.given if each.judge == name]
            cost_usd = sum(each.cost_usd for each in own)
            numbers |= {f"{name}_talks": scored, f"{name}_usd": cost_usd, **of_both}
            answered_by = Counter(
                each.named for each in own if each.named and each.is_scripted == scripted
            )
            by = counted(answered_by) or judge.model
            rehearsed = " No model was asked: a script made them up." * scripted
            said.append(
                f"{name}: {scored} of {len(rows)} talks have a score; answers by {by},"
                f" ${cost_usd:.4f}.{agreed}{rehearsed}"
            )
        return said, numbers


@dataclass(frozen=True, slots=True)
class JudgeMeasure:
    """The scores of one model, as a number of each talk: of words their place in the scale."""

    judge: Judge
    model: str
    name: str
    scores: Mapping[str, Score]
    meaning: str

    def of(self, run: Run) -> float | None:
        key = key_of(question_of(self.judge, shown_to_judges(run)), self.model)
        found = self.scores.get(key)
        return None if found is None else self.judge.number_of(found.score)


def _agreement(
    judge: Judge, rows: Iterable[Mapping[str, Any]]
) -> tuple[str, dict[str, float | None]]:
    """Of two models about the same talks, in a sentence and in numbers: the share of talks to which
    both gave the same score, and kappa."""
    if not judge.second:
        return "", {}
    scored = ((row[judge.name], row.get(f"{judge.name}_second")) for row in rows)
    pairs = [(one, other) for one, other in scored if one is not None and other is not None]
    share = sum(one == other for one, other in pairs) / len(pairs) if pairs else None
    beyond_chance = kappa(pairs, weighted=judge.is_of_numbers)
    kind = "weighted kappa" if judge.is_of_numbers else "Cohen's kappa"
    shown = ["–" if one is None else f"{one:.2f}" for one in (share, beyond_chance)]
    both = f"{judge.model} and {judge.second}"
    said = f" {both} agree in {shown[0]} of {len(pairs)} talks, {kind} {shown[1]}."
    return said, {f"{judge.name}_agreement": share, f"{judge.name}_kappa": beyond_chance}


def keep(home: Path, one: Score | Judge) -> None:
    """Add a score, or a judge, to the file of a folder; it is on its way before the next question.
    Raises LogError."""
    file = home / JUDGED_NAME
    line = asdict(one) if isinstance(one, Score) else {ADDED: one.model_dump(mode="json")}
    try:
        with open(file, "a+b", opener=for_owner_alone) as out:
            if ends_torn(out):
                out.write(b"\n")
            out.write(json.dumps(line, ensure_ascii=False).encode() + b"\n")
    except OSError as error:
        raise LogError(f"cannot write {file}: {error.strerror}") from error


ANSWER_WITHIN_S = 60.0
OF_A_TALK = frozenset({"refused", "bad_reply", "context", "deadline"})
"""Why there is no score of one talk, while others may have theirs."""


@dataclass(slots=True)
class Outcome:
    judge: Judge
    talks: int
    kept: int = 0
    """Scores that were there already."""
    asked: int = 0
    given: int = 0
    cost_usd: float = 0.0
    why: Counter[str] = field(default_factory=Counter)
    """Why others have none."""

    @property
    def wanted(self) -> int:
        return self.talks * len(self.judge.models)

    @property
    def is_whole(self) -> bool:
        return self.kept + self.given == self.wanted


def judges_in(file: Path) -> tuple[Judge, ...]:
    """The judges that a file declares. Raises ScenarioError where it has none."""
    study = study_of(tables_of(scenario_text(file), str(file)), str(file))
    if study is None or not study.judges:
        raise ScenarioError(f"{file}: declares no [[study.judges]]")
    return study.judges


def judge_runs(
    home: Path, added: Sequence[Judge], means: Means, told: Callable[[Outcome], None]
) -> None:
    """Score all whole runs of a folder by its judges, or by those that are `added` to them. Raises
    LogError and ExperimentFailed; SettingsError, StoreError."""
    judged = Judged.read(home)
    for one in added:
        if one.name in judged.declared and one != judged.judges[one.name]:
            raise LogError(f"{home}: {one.name} was declared otherwise; give it another name")
        if judged.judges.get(one.name) != one:
            keep(home, one)
            judged.judges[one.name] = one
    if not judged.judges:
        raise LogError(f"{home}: its study declares no judge; name a file with [[study.judges]]")
    found, shown = runs_in([home]), dict[str, str]()
    for name, folder in zip(names_of(found), found, strict=True):
        with suppress(CutOff):
            run = read_run(folder)
            if run.status == "whole":
                shown[name] = shown_to_judges(run)
    for judge in added or judged.judges.values():
        told(asyncio.run(_Judging(judge, judged, home, means).run(shown)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked about one run."""

    run: str
    model: str
    question: Question

    @property
    def key(self) -> str:
        return key_of(self.question, self.model)


class _Judging:
    def __init__(self, judge: Judge, judged: Judged, home: Path, means: Means) -> None:
        self._judge, self._judged, self._home, self._means = judge, judged, home, means
        settings = means.judging(judge.model, judge.budget_usd) if means.fake_llm else None
        self._script = settings.llm.model if settings else ""
        """The id of a script in place of models."""

    async def run(self, shown: Mapping[str, str]) -> Outcome:
        """`shown` has the lines of each run, as judges see them."""
        judge, outcome = self._judge, Outcome(self._judge, len(shown))
        asked = (
            _Asked(run, model, question_of(judge, lines))
            for model in judge.models
            for run, lines in shown.items()
        )
        todo = [one for one in asked if not self._is_kept(one)]
        outcome.kept = outcome.wanted - len(todo)
        if not todo:
            return outcome
        settings = self._means.judging(judge.model, judge.budget_usd)
        async with (
            scripted_model(self._means.fake_llm, settings) as found,
            shared_budget(found, Times.real()) as budget,
            AsyncExitStack() as stack,
        ):
            models = {name: self._connected(name, found) for name in judge.models}
            for chat, _ in models.values():
                stack.push_async_callback(chat.aclose)
            calls = HeldCalls(budget)
            stack.push_async_callback(calls.aclose)
            for one in todo:
                if self._is_kept(one):  # of a run with the same lines
                    outcome.given += 1
                elif outcome.asked >= judge.calls:
                    outcome.why["calls"] += 1
                else:
                    await self._ask(one, calls, models[one.model], outcome)
        return outcome

    def _is_kept(self, asked: _Asked) -> bool:
        """A script gives way to models, and to another script."""
        scripted = self._judged.by_script.get(asked.key)
        by_this = scripted is not None and scripted.model == self._script
        return asked.key in self._judged.by_key or by_this

    def _connected(self, model: str, first: Settings) -> tuple[ChatModel, TierModel]:
        """`first` is for the judge's first model. Raises ExperimentFailed where there is no way to
        a model."""
        is_first = model == self._judge.model or self._script
        settings = first if is_first else self._means.judging(model, self._judge.budget_usd)
        models = models_of(settings, None)
        if not models:
            raise ExperimentFailed(f"no model can judge: {OF_NO_MODEL}")
        return models["haiku"], tiers_of(settings.llm)["haiku"]

    async def _ask(
        self, one: _Asked, calls: HeldCalls, way: tuple[ChatModel, TierModel], outcome: Outcome
    ) -> None:
        """Raises ExperimentFailed for a fault that other talks would have too."""
        (chat, tier), judge = way, self._judge
        payer = Payer(f"judge {judge.name}", background=True)
        asked = await patiently(
            lambda: calls.ask(chat, tier, one.question, payer, ANSWER_WITHIN_S),
            lambda found: found.why in BUSY,
        )
        if asked.why == "budget":  # nothing was asked
            outcome.why[asked.why] += 1
            return
        found = score_in(asked.completion.text, judge) if asked.completion else None
        why = asked.why or "" if found or asked.why else "bad_reply"
        score, reason = found or (None, why)
        given = Score(
            key=one.key,
            judge=judge.name,
            run=one.run,
            model=tier.model_id,
            named=asked.completion.model if asked.completion else "",
            score=score,
            why=reason,
            tokens=asked.usage.prompt + asked.usage.output,
            cost_usd=(asked.cost or 0) / DOLLAR,
        )
        outcome.asked += 1
        outcome.cost_usd += given.cost_usd
        self._judged.gave(given)
        keep(self._home, given)
        if found:
            outcome.given += 1
        elif why in OF_A_TALK:
            outcome.why[why] += 1
        else:
            raise ExperimentFailed(f"{judge.name}: {tier.model_id}: {ADVICE.get(why, why)}")
