"""Settings of the models that decide, and of what they may cost."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, model_validator

from bots.settings.fields import (
    LOOPBACK_NAMES,
    HttpAddress,
    NatsAddresses,
    Seconds,
    Section,
    setting,
    split_words,
)
from bots.settings.secrets import SecretUrl
from llm import providers
from llm.engine.tiers import OPUS_FROM, SONNET_FROM, Tier

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Rates = Annotated[tuple[Dollars, ...], BeforeValidator(split_words), Field(max_length=4)]
"""Dollars a million tokens: input, output, cache read, cache write; or nothing."""
Score = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Share = Annotated[float, Field(ge=0, le=1)]


def _without_version(address: SecretUrl) -> SecretUrl:
    """The API's address as other programs are given it, `…/v1`, without what is added to it."""
    written = address.get_secret_value().rstrip("/")
    return SecretUrl(written.removesuffix("/messages").removesuffix("/v1").rstrip("/"))


def _check_provider(name: str) -> str:
    if name not in (known := providers.names()):
        raise ValueError(f"there is no provider {name}; there is {', '.join(known)}")
    return name


ApiAddress = Annotated[HttpAddress, AfterValidator(_without_version)]

_RATES = "dollars a million tokens: input, output, cache read, cache write; empty: as known"
_ID = "model of this tier; empty: the newest of its name that the API lists"
_OF_ONE = "the same for one bot, or for what one speaker asks; unset: no less"
_USUAL = (
    "seconds its answers usually take, until that is measured; with less time left a cheaper tier "
    "is asked"
)


class LlmSettings(Section):
    enabled: Literal["auto", "on", "off"] = setting(
        "auto", "answer through a model; auto: when there is a key or a base_url"
    )
    provider: Annotated[str, AfterValidator(_check_provider)] = setting(
        "anthropic", "whose API it is: a module of `llm/providers`"
    )
    api_key: SecretStr | None = setting(None, "Anthropic API key; also read from ANTHROPIC_API_KEY")
    auth_token: SecretStr | None = setting(
        None, "bearer token instead of a key; also from ANTHROPIC_AUTH_TOKEN"
    )
    base_url: ApiAddress = setting(
        SecretUrl(""), "another Anthropic-compatible API; also from ANTHROPIC_BASE_URL"
    )
    model: str = setting("", "one model for everything; empty: one for each of the tiers below")
    price: Rates = setting(
        (),
        "the same for every tier without its own; an unknown model on this machine is free",
    )
    context: Annotated[int, Field(ge=2_000)] | None = setting(
        None,
        "tokens that the model reads and writes at most; unset: as a server at `base_url` tells",
    )
    haiku_model: str = setting("", _ID)
    haiku_price: Rates = setting((), _RATES)
    haiku_usual_s: Seconds = setting(1.5, _USUAL)
    sonnet_model: str = setting("", _ID)
    sonnet_price: Rates = setting((), _RATES)
    sonnet_usual_s: Seconds = setting(3.0, _USUAL)
    opus_enabled: bool = setting(True, "let hard decisions and analyses go to the dearest tier")
    opus_model: str = setting("", _ID)
    opus_price: Rates = setting((), _RATES)
    opus_usual_s: Seconds = setting(8.0, _USUAL)
    max_tokens: Annotated[int, Field(ge=100, le=32_000)] = setting(
        4_000, "ceiling of one answer in tokens, thinking included"
    )
    model_cut_s: Annotated[Seconds, Field(le=7.5)] = setting(
        7.0, "seconds after which the rules answer instead of the model"
    )
    deep_cut_s: Annotated[Seconds, Field(le=60)] = setting(
        15.0,
        "the same for a question that asks to think; up to model_cut_s: no longer than for others",
    )
    complexity_threshold: Score = setting(
        OPUS_FROM, "complexity from which an event goes to the dearest tier"
    )
    sonnet_threshold: Score = setting(
        SONNET_FROM, "complexity from which an event goes to the middle tier"
    )
    cost_limit_usd: Dollars = setting(2.0, "most that all model calls of a period may cost")
    cost_limit_bot_usd: Dollars | None = setting(None, _OF_ONE)
    cost_limit_speaker_usd: Dollars | None = setting(None, _OF_ONE)
    cost_period_h: Annotated[float, Field(gt=0, le=8_784)] = setting(
        24.0, "hours of a period; it ends now at any time, a restart does not renew it"
    )
    cost_limit_run_usd: Dollars | None = setting(
        None, "most that one run may cost, from its start to its end; unset: an experiment 0.5"
    )
    budget_dir: Path | None = setting(
        None, "data folder whose budget pays, together with all else on it; unset: its own"
    )
    budget_bus: NatsAddresses = setting(
        (),
        "NATS broker, as `nats://HOST:4222`, whose budget pays for several machines; "
        "before budget_dir",
    )
    background_share: Share = setting(
        0.5, "part of cost_limit_usd that analyses and talk among bots may use"
    )
    share_strangers: Share = setting(
        0.2, "part of cost_limit_usd for all players below trusted together"
    )
    reserve_owner: Share = setting(
        0.2, "part of cost_limit_usd kept for owners, where some are named"
    )
    briefing: bool = setting(True, "think of a plan when a bot joins, once a day at most")
    periodic_rounds: Annotated[int, Field(ge=1)] = setting(
        2, "answered messages of people and finished goals from one analysis to the next"
    )
    periodic_every_s: Seconds = setting(300.0, "least seconds from one analysis to the next")
    shown_lines: Annotated[int, Field(ge=1, le=100)] = setting(
        20, "newest lines that a model is shown; more of them are summarised or left out"
    )
    summarise_after: Annotated[int, Field(ge=1, le=100)] = setting(
        10, "lines of one conversation from which older ones are summarised"
    )
    keep_lines: Annotated[int, Field(ge=1, le=100)] = setting(
        5, "newest lines of a conversation that are not summarised"
    )
    prompts_mb: Annotated[int, Field(ge=0, le=10_000)] = setting(
        50, "megabytes of prompts kept in `log/prompts.jsonl`; 0 keeps none"
    )

    def model_id(self, tier: Tier, listed: Mapping[Tier, str] | None = None) -> str:
        """The model of a tier: configured, or of the ids `listed` by the API, or known of old."""
        named = {"haiku": self.haiku_model, "sonnet": self.sonnet_model, "opus": self.opus_model}
        return named[tier] or self.model or (listed or {}).get(tier) or f"claude-{tier}-5-5"

    @property
    def names_every_model(self) -> bool:
        """Whether no tier is left to what the API lists."""
        named = (self.haiku_model, self.sonnet_model, self.opus_model)
        return bool(self.model) or all(named)

    @property
    def is_at_home(self) -> bool:
        """Whether `base_url` is an address of this machine."""
        host = self.base_url.host
        try:
            return host in LOOPBACK_NAMES or ip_address(host).is_loopback
        except ValueError:
            return False

    def rates(self, tier: Tier) -> tuple[float, ...]:
        """The price of a tier, as far as one is set."""
        own = {"haiku": self.haiku_price, "sonnet": self.sonnet_price, "opus": self.opus_price}
        return own[tier] or self.price

    @property
    def active(self) -> bool:
        """Whether a model is to be asked at all."""
        return self.enabled != "off" and self._reachable

    @property
    def _reachable(self) -> bool:
        return bool(self.api_key or self.auth_token or self.base_url)

    @model_validator(mode="after")
    def _fit_together(self) -> LlmSettings:
        if self.enabled == "on" and not self._reachable:
            raise ValueError("enabled is on, but there is no api_key (set ANTHROPIC_API_KEY)")
        if not self.keep_lines <= self.summarise_after <= self.shown_lines:
            raise ValueError("keep_lines, summarise_after and shown_lines have to grow")
        rates = {"price": self.price, "haiku_price": self.haiku_price}
        rates |= {"sonnet_price": self.sonnet_price, "opus_price": self.opus_price}
        for name, given in rates.items():
            if given and len(given) != 4:
                raise ValueError(f"{name} needs four numbers: {_RATES}")
        return self
