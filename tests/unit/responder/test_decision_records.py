"""Every decision is recorded in the trace and the file, and counts in the metrics."""

import asyncio
import json
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from support.daemons import Town, calling, daemon_on
from support.rig import until

from bots.access.origin import Person
from bots.app import Daemon
from bots.chat.natural_message import NaturalMessage
from bots.cli.status import rendered_stats
from bots.observability.trace import TraceLog
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.main_tools import stated_confidence
from bots.responder.records.keeper import OLD_FILES, RecordFile, RecordKeeper, stats_left
from bots.responder.records.metrics import Spent, concise, counts, metrics
from bots.responder.records.record import MOST_DECISIONS, DecisionRecorder
from bridge import FakeBridge
from bridge.world import BotName, PlayerName, Position
from llm.engine.budget import Budget, Caps, MemoryLedger
from llm.engine.decision import ToolOutcome, Used, without_model
from llm.function_model import FunctionModel

NOW = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
BY_RULES = without_model("Hello.", "no_model")
LONG_AGO = NOW - timedelta(days=365)


def record(name: str, run: str = "now", **facts: Any) -> dict[str, Any]:
    return {"run": run, "at": NOW.isoformat(), "name": name, **facts}


def made(**facts: Any) -> dict[str, Any]:
    usual = {"work": "person", "source": "model", "why": None, "tier": "sonnet", "seconds": 1.0}
    return record("decision.made", **{**usual, "used": [], **facts})


def measured(*records: dict[str, Any], cap: float | None = 2.0) -> dict[str, Any]:
    short = [s for one in records if (s := concise(one)) is not None]
    found = metrics(short, Spent(0.5, cap), "now")
    return {name: (metric.value, metric.met) for name, metric in found.items()}


def test_nothing_measured_is_neither_met_nor_missed() -> None:
    assert measured(cap=None) == {
        "timeout_rate": (None, None),
        "answer_mean_s": (None, None),
        "opus_mean_s": (None, None),
        "cost_usd": (0.5, None),
        "valid_actions": (None, None),
        "ended_properly": (None, None),
        "approval": (None, None),
    }


def test_only_running_out_of_time_is_a_timeout() -> None:
    out_of_time = made(source="rules", why="deadline")
    assert measured(*[made()] * 100, out_of_time)["timeout_rate"] == (1 / 101, True)
    assert measured(made(), out_of_time)["timeout_rate"] == (0.5, False)
    assert measured(made(source="rules", why="overloaded"))["timeout_rate"] == (0.0, True)


def test_answers_to_people_count_until_they_were_said() -> None:
    said = record("reply.sent", work="person", success=True, after_s=2.0)
    to_fellow = record("reply.sent", work="talk", success=True, after_s=9.0)
    unheard = record("reply.sent", work="person", success=False, after_s=9.0)
    assert measured(said, to_fellow, unheard)["answer_mean_s"] == (2.0, True)


def test_the_dearest_tier_is_measured_alone() -> None:
    assert measured(made(seconds=12.0, tier="opus"), made())["opus_mean_s"] == (12.0, False)


def test_cost_at_the_cap_is_within_it() -> None:
    assert measured(cap=0.5)["cost_usd"] == (0.5, True)
    assert measured(cap=0.4)["cost_usd"] == (0.5, False)


def test_an_action_is_valid_unless_it_was_illegal() -> None:
    used = [{"illegal": False}, {"illegal": False}, {"illegal": True}, {"illegal": False}]
    assert measured(made(used=used))["valid_actions"] == (0.75, False)


def test_goals_end_properly_unless_they_break_or_are_broken_off() -> None:
    def begun(number: int, run: str) -> dict[str, Any]:
        return record("job.started", run, actionId=f"Alice-job-{number}", command="!goal x")

    def over(number: int, **result: Any) -> dict[str, Any]:
        id_ = f"Alice-job-{number}"
        return record("job.finished", actionId=id_, command="!goal", result=result)

    ends = [over(1, success=True), over(2, success=False, reason="no_plan")]
    assert measured(*ends)["ended_properly"] == (1.0, True)
    assert measured(*ends, over(3, reason="internal"))["ended_properly"] == (2 / 3, False)
    started = [{**begun(4, run), "command": "!goal"} for run in ("before", "now")]
    assert measured(*ends, *started)["ended_properly"] == (2 / 3, False)
    other = {**over(5, reason="internal"), "command": "!skill gather"}
    assert measured(*ends, other)["ended_properly"] == (1.0, True)


def test_a_talk_that_was_resumed_is_not_broken_off() -> None:
    begun = record("talk.begun", "before", talk=1)
    assert measured(begun)["ended_properly"] == (0.0, False)
    assert measured(begun, record("talk.resumed", talk=1))["ended_properly"] == (None, None)
    assert measured(begun, record("talk.ended", talk=1))["ended_properly"] == (1.0, True)


def test_approval_is_of_those_who_said_either() -> None:
    approved, again = record("decision.approved"), record("decision.reanalysed")
    assert measured(made(), approved, again)["approval"] == (0.5, False)


def test_decisions_are_counted_by_what_made_them() -> None:
    told = [concise(made()), concise(made(source="rules", why="budget", tier=None))]
    counted = counts([one for one in told if one is not None])
    assert (counted["made"], counted["by_source"]) == (2, {"model": 1, "rules": 1})
    assert (counted["fallbacks"], counted["by_tier"]) == ({"budget": 1}, {"sonnet": 1})


def test_the_oldest_records_make_room_for_the_newest(tmp_path: Path) -> None:
    file = RecordFile(tmp_path, file_bytes=300)
    for number in range(30):
        file.append([record("decision.made", number=number)])
    kept = [one["number"] for one in file.read_back(LONG_AGO)]
    assert kept == list(range(30 - len(kept), 30))
    assert len(list(file.path.parent.iterdir())) == OLD_FILES + 1
    assert all(path.stat().st_size <= 300 for path in file.path.parent.iterdir())


def test_a_line_that_a_power_cut_tore_costs_no_other(tmp_path: Path) -> None:
    file = RecordFile(tmp_path)
    file.append([record("decision.made", number=1)])
    with file.path.open("ab") as torn:
        torn.write(b'{"at": "2026-05-0')
    file.append([record("decision.made", number=2)])
    assert [one["number"] for one in file.read_back(LONG_AGO)] == [1, 2]


def test_records_hold_no_secret_and_only_we_may_read_them(tmp_path: Path) -> None:
    file = RecordFile(tmp_path, ["open sesame"])
    file.append([record("decision.made", text="say open sesame", used=[{"a": "sk-ant-abc"}])])
    written = file.path.read_text()
    assert "sesame" not in written
    assert "sk-ant" not in written
    assert file.path.stat().st_mode & 0o077 == 0


def test_records_before_the_period_are_not_read(tmp_path: Path) -> None:
    file = RecordFile(tmp_path)
    file.append([record("decision.made")])
    assert list(file.read_back(NOW + timedelta(seconds=1))) == []


def test_decisions_are_looked_back_on_however_much_else_happened() -> None:
    trace = TraceLog(lambda: NOW)
    made = trace.note("decision.made", "Alice")
    for _ in range(5_000):
        trace.note("message.heard", "Alice")
    assert list(trace.recent("decision.made")) == [made]


async def test_a_reader_that_ends_gets_what_had_arrived() -> None:
    trace = TraceLog(lambda: NOW)
    with trace.reading() as reader:
        trace.note("one")
        trace.note("two")
        reader.close()
        trace.note("three")
        assert [each.name for each in await reader.drain()] == ["one", "two"]
        assert await reader.drain() == []


@pytest.mark.slow
async def test_a_decision_with_tools_is_recorded_whole_and_outlives_the_daemon(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    model = FunctionModel(calling("follow", "On my way.", username="Steve"))
    async with town.up(model, briefing=False) as daemon:
        steve.whisper("Alice", "Follow me, please")
        await steve.hears()
        await until(lambda: list(daemon.trace.recent("reply.sent")))
        await until(
            lambda: daemon.responders.records.stats()["metrics"]["answer_mean_s"]["of"] == 1
        )
        live = daemon.responders.records.stats()
    lines = RecordFile(town.folder).path.read_text().splitlines()
    whole = next(one for one in map(json.loads, lines) if one["name"] == "decision.made")
    assert {"trigger": "message", "work": "person", "tier": "sonnet"}.items() <= whole.items()
    assert {"confidence": None, "alternatives": None, "why": None}.items() <= whole.items()
    assert whole["used"][0]["arguments"] == {"username": "Steve"}
    assert (whole["tokens_in"], whole["prompt_bytes"] > 0, whole["cost_usd"] > 0) == (
        100,
        True,
        True,
    )
    assert live["metrics"]["valid_actions"]["value"] == 1.0
    left = stats_left(RecordFile(town.folder), datetime.now(UTC))
    assert left["decisions"]["made"] >= 1
    assert left["metrics"]["cost_usd"]["target"] is None


@pytest.mark.slow
async def test_what_rules_do_is_on_record_as_what_a_model_does(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    async with town.up(None) as daemon:
        steve.whisper("Alice", "follow me")
        assert "I follow you" in (await steve.hears()).text
        made = next(daemon.trace.recent("decision.made")).facts
    assert (made["source"], made["tools"]) == ("rules", ["navigation_follow"])
    assert made["used"][0]["arguments"] == {"username": "Steve"}
    assert not made["used"][0]["illegal"]


@pytest.mark.slow
async def test_what_a_model_says_of_its_choice_is_on_record_and_no_argument(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    choice = {"player": "Steve", "sure": 0.7, "instead": ["stay near Steve", 1, "", "x", "y"]}
    model = FunctionModel(calling("follow", "On my way.", **choice))
    async with town.up(model) as daemon:
        steve.whisper("Alice", "Stay with me, please")
        assert (await steve.hears()).text == "On my way."
        assert daemon.bot("Alice").doing == ["!navigation follow"]
        made = next(daemon.trace.recent("decision.made")).facts
    follow = next(tool for tool in model.questions[0].tools if tool.name == "follow")
    assert {"player", "sure", "instead"} <= set(follow.schema["properties"])
    assert "sure" in model.questions[0].system
    assert made["used"][0]["arguments"] == {"player": "Steve"}
    assert (made["confidence"], made["alternatives"]) == (0.7, ["stay near Steve", "1", ""])


@pytest.mark.parametrize("sure", ["very", 7, True, None, [1]])
def test_a_confidence_that_is_no_share_is_none(sure: object) -> None:
    used = Used("goal", {"sure": sure, "instead": "a house"}, ToolOutcome("{}"), 0, 0.1)
    assert stated_confidence([used]) == {"confidence": None, "alternatives": ["a house"]}


@pytest.mark.slow
async def test_the_measures_are_there_again_after_a_restart(tmp_path: Path) -> None:
    for count in (1, 2):
        bridge = FakeBridge()
        steve = bridge.world.person("Steve")
        model = FunctionModel(lambda question: "Hello.")
        async with daemon_on(bridge, tmp_path, model, briefing=False) as daemon:
            steve.whisper("Alice", "hello")
            await steve.hears()
            await until(partial(_answers_are, daemon, count))


def _answers_are(daemon: Daemon, count: int) -> bool:
    return bool(daemon.responders.records.stats()["metrics"]["answer_mean_s"]["of"] == count)


def test_the_table_shows_each_measure_beside_its_target() -> None:
    short = concise(made())
    assert short is not None
    found = {name: m.as_json() for name, m in metrics([short], Spent(0.5, 2.0)).items()}
    stats = {"since": NOW.isoformat(), "decisions": counts([short]), "metrics": found}
    lines = list(rendered_stats(stats))
    assert lines[0] == "Since 2026-05-01 12:00 UTC: 1 decisions"
    assert any("ran out of time" in line and "0.0%" in line and "< 1.0%" in line for line in lines)
    assert any("$0.5000" in line and "≤ $2.00" in line and "met" in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("set_by_h", [0, 25, -25])
async def test_records_of_a_period_that_is_over_are_not_held(tmp_path: Path, set_by_h: int) -> None:
    """Nor if the machine's clock was set meanwhile: what it dated wrongly would keep all after it.

    They were held until somebody asked for the metrics: an hour took some megabytes."""
    passed, off = timedelta(), timedelta()
    trace = TraceLog(lambda: NOW + passed + off)
    budget = Budget(MemoryLedger(), Caps(period_s=60), lambda: NOW + passed)
    keeper = RecordKeeper(trace, RecordFile(tmp_path), budget, lambda: NOW + passed)

    async def decided(held: int) -> None:
        newest = keeper._recent[-1] if keeper._recent else None
        trace.note("decision.made", "Alice", work="person", source="model", used=[])
        async with asyncio.timeout(10):
            while not keeper._recent or keeper._recent[-1] is newest:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert len(keeper._recent) == held

    keeper.start()
    await decided(held=1)
    off, passed = timedelta(hours=set_by_h), timedelta(seconds=20)
    await decided(held=2)
    off, passed = timedelta(), timedelta(seconds=70)
    await decided(held=2)  # the first is forgotten
    passed = timedelta(seconds=100)
    await decided(held=2)  # so is the second
    await keeper.aclose()


def test_words_of_a_script_are_recorded_though_no_model_was_asked() -> None:
    recorder = DecisionRecorder(TraceLog(lambda: NOW))
    number = recorder.talked("Alice", "Bob, look at that.", {"source": "rules"}, talk=1, turn=1)
    found = recorder.find(number)
    assert found is not None
    assert found.prompt is None


def test_a_record_has_the_events_that_were_told_with_the_lines() -> None:
    trace, hurt = TraceLog(lambda: NOW), EventReport("danger", "I was hurt.", 0.0)
    DecisionRecorder(trace).decided("Alice", line_of("Steve", 1), BY_RULES, [hurt], requests=2)
    (noted,) = trace.recent("decision.made")
    assert (noted.facts["events"], noted.facts["requests"]) == (["I was hurt."], 2)


def test_the_newest_turns_that_were_decided_on_are_kept_once_for_all_bots() -> None:
    recorder = DecisionRecorder(TraceLog(lambda: NOW))
    turns = [line_of("Steve", number) for number in range(MOST_DECISIONS + 1)]
    bots = cycle(("Alice", "Bob"))
    numbers = [recorder.decided(next(bots), turn, BY_RULES) for turn in turns]
    kept = [recorder.find(number) for number in numbers]
    assert kept[0] is None
    assert all(one and one.turn is turn for one, turn in zip(kept[1:], turns[1:], strict=True))


def line_of(person: str, number: int) -> PendingTurn:
    origin = Person(PlayerName(person))
    line = NaturalMessage(BotName("Alice"), person, "hello", 0, origin, number)
    turn = PendingTurn(person, origin, 0.0)
    turn.messages.append(line)
    return turn
