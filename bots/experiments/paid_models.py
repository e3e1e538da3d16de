"""The models of an experiment: paid from the one budget, each asked once before the first turn.

If its models did not answer, an experiment would silently measure the rules instead.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from bots.clock import Times
from bots.daemon.models import LISTED_WITHIN_S, models_of, newest_models, shared_budget, tiers_of
from bots.experiments.scenario import ExperimentFailed, Scenario
from bots.settings.llm import LlmSettings
from bots.settings.loading import load_settings
from bots.settings.settings import Settings
from llm.claude.model import AnthropicModel
from llm.engine.budget import Budget, Caps, MemoryLedger, Payer
from llm.engine.engine import ANSWER_WITHIN_S, Check, Engine, check_each
from llm.engine.prices import DOLLAR
from llm.engine.tiers import Tier, TierModel
from llm.model import ChatModel

RUN_USD = 0.5
"""The cost limit of a run, unless the settings or a flag set another."""


@dataclass(frozen=True, slots=True)
class Means:
    """The settings, models and budget that a run uses."""

    config: Path | None = None
    data_dir: Path | None = None
    budget_usd: float | None = None
    allow_rules: bool = False
    """Whether rules may speak when a model does not answer."""

    def settings(self) -> Settings:
        """Raises SettingsError."""
        flags = {} if self.data_dir is None else {"data_dir": self.data_dir}
        found = load_settings(self.config, flags)
        limits = (self.budget_usd, found.llm.cost_limit_run_usd, RUN_USD)
        limit = next(one for one in limits if one is not None)
        llm = found.llm.model_copy(update={"cost_limit_run_usd": limit})
        return found.model_copy(update={"llm": llm})


@dataclass(frozen=True, slots=True)
class ModelsUsed:
    """What the log of a run says of its models."""

    wanted: Mapping[str, Any]
    """What is known before they are asked."""
    asked: Mapping[str, str]
    """The model of each tier that speaks."""
    named: Mapping[str, str]
    """What the API calls each of them."""
    usd_per_million: Mapping[str, Mapping[str, float]]


CHANGES_WORDS = ("max_tokens", "model_cut_s", "shown_lines", "summarise_after", "keep_lines")
"""Settings `llm` that change what a model says, besides which model it is."""


def wanted_of(settings: Settings, *, rules_may_speak: bool) -> dict[str, Any]:
    """The models of an experiment by its settings."""
    llm = settings.llm
    return {
        "server": str(llm.base_url or llm.provider) if settings.model_active else "",
        "models": {"haiku": llm.model_id("haiku"), "sonnet": llm.model_id("sonnet")},
        **{name: getattr(llm, name) for name in CHANGES_WORDS},
        "rules_may_speak": rules_may_speak,
    }


@dataclass(frozen=True, slots=True)
class PaidModels:
    """The models for the bots of one run."""

    engine: Engine
    used: ModelsUsed | None = None
    """None: no model is to be asked."""
    checks: tuple[Check, ...] = ()
    """The results of asking the models before the first turn."""

    @property
    def charged_usd(self) -> float:
        """The charge for the run, including dropped thoughts and the first questions."""
        return self.engine.budget.spent("run") / DOLLAR


Opening: TypeAlias = AbstractAsyncContextManager[PaidModels]
"""The models are there while its block lasts."""


@asynccontextmanager
async def paid_models(
    scenario: Scenario,
    settings: Settings,
    times: Times,
    *,
    allow_rules: bool,
    model: ChatModel | None = None,
) -> AsyncIterator[PaidModels]:
    """The models that real bots have, or `model` in their place.

    Raises ExperimentFailed when one that the scenario needs does not answer, unless rules may
    speak in its place; SettingsError and StoreError."""
    models = models_of(settings, model)
    if not models:
        if not allow_rules:
            raise ExperimentFailed(f"no model: {_OF_NO_MODEL}; {_OR_RULES}")
        wanted = wanted_of(settings, rules_may_speak=True)
        yield replace(without_model(times), used=ModelsUsed(wanted, {}, {}, {}))
        return
    try:
        async with shared_budget(settings, times) as budget:
            wanted = wanted_of(settings, rules_may_speak=allow_rules)
            paid = await _asked_once(scenario, settings, models, budget, times, wanted)
            try:
                if not allow_rules:
                    _refuse_faults(paid.checks)
                yield paid
            finally:
                await paid.engine.aclose()
    finally:
        for one in {id(model): model for model in models.values()}.values():
            await one.aclose()


def without_model(times: Times) -> PaidModels:
    """Rules alone, which cost nothing."""
    budget = Budget(MemoryLedger(), Caps(), times.clock)
    return PaidModels(Engine({}, {}, budget, stopwatch=times.stopwatch))


def needs_model(scenario: Scenario) -> bool:
    return any(member.mind == "model" for member in scenario.cast)


async def _asked_once(
    scenario: Scenario,
    settings: Settings,
    models: Mapping[Tier, ChatModel],
    budget: Budget,
    times: Times,
    wanted: Mapping[str, Any],
) -> PaidModels:
    llm = settings.llm
    await models["haiku"].warm()  # all models share the slow import
    found, tiers = await _newest(llm, models)
    speaking = {tier: found[tier] for tier in _of_talks(scenario) if tier in found}
    payer = Payer(scenario.cast[0].name, background=True)
    checks = await check_each(speaking, tiers, budget, payer, times.stopwatch)
    engine = Engine(
        found,
        tiers,
        budget,
        stopwatch=times.stopwatch,
        sonnet_from=llm.sonnet_threshold,
        opus_from=llm.complexity_threshold,
    )
    used = ModelsUsed(
        wanted=wanted,
        asked={tier: tiers[tier].model_id for tier in speaking},
        named={check.model: check.named for check in checks if check.named},
        usd_per_million={
            tiers[tier].model_id: tiers[tier].price.usd_per_million for tier in speaking
        },
    )
    return PaidModels(engine, used, checks)


async def _newest(
    llm: LlmSettings, models: Mapping[Tier, ChatModel]
) -> tuple[Mapping[Tier, ChatModel], Mapping[Tier, TierModel]]:
    one = models["haiku"]
    if isinstance(one, AnthropicModel) and not llm.names_every_model:
        listing = await one.listing(LISTED_WITHIN_S)
        if (found := newest_models(llm, models, listing.newest)) is not None:
            return found
    return models, tiers_of(llm)


def _of_talks(scenario: Scenario) -> Sequence[Tier]:
    """The tiers that speak: among bots the quick one, and the middle one to people."""
    return ("haiku", "sonnet") if scenario.people else ("haiku",)


def _refuse_faults(checks: Sequence[Check]) -> None:
    silent = [(check.model, check.why) for check in checks if check.why is not None]
    if silent:
        said = "; ".join(f"{model}: {_ADVICE.get(why, why)}" for model, why in silent)
        raise ExperimentFailed(f"no answer before the first turn: {said}; {_OR_RULES}")


_OR_RULES = "or add --allow-rules, and rules speak where no model answers"
_LATER = "try again later"
_OF_NO_MODEL = "set ANTHROPIC_API_KEY or llm.base_url"
_ADVICE = {
    "auth": "the key is refused; check ANTHROPIC_API_KEY",
    "billing": "the account has no money left; add some, or use another key",
    "bad_request": "the API does not know it, or refuses the question; check llm.model and "
    "llm.haiku_model, llm.sonnet_model",
    "unknown_model": "the API does not know it; check llm.model and llm.haiku_model, "
    "llm.sonnet_model",
    "no_api": "the server has no Anthropic Messages API; docs/models.md has the way out",
    "context": "it reads too little at once; give it 16,384 tokens",
    "bad_reply": "what came back is no answer of this API; check llm.base_url",
    "network": "the API cannot be reached; check the network and llm.base_url",
    "deadline": f"it took longer than {ANSWER_WITHIN_S:g} s; {_LATER}",
    "rate_limited": f"too many questions at once; {_LATER}",
    "overloaded": f"the API is overloaded; {_LATER}",
    "server": f"the API has a fault; {_LATER}",
    "refused": "it declined to answer",
    "budget": "the budget is spent; raise llm.cost_limit_usd or --budget-usd, or wait",
    "ledger": "what it costs cannot be written down; see the messages above",
}
