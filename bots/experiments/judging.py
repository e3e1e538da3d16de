"""Has the judges of a study score its runs, each within its budget; scores are kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bots.clock import Times
from bots.daemon.models import models_of, scripted_model, shared_budget, tiers_of
from bots.experiments.judges import (
    Judged,
    Score,
    ScoreWriter,
    all_of,
    key_of,
    question_of,
    score_in,
    shown_to_judges,
)
from bots.experiments.paid_models import ADVICE, BUSY, OF_NO_MODEL, Means, patiently
from bots.experiments.runs import names_of, read_run, runs_in
from bots.experiments.scenario import CutOff, ExperimentFailed, LogError, ScenarioError
from bots.experiments.scenario_file import scenario_text, tables_of
from bots.experiments.study import Judge, study_of
from bots.settings.settings import Settings
from llm.engine.budget import Payer
from llm.engine.engine import HeldCalls
from llm.engine.prices import DOLLAR
from llm.engine.tiers import TierModel
from llm.model import ChatModel, Question

ANSWER_WITHIN_S = 60.0
OF_A_TALK = frozenset({"refused", "bad_reply", "context", "deadline"})
"""Why there is no score of one talk, while others may have theirs."""


@dataclass(slots=True)
class Outcome:
    """What came of one judge."""

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
        return self.talks * len([*all_of(self.judge)])

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
    """Score all whole runs of a folder by its judges, or by those that are `added` to them.

    Raises LogError and ExperimentFailed; SettingsError, StoreError."""
    judged, writer = Judged.read(home), ScoreWriter(home)
    for one in added:
        if one.name in judged.declared and one != judged.judges[one.name]:
            raise LogError(f"{home}: {one.name} was declared otherwise; give it another name")
        if judged.judges.get(one.name) != one:
            writer.judge(one)
            judged.judges[one.name] = one
    if not judged.judges:
        raise LogError(f"{home}: its study declares no judge; name a file with [[study.judges]]")
    shown = _shown(home)
    for judge in added or judged.judges.values():
        told(asyncio.run(_Judging(judge, shown, judged, writer, means).run()))


def _shown(home: Path) -> dict[str, str]:
    """Of each run that is data its lines, as judges see them."""
    found, shown = runs_in([home]), dict[str, str]()
    for name, folder in zip(names_of(found), found, strict=True):
        try:
            run = read_run(folder)
        except CutOff:
            continue
        if run.status == "whole":
            shown[name] = shown_to_judges(run)
    return shown


class _Judging:
    """One judge at work."""

    def __init__(
        self,
        judge: Judge,
        shown: Mapping[str, str],
        judged: Judged,
        writer: ScoreWriter,
        means: Means,
    ) -> None:
        self._judge, self._shown, self._judged = judge, shown, judged
        self._writer, self._means = writer, means
        self._outcome = Outcome(judge, len(shown))
        settings = means.judging(judge.model, judge.budget_usd) if means.fake_llm else None
        self._script = settings.llm.model if settings else ""
        """The id of a script in place of models."""

    async def run(self) -> Outcome:
        todo = [
            (name, model, question)
            for model in all_of(self._judge)
            for name, shown in self._shown.items()
            if not self._is_kept(question := question_of(self._judge, shown), model)
        ]
        self._outcome.kept = self._outcome.wanted - len(todo)
        if todo:
            await self._ask_all(todo)
        return self._outcome

    def _is_kept(self, question: Question, model: str) -> bool:
        """A script gives way to models, and to another script."""
        key, judged = key_of(question, model), self._judged
        scripted = judged.by_script.get(key)
        by_this = scripted is not None and scripted.model == self._script
        return key in judged.by_key or by_this

    async def _ask_all(self, todo: Sequence[tuple[str, str, Question]]) -> None:
        settings = self._means.judging(self._judge.model, self._judge.budget_usd)
        async with (
            scripted_model(self._means.fake_llm, settings) as found,
            shared_budget(found, Times.real()) as budget,
            AsyncExitStack() as stack,
        ):
            models = {name: self._connected(name, found) for name in all_of(self._judge)}
            for chat, _ in models.values():
                stack.push_async_callback(chat.aclose)
            calls = HeldCalls(budget)
            stack.push_async_callback(calls.aclose)
            for name, model, question in todo:
                if self._is_kept(question, model):  # of a run with the same lines
                    self._outcome.given += 1
                elif self._outcome.asked >= self._judge.calls:
                    self._outcome.why["calls"] += 1
                else:
                    await self._ask(calls, models[model], name, model, question)

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
        self,
        calls: HeldCalls,
        way: tuple[ChatModel, TierModel],
        run: str,
        model: str,
        question: Question,
    ) -> None:
        """Raises ExperimentFailed for a fault that other talks would have too."""
        (chat, tier), judge, outcome = way, self._judge, self._outcome
        payer = Payer(f"judge {judge.name}", background=True)
        asked = await patiently(
            lambda: calls.ask(chat, tier, question, payer, ANSWER_WITHIN_S),
            lambda found: found.why in BUSY,
        )
        if asked.why == "budget":  # nothing was asked
            outcome.why[asked.why] += 1
            return
        found = score_in(asked.completion.text, judge) if asked.completion else None
        why = asked.why or "" if found or asked.why else "bad_reply"
        given = Score(
            key=key_of(question, model),
            judge=judge.name,
            run=run,
            model=tier.model_id,
            named=asked.completion.model if asked.completion else "",
            score=found[0] if found else None,
            why=found[1] if found else why,
            tokens=asked.usage.prompt + asked.usage.output,
            cost_usd=(asked.cost or 0) / DOLLAR,
        )
        outcome.asked += 1
        outcome.cost_usd += given.cost_usd
        self._judged.gave(given)
        self._writer.score(given)
        if found:
            outcome.given += 1
        elif why in OF_A_TALK:
            outcome.why[why] += 1
        else:
            raise ExperimentFailed(f"{judge.name}: {tier.model_id}: {ADVICE.get(why, why)}")
