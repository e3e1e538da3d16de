"""A daemon with a model on this machine: asked at the start, free, and within its context."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from support.daemons import Town, beside
from support.model_servers import ModelServer, Serves, ollama, serving, tokens_of

from bots.app import Daemon
from bots.settings.secrets import SecretUrl
from bots.settings.settings import BotsSettings, LlmSettings, Settings
from llm.engine.budget import Payer
from llm.engine.decision import Matter, Used
from llm.model import Question, Turn

pytestmark = pytest.mark.usefixtures("patient_checks")

PATIENT_S = 120.0  # the SDK takes seconds of computing to load


@asynccontextmanager
async def checked(
    town: Town, server: Serves, model: str
) -> AsyncIterator[tuple[Daemon, ModelServer]]:
    """A daemon whose model was asked whether it answers."""
    with serving(server) as home:
        llm = LlmSettings(base_url=SecretUrl(home.url), model=model, briefing=False)
        settings = Settings(data_dir=town.folder, bots=BotsSettings(names=("Alice",)), llm=llm)
        async with Daemon(settings, bridge=town.bridge, times=beside(town.bridge)) as daemon:
            assert await daemon.all_joined()
            async with asyncio.timeout(PATIENT_S):
                await daemon.responders.checked.wait()
            yield daemon, home


async def by_rules(why: str, used: tuple[Used, ...]) -> str:
    return f"by rules: {why}"


async def test_a_model_with_little_context_gets_what_it_reads_whole(town: Town) -> None:
    server = ollama("qwen3:latest", context=3_000, said="I like rain.")
    long = Question("Rules.", tuple(Turn("user", "word " * 200) for _ in range(40)), 1_000)
    async with checked(town, server, "qwen3") as (daemon, home):
        engine = daemon.responders.engine
        made = await engine.decide(Matter("person", Payer("Alice"), long, PATIENT_S), by_rules)
        assert (made.text, made.source) == ("I like rain.", "model")
        assert daemon.responders.health.trouble is None
        assert engine.budget.spent() == 0
    asked = home.questions[-1]
    assert tokens_of(asked) + asked["max_tokens"] <= 3_000


async def test_a_model_that_the_server_lacks_is_told_below_what_rules_answer(town: Town) -> None:
    steve = town.world.person("Steve")
    async with checked(town, ollama("gemma3:4b"), "qwen3") as (daemon, _):
        steve.whisper("Alice", "What do you think of the weather in spring?")
        assert "has no model qwen3; it has gemma3:4b" in (await steve.hears()).text
        trouble = daemon.responders.health.trouble
    assert trouble is not None
    assert trouble.why == "unknown_model"
