"""What models were asked is kept in a file of bounded size, whatever it was asked for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.daemons import Town
from support.live_talks import is_summary
from support.rig import until

from bots.clock import utc_now
from bots.responder.records import keeper as keeper_module
from bots.responder.records.keeper import OLD_FILES, PromptKeeper, RecordFile
from bridge.world import Position
from llm.engine.budget import Payer
from llm.engine.decision import Matter, without_model
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, ToolCall, Turn, Usage

NEAR = Position(12.5, 64, 8.5)
THOUGHT = '{"summary": "A meadow.", "plan": [], "goal": "", "confidence": 1, "alternatives": []}'


def kept_in(folder: Path) -> Iterator[dict[str, Any]]:
    """What all files hold, oldest first."""
    paths = sorted((folder / "log").glob("prompts.jsonl*"), reverse=True)
    return (json.loads(line) for path in paths for line in path.read_text().splitlines())


def answer(question: Question) -> Answer:
    if "planning mind" in question.system:
        return THOUGHT
    if is_summary(question):
        return "Steve counts."
    if question.tools and not question.rounds:
        call = ToolCall("c1", "places", {})
        return Completion("", "claude", Usage(100, 10), "tools", (call,))
    return "I see."


async def whispered(town: Town, lines: int, **llm: Any) -> list[Any]:
    """Facts of the decisions on so many whispers, once the daemon has ended."""
    steve = town.world.person("Steve", NEAR)
    model = FunctionModel(answer)
    async with town.with_settings(model, llm={"briefing": True, **llm}) as daemon:
        for number in range(lines):
            steve.whisper("Alice", f"This is line {number}")
            while (await steve.hears()).text != "I see.":
                pass  # it tells its plan, too
        await until(lambda: lines < 7 or any(map(is_summary, model.questions)))
        return [made.facts for made in daemon.trace.recent("decision.made")]


@pytest.mark.slow
async def test_replies_summaries_and_analyses_are_kept_with_what_came_of_them(town: Town) -> None:
    made = await whispered(town, 7)
    kept = list(kept_in(town.folder))
    assert {one["work"] for one in kept} >= {"person", "summary", "briefing"}
    reply = next(one for one in kept if one["work"] == "person")
    assert '"says":"This is line 0"' in reply["turns"][-1]["text"]
    assert "You are Alice" in reply["character"]
    assert "ask_for" in reply["tools"]
    (called,) = reply["rounds"]
    assert called["calls"] == [{"name": "places", "arguments": {}}]
    assert "spawn" in called["results"][0]
    assert reply["text"] == "I see."
    numbers = [facts["prompt_number"] for facts in made if facts["work"] == "person"]
    assert reply["prompt"] in numbers


async def test_none_are_kept_where_the_settings_say_so(town: Town) -> None:
    (made,) = await whispered(town, 1, prompts_mb=0, briefing=False)
    assert made["prompt_number"] is None
    assert list(kept_in(town.folder)) == []


async def test_the_oldest_are_forgotten_when_there_is_no_more_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper_module, "TOGETHER_S", 0.0)  # each prompt is written by itself
    file_bytes = 2_000
    file = RecordFile(tmp_path, name="prompts.jsonl", file_bytes=file_bytes)
    keeper = PromptKeeper(file, "run", utc_now, is_on=True)
    matter = Matter("summary", Payer("Alice", None), Question("s", ()), 1.0)
    keeper.start()
    for number in range(100):
        keeper.asked(matter, Question("s", (Turn("user", f"{number}"),)), without_model("", "x"))
        await until(lambda: not keeper._waiting)
    await keeper.aclose()
    sizes = [path.stat().st_size for path in (tmp_path / "log").glob("prompts.jsonl*")]
    assert len(sizes) == OLD_FILES + 1
    assert max(sizes) <= file_bytes
    told = [one["turns"][0]["text"] for one in kept_in(tmp_path)]
    assert told[-1] == "99"
    assert "0" not in told
