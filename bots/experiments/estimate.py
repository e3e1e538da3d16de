"""What an experiment would take: the first seed of each condition is played with a stand-in for
the model, in a folder that is thrown away, and counted as often as there are seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from bots.clock import MS_PER_S, Times
from bots.daemon.models import tiers_of
from bots.experiments.log import glance
from bots.experiments.paid_models import Means, PaidModels, needs_model, own_engines
from bots.experiments.playing import Planned
from bots.experiments.runs import LOG_NAME, PreparedRun
from bots.experiments.scenario import Scenario
from bots.experiments.simulation import simulate
from bots.settings.settings import Settings
from llm.engine.budget import Budget, Caps, MemoryLedger
from llm.engine.context import size_bytes
from llm.engine.engine import Engine
from llm.engine.tiers import TIERS
from llm.function_model import FunctionModel
from llm.model import Completion, Question, Usage

BYTES_A_TOKEN = 4  # of English
ANSWER_TOKENS = 60
WORD = 6  # letters
SERVER_S = 30.0  # until the bots of a real world stand in it


class Estimate(NamedTuple):
    runs: int
    turns: int
    tokens: int
    cost_usd: float
    seconds: float

    def __str__(self) -> str:
        asked = f", {self.tokens:,} tokens, ${self.cost_usd:.2f}" if self.tokens else ""
        return f"about {self.turns:,} turns{asked}, {self.seconds:,.0f} s"


def estimated(plan: Sequence[Planned], jobs: int, means: Means) -> Estimate:
    """Of these runs. The code of the scenario is run. Raises what `simulate` does."""
    times = Counter(one.prepared.place for one in plan)
    first = {one.prepared.place: one.prepared for one in reversed(plan)}
    found = [(_of_one(first[place], means), number) for place, number in times.items()]
    return Estimate(
        runs=len(plan),
        turns=sum(one.turns * number for one, number in found),
        tokens=sum(one.tokens * number for one, number in found),
        cost_usd=sum(one.cost_usd * number for one, number in found),
        seconds=sum(one.seconds * number for one, number in found) / min(jobs, len(plan)),
    )


def _of_one(prepared: PreparedRun, means: Means) -> Estimate:
    scenario = prepared.scenario
    settings = means.settings(scenario) if needs_model(scenario) else None
    paid = None if settings is None else nullcontext(_stand_in(scenario, settings))
    began_s = monotonic()
    with TemporaryDirectory() as folder:
        by_rules = {"answers": "rules", "chat": ""}
        cast = tuple(
            member.model_copy(update=by_rules) if member.is_live else member
            for member in scenario.cast
        )
        here = scenario.model_copy(update={"world": "simulated", "cast": cast})
        simulate(replace(prepared, scenario=here), Path(folder) / "run", paid)
        end = glance(Path(folder) / "run" / LOG_NAME).end
    assert end is not None  # or `simulate` has raised
    seconds = monotonic() - began_s
    if settings is not None:
        seconds = end["turns"] * settings.llm.haiku_usual_s
    if scenario.world != "simulated":
        seconds = SERVER_S + max(seconds, end["at_ms"] / MS_PER_S)
    return Estimate(1, end["turns"], end["tokens"], end["cost_usd"], seconds)


def _stand_in(scenario: Scenario, settings: Settings) -> PaidModels:
    """Models that say something new each time, at the price of those that would be asked."""

    def answered(question: Question) -> Completion:
        letters = sha256(repr(question.turns).encode()).hexdigest()
        words = " ".join(letters[at : at + WORD] for at in range(0, len(letters), WORD))
        tokens = Usage(fresh=size_bytes(question) // BYTES_A_TOKEN, output=ANSWER_TOKENS)
        return Completion(f"{words}.", "stand-in", tokens)

    times, models = Times.real(), dict.fromkeys(TIERS, FunctionModel(answered))
    budget = Budget(MemoryLedger(), Caps(), times.clock)
    engine = Engine(models, tiers_of(settings.llm), budget, stopwatch=times.stopwatch)
    own = own_engines(scenario, settings.llm, models, budget, times.stopwatch)
    return PaidModels(engine, own=own)
