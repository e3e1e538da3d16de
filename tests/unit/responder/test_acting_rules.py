"""Rules that act: events, and requests that follow one another."""

from dataclasses import replace

import pytest
from support.moments import WORLD
from support.steve_by_rules import BEGUN, NAMES, STEVE, FakeTools, Steve, ended

from bots.access.origin import Fellow, Operator, Origin
from bots.bot.result import Failure, Result
from bots.chat.natural_message import NaturalMessage
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.command_tools import outcome_of
from bridge.world import BotName, ItemStack, PlayerName, PlayerSighting, Position, WorldSnapshot
from llm.engine.decision import ToolOutcome, Used


def moved(to: Position) -> WorldSnapshot:
    return replace(WORLD, players=(PlayerSighting(PlayerName("Steve"), to),))


async def test_what_follows_waits_for_a_good_end() -> None:
    steve = Steve()
    assert await steve.says("get 3 oak logs, then follow me") == "All right: 3 oak logs."
    assert steve.tools.used == ["goal"]
    assert "I follow you" in await steve.hears(ended("goal"))
    assert steve.tools.used == ["goal", "navigation_follow"]


async def test_queued_goals_wait_for_what_follows_until_it_is_under_way() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then follow me")
    assert steve.waited_for == {"Steve"}
    await steve.hears(ended("goal"))
    assert not steve.waited_for


@pytest.mark.parametrize("success", [False, True])
async def test_queued_goals_wait_no_more_once_nothing_follows(success: bool) -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then follow me")
    await steve.hears(ended("goal", success=success))
    assert not steve.waited_for


async def test_what_follows_is_forgotten_after_a_failure() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then follow me")
    assert await steve.hears(ended("goal", success=False, text="No oak here.")) == "No oak here."
    assert await steve.hears(ended("goal")) == "I am done."
    assert steve.tools.used == ["goal"]


# --- later ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        *("then get 8 torches", "Alice, then get 8 torches", "ok, and then get 8 torches please"),
        *("after that, make 8 torches", "next get 8 torches", "次に松明を8本作って"),
        "それが終わったら、松明を8本作って",
    ],
)
async def test_a_goal_that_is_put_off_waits_behind_the_one_under_way(line: str) -> None:
    steve = Steve(tools=FakeTools([ToolOutcome("{}", result=Result())]), is_busy=True)
    said = await steve.says(line)
    (call,) = steve.tools.calls
    assert (call.name, call.arguments) == ("goal_then", {"goal": "inventory.torch:+8"})
    assert "after this" in said or "終わってから" in said


async def test_what_is_put_off_while_there_is_nothing_to_do_begins_at_once() -> None:
    steve = Steve()
    await steve.says("then get 8 torches")
    assert steve.tools.used == ["goal"]


async def test_what_the_speaker_asked_for_goes_on_with_what_is_put_off() -> None:
    steve = Steve(is_busy=True)
    await steve.says("get 3 oak logs")
    assert await steve.says("then get me 2 torches") == "All right: 2 torches, after this."
    assert steve.tools.used == ["goal"]
    await steve.hears(ended("goal"))
    await steve.hears(ended("goal"))
    assert steve.tools.used == ["goal", "goal", "navigation_dropItem"]


async def test_who_is_to_hand_it_over_behind_the_goal_of_another_says_to_ask_again() -> None:
    steve = Steve(tools=FakeTools([ToolOutcome("{}", result=Result())]), is_busy=True)
    said = await steve.says("then bring me 2 torches")
    assert steve.tools.used == ["goal_then"]
    assert said == "All right: 2 torches, after this. Ask me for it then."


async def test_what_cannot_wait_leaves_the_goal_under_way_alone() -> None:
    steve = Steve(is_busy=True)
    assert "ask me again" in await steve.says("then follow me")
    assert steve.tools.used == []


async def test_a_stop_is_not_put_off() -> None:
    steve = Steve(is_busy=True)
    await steve.says("then stop")
    assert steve.tools.used == ["stop"]


def carrying(**counts: int) -> WorldSnapshot:
    return replace(WORLD, items=tuple(ItemStack(name, count) for name, count in counts.items()))


@pytest.mark.parametrize(
    ("line", "handed"),
    [
        ("bring me 5 logs", "Here: 1 birch log for you."),
        ("get me 5 logs", "Here: 1 birch log for you."),
        ("木を5本切ってきて", "はい、シラカバの原木×1です。"),
    ],
)
async def test_logs_of_any_kind_that_were_gathered_are_handed_over(line: str, handed: str) -> None:
    steve = Steve()
    await steve.says(line)
    steve.world = carrying(birch_log=2, oak_log=4, bread=9)
    await steve.hears(ended("skill gather"))
    await steve.hears(ended("navigation dropItem"))
    assert steve.tools.used == ["skill_gather", "navigation_dropItem", "navigation_dropItem"]
    assert [call.arguments for call in steve.tools.calls[1:]] == [
        {"itemName": "oak_log", "count": 4, "targetPlayer": "Steve"},
        {"itemName": "birch_log", "count": 1, "targetPlayer": "Steve"},
    ]
    assert await steve.hears(ended("navigation dropItem")) == handed


async def test_what_was_gathered_at_once_is_handed_over_too() -> None:
    steve = Steve(FakeTools([outcome_of(Result()), BEGUN]))
    steve.rules._reader._snapshot = _with_birch
    assert await steve.says("bring me 2 logs") == "I have got 2 logs. I bring you 2 birch logs."


async def _with_birch() -> WorldSnapshot:
    return carrying(birch_log=2)


async def test_logs_that_are_gone_by_then_are_not_said_to_be_handed_over() -> None:
    steve = Steve()
    await steve.says("bring me 5 logs")
    steve.world = carrying(bread=9)
    said = await steve.hears(ended("skill gather"))
    assert said == "I have got 5 logs. I have none left to hand over."
    assert steve.tools.used == ["skill_gather"]


@pytest.mark.parametrize(
    ("is_busy", "told"), [(False, "I wait here."), (True, "I am following nobody.")]
)
async def test_a_bot_told_to_stay_says_that_it_does_unless_it_is_at_something(
    is_busy: bool, told: str
) -> None:
    failed = Failure(reason="not_following", message="I am following nobody.")
    tools = FakeTools([outcome_of(failed)], names=("navigation_stopFollow",))
    steve = Steve(tools, is_busy=is_busy)
    assert await steve.says("stay here") == told


@pytest.mark.parametrize(
    ("line", "tool"),
    [("stop fighting", "skill_stopFight"), ("stop following me", "navigation_stopFollow")],
)
async def test_work_under_way_is_known_still_after_a_line_that_ends_something_else(
    line: str, tool: str
) -> None:
    failed = Failure(reason="not_at_it", message="I do no such thing.")
    tools = FakeTools([BEGUN, outcome_of(failed)], names=(*NAMES, tool))
    steve = Steve(tools, is_busy=True)
    await steve.says("get 5 logs")
    assert await steve.says(line) == "I do no such thing."
    assert await steve.hears(ended("skill gather")) == "I have got 5 logs."


async def test_what_could_not_be_handed_over_is_said_to_be_there_still() -> None:
    failed = Failure(reason="entity_not_available", message="I do not see Steve.")
    steve = Steve(FakeTools([BEGUN, outcome_of(failed)]))
    await steve.says("bring me 3 oak logs")
    said = await steve.hears(ended("goal"))
    assert said == "I have got 3 oak logs. I do not see Steve. I still have 3 oak logs."


async def test_that_it_was_lost_on_the_way_is_said_too() -> None:
    steve = Steve()
    await steve.says("give me 3 oak logs")
    lost = ended("navigation dropItem", success=False, text="I lost sight of Steve.")
    assert await steve.hears(lost) == "I lost sight of Steve. I still have 3 oak logs."


async def test_an_operator_has_logs_gathered_and_no_hands_to_take_them() -> None:
    steve = Steve()
    await steve.says("bring me 5 logs", origin=Operator("http"))
    assert steve.tools.used == ["skill_gather"]


@pytest.mark.parametrize(
    "line", ["give me 3 oak logs", "come here", "follow me", "look at me", "原木を3個ちょうだい"]
)
async def test_a_player_called_as_the_operator_gets_nothing_in_his_place(line: str) -> None:
    twin = PlayerSighting(PlayerName("@Steve"), Position(6, 64, -12))
    steve = Steve(world=replace(WORLD, players=(*WORLD.players, twin)))
    await steve.says(line, origin=Operator("http"), speaker="@Steve")
    assert steve.tools.used == []


async def test_what_can_be_asked_is_told_in_full_at_first_and_in_short_afterwards() -> None:
    steve = Steve()
    first, *later, seventh = [await steve.says("explain the moon to me") for _ in range(7)]
    assert "You can say" in first
    assert not [said for said in later if "You can say" in said]
    assert "model" not in f"{first} {later}"
    assert max(map(len, later)) < 100
    assert seventh == first
    assert "You can say" in await steve.says("explain the sun", speaker="Ann")


async def test_a_house_is_not_remembered_where_its_owner_is_not_seen() -> None:
    steve = Steve(world=replace(WORLD, players=()))
    assert "I do not see you" in await steve.says("my house is here")
    assert steve.tools.used == []


async def test_a_newer_request_is_done_before_what_has_no_end() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then follow me")
    assert await steve.says("make 4 torches") == "All right: 4 torches, after this."
    said = await steve.hears(ended("goal"))
    assert said == "I have got 3 oak logs. All right: 4 torches."
    assert (await steve.hears(ended("goal"))).startswith("I follow you.")
    assert steve.tools.used == ["goal", "goal", "navigation_follow"]


async def test_whoever_comes_goes_to_where_the_speaker_is_by_then() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then come here")
    steve.world = moved(Position(30, 64, 30))
    await steve.hears(ended("goal"))
    assert steve.tools.calls[-1].arguments == {"coords": [30, 64, 30], "range": 2}


async def test_danger_is_told_with_what_can_be_said_to_it() -> None:
    event = EventReport("danger", "I was hurt: health 20 to 7 of 20.", 0.0, success=False)
    assert await Steve().hears(event) == f"{event.text} Say “come here” or “stop” and I leave it."


async def test_a_proposal_is_told_as_it_is() -> None:
    assert await Steve().hears(EventReport("proposal", "Shall I?", 0.0)) == "Shall I?"


async def test_the_end_of_something_and_a_line_get_one_answer() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs")
    turn = PendingTurn("Steve", STEVE, 0.0)
    turn.events.append(ended("goal"))
    turn.messages.append(NaturalMessage(BotName("Alice"), "Steve", "follow me", 0, STEVE, 1))
    said = await steve.rules.decide(steve.case(turn), "no_model", ())
    assert said.startswith("I have got 3 oak logs. I follow you.")


async def test_a_question_beside_a_request_is_answered_too() -> None:
    said = await Steve().says("Follow me. What time is it?")
    assert said.startswith("I follow you.")
    assert "9:00" in said


@pytest.mark.parametrize("origin", [Fellow(BotName("Steve"))])
async def test_rules_never_act_on_a_fellows_line(origin: Origin) -> None:
    steve = Steve()
    await steve.says("follow me", origin=origin)
    assert steve.tools.calls == []


async def test_rules_never_act_on_a_line_that_was_said_to_another() -> None:
    steve = Steve()
    await steve.says("follow me", relayed=True)
    assert steve.tools.calls == []


async def test_rules_only_tell_when_a_model_has_acted() -> None:
    steve = Steve()
    turn = PendingTurn("Steve", STEVE, 0.0)
    turn.messages.append(NaturalMessage(BotName("Alice"), "Steve", "follow me", 0, STEVE, 1))
    used = (Used("navigation_follow", {}, BEGUN, 0, 0.1),)
    said = await steve.rules.decide(steve.case(turn), "deadline", used)
    assert "navigation follow" in said
    assert steve.tools.calls == []


async def test_what_is_not_in_the_toolbox_is_refused() -> None:
    steve = Steve(FakeTools(names=()))
    said = await steve.says("follow me")
    assert said == "Sorry Steve, I may not do that for you. The settings name steve."
    assert steve.tools.calls == []


async def test_nobody_is_told_how_to_ask_for_what_is_refused() -> None:
    steve = Steve(FakeTools(names=()))
    assert "Say" not in await steve.says("give me wood")
    assert "Sorry" in await steve.says("give me wood")


async def test_a_failure_is_told_in_the_speakers_language() -> None:
    failed = Failure(reason="entity_not_available", message="I do not see Steve.")
    steve = Steve(FakeTools([outcome_of(failed)] * 2))
    assert await steve.says("follow me") == "I do not see Steve."
    assert await steve.says("ついてきて") == "その人がここからは見えません。"


async def test_a_failure_that_comes_later_is_told_in_the_speakers_language_too() -> None:
    steve = Steve()
    await steve.says("オークの原木を3個渡して")
    lost = replace(ended("navigation dropItem", success=False), reason="unseen_player")
    turn = PendingTurn("Steve", STEVE, 0.0)
    turn.events.append(lost)
    turn.messages.append(NaturalMessage(BotName("Alice"), "Steve", "ねえ", 0, STEVE, 1))
    said = await steve.rules.decide(steve.case(turn), "no_model", ())
    assert said.startswith("相手を見失いました。オークの原木×3はまだ持っています。")


class Stopped(Result):
    stopped_actions: tuple[str, ...]


FOREIGN = Failure(
    reason="not_permitted", message="It is Bob's.", data={"goesOn": ["!navigation follow"]}
)
NOBODY_STOPPED = "Somebody else asked me for that; they or a trusted player may stop it."


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Stopped(stopped_actions=("!goal",)), "I have stopped."),
        (Stopped(stopped_actions=("answer to Steve",)), "I have stopped."),
        (Stopped(stopped_actions=()), None),
        (FOREIGN, NOBODY_STOPPED),
    ],
)
async def test_a_stop_at_once_says_what_it_came_to(result: Result, said: str | None) -> None:
    tools = FakeTools([outcome_of(result)])
    line = NaturalMessage(BotName("Alice"), "Steve", "stop", 0, STEVE, 1)
    turn = PendingTurn("Steve", STEVE, 0.0)
    turn.messages.append(line)
    assert await Steve().rules.stop("Alice", turn, tools) == said
    assert tools.used == ["stop"]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (Stopped(stopped_actions=("answer to Steve", "!goal")), "I have stopped."),
        (Stopped(stopped_actions=("answer to Steve",)), "I was doing nothing."),
        (FOREIGN, NOBODY_STOPPED),
    ],
)
async def test_an_answer_under_way_does_not_count_as_stopped(result: Result, said: str) -> None:
    steve = Steve(FakeTools([outcome_of(result)]))
    assert (await steve.says("stop")).startswith(said)


async def test_a_stop_at_once_forgets_what_was_to_follow() -> None:
    steve = Steve()
    await steve.says("get 3 oak logs, then follow me")
    turn = PendingTurn("Steve", STEVE, 0.0)
    turn.messages.append(NaturalMessage(BotName("Alice"), "Steve", "stop", 0, STEVE, 1))
    await steve.rules.stop(
        "Alice", turn, FakeTools([outcome_of(Stopped(stopped_actions=("!goal",)))])
    )
    await steve.hears(ended("goal"))
    assert steve.tools.used == ["goal"]


@pytest.mark.parametrize(
    ("line", "used"),
    [
        ("folow me", ["navigation_follow"]),
        ("hey folow me", ["navigation_follow"]),
        ("come heer plz", ["navigation_gotoCoords"]),
        ("get me 5 oak loggs", ["goal"]),
        ("gimme 3 torchs", []),
        ("can i have 3 oak logs pls", ["navigation_dropItem"]),
        ("i want to go home", []),
        ("go to bed", []),
    ],
)
async def test_what_children_type_is_done(line: str, used: list[str]) -> None:
    steve = Steve()
    said = await steve.says(line)
    assert (steve.tools.used, "off" in said, "not sure" in said) == (used, False, False), said


async def test_who_names_a_thing_alone_is_asked_whether_to_make_it() -> None:
    assert await Steve().says("wooden sowrd") == "Shall I make a wooden sword?"
