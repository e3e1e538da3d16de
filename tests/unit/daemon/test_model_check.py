"""A model is asked once: what each kind of server answers, and what is wrong with it in words."""

import socket

import pytest
from pydantic import SecretStr
from support.model_servers import (
    Serves,
    llama_cpp,
    lm_studio,
    old_ollama,
    ollama,
    openai_only,
    serving,
    vllm,
)

from bots.daemon.models import Checked, check, is_short, models_of
from bots.settings.llm import LlmSettings
from bots.settings.secrets import SecretUrl
from bots.settings.settings import Settings
from llm.fake_api import FakeClaude

pytestmark = pytest.mark.usefixtures("patient_checks")


async def checked(llm: LlmSettings) -> Checked:
    models = models_of(Settings(llm=llm), None)
    try:
        return await check(llm, models)
    finally:
        for model in models.values():
            await model.aclose()


@pytest.mark.parametrize(
    ("server", "model", "context"),
    [
        (ollama("qwen3:latest", "gemma3:4b", context=4_096), "qwen3", 4_096),
        (ollama("gemma3:4b", context=32_768), "gemma3:4b", 32_768),
        (lm_studio("qwen/qwen3-8b", context=6_000), "qwen/qwen3-8b", 6_000),
        (vllm("Qwen/Qwen3-8B", 8_192), "Qwen/Qwen3-8B", 8_192),
        (llama_cpp(10_240), "anything", 10_240),
    ],
    ids=["ollama", "ollama with a tag", "lm studio", "vllm", "llama.cpp"],
)
async def test_a_server_that_answers_is_well_and_tells_how_much_its_model_reads(
    server: Serves, model: str, context: int
) -> None:
    with serving(server) as home:
        found = await checked(LlmSettings(base_url=SecretUrl(f"{home.url}/v1"), model=model))
    assert (found.trouble, found.was_asked, found.context) == (None, True, context)
    (asked,) = home.questions
    assert (asked["model"], asked["max_tokens"]) == (model, 1)


@pytest.mark.parametrize(
    ("server", "model", "named"),
    [
        (ollama("qwen3:latest", "gemma3:4b"), "qwen4", "qwen3:latest, gemma3:4b"),
        (vllm("Qwen/Qwen3-8B"), "qwen3", "Qwen/Qwen3-8B"),
    ],
    ids=["ollama", "vllm"],
)
async def test_an_unknown_model_is_told_with_those_that_the_server_has(
    server: Serves, model: str, named: str
) -> None:
    with serving(server) as home:
        trouble = (await checked(LlmSettings(base_url=SecretUrl(home.url), model=model))).trouble
    assert trouble is not None
    assert trouble.why == "unknown_model"
    assert trouble.found == f"{home.url} has no model {model}; it has {named}"
    assert f"set llm.model to one of these, or fetch it: `ollama pull {model}`" == trouble.next_step


@pytest.mark.parametrize(
    "server",
    [
        old_ollama("qwen3:latest"),
        lm_studio("qwen3", is_old=True),
        vllm("qwen3", is_old=True),
        llama_cpp(is_old=True),
        openai_only,
    ],
    ids=["ollama", "lm studio", "vllm", "llama.cpp", "openai"],
)
async def test_a_server_without_the_api_is_told_with_the_way_out(server: Serves) -> None:
    with serving(server) as home:
        trouble = (await checked(LlmSettings(base_url=SecretUrl(home.url), model="qwen3"))).trouble
    assert trouble is not None
    assert trouble.found == f"{home.url} has no Anthropic Messages API (POST /v1/messages)"
    assert "Ollama from 0.14" in trouble.next_step
    assert "LiteLLM" in trouble.next_step


@pytest.mark.parametrize(
    ("key", "told"), [(None, "asks for a key (401), and none is set"), ("x", "refuses the key")]
)
async def test_a_refused_key_is_told(key: str | None, told: str) -> None:
    secret = SecretStr(key) if key else None
    with serving(lm_studio("qwen3", token="right")) as home:
        llm = LlmSettings(base_url=SecretUrl(home.url), model="qwen3", auth_token=secret)
        trouble = (await checked(llm)).trouble
        assert not home.questions
        right = llm.model_copy(update={"auth_token": SecretStr("right")})
        assert (await checked(right)).trouble is None
    assert trouble is not None
    assert told in trouble.found
    assert "ANTHROPIC_AUTH_TOKEN" in trouble.next_step


@pytest.mark.slow
async def test_a_server_that_does_not_run_is_told_with_how_to_start_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    trouble = (await checked(LlmSettings(base_url=SecretUrl(url), model="qwen3"))).trouble
    assert trouble is not None
    assert trouble.found == f"nothing answers at {url}"
    assert "ollama serve" in trouble.next_step


async def test_a_model_that_costs_money_is_looked_up_and_asked_nothing() -> None:
    async with FakeClaude().serving() as claude:
        llm = LlmSettings(base_url=SecretUrl(claude.url), opus_model="claude-opus-9-9")
        trouble = (await checked(llm)).trouble
        assert trouble is not None
        assert "has no model claude-opus-9-9; it has claude-haiku-5-5" in trouble.found
        well = await checked(LlmSettings(base_url=SecretUrl(claude.url)))
        assert (well.trouble, well.was_asked) == (None, False)
        assert not claude.requests


def test_a_context_below_what_everything_takes_is_short() -> None:
    assert [is_short(size) for size in (None, 4_096, 8_192)] == [False, True, False]
