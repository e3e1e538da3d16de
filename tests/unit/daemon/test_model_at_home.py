"""A daemon with a model on this machine: asked at the start, free, and within its context."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.model_servers import Serves, ollama, serving, tokens_of

from bots.app import Daemon
from bots.settings.settings import BotsSettings, LlmSettings, Settings
from bridge.fake import FakeBridge

pytestmark = pytest.mark.anyio
PATIENT_S = 30.0


def settings(folder: Path, url: str, model: str) -> Settings:
    llm = LlmSettings(base_url=url, model=model, briefing=False)
    return Settings(data_dir=folder, bots=BotsSettings(names=("Alice",)), llm=llm)


async def said(
    fake_bridge: FakeBridge, folder: Path, server: Serves, model: str
) -> tuple[str, dict[str, object], list[dict[str, object]]]:
    """What Alice answers to an owner's question once the model was checked; the state of the
    model; what models were asked."""
    steve = fake_bridge.world.person("Steve")
    with serving(server) as home:
        async with Daemon(settings(folder, home.url, model), bridge=fake_bridge) as daemon:
            assert await daemon.all_joined()
            async with asyncio.timeout(PATIENT_S):
                await daemon.responders.checked.wait()
            steve.whisper("Alice", "What do you think of the weather in spring?")
            words = (await steve.hears()).text
            health = daemon.responders.health.trouble
            assert daemon.responders.budget.spent() == 0
        found: dict[str, object] = {"why": health.why} if health else {}
        return words, found, list(home.questions)


async def test_a_model_with_little_context_gets_a_question_that_it_reads_whole(
    fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    home = ollama("qwen3:latest", context=3_000, said="I like rain.")
    words, trouble, questions = await said(fake_bridge, tmp_path, home, "qwen3")
    assert (words, trouble) == ("I like rain.", {})
    asked = questions[-1]
    tools = [tool["name"] for tool in asked["tools"]]  # type: ignore[attr-defined]
    assert "ask_for" not in tools
    assert "follow" in tools
    assert tokens_of(asked) + int(str(asked["max_tokens"])) <= 3_000


async def test_a_model_that_the_server_lacks_is_told_below_what_rules_answer(
    fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    words, trouble, _ = await said(fake_bridge, tmp_path, ollama("gemma3:4b"), "qwen3")
    assert "has no model qwen3; it has gemma3:4b" in words
    assert trouble == {"why": "unknown_model"}
