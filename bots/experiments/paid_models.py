"""The models of an experiment: paid from the one budget, each asked once before the first turn.

If its models did not answer, an experiment would silently measure the rules instead.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pydantic import ValidationError

from bots.clock import Times
from bots.daemon import models as daemon_models
from bots.errors import SettingsError
from bots.experiments.identity import SHOWN, digest
from bots.experiments.scenario import ExperimentFailed, ModelPlan, Scenario, ScenarioError
from bots.responder.case.case import MODEL_CUT_S
from bots.settings.llm import LlmSettings
from bots.settings.loading import load_settings
from bots.settings.settings import Settings
from bots.settings.world import ServerSettings
from bots.talks.live.thinker import TalkThinker
from bots.text.faults import faults_of
from bots.text.reading import read_bytes
from llm.claude.model import AnthropicModel
from llm.engine.budget import Budget, Caps, MemoryLedger, Payer
from llm.engine.context import LIMITS, Limits
from llm.engine.engine import ANSWER_WITHIN_S, Check, Engine, check_each
from llm.engine.prices import DOLLAR, is_known
from llm.engine.tiers import TIERS, Tier, TierModel
from llm.model import ChatModel

if TYPE_CHECKING:
    from bots.experiments.seats import Seats

OF_A_TIER = ("model", "price")
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
    fake_llm: Path | None = None
    """The script of an imitation of the API that stands in for every model."""
    seats: Seats | None = None
    """Of the persons who join by `townsfolk chat`."""

    def settings(self, scenario: Scenario) -> Settings:
        """The user's, with what the scenario changes. Raises SettingsError and ScenarioError."""
        return self._changed(scenario.llm, self.budget_usd)

    def judging(self, model: str, budget_usd: float) -> Settings:
        """The user's, for a model that judges. Raises SettingsError and ScenarioError."""
        return self._changed(ModelPlan(model=model), budget_usd)

    @asynccontextmanager
    async def models(self, scenario: Scenario) -> AsyncIterator[PaidModels]:
        """The models of a run, as `paid_models` gives them."""
        settings, times = self.settings(scenario), Times.real()
        async with (
            daemon_models.scripted_model(self.fake_llm, settings) as found,
            paid_models(scenario, found, times, allow_rules=self.allow_rules) as paid,
        ):
            yield paid

    def _changed(self, plan: ModelPlan, budget_usd: float | None) -> Settings:
        flags = {} if self.data_dir is None else {"data_dir": self.data_dir}
        found = load_settings(self.config, flags)
        limits = (budget_usd, found.llm.cost_limit_run_usd, RUN_USD)
        limit = next(one for one in limits if one is not None)
        llm = planned_llm(found.llm.model_copy(update={"cost_limit_run_usd": limit}), plan)
        if self.fake_llm is None:
            return found.model_copy(update={"llm": llm})
        try:
            name = SCRIPTED + digest(read_bytes(self.fake_llm))[:SHOWN]
        except OSError as error:
            raise SettingsError(f"{self.fake_llm}: {error.strerror}") from error
        # One model that is the script, and costs nothing.
        own = {f"{tier}_{key}": "" if key == "model" else () for tier in TIERS for key in OF_A_TIER}
        by_script = llm.model_copy(update={**own, "model": name, "price": (0.0,) * 4})
        return found.model_copy(update={"llm": by_script, "offline": False})

    def server(self, scenario: Scenario) -> ServerSettings:
        """How bots join its world: as the user's settings say, where these name the same server.

        A scenario may be from anywhere: another server is shown no line of theirs to log in."""
        if scenario.server is None:
            return ServerSettings()
        host, port = scenario.server
        flags = {} if self.data_dir is None else {"data_dir": self.data_dir}
        own = load_settings(self.config, flags).server
        is_own = (own.host, own.port) == (host, port)
        return own if is_own else ServerSettings(host=host, port=port)


SCRIPTED = "fake-llm-"
"""What the ids of scripts begin with; the rest is of their SHA-256."""


def is_scripted(llm: LlmSettings) -> bool:
    """Whether a script stands in for every model."""
    return llm.model.startswith(SCRIPTED)


def planned_llm(llm: LlmSettings, plan: ModelPlan) -> LlmSettings:
    """The settings with what a scenario says in their place. Raises ScenarioError."""
    kept = ("model_cut_s", "shown_lines")
    changes = {name: value for name in kept if (value := getattr(plan, name)) is not None}
    names = ("model", "haiku_model", "sonnet_model")
    if any(getattr(plan, name) for name in names):
        changes |= {name: getattr(plan, name) for name in names}
        if all(is_known(id_) for id_ in map(changes.get, names) if id_):
            # A price that was set is that of another model.
            changes |= {"price": (), "haiku_price": (), "sonnet_price": ()}
    try:
        return LlmSettings.model_validate({**llm.model_dump(), **changes})
    except ValidationError as error:
        complaints = "; ".join(fault.complaint for fault in faults_of(error))
        raise ScenarioError(f"llm: {complaints}") from None


@dataclass(frozen=True, slots=True)
class ModelsUsed:
    """What the log of a run says of its models."""

    wanted: Mapping[str, Any]
    """What is known before they are asked."""
    asked: Mapping[str, str]
    """The model of each tier that speaks, and of each bot that has its own."""
    named: Mapping[str, str]
    """What the API calls each of them."""
    usd_per_million: Mapping[str, Mapping[str, float]]


CHANGES_WORDS = ("max_tokens", "model_cut_s", "shown_lines", "summarise_after", "keep_lines")
"""Settings `llm` that change what a model says, besides which model it is."""


def wanted_of(settings: Settings, *, rules_may_speak: bool) -> dict[str, Any]:
    """The models of an experiment by its settings."""
    llm = settings.llm
    server = str(llm.base_url or llm.provider) if settings.model_active else ""
    return {
        "server": "a script" if is_scripted(llm) else server,
        "models": {tier: llm.model_id(tier) for tier in ("haiku", "sonnet")},
        **{name: getattr(llm, name) for name in CHANGES_WORDS},
        "rules_may_speak": rules_may_speak,
    }


@dataclass(frozen=True, slots=True)
class PaidModels:
    """The models for the bots of one run."""

    engine: Engine
    used: ModelsUsed | None = None
    """None: no model is to be asked."""
    own: Mapping[str, Engine] = field(default_factory=dict)
    """Of bots that have a model of their own, by name."""
    limits: Limits = LIMITS
    cut_s: float = MODEL_CUT_S
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
    """The models that real bots have, or `model` in their place. Raises ExperimentFailed when one
    that the scenario needs does not answer, unless rules may speak in its place; SettingsError and
    StoreError."""
    models = daemon_models.models_of(settings, model)
    wanted = wanted_of(settings, rules_may_speak=allow_rules)
    if not models:
        if not allow_rules:
            raise ExperimentFailed(f"no model: {OF_NO_MODEL}; {_OR_RULES}")
        yield replace(without_model(times), used=ModelsUsed(wanted, {}, {}, {}))
        return
    try:
        async with daemon_models.shared_budget(settings, times) as budget:
            paid = await _asked_once(scenario, settings.llm, models, budget, times, wanted)
            try:
                silent = [(one.model, one.why) for one in paid.checks if one.why is not None]
                if silent and not allow_rules:
                    said = "; ".join(f"{model}: {ADVICE.get(why, why)}" for model, why in silent)
                    raise ExperimentFailed(f"no answer before the first turn: {said}; {_OR_RULES}")
                yield paid
            finally:
                for engine in (paid.engine, *paid.own.values()):
                    await engine.aclose()
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
    llm: LlmSettings,
    models: Mapping[Tier, ChatModel],
    budget: Budget,
    times: Times,
    wanted: Mapping[str, Any],
) -> PaidModels:
    quick = models["haiku"]
    await quick.warm()  # all models share the slow import
    tiers: Mapping[Tier, TierModel] = daemon_models.tiers_of(llm)
    if isinstance(quick, AnthropicModel) and not llm.names_every_model:
        listing = await quick.listing(daemon_models.LISTED_WITHIN_S)
        models, tiers = daemon_models.newest_models(llm, models, listing.newest) or (models, tiers)
    own = own_engines(scenario, llm, models, budget, times.stopwatch)
    # Among bots the quick one speaks, and the middle one to people.
    of_talks: tuple[Tier, ...] = ("haiku", "sonnet") if scenario.people else ("haiku",)
    if not any(member.mind == "model" and not member.model for member in scenario.cast):
        of_talks = ()
    speaking: dict[str, tuple[ChatModel, TierModel]] = {
        **{tier: (models[tier], tiers[tier]) for tier in of_talks if tier in models},
        **{name: engine.serving("haiku") for name, engine in own.items()},
    }
    payer = Payer(scenario.cast[0].name, background=True)
    asked = {key: model for key, (model, _) in speaking.items()}
    costs = {key: tier for key, (_, tier) in speaking.items()}
    checks: tuple[Check, ...] = ()
    if not is_scripted(llm):  # whose first lines are the talk's
        checks = await patiently(
            lambda: check_each(asked, costs, budget, payer, times.stopwatch),
            lambda found: any(check.why in BUSY for check in found),
        )
    engine = Engine(
        models,
        tiers,
        budget,
        stopwatch=times.stopwatch,
        sonnet_from=llm.sonnet_threshold,
        opus_from=llm.complexity_threshold,
    )
    told = ModelsUsed(
        wanted=wanted,
        asked={key: tier.model_id for key, tier in costs.items()},
        named={check.model: check.named for check in checks if check.named},
        usd_per_million={tier.model_id: tier.price.usd_per_million for tier in costs.values()},
    )
    return PaidModels(engine, told, own, daemon_models.limits_of(llm), llm.model_cut_s, checks)


BUSY = frozenset({"rate_limited", "overloaded"})
"""Why a model gave no answer that will give one later."""
PATIENCE_S = (1, 2, 4, 8, 15, 30, 60, 60)
T = TypeVar("T")


async def patiently(ask: Callable[[], Awaitable[T]], is_busy: Callable[[T], bool]) -> T:
    """What is answered once the API has room again; after three minutes what it says by then.

    Several talks at the same time come to the limits of an API. To wait costs nothing, and does
    not count as thinking."""
    for wait_s in PATIENCE_S:
        found = await ask()
        if not is_busy(found):
            return found
        await asyncio.sleep(wait_s)
    return await ask()


def own_engines(
    scenario: Scenario,
    llm: LlmSettings,
    models: Mapping[Tier, ChatModel],
    budget: Budget,
    stopwatch: Callable[[], float],
) -> dict[str, Engine]:
    """For each bot with a model of its own what asks it; none where there is no model, or a
    script for all."""
    if not models or is_scripted(llm):
        return {}
    return {
        member.name: daemon_models.engine_of(member.model, llm, models, budget, stopwatch)
        for member in scenario.cast
        if member.mind == "model" and member.model
    }


def as_planned(
    thinker: TalkThinker, scenario: Scenario, own: Mapping[str, Engine]
) -> dict[str, TalkThinker]:
    """How each bot thinks, by its name, as the scenario wants it."""
    llm, usual = scenario.llm, thinker.engine
    rules = Engine({}, {}, usual.budget, stopwatch=usual.stopwatch)
    return {
        member.name: replace(
            thinker,
            engine=own.get(member.name, usual) if member.mind == "model" else rules,
            prompt=scenario.prompt.as_asked,
            temperature=llm.temperature if member.temperature is None else member.temperature,
            max_tokens=member.max_tokens or llm.max_tokens,
        )
        for member in scenario.cast
    }


_OR_RULES = "or add --allow-rules, and rules speak where no model answers"
_LATER = "try again later"
OF_NO_MODEL = "set ANTHROPIC_API_KEY or llm.base_url"
_WHICH = "check llm.model and llm.haiku_model, llm.sonnet_model"
ADVICE = {
    "auth": "the key is refused; check ANTHROPIC_API_KEY",
    "billing": "the account has no money left; add some, or use another key",
    "bad_request": f"the API does not know it, or refuses the question; {_WHICH}",
    "unknown_model": f"the API does not know it; {_WHICH}",
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
