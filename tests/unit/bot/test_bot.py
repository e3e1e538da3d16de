"""A bot's outputs, its actions from begin to end, what it knows once, and what `stop` ends."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
import structlog
from support.rig import Rig, alice_at, until

from bots.access.origin import Operator
from bots.bot import actions as actions
from bots.bot.all_bots import VersionFacts
from bots.bot.bot import Bot
from bots.bot.looking import in_time
from bots.chat.natural_message import UNFINISHED_HANDLERS, NaturalMessage
from bots.errors import InvalidArguments, SpeechRefused
from bots.owned_tasks import OwnedTasks
from bridge.actions import Dig, MoveTo, Query, Wait
from bridge.catalogue import Catalogue, ReadRecipes, RecipeBook
from bridge.errors import BridgeDown, BridgeError, BridgeTimeout, NotConnected
from bridge.events import ActionFinished
from bridge.world import Position

alice = alice_at(Position(0.5, 64, 0.5))


@pytest.mark.parametrize("error", [TypeError("no value"), ValueError("nan"), NotConnected("Alice")])
async def test_an_action_that_could_not_be_sent_leaves_nothing_at_work(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def begin(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(rig.bridge, "begin", begin)
    with pytest.raises(type(error)):
        await alice.act(MoveTo(Position(1, 64, 1)))
    assert (alice.doing, alice.is_at_work) == ([], False)


# --- three separate outputs -----------------------------------------------------------


async def test_system_log_goes_to_the_log_and_nowhere_else(rig: Rig, alice: Bot) -> None:
    with structlog.testing.capture_logs() as logged:
        alice.system_log("woke up")
    assert [(entry["event"], entry["bot"], entry["message"]) for entry in logged] == [
        ("bot.noted", "Alice", "woke up")
    ]
    assert (rig.bridge.sent, alice.get_conversation_history()) == ([], [])


async def test_speak_whispers_and_records_nothing(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve")
    assert await alice.speak("Steve", "good morning") == ("good morning",)
    assert (await steve.hears()).text == "good morning"
    assert alice.get_conversation_history() == []


async def test_add_message_records_and_says_nothing(rig: Rig, alice: Bot) -> None:
    first = await alice.add_message("Steve", "hello", "natural_language")
    await alice.add_message("Alice", {"missing": ["wood"]}, "system_info")
    assert (first.sequence, first.role, first.utterance.kind) == (1, "user", "conversation")
    assert [m.content for m in alice.get_conversation_history()] == ["hello", {"missing": ["wood"]}]
    assert alice.latest_sequence() == 2
    with pytest.raises(InvalidArguments):
        await alice.add_message("Steve", "hello", "gossip")
    assert (rig.bridge.sent, rig.fired) == ([], [])


async def test_filters_of_the_history_combine(alice: Bot) -> None:
    await alice.add_message("Steve", "one")
    await alice.add_message("Alex", "two")
    await alice.add_message("Steve", "three", "system_info")
    found = alice.get_conversation_history(username="Steve", type="conversation")
    assert [message.text for message in found] == ["one"]
    found = alice.get_conversation_history(usernames=["Steve", "Alex"], since=1)
    assert [message.text for message in found] == ["two", "three"]


# --- aimed words ----------------------------------------------------------------------


async def test_a_reply_reaches_somebody_out_of_range_and_is_recorded(rig: Rig, alice: Bot) -> None:
    steve = rig.world.person("Steve", Position(50, 64, 0))
    told = await alice.reply("Steve", "over here")
    assert told.success
    assert (await steve.hears()).text == "over here"
    (message,) = alice.get_conversation_history()
    assert message.as_json()["content"] == {
        "message": "over here",
        "delivered": True,
        "targetUsername": "Steve",
        "distance": None,
        "maxDistance": None,
    }


async def test_a_reply_that_cannot_be_said_tells_why(rig: Rig, alice: Bot) -> None:
    told = await alice.reply("Steve", "word " * 400)
    assert (told.success, told.reason) == (False, "too_long")
    assert alice.get_conversation_history()[0].as_json()["content"]["delivered"] is False
    with pytest.raises(SpeechRefused):
        await alice.speak("Steve", "§")


async def test_tell_outside_a_world_raises_what_the_bridge_raises(rig: Rig, alice: Bot) -> None:
    rig.bridge.kick("Alice", "out")
    with pytest.raises(NotConnected):
        await alice.tell("Steve", "hello", 15)


# --- actions ----------------------------------------------------------------------------


async def finished(rig: Rig, act: Coroutine[Any, Any, ActionFinished]) -> ActionFinished:
    """The end of an act, after as much time as it takes."""
    ended = asyncio.create_task(act)
    await until(lambda: rig.bridge.running_actions)
    await rig.world.clock.advance(60)
    return await ended


async def test_an_act_ends_with_its_own_event(rig: Rig, alice: Bot) -> None:
    ended = await finished(rig, alice.act(MoveTo(Position(4.5, 64, 0.5))))
    assert (ended.outcome, alice.doing) == ("done", [])
    ended = await alice.act(Dig(Position(90, 63, 90)))
    assert (ended.outcome, ended.reason) == ("failed", "too_far")


async def test_a_new_action_replaces_the_one_under_way(rig: Rig, alice: Bot) -> None:
    old = asyncio.create_task(alice.act(Wait(1_000_000)))
    await until(lambda: alice.doing == ["wait"])
    new = await alice.begin(MoveTo(Position(4.5, 64, 0.5)))
    assert (await old).outcome == "replaced"
    assert (await finished(rig, alice.actions.wait(new))).outcome == "done"


async def test_an_action_ends_with_a_stop_with_its_bot_and_with_whoever_waits(
    rig: Rig, alice: Bot
) -> None:
    async def begun() -> asyncio.Task[ActionFinished]:
        action = asyncio.create_task(alice.act(Wait(1_000_000)))
        await until(lambda: alice.doing)
        return action

    action = await begun()
    assert await alice.stop() == ["wait"]
    assert (await action).outcome == "cancelled"
    action = await begun()
    action.cancel()
    with pytest.raises(asyncio.CancelledError):
        await action
    await until(lambda: rig.bridge.running_actions == 0)
    action = await begun()
    rig.bridge.kick("Alice", "out")
    assert (await action).outcome == "disconnected"


async def test_an_action_whose_event_is_lost_ends_by_its_deadline(
    alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "END_GRACE_S", 0.02)
    action = await alice.begin(Wait(1_000_000), deadline_s=0.02)
    ended = await alice.actions.wait(action)
    assert ended.outcome == "deadline"
    assert alice.doing == []


async def test_an_action_that_could_not_begin_is_not_under_way(rig: Rig, alice: Bot) -> None:
    rig.bridge.faults.fail_next("begin", BridgeDown("begin", "Node died"))
    with pytest.raises(BridgeDown):
        await alice.begin(Wait(5))
    assert alice.doing == []


async def test_an_action_that_may_have_begun_is_cancelled(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = rig.bridge.begin

    async def begin_unheard(*args: Any, **options: Any) -> None:
        await begin(*args, **options)
        raise BridgeTimeout("begin", 3)

    monkeypatch.setattr(rig.bridge, "begin", begin_unheard)
    with pytest.raises(BridgeTimeout):
        await alice.begin(Wait(1_000_000))
    assert alice.doing == []
    await until(lambda: rig.bridge.running_actions == 0)


async def test_stop_asks_what_may_be_stopped(alice: Bot) -> None:
    operator = Operator("exec")
    with alice.running("thinking", lambda: None, operator), alice.running("idling", lambda: None):
        assert await alice.stop(lambda started_by: started_by == operator) == ["thinking"]
        assert alice.doing == ["thinking", "idling"]
    assert alice.doing == []


# --- owned tasks ----------------------------------------------------------------------


async def test_closing_a_bot_ends_its_handlers(alice: Bot) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def endless(_message: NaturalMessage) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    alice.on_natural_message(endless)
    alice.fire(NaturalMessage(alice.name, "Steve", "hi", 0, Operator("python"), 1))
    await begun.wait()
    await alice.aclose()
    assert ended.is_set()


async def test_handlers_that_never_end_do_not_pile_up(alice: Bot) -> None:
    begun: list[NaturalMessage] = []

    async def endless(message: NaturalMessage) -> None:
        begun.append(message)
        await asyncio.Event().wait()

    alice.on_natural_message(endless)
    for number in range(UNFINISHED_HANDLERS + 10):
        alice.fire(NaturalMessage(alice.name, "Steve", str(number), 0, Operator("python"), 1))
    await until(lambda: begun)
    assert len(begun) <= UNFINISHED_HANDLERS


async def test_a_failed_task_is_logged_and_told() -> None:
    tasks, told = OwnedTasks(), list[BaseException]()

    async def fail() -> None:
        raise KeyError("x")

    with structlog.testing.capture_logs() as logged:
        await asyncio.wait({tasks.start(fail(), "failing", told.append)})
        await asyncio.sleep(0)
    assert [entry["event"] for entry in logged] == ["task.failed"]
    assert [type(failure) for failure in told] == [KeyError]
    assert len(tasks) == 0


# --- looks have a deadline ------------------------------------------------------------


async def given(answer: str | Exception) -> str:
    if isinstance(answer, Exception):
        raise answer
    return answer


async def test_an_answer_is_given_in_time_or_none_and_a_bug_is_not_hidden() -> None:
    assert await in_time(given("grass"), 5) == "grass"
    assert await in_time(given(BridgeError("the bot is in no world")), 5) is None
    with pytest.raises(KeyError):
        await in_time(given(KeyError("a bug")), 5)


async def test_a_late_answer_is_none_and_no_longer_waited_for() -> None:
    late = asyncio.create_task(asyncio.Event().wait())
    assert await in_time(late, 0.001) is None
    assert late.cancelled()


# --- facts of the version -------------------------------------------------------------


@dataclass
class World:
    """Tells its recipes to whoever does not know them yet, once it is let."""

    version: str = "1.16.5"
    told: list[str] = field(default_factory=list)
    fails: int = 0
    free: asyncio.Event = field(default_factory=asyncio.Event)

    async def ask(self, query: Query[RecipeBook | None]) -> RecipeBook | None:
        assert isinstance(query, ReadRecipes)
        await self.free.wait()
        if self.fails:
            self.fails -= 1
            raise BridgeError("gone")
        if query.known == self.version:
            return None
        self.told.append(self.version)
        return RecipeBook(self.version, ())


async def test_all_bots_have_the_same_facts_and_not_each_its_own(rig: Rig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    assert await alice.catalogue() is await bob.catalogue()
    assert await alice.recipes() is await bob.recipes()


async def test_two_that_ask_at_once_read_once() -> None:
    world, facts = World(), VersionFacts()
    asking = [asyncio.create_task(facts.recipes.read(world.ask)) for _ in range(3)]
    world.free.set()
    books = await asyncio.gather(*asking)
    assert world.told == ["1.16.5"]
    assert all(book is books[0] for book in books)


async def test_of_two_that_meet_another_version_at_once_both_have_the_same_facts() -> None:
    world, facts = World(), VersionFacts()
    world.free.set()
    old = await facts.recipes.read(world.ask)
    world.version = "1.20.1"
    one, other = await asyncio.gather(*(facts.recipes.read(world.ask) for _ in range(2)))
    assert (old.version, one.version) == ("1.16.5", "1.20.1")
    assert one is other


async def test_a_failed_read_is_tried_again_by_whoever_waited() -> None:
    world, facts = World(fails=1), VersionFacts()
    failing = asyncio.create_task(facts.recipes.read(world.ask))
    waiting = asyncio.create_task(facts.recipes.read(world.ask))
    world.free.set()
    with pytest.raises(BridgeError):
        await failing
    assert (await waiting).version == "1.16.5"
    assert world.told == ["1.16.5"]


async def test_once_they_are_known_nobody_waits_for_a_bot_whose_world_is_silent() -> None:
    world, silent, facts = World(), World(), VersionFacts()
    world.free.set()
    known = await facts.recipes.read(world.ask)
    hanging = asyncio.create_task(facts.recipes.read(silent.ask))
    await asyncio.sleep(0)
    assert await facts.recipes.read(world.ask) is known
    assert not hanging.done()
    hanging.cancel()


async def test_the_catalogue_and_the_recipes_are_read_apart(rig: Rig) -> None:
    alice = await rig.bot("Alice")
    catalogue: Catalogue = await alice.catalogue()
    before = rig.bridge.queries
    assert (await alice.recipes()).version == catalogue.version
    assert rig.bridge.queries == before + 1
