"""The models of a daemon: which ones answer, what they may spend, and a first question to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from bots.clock import Sleep, Times, steady
from bots.cluster.bus import Bus, BusUnavailable
from bots.cluster.connecting import connected_bus
from bots.cluster.ledger import BusLedger
from bots.daemon import daemon_file
from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError, StoreError
from bots.private_files import make_private_folder
from bots.responder.model_health import Trouble, address_of, trouble_of
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings
from bots.store.database import FILE_NAME, Store, steps_ahead
from bots.store.ledger import SqliteLedger
from bots.text.reading import NotText, read_text
from llm.claude.model import NOTHING_LISTED, AnthropicModel, Listing
from llm.engine.budget import Budget, Caps
from llm.engine.context import Limits
from llm.engine.engine import Engine, ask_free
from llm.engine.prices import DOLLAR, Nanodollars, is_known, price, price_of
from llm.engine.tiers import TIERS, Tier, TierModel
from llm.model import ChatModel, LedgerUnavailable
from llm.providers import Access, connect

log = structlog.get_logger()

_HOUR_S = 3600.0
FREE = price(0, 0, 0, 0)


def models_of(settings: Settings, model: ChatModel | None) -> dict[Tier, ChatModel]:
    """The model of each tier; none when bots answer by rules. A given `model` is used for all."""
    llm = settings.llm
    if model is not None:
        return dict.fromkeys(_enabled(llm), model)
    if not settings.model_active:
        way = "ANTHROPIC_API_KEY gives them a model"
        if settings.offline:
            way = "--offline asks no model"
        elif llm.enabled == "off":
            way = 'llm.enabled = "off" asks no model'
        log.info("model.off", meaning=f"bots answer by rules; {way}")
        return {}
    ids = {tier: llm.model_id(tier) for tier in _enabled(llm)}
    log.info("model.on", **ids, server=str(llm.base_url or llm.provider.capitalize()))
    # The SDK sends both kinds of credentials the same way: as a bearer token.
    secret = llm.api_key or llm.auth_token
    key = secret.get_secret_value() if secret else None
    make = connect(
        llm.provider,
        Access(key, llm.base_url.get_secret_value() or None, tuple(llm.base_url.secrets)),
    )
    return {tier: make(id_) for tier, id_ in ids.items()}


@asynccontextmanager
async def scripted_model(script: Path | None, settings: Settings) -> AsyncIterator[Settings]:
    """The settings, changed to use a scripted API on loopback while the block lasts.

    Without a script they stay as they are. Raises SettingsError for an unusable script."""
    if script is None:
        yield settings
        return
    from llm.fake_api import FakeClaude
    from llm.fake_api.script import RuleScript, ScriptError

    try:
        rules = RuleScript.of(read_text(script))
    except (OSError, NotText, ScriptError) as error:
        raise SettingsError(f"{script}: {error}") from error
    async with FakeClaude(decide=rules).serving() as api:
        log.warning("model.scripted", script=str(script), meaning="no model is asked")
        changed = {
            "enabled": "on",
            "base_url": SecretUrl(api.url),
            "api_key": None,
            "auth_token": None,
        }
        yield settings.model_copy(update={"llm": settings.llm.model_copy(update=changed)})


def newest_models(
    llm: LlmSettings, models: Mapping[Tier, ChatModel], newest: Mapping[str, str]
) -> tuple[dict[Tier, ChatModel], dict[Tier, TierModel]] | None:
    """The newest models that the API lists, for tiers without a configured id.

    None: no change."""
    one = models.get("haiku")
    if not isinstance(one, AnthropicModel) or llm.names_every_model:
        return None
    listed: dict[Tier, str] = {tier: newest[tier] for tier in TIERS if tier in newest}
    ids = {tier: llm.model_id(tier, listed) for tier in models}
    if all(ids[tier] == llm.model_id(tier) for tier in ids):
        return None
    log.info("model.resolved", **ids)
    return {tier: one.another(id_) for tier, id_ in ids.items()}, tiers_of(llm, listed)


def tiers_of(llm: LlmSettings, listed: Mapping[Tier, str] | None = None) -> dict[Tier, TierModel]:
    """Id, price and usual time of each tier's model; `listed` holds the newest ids of the API."""
    tiers = {tier: tier_of(llm, tier, llm.model_id(tier, listed)) for tier in TIERS}
    for tier, one in tiers.items():
        if not (is_known(one.model_id) or llm.rates(tier) or llm.is_at_home) and llm.active:
            log.warning("model.price_unknown", model=one.model_id, charged="as the dearest known")
    return tiers


def engine_of(
    model_id: str,
    llm: LlmSettings,
    models: Mapping[Tier, ChatModel],
    budget: Budget,
    stopwatch: Callable[[], float],
) -> Engine:
    """An engine that asks one model for everything, on the connection and the budget of these."""
    one = models["haiku"]
    model = one.another(model_id) if isinstance(one, AnthropicModel) else one
    tiers = {tier: tier_of(llm, tier, model_id) for tier in models}
    return Engine(dict.fromkeys(models, model), tiers, budget, stopwatch=stopwatch)


def with_context(tiers: Mapping[Tier, TierModel], told: int | None) -> dict[Tier, TierModel]:
    """The tiers as their server tells how much they read; what is set wins."""
    return {tier: replace(one, context=one.context or told) for tier, one in tiers.items()}


def costs_nothing(llm: LlmSettings, tier: Tier, model_id: str) -> bool:
    """Whether a tier's model is free: priced at zero, or of this machine.

    A Claude is never of this machine: a proxy is."""
    if rates := llm.rates(tier):
        return not any(rates)
    return llm.is_at_home and not (is_known(model_id) or model_id.startswith("claude-"))


def caps_of(llm: LlmSettings, *, has_owners: bool) -> Caps:
    """The most that model calls may cost in a period."""
    everything = _nanodollars(llm.cost_limit_usd)
    bot, speaker = llm.cost_limit_bot_usd, llm.cost_limit_speaker_usd
    return Caps(
        period_s=llm.cost_period_h * _HOUR_S,
        everything=everything,
        per_bot=everything if bot is None else _nanodollars(bot),
        per_speaker=everything if speaker is None else _nanodollars(speaker),
        background_share=llm.background_share,
        strangers_share=llm.share_strangers,
        owners_reserve=llm.reserve_owner if has_owners else 0.0,
        per_run=None if llm.cost_limit_run_usd is None else _nanodollars(llm.cost_limit_run_usd),
    )


def limits_of(llm: LlmSettings) -> Limits:
    """How many lines of a conversation a model is shown, and how many are summarised."""
    return Limits(llm.shown_lines, llm.summarise_after, llm.keep_lines)


def tier_of(llm: LlmSettings, tier: Tier, id_: str) -> TierModel:
    """What a model costs and takes that serves this tier."""
    usual = {"haiku": llm.haiku_usual_s, "sonnet": llm.sonnet_usual_s, "opus": llm.opus_usual_s}
    if costs_nothing(llm, tier, id_):
        cost = FREE
    else:
        cost = price(*rates) if (rates := llm.rates(tier)) else price_of(id_)
    return TierModel(id_, cost, usual[tier], llm.max_tokens, llm.context)


def _nanodollars(dollars: float) -> Nanodollars:
    return int(dollars * DOLLAR)


def _enabled(llm: LlmSettings) -> list[Tier]:
    return [tier for tier in TIERS if tier != "opus" or llm.opus_enabled]


LOOK_EVERY_S = 5.0


async def budget_on(store: Store, settings: Settings, times: Times) -> Budget:
    """The one budget of a data folder: the ledger in its database pays for every model call.

    Raises LedgerUnavailable."""
    ledger = SqliteLedger(store)
    caps = caps_of(settings.llm, has_owners=bool(settings.permissions.owners))
    clock = steady(await ledger.now(times.clock()), times.stopwatch)
    return await Budget.load(ledger, caps, clock)


async def budget_over(bus: Bus, settings: Settings, times: Times) -> Budget:
    """The budget of all daemons on this bus. Raises BusUnavailable."""
    caps = caps_of(settings.llm, has_owners=bool(settings.permissions.owners))
    try:
        return await Budget.load(BusLedger(bus), caps, steady(times.clock(), times.stopwatch))
    except LedgerUnavailable as fault:
        raise BusUnavailable(str(fault)) from fault


@asynccontextmanager
async def shared_budget(settings: Settings, times: Times) -> AsyncIterator[Budget]:
    """The budget of a broker or of a data folder, which others may be using at the same time; a
    missing one is made.

    Raises SettingsError, StoreError and BusUnavailable."""
    if settings.budget_brokers:
        async with connected_bus(settings.budget_brokers) as bus:
            yield await budget_over(bus, settings, times)
        return
    folder = settings.llm.budget_dir or settings.data_dir
    refuse_foreign(folder)
    try:
        make_private_folder(folder)
    except OSError as error:
        raise SettingsError(f"cannot use data folder {folder}: {error.strerror}") from error
    # A migration of the database would break a running daemon of an older version.
    with suppress(daemon_file.NoDaemon):
        daemon = daemon_file.read(folder)
        if steps_ahead(folder / FILE_NAME):
            raise SettingsError(
                f"the daemon on {folder} (process {daemon.pid}) is of an older townsfolk: "
                "start it anew, or use another --data-dir"
            )
    store = await Store.open(folder / FILE_NAME)
    try:
        yield await _loaded(store, settings, times)
    finally:
        await store.aclose()


async def _loaded(store: Store, settings: Settings, times: Times) -> Budget:
    try:
        return await budget_on(store, settings, times)
    except LedgerUnavailable as fault:
        raise StoreError(f"{store.path}: {fault}") from fault


async def follow(budget: Budget, sleep: Sleep) -> None:
    """Read what others spend, until cancelled, so that we show the right sum between calls."""
    while True:
        await sleep(LOOK_EVERY_S)
        with suppress(LedgerUnavailable):  # the next call says so
            await budget.look()


LISTED_WITHIN_S = 5.0
LOADED_WITHIN_S = 60.0  # a model at home may have to be read from a disk
TOLD_WITHIN_S = 3.0
WHOLE_CONTEXT = 8_000
"""Tokens of a context that has room for all tools and a talk of usual length."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of asking the models."""

    trouble: Trouble | None = None
    listing: Listing = NOTHING_LISTED
    context: int | None = None
    """Tokens, as the server reports; None if it does not."""
    was_asked: bool = False
    """Whether a model has answered, and not the server alone."""


async def check(llm: LlmSettings, models: Mapping[Tier, ChatModel]) -> Checked:
    """Ask each model once; report the fault of the first that fails.

    A server that costs money only lists its models. We ask a free model for one token, which tests
    the whole way and loads the model before the first whisper."""
    by_id = {model.model_id: tier for tier, model in models.items()}
    one = next(iter(models.values()), None)
    if not isinstance(one, AnthropicModel):
        return Checked()
    await one.warm()  # a slow import is not the server's fault
    listing = await one.listing(LISTED_WITHIN_S)
    if listing.why in ("auth", "billing", "network"):
        return Checked(trouble_of(listing.why, llm), listing)
    found = Checked(None, listing)
    for model_id, tier in by_id.items():
        found = await _check_one(llm, one.another(model_id), tier, listing)
        if found.trouble is not None:
            break
    return found


async def _check_one(
    llm: LlmSettings, model: AnthropicModel, tier: Tier, listing: Listing
) -> Checked:
    name, told = model.model_id, listing.contexts.get(model.model_id)
    if not costs_nothing(llm, tier, name):
        why = None if await _is_there(model, listing) else "unknown_model"
        return Checked(_trouble(why, llm, name, listing), listing, told)
    why = await _asked(model, tier_of(llm, tier, name), listing)
    if why is None and told is None:
        told = await model.context(TOLD_WITHIN_S)
    return Checked(_trouble(why, llm, name, listing), listing, told, was_asked=why is None)


def _trouble(why: str | None, llm: LlmSettings, model: str, listing: Listing) -> Trouble | None:
    if why == "deadline":
        found = f"{model} gave no answer within {LOADED_WITHIN_S:g} s"
        return Trouble(why, found, f"see whether {address_of(llm)} still loads it, and its log")
    return None if why is None else trouble_of(why, llm, model, listing.models)


async def _asked(model: AnthropicModel, tier: TierModel, listing: Listing) -> str | None:
    why = await ask_free(model, tier, LOADED_WITHIN_S)
    if why == "refused":
        return None
    if why == "bad_reply":  # LM Studio answers 200 to what it does not know
        return "no_api"
    # A server that has listed its models is there; its model took too long to answer.
    return "deadline" if why == "network" and listing.why is None else why


async def _is_there(model: AnthropicModel, listing: Listing) -> bool:
    """Whether the server has the model, as far as it lists any."""
    is_open = any("*" in one for one in listing.models)  # a LiteLLM proxy that takes any name
    if not listing.models or is_open or listing.has(model.model_id):
        return True
    return await model.is_known(TOLD_WITHIN_S)


def is_short(context: int | None) -> bool:
    """Whether a model that reads so much is shown less than others."""
    return context is not None and context < WHOLE_CONTEXT
