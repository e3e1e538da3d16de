"""Commands as tools: what a speaker may not run is neither shown nor run."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from support.acting import put
from support.rig import Rig

from bots.access.origin import Fellow, Origin, Person
from bots.access.permissions import Permissions
from bots.access.rate_limit import RateLimit
from bots.bot.jobs import Job
from bots.bot.result import Result
from bots.commands.catalogue import commands
from bots.owned_tasks import OwnedTasks
from bots.registry.registry import CommandContext
from bots.responder.case.quoting import quoted
from bots.responder.case.world_state import ShortIds, State
from bots.responder.tools.command_tools import (
    AT_ONCE_S,
    LONGEST_RESULT,
    CommandTools,
    EndedBy,
    outcome_of,
)
from bridge.world import BotName, PlayerName, Position
from llm.model import ToolCall

pytestmark = pytest.mark.anyio

OWNER, GUEST = Person(PlayerName("Owner")), Person(PlayerName("Guest"))
LEVELS = Permissions(owners=frozenset({"Owner"}))


@pytest.fixture
def permissions() -> Permissions:
    return LEVELS


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice")
    return rig


class FakeTools:
    """A toolbox, and what it told of things that ended later."""

    def __init__(self, rig: Rig, origin: Origin, ids: ShortIds | None = None, count: int = 99):
        asked_by = origin.name if isinstance(origin, Person | Fellow) else "@operator"
        self.later: list[tuple[str, Mapping[str, Any]]] = []
        self.told = asyncio.Event()
        self.ended_by: EndedBy = set()
        self.tasks = OwnedTasks()
        self.tools = CommandTools(
            CommandContext(rig.bots["Alice"], origin, asked_by, commands),
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


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall("c1", name, arguments)


async def test_an_owner_has_tools_that_a_guest_has_not(rig: Rig) -> None:
    owner, guest = FakeTools(rig, OWNER), FakeTools(rig, GUEST)
    assert guest.names < owner.names
    assert {"skill_gather", "goal", "navigation_goto"} <= owner.names - guest.names
    assert {"chat", "info", "stop"} <= guest.names


async def test_another_bots_words_can_do_next_to_nothing(rig: Rig) -> None:
    names = FakeTools(rig, Fellow(BotName("Bob"))).names
    allowed = {command.name.replace(" ", "_") for command in commands if command.allow_bots}
    assert names <= allowed


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
    assert "skill_gather" in hands.names
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
