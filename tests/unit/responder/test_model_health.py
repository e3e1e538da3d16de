"""A model that does not answer is told once, to those who are to know, until it answers again."""

import pytest
import structlog

from bots.access.origin import Level
from bots.responder.model_health import ModelHealth, Trouble, trouble_of
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl

HOME = LlmSettings(base_url=SecretUrl("http://127.0.0.1:11434"), model="qwen3")


def checked() -> ModelHealth:
    """After a check that found nothing."""
    health = ModelHealth(HOME)
    health.found(None)
    return health


def test_a_fault_is_logged_once_with_the_way_out_and_its_end_too() -> None:
    health = checked()
    with structlog.testing.capture_logs() as logs:
        for why in ("network", "network", "no_api", None, None):
            health.heed(why)
    assert [line["event"] for line in logs] == [
        *("model.unusable", "model.unusable", "model.usable_again")
    ]
    assert logs[0]["found"] == "nothing answers at http://127.0.0.1:11434"
    assert "ollama serve" in logs[0]["advice"]
    assert health.trouble is None


@pytest.mark.parametrize("why", ["deadline", "overloaded", "rate_limited", "server"])
def test_what_may_pass_is_told_only_when_it_lasts(why: str) -> None:
    health = checked()
    health.heed(why)
    health.heed(why)
    assert health.trouble is None
    health.heed(why)
    assert health.trouble is not None


@pytest.mark.parametrize("why", ["budget", "ledger", "refused", "failed"])
def test_what_is_no_fault_of_the_model_is_not_told(why: str) -> None:
    health = checked()
    for _ in range(9):
        health.heed(why)
    assert health.trouble is None


def test_who_is_trusted_is_told_once_and_again_of_another_fault() -> None:
    health = checked()
    health.heed("network")
    assert health.notice("Guest", Level.PLAYER, "en") == ""
    told = health.notice("Steve", Level.OWNER, "en")
    assert "My model does not answer" in told
    assert "nothing answers at http://127.0.0.1:11434" in told
    assert health.notice("Steve", Level.OWNER, "en") == ""
    health.heed("auth")
    assert "モデルが答えない" in health.notice("Steve", Level.OWNER, "ja")


def test_before_the_check_is_over_no_call_is_heeded() -> None:
    health = ModelHealth(HOME)
    health.heed("network")
    assert health.trouble is None


def test_what_the_check_found_is_kept_while_the_fault_is_the_same() -> None:
    health = ModelHealth(HOME)
    health.found(trouble_of("unknown_model", HOME, "qwen3", ["gemma3:4b"]))
    health.heed("unknown_model")
    assert health.trouble is not None
    assert "it has gemma3:4b" in health.trouble.found


@pytest.mark.parametrize("llm", [HOME, LlmSettings()], ids=["at home", "Anthropic"])
@pytest.mark.parametrize(
    "why",
    [
        *("network", "auth", "billing", "unknown_model", "no_api", "context", "deadline"),
        *("bad_request", "bad_reply", "server", "overloaded", "rate_limited"),
    ],
)
def test_every_fault_has_words_and_a_next_step(why: str, llm: LlmSettings) -> None:
    trouble = trouble_of(why, llm)
    assert isinstance(trouble, Trouble)
    assert trouble.why == why
    assert len(trouble.found) > 15
    assert len(trouble.next_step) > 15
