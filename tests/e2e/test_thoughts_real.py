"""A bot that joins thinks of a plan; whoever holds the machine has it carried out. What it was
taught is before its mind when it matters."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from contract.arena import eventually
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import People, Player

from llm.fake_api import Call, FakeClaude, Reply, Step
from llm.model import Usage

pytestmark = pytest.mark.real

PLAN = {
    "summary": "A meadow. Nothing but earth is at hand.",
    "plan": ["dig two blocks of earth", "wait for company"],
    "goal": "inventory.dirt:2",
    "confidence": 0.6,
    "alternatives": ["wait for company"],
}
DONE_WITHIN_S = 60.0
LESSON = "The bridge at the lake is broken."


def thinks(question: Mapping[str, Any]) -> Step:
    if "the planning mind" in str(question["system"]):
        return Reply(json.dumps(PLAN), thinking="Earth is all there is.", usage=Usage(900, 120))
    read = json.dumps(question["messages"][-1])
    asks_anew = any(words in read for words in ("tool_result", "the way over", "Can I cross"))
    if "Please remember" in read and not asks_anew:
        asked = {"tool": "remember", "arguments": {"words": LESSON}}
        return Reply("", calls=(Call("ask_for", asked),))
    return Reply("I am thinking.")


@pytest.fixture(scope="module")
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude(decide=thinks).serving() as claude:
        yield claude


@pytest.fixture(scope="module")
async def daemon(new_site: Callable[[], Site], claude: FakeClaude) -> AsyncIterator[DaemonProcess]:
    async with new_site().up(
        ANTHROPIC_API_KEY="sk-ant-scripted",
        ANTHROPIC_BASE_URL=claude.url,
        TOWNSFOLK_TALK__SMALL_TALK="false",
        TOWNSFOLK_LLM__BRIEFING="true",
    ) as daemon:
        yield daemon
        assert daemon.tracebacks == []


async def test_a_plan_is_proposed_on_joining_and_carried_out_when_it_is_approved(
    daemon: DaemonProcess, claude: FakeClaude, steve: Player
) -> None:
    async with daemon.watching(last=0) as watch:
        made = await watch.next("decision.made", bot="Alice", trigger="briefing")
        assert (made["wanted"], made["tier"], made["source"]) == ("opus", "opus", "model")
        assert made["reasoning"] == "Earth is all there is."
        assert made["cost_usd"] > 0
        status = await daemon.command("Alice", "!thoughts status")
        assert status["threads"][0]["status"] == "proposed"
        approved = await daemon.post(f"/api/decisions/{made['sequence']}/approve")
        assert (approved["success"], approved["started"]) == (True, True)
        ended = await watch.next(
            "job.finished", bot="Alice", command="!goal", within_s=DONE_WITHIN_S
        )
    assert ended["result"]["have"]["dirt"] >= 2
    again = await daemon.post(f"/api/decisions/{made['sequence']}/approve")
    assert again["reason"] == "no_proposal"
    schemas = [asked.get("output_config") for asked in claude.requests]
    assert any(schemas)


async def test_what_a_person_taught_is_shown_to_models_when_it_matters_and_counts_as_used(
    daemon: DaemonProcess, people: People
) -> None:
    async with (
        daemon.watching() as watch,
        people.player(daemon.minecraft, "Tom", is_known=True) as tom,
    ):
        await tom.says(f"Alice! Please remember: {LESSON}")  # a whisper no talk would be told
        await watch.next("reply.sent", bot="Alice", speaker="Tom")
    async with daemon.watching() as watch:
        begun = await daemon.command("Alice", "!talk start Alice,Bob the way over the bridge")
        assert begun["success"]
        in_talk = await watch.next("knowledge.used", bot="Alice", work="talk")
        await daemon.command("Alice", "!talk end")
        async with people.player(daemon.minecraft, "Tom", is_known=True) as tom:
            await tom.asks("Alice", "Can I cross the bridge now?")
            asked = await watch.next("knowledge.used", bot="Alice", work="person")
    (entry,) = (await daemon.command("Alice", "!knowledge bridge"))["entries"]
    assert entry["id"] in in_talk["entries"]
    assert entry["id"] in asked["entries"]
    assert entry["used"] >= 2
    for work, words in (("talk", "the way over the bridge"), ("person", "Can I cross")):
        told = (await prompt_with(daemon, work, words)).partition("# What you know\n")[2]
        assert f'{{"known":"{LESSON}","from":"Tom","who":"trusted"' in told


async def prompt_with(daemon: DaemonProcess, work: str, words: str) -> str:
    """The last turn before Alice with these words; it is on the disk a while after the answer.
    Bob, who was taught nothing, has prompts of the same talk."""

    async def look() -> str | None:
        kept = [json.loads(line) for line in kept_prompts(daemon).read_text().splitlines()]
        hers = [one for one in kept if (one["bot"], one["work"]) == ("Alice", work)]
        turns = [one["turns"][-1]["text"] for one in hers]
        return next((text for text in reversed(turns) if words in text), None)

    return await eventually(look)


def kept_prompts(daemon: DaemonProcess) -> Path:
    return daemon.site.data_dir / "log" / "prompts.jsonl"
