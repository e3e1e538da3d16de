"""Models of the tiers, their prices and spending caps come from the settings."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import structlog
from pydantic import SecretStr, ValidationError

from bots.daemon.models import (
    caps_of,
    check,
    limits_of,
    models_of,
    newest_models,
    tiers_of,
    with_context,
)
from bots.settings.secrets import SecretUrl
from bots.settings.settings import LlmSettings, Settings
from llm import providers
from llm.claude.model import AnthropicModel
from llm.engine.context import LIMITS, Limits
from llm.engine.prices import DOLLAR, price, price_of
from llm.engine.tiers import Tier
from llm.fake_api import FakeClaude
from llm.fake_api.server import MODELS
from llm.function_model import FunctionModel
from llm.model import ChatModel, Question

PATIENT_S = 60.0


async def newest_of(models: Mapping[Tier, ChatModel]) -> Mapping[str, str]:
    """The newest models that their server lists."""
    one = models["haiku"]
    assert isinstance(one, AnthropicModel)
    return (await one.listing(PATIENT_S)).newest


def test_each_tier_has_a_model_of_its_own() -> None:
    tiers = tiers_of(LlmSettings())
    assert {tier: one.model_id for tier, one in tiers.items()} == MODELS
    assert tiers["sonnet"].price == price_of("claude-sonnet-5-5")


def test_a_configured_id_wins_over_what_the_api_lists() -> None:
    llm = LlmSettings(haiku_model="claude-haiku-4-5")
    listed = {"haiku": "claude-haiku-6", "sonnet": "claude-sonnet-6"}
    assert llm.model_id("haiku", listed) == "claude-haiku-4-5"  # type: ignore[arg-type]
    assert llm.model_id("sonnet", listed) == "claude-sonnet-6"  # type: ignore[arg-type]
    assert llm.model_id("opus", listed) == "claude-opus-5-5"  # type: ignore[arg-type]


def test_how_many_lines_models_are_shown_comes_from_the_settings_and_has_to_make_sense() -> None:
    assert limits_of(LlmSettings()) == LIMITS
    few = LlmSettings(shown_lines=8, summarise_after=6, keep_lines=3)
    assert limits_of(few) == Limits(8, 6, 3)
    with pytest.raises(ValidationError, match="have to grow"):
        LlmSettings(keep_lines=11)


MADE_UP = """
from llm.function_model import FunctionModel

def connect(access):
    return lambda id_: FunctionModel(lambda question: f"{access.url} {access.key}", id_)
"""


async def test_a_module_of_the_providers_makes_the_models_where_the_settings_name_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made_up.py").write_text(MADE_UP)
    monkeypatch.setattr(providers, "__path__", [*providers.__path__, str(tmp_path)])
    url = SecretUrl("http://127.0.0.1:9")
    llm = LlmSettings(provider="made_up", api_key=SecretStr("cracker"), base_url=url, model="polly")
    models = models_of(Settings(llm=llm), None)
    answer = await models["sonnet"].complete(Question("", ()), deadline_s=PATIENT_S)
    assert (answer.text, answer.model) == ("http://127.0.0.1:9 cracker", "polly")
    assert {*models} == {"haiku", "sonnet", "opus"}
    assert (await check(llm, models)).trouble is None


def test_a_provider_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValidationError, match=r"no provider made_up; there is .*anthropic"):
        LlmSettings(provider="made_up")


def test_one_model_can_be_every_tiers() -> None:
    llm = LlmSettings(model="qwen3")
    assert {one.model_id for one in tiers_of(llm).values()} == {"qwen3"}
    assert llm.names_every_model


def test_a_model_without_a_known_price_is_charged_as_the_dearest_and_the_log_says_so() -> None:
    with structlog.testing.capture_logs() as logs:
        tiers = tiers_of(LlmSettings(model="qwen3", base_url=SecretUrl("http://192.168.0.7:9")))
    assert tiers["haiku"].price == price_of("a model nobody knows")
    assert {line["event"] for line in logs} == {"model.price_unknown"}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.3.2.1"])
def test_a_model_on_this_machine_costs_nothing(host: str) -> None:
    with structlog.testing.capture_logs() as logs:
        tiers = tiers_of(LlmSettings(model="qwen3", base_url=SecretUrl(f"http://{host}:11434/v1")))
    assert {one.price for one in tiers.values()} == {price(0, 0, 0, 0)}
    assert not logs


def test_a_configured_price_wins_also_on_this_machine() -> None:
    proxy = "http://127.0.0.1:4000"
    set_ = LlmSettings(
        model="gpt", base_url=SecretUrl(proxy), price=(1, 2, 3, 4), opus_price=(9, 9, 9, 9)
    )
    assert tiers_of(set_)["haiku"].price == price(1, 2, 3, 4)
    assert tiers_of(set_)["opus"].price == price(9, 9, 9, 9)
    of_haiku = LlmSettings(haiku_price=(1, 2, 0.5, 1.25))
    assert tiers_of(of_haiku)["haiku"].price == price(1, 2, 0.5, 1.25)
    known = LlmSettings(model="claude-sonnet-5-5", base_url=SecretUrl(proxy))
    assert tiers_of(known)["haiku"].price == price_of("claude-sonnet-5-5")


def test_the_context_of_the_settings_wins_over_what_a_server_tells() -> None:
    assert with_context(tiers_of(LlmSettings()), 4_096)["haiku"].context == 4_096
    assert with_context(tiers_of(LlmSettings(context=9_000)), 4_096)["opus"].context == 9_000
    assert with_context(tiers_of(LlmSettings()), None)["sonnet"].context is None


@pytest.mark.parametrize("given", ["1,2", "1,2,3,4,5", "1,2,3,-4", "a,b,c,d"])
def test_a_price_is_four_numbers(given: str) -> None:
    with pytest.raises(ValidationError):
        LlmSettings(haiku_price=given)  # type: ignore[arg-type]


def test_a_price_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOWNSFOLK_LLM__OPUS_PRICE", "4, 20, 0.2, 5")
    assert Settings().llm.opus_price == (4.0, 20.0, 0.2, 5.0)


def test_caps_are_the_whole_limit_unless_they_are_given() -> None:
    llm = LlmSettings(cost_limit_usd=1.5, cost_limit_speaker_usd=0.25, cost_period_h=2)
    caps = caps_of(llm, has_owners=True)
    assert (caps.everything, caps.per_bot, caps.per_speaker) == (
        DOLLAR * 3 // 2,
        DOLLAR * 3 // 2,
        DOLLAR // 4,
    )
    assert caps.period_s == 7_200
    assert (caps.strangers_share, caps.owners_reserve) == (0.2, 0.2)
    assert caps_of(llm, has_owners=False).owners_reserve == 0.0


def test_the_dearest_tier_can_be_switched_off() -> None:
    settings = Settings(llm=LlmSettings(opus_enabled=False))
    assert set(models_of(settings, FunctionModel(lambda question: ""))) == {"haiku", "sonnet"}


def test_without_a_key_there_are_no_models() -> None:
    assert models_of(Settings(), None) == {}


async def test_what_the_api_lists_as_we_know_it_changes_nothing() -> None:
    async with FakeClaude().serving() as claude:
        llm = LlmSettings(base_url=SecretUrl(claude.url), opus_model="claude-opus-5")
        models = models_of(Settings(llm=llm), None)
        # They are those already. The API answers at once; the time is for a busy machine.
        assert newest_models(llm, models, await newest_of(models)) is None
        for model in models.values():
            await model.aclose()


async def test_a_newer_id_of_the_api_is_used_and_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    newer = {**MODELS, "sonnet": "claude-sonnet-6"}
    monkeypatch.setattr("llm.fake_api.server.MODELS", newer)
    async with FakeClaude().serving() as claude:
        llm = LlmSettings(base_url=SecretUrl(claude.url), opus_enabled=False)
        known = models_of(Settings(llm=llm), None)
        found = newest_models(llm, known, await newest_of(known))
        assert found is not None
        models, tiers = found
        assert [model.model_id for model in models.values()] == [MODELS["haiku"], "claude-sonnet-6"]
        assert tiers["sonnet"].price == price_of("claude-sonnet-6")
        for model in models.values():
            await model.aclose()
