"""Commands as tools: what a speaker may not run is neither shown nor run."""

import asyncio
import re
from collections.abc import Mapping
from typing import Any

import pytest
from support.acting import put
from support.rig import Rig

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.access.rate_limit import RateLimit
from bots.access.sources import Sources
from bots.access.visibility import InView
from bots.bot.jobs import Job
from bots.bot.result import Result
from bots.commands.catalogue import commands
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext
from bots.responder.asking_back import AskedFor
from bots.responder.case.quoting import quoted
from bots.responder.case.world_state import ShortIds, State
from bots.responder.command_tools import (
    AT_ONCE_S,
    LONGEST_RESULT,
    CommandTools,
    EndedBy,
    outcome_of,
    tool_name,
)
from bots.responder.main_tools import MAIN_TOOLS, MainTool, meant
from bridge.world import BotName, PlayerName, Position
from llm.model import ToolCall

OWNER, GUEST = Person(PlayerName("Owner")), Person(PlayerName("Guest"))
LEVELS = Permissions(owners=frozenset({"Owner"}))
SAID_BY_GUEST = Sources.said_by(GUEST, Level.PLAYER, {"Guest"})


@pytest.fixture
def permissions() -> Permissions:
    return LEVELS


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice")
    return rig


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("c1", name, arguments)


class FakeTools:
    """A toolbox, and what it told of things that ended later."""

    def __init__(
        self,
        rig: Rig,
        origin: Origin,
        ids: ShortIds | None = None,
        count: int = 99,
        view: InView | None = None,
    ) -> None:
        asked_by = origin.name if isinstance(origin, Person | Fellow) else "@operator"
        self.later: list[tuple[str, Mapping[str, Any]]] = []
        self.told = asyncio.Event()
        self.ended_by: EndedBy = set()
        self.tasks = OwnedTasks()
        self.tools = CommandTools(
            CommandContext(rig.bots["Alice"], origin, asked_by, commands, view=view),
            State("", ids or ShortIds()),
            limit=RateLimit(rig.world.clock.monotonic, count=count),
            tasks=self.tasks,
            began=lambda job: None,
            ended=self._ended,
            ended_by=self.ended_by,
        )

    @property
    def names(self) -> set[str]:
        return {tool.name for tool in self.tools.tools}

    def _ended(self, job: Job) -> None:
        self.later.append((job.name, job.outcome().as_json()))
        self.told.set()


async def test_an_owner_has_tools_that_a_guest_has_not(rig: Rig) -> None:
    owner, guest = FakeTools(rig, OWNER), FakeTools(rig, GUEST)
    assert guest.names < owner.names
    assert {"goal", "go", "hand_over"} <= owner.names - guest.names
    assert {"say", "look", "ask_for"} <= guest.names


def asked_for(tools: FakeTools) -> str:
    """The usages that `ask_for` lists."""
    return next(tool.description for tool in tools.tools.tools if tool.name == "ask_for")


async def test_every_other_command_a_speaker_may_run_can_be_asked_for(rig: Rig) -> None:
    owner, guest = FakeTools(rig, OWNER), FakeTools(rig, GUEST)
    assert "goal_then <goal>" in asked_for(owner)
    assert "goal_pause/resume/status;" in asked_for(owner)
    assert "talk_start <participants> [topic]" in asked_for(owner)
    assert "intervalMs] [" not in asked_for(owner)
    assert "stop" in asked_for(guest)
    assert "talk_start" not in asked_for(guest)
    outcome = await owner.tools.use(call("ask_for", tool="quiet", arguments={"state": "on"}))
    assert outcome.text.startswith('{"success":true')


async def test_an_owner_who_is_shown_words_of_others_is_told_what_can_be_asked_for(
    rig: Rig,
) -> None:
    tools = FakeTools(rig, OWNER, view=InView(told=SAID_BY_GUEST))
    assert not {"goal", "stop"} & tools.names
    assert {"goal <goal>", "stop"} <= set(re.split("; |[.] ", asked_for(tools)))
    await tools.tools.use(call("ask_for", tool="goal", arguments={"goal": "inventory.dirt:1"}))
    assert tools.tools.asked_for == AskedFor(
        "goal", {"goal": "inventory.dirt:1"}, Level.TRUSTED, frozenset()
    )


async def test_the_goals_that_its_tool_names_are_goals(rig: Rig) -> None:
    names = (await planner_for(rig.bots["Alice"])).domain
    goal = next(tool for tool in MAIN_TOOLS if tool.name == "goal")
    meaning = goal.parameters["goal"].meaning
    examples = re.findall(r"(?:inventory|placed|equipment)[.]\S+(?: near:\w+)?", meaning)
    assert len(examples) == 3
    for example in examples:
        assert parse_goals(example.rstrip(",;"), names)


async def test_there_are_three_lists_of_tools_whoever_asks(rig: Rig) -> None:
    rig.bots["Alice"].permissions = Permissions(frozenset({"Owner"}), frozenset({"Tess"}))
    people = [Person(PlayerName(name)) for name in ("Owner", "Tess", "Guest", "Eve")]
    origins: list[Origin] = [*people, Operator("exec")]
    views = [InView(), InView(told=SAID_BY_GUEST), InView(asked=SAID_BY_GUEST)]
    lists = {FakeTools(rig, who, view=view).tools.tools for who in origins for view in views}
    assert len(lists) == 3


@pytest.mark.parametrize("tool", MAIN_TOOLS, ids=lambda tool: tool.name)
def test_what_a_tool_declares_is_what_its_command_takes(tool: MainTool) -> None:
    command = next(one for one in commands if tool_name(one) == tool.command)
    keys = {command.args.json_key(name): field for name, field in command.args.model_fields.items()}
    assert {one.key for one in tool.parameters.values()} <= set(keys)
    given = {one.key for one in tool.parameters.values() if not one.optional}
    instead = {key for fields in tool.unless_given.values() for key in fields}
    assert {key for key, field in keys.items() if field.is_required()} <= given | instead
    assert command.world == tool.takes_long


@pytest.mark.parametrize(
    ("asked", "command"),
    [
        (call("go", to="10 64 -5"), {"where": "10 64 -5"}),
        (call("follow"), {}),
        (call("follow", player=None), {}),
        (call("goal", goal="inventory.oak_planks:+5"), {"goal": "inventory.oak_planks:+5"}),
        (call("hand_over", item="bread", count=-1), {"itemName": "bread", "count": -1}),
        (call("say", words="hi"), {"message": "hi", "target": "all"}),
        (call("say", words="hi", to="Bob"), {"message": "hi", "username": "Bob"}),
        (call("look", block="iron_ore", within=8), {"type": "iron_ore", "range": 8}),
        (call("name_place", place="home"), {"name": "home"}),
    ],
)
def test_a_tool_stands_for_one_command(asked: ToolCall, command: Mapping[str, Any]) -> None:
    tool = next(one for one in MAIN_TOOLS if one.name == asked.name)
    through = call("ask_for", tool=asked.name, arguments=asked.arguments)
    for one in (meant(asked), meant(through)):
        assert (one.name, one.arguments) == (tool.command, command)
    declared = next(one for one in commands if tool_name(one) == tool.command)
    declared.args.model_validate(command)


async def test_another_bots_words_can_do_next_to_nothing(rig: Rig) -> None:
    names = FakeTools(rig, Fellow(BotName("Bob"))).names
    assert names == {"look", "places", "ask_for"}


async def test_every_tool_can_be_declared_to_the_api(rig: Rig) -> None:
    for tool in FakeTools(rig, OWNER).tools.tools:
        assert tool.name.replace("_", "").isalnum()
        assert len(tool.name) <= 64
        assert tool.description
        assert tool.schema["type"] == "object"


async def test_a_query_is_answered_in_json(rig: Rig) -> None:
    outcome = await FakeTools(rig, GUEST).tools.use(call("status"))
    assert not outcome.failed
    assert outcome.text.startswith('{"success":true')


@pytest.mark.parametrize(
    "asked",
    [
        call("op", player="Guest"),
        call("skill_gather", itemName="oak_log"),  # a guest may not
        call("chat", nonsense=1),
        ToolCall("c1", "chat", None),
    ],
)
async def test_what_is_not_permitted_or_does_not_fit_does_nothing_and_is_illegal(
    rig: Rig, asked: ToolCall
) -> None:
    outcome = await FakeTools(rig, GUEST).tools.use(asked)
    assert outcome.illegal
    assert rig.bots["Alice"].jobs.current is None


async def test_a_level_that_was_lost_meanwhile_is_checked_at_execution(rig: Rig) -> None:
    hands = FakeTools(rig, OWNER)
    assert "goal" in hands.names
    rig.bots["Alice"].permissions = Permissions(owners=frozenset({"Somebody"}))
    outcome = await hands.tools.use(call("skill_gather", itemName="oak_log"))
    assert outcome.illegal
    assert "not_permitted" in outcome.text


async def test_short_names_are_read_back(rig: Rig) -> None:
    ids = ShortIds()
    steve = ids.of("p", "Steve")
    person = rig.world.person("Steve", rig.world.body("Alice").position)
    outcome = await FakeTools(rig, GUEST, ids).tools.use(call("chat", username=steve, message="hi"))
    assert not outcome.failed
    assert (await person.hears()).text == "Guest asks me to say: hi"


async def test_what_ends_at_once_is_told_at_once(rig: Rig) -> None:
    rig.world.give("Alice", "bread", 1)
    used = asyncio.create_task(
        FakeTools(rig, OWNER).tools.use(call("skill_equip", itemName="bread"))
    )
    while not used.done():
        await rig.world.clock.advance(0.1)
    outcome = await used
    assert outcome.text.startswith('{"success":true')


@pytest.mark.slow
async def test_what_takes_longer_is_begun_and_its_end_told_later(rig: Rig) -> None:
    hands = FakeTools(rig, OWNER)
    begun = asyncio.create_task(hands.tools.use(call("navigation_follow", username="Steve")))
    rig.world.person("Steve", Position(12.5, 64, 8.5))
    async with asyncio.timeout(AT_ONCE_S + 5):
        outcome = await begun
    assert '"begun":true' in outcome.text
    assert hands.later == []
    await rig.bots["Alice"].stop()
    async with asyncio.timeout(5):
        await hands.told.wait()
    ((command, result),) = hands.later
    assert (command, result["reason"]) == ("!navigation follow", "stopped")


async def test_tools_count_as_commands_of_the_speaker(rig: Rig) -> None:
    hands = FakeTools(rig, GUEST, count=2)
    for _ in range(2):
        assert not (await hands.tools.use(call("status"))).failed
    refused = await hands.tools.use(call("status"))
    assert refused.failed
    assert "Too many" in refused.text


@pytest.mark.slow
async def test_who_ended_something_is_known_and_who_failed_to_is_not(rig: Rig) -> None:
    hands = FakeTools(rig, OWNER)
    put(rig, "oak_log", (40, 64, 40))
    await hands.tools.use(call("skill_gather", itemName="oak_log"))  # time stands still
    job = rig.bots["Alice"].jobs.current
    assert job is not None
    failed = await hands.tools.use(call("navigation_stopFollow"))
    assert (failed.failed, hands.ended_by) == (True, set())
    await hands.tools.use(call("stop"))
    assert hands.ended_by == {(job.id, OWNER)}
    await hands.told.wait()
    await hands.tasks.aclose()


class Noted(Result):
    note: str


@pytest.mark.parametrize(("over", "ending"), [(0, ""), (1, " …(cut)")])
def test_a_long_result_is_cut_for_the_model(over: int, ending: str) -> None:
    bare = outcome_of(Noted(note="")).text
    result = Noted(note="a" * (LONGEST_RESULT - len(bare) + over))
    whole = quoted(result.as_json())
    assert len(whole) == LONGEST_RESULT + over
    assert outcome_of(result).text == whole[:LONGEST_RESULT] + ending
