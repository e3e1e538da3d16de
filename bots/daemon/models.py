"""The models of the three tiers, what they may cost and what they are shown, from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import structlog

from bots.settings.settings import LlmSettings, Settings
from llm.claude.model import AnthropicModel
from llm.engine.budget import Caps
from llm.engine.context import Limits
from llm.engine.prices import DOLLAR, Nanodollars, Price, is_known, price, price_of
from llm.engine.tiers import TIERS, Tier, TierModel
from llm.model import ChatModel
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
        log.info("model.off", meaning=f"bots answer by rules; {_way_to_a_model(settings)}")
        return {}
    ids = {tier: llm.model_id(tier) for tier in _enabled(llm)}
    log.info("model.on", **ids, server=str(llm.base_url or llm.provider.capitalize()))
    make = connect(llm.provider, _access(llm))
    return {tier: make(id_) for tier, id_ in ids.items()}


def _way_to_a_model(settings: Settings) -> str:
    if settings.offline:
        return "--offline asks no model"
    if settings.llm.enabled == "off":
        return 'llm.enabled = "off" asks no model'
    return "ANTHROPIC_API_KEY gives them a model"


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


def _access(llm: LlmSettings) -> Access:
    # The SDK sends both kinds of credentials the same way: as a bearer token.
    secret = llm.api_key or llm.auth_token
    key = secret.get_secret_value() if secret else None
    return Access(key, llm.base_url.get_secret_value() or None, tuple(llm.base_url.secrets))


def tiers_of(llm: LlmSettings, listed: Mapping[Tier, str] | None = None) -> dict[Tier, TierModel]:
    """Id, price and usual time of each tier's model; `listed` holds the newest ids of the API."""
    tiers = {tier: tier_of(llm, tier, llm.model_id(tier, listed)) for tier in TIERS}
    for tier, one in tiers.items():
        if not (is_known(one.model_id) or llm.rates(tier) or llm.is_at_home) and llm.active:
            log.warning("model.price_unknown", model=one.model_id, charged="as the dearest known")
    return tiers


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
        cost = _price(rates) if (rates := llm.rates(tier)) else price_of(id_)
    return TierModel(id_, cost, usual[tier], llm.max_tokens, llm.context)


def _price(rates: tuple[float, ...]) -> Price:
    fresh, output, cache_read, cache_write = rates
    return price(fresh, output, cache_read, cache_write)


def _nanodollars(dollars: float) -> Nanodollars:
    return int(dollars * DOLLAR)


def _enabled(llm: LlmSettings) -> list[Tier]:
    return [tier for tier in TIERS if tier != "opus" or llm.opus_enabled]
