"""A new order never ends the old one in silence: it is done in between, or after, or what is left
is told; and “no wait, 5 oak logs” puts it right."""

from dataclasses import replace

import pytest
from support.steve_by_rules import BEGUN, FakeTools, Steve, ended

from bots.bot.episode import Episode
from bots.bot.result import Failure
from bots.commands.skill.keeping import Stored, StoreResult
from bots.registry.args import Point
from bots.responder.case.inbox import EventReport
from bots.words import saying
from bridge.causes import Cause
from bridge.world import ItemStack
from llm.engine.decision import ToolOutcome

NOT_FOUND = ToolOutcome("", result=Failure(reason="not_found", message="I find no chest."))


def carrying(steve: Steve, **counts: int) -> None:
    items = tuple(ItemStack(name, count) for name, count in counts.items())
    steve.world = replace(steve.world, items=items)


async def test_a_thing_to_get_waits_behind_another() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    assert await steve.says("get 2 dirt") == "All right: 2 dirt, after this."
    told = await steve.hears(ended("goal"))
    assert told == "I have got 20 oak logs. All right: 2 dirt."
    assert steve.goals == ["inventory.oak_log:+20", "inventory.dirt:+2"]


async def test_what_waits_is_done_although_the_first_fails() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says("get 2 dirt")
    told = await steve.hears(ended("goal", success=False, text="No oak here."))
    assert told == "No oak here. All right: 2 dirt."


@pytest.mark.parametrize(
    ("line", "command"),
    [("come here", "navigation_gotoCoords"), ("give me 1 dirt", "navigation_dropItem")],
)
async def test_a_small_thing_is_done_in_between_and_the_rest_of_the_order_after_it(
    line: str, command: str
) -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says("get 20 oak logs")
    carrying(steve, dirt=1, oak_log=3)
    await steve.says(line)
    told = await steve.hears(ended(command.replace("_", " ")))
    assert told.endswith("I go on with the oak logs.")
    assert steve.tools.used == ["goal", command, "goal"]
    assert steve.goals[-1] == "inventory.oak_log:+17"


async def test_a_place_is_lit_further_after_a_small_thing() -> None:
    steve = Steve()
    await steve.says("light this place up")
    await steve.says("come here")
    told = await steve.hears(ended("navigation gotoCoords"))
    assert told.endswith("I go on with the torches.")
    assert steve.tools.used == ["skill_light", "navigation_gotoCoords", "skill_light"]


async def test_the_order_goes_on_although_the_small_thing_fails() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says("come here")
    told = await steve.hears(ended("navigation gotoCoords", success=False, text="No way."))
    assert told == "No way. I go on with the oak logs."


@pytest.mark.parametrize(
    ("order", "left"),
    [
        ("get 20 oak logs", "I leave the oak logs at 3 of 20 for that."),
        ("オークの原木を20個取って", "I leave the oak logs at 3 of 20 for that."),
        ("light this place up", "I leave the torches for that."),
    ],
)
async def test_what_is_left_for_something_without_end_is_told(order: str, left: str) -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says(order)
    carrying(steve, oak_log=3)
    assert (await steve.says("follow me")).startswith(f"{left} I follow you.")


async def test_orders_that_wait_are_left_with_the_first_and_that_is_told() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says("get 2 dirt")
    said = await steve.says("follow me")
    assert said.startswith("I leave the oak logs and the dirt for that. I follow you.")
    assert "I leave" in await steve.says("what happened to my dirt?")


async def test_what_has_no_end_is_left_for_an_order_and_that_is_told() -> None:
    steve = Steve()
    await steve.says("follow me")
    assert await steve.says("get 2 dirt") == "I follow no longer. All right: 2 dirt."
    assert await steve.says("come here") == "I am coming."


async def test_a_small_thing_interrupts_a_walk_behind_somebody_and_no_more() -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says("follow me")
    await steve.says("give me 1 dirt")
    told = await steve.hears(ended("navigation dropItem"))
    assert told.startswith("Here: 1 dirt for you. I follow you.")


async def test_an_order_is_put_right_after_a_small_thing_in_between() -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says("get 20 oak logs")
    carrying(steve, oak_log=3)
    await steve.says("come here")
    await steve.hears(ended("navigation gotoCoords"))
    carrying(steve, oak_log=4)
    await steve.says("no wait, 6 oak logs")
    assert steve.goals[-1] == "inventory.oak_log:+2"


async def test_what_takes_very_long_waits_for_everything_else() -> None:
    steve = Steve()
    await steve.says("plant some wheat")
    await steve.says("get 2 dirt")
    assert steve.goals == ["inventory.wheat:+3", "inventory.dirt:+2"]
    assert (await steve.hears(ended("goal"))).endswith("I go on with the wheat.")


@pytest.mark.parametrize(
    ("order", "line", "goal"),
    [
        ("get 20 oak logs", "no wait, 5 oak logs", "inventory.oak_log:+2"),
        ("get 20 oak logs", "wait no 5 oak logs", "inventory.oak_log:+2"),
        ("get 20 oak logs", "actually make that 6", "inventory.oak_log:+3"),
        ("get 20 oak logs", "make it 30", "inventory.oak_log:+27"),
        ("get 20 oak logs", "only 4", "inventory.oak_log:+1"),
        ("get 20 oak logs", "i meant birch logs", "inventory.birch_log:+20"),
        ("get 20 oak logs", "no, 7 birch logs instead", "inventory.birch_log:+7"),
        ("get 20 oak logs", "no wait, get 2 dirt", "inventory.dirt:+2"),
        ("オークの原木を20個取って", "いや、5個にして", "inventory.oak_log:+2"),
        ("オークの原木を20個取って", "やっぱりシラカバの原木を5個", "inventory.birch_log:+5"),
    ],
)
async def test_an_order_is_put_right(order: str, line: str, goal: str) -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says(order)
    carrying(steve, oak_log=3)
    await steve.says(line)
    assert steve.goals[1:] == [goal]
    assert "leave" not in await steve.hears(ended("goal"))


async def test_an_order_that_waits_is_put_right_where_it_waits() -> None:
    steve = Steve()
    await steve.says("make a chest")
    await steve.says("get 4 oak logs")
    await steve.says("get 3 sand")
    assert await steve.says("no wait, 2 sand") == "All right: 2 sand, after this."
    await steve.hears(ended("goal"))
    await steve.hears(ended("goal"))
    wanted = ["chest:+1", "oak_log:+4", "sand:+2"]
    assert steve.goals == [f"inventory.{one}" for one in wanted]


async def test_what_waits_stays_where_the_first_order_is_put_right() -> None:
    steve = Steve()
    carrying(steve, dirt=9)
    await steve.says("get 20 oak logs")
    await steve.says("get 3 dirt")
    assert await steve.says("no wait, 4 dirt") == "All right: 4 dirt, after this."
    assert steve.tools.used == ["goal"]
    other = Steve()
    await other.says("get 20 oak logs")
    await other.says("make a torch")
    await other.says("no wait, 30 oak logs")
    await other.hears(ended("goal"))
    assert other.goals[-1] == "inventory.torch:+1"


async def test_what_is_already_enough_ends_the_order() -> None:
    steve = Steve()
    carrying(steve, dirt=1)
    await steve.says("bring me 20 oak logs")
    carrying(steve, oak_log=6)
    told = await steve.says("no wait, 5 oak logs")
    assert told.startswith("I have 6 already, so that is enough.")
    assert steve.tools.used == ["goal", "stop", "navigation_dropItem"]


@pytest.mark.parametrize("line", ["no wait", "actually that is nice", "no thanks", "i mean hello"])
async def test_other_words_put_nothing_right(line: str) -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says(line)
    assert "goal" not in steve.tools.used[1:]


async def test_where_no_chest_is_one_is_made_first() -> None:
    steve = Steve(tools=storing([NOT_FOUND, BEGUN, BEGUN]))
    carrying(steve, dirt=2, oak_log=1)
    assert await steve.says("put all ur stuff in the chest") == "I make a chest first."
    assert await steve.hears(ended("goal")) == "I put it into the chest."
    told = "I put 2 dirt and 1 oak log into the chest at 1 64 2."
    assert await steve.hears(ended("skill store", text=told)) == told
    assert steve.tools.used == ["skill_store", "goal", "skill_store"]


async def test_what_was_put_where_is_told_in_japanese_too() -> None:
    chest = Stored(position=Point(1, 64, 2), items={"dirt": 2, "stick": 1})
    put = StoreResult(chests=(chest,), kept={}, message="I put 2 dirt into the chest.")
    steve = Steve(tools=storing([ToolOutcome("", result=put)]))
    carrying(steve, dirt=2)
    told = await steve.says("荷物をしまって")
    into = "をチェストに入れました（1 64 2）。"
    assert told == f"土×2{into}棒×1{into}"


async def test_what_happened_to_an_order_is_told_by_its_fate() -> None:
    steve = Steve()
    ask = "what happened to my oak logs?"
    await steve.says("get 20 oak logs")
    assert await steve.says(ask) == "I am still at the oak logs."
    await steve.says("get 2 dirt")
    assert await steve.says("where's my dirt?") == "I come to the dirt next."
    await steve.hears(ended("goal", success=False, text="No oak here."))
    assert await steve.says(ask) == "I could not do it: No oak here."
    assert "No oak here." in await steve.says("what happened to you?")
    await steve.hears(ended("goal"))
    assert await steve.says("did u get my dirt yet") == "I have got 2 dirt."
    await steve.says("get 3 sand")
    await steve.says("follow me")
    assert await steve.says("what happened to the sand") == "I leave the sand for that."


async def test_what_happened_before_anything_was_asked() -> None:
    assert await Steve().says("what happened to you?") == "Nothing bad happened: I am fine."
    assert await Steve().says("何があったの？") == "何もありません。元気です。"


async def test_what_happened_in_a_danger_is_told_for_a_while_whether_it_is_well_again() -> None:
    hurt = EventReport(
        *("danger", "I was hurt: health 17 to 14 of 20.", 5.0),
        outcome=saying("danger.hurt", before=17, health=14),
    )
    died = Episode("died", cause=Cause("creature", "zombie", "seen"))
    dead = EventReport("danger", "I died: a zombie killed me.", 4.0, done=(died,))
    steve = Steve(now_s=60.0, dangers=[hurt])
    assert await steve.says("what happened?") == hurt.text
    assert "17" in await steve.says("何があったの？")
    steve.dangers = [dead, hurt]
    assert await steve.says("what happened?") == dead.text
    assert "死" in await steve.says("何があったの？")
    steve.now_s = 400.0
    assert await steve.says("what happened?") == "Nothing bad happened: I am fine."


def storing(outcomes: list[ToolOutcome]) -> FakeTools:
    tools = Steve().tools
    return replace(tools, outcomes=outcomes, names={*tools.names, "skill_store"})


@pytest.mark.parametrize(
    ("asked", "wait", "waits", "go_on", "goes_on"),
    [
        (
            "get 20 oak logs",
            "wait for me",
            "I wait for you. Say “go on”, and I go on with the oak logs.",
            "ok go on",
            "I go on with the oak logs.",
        ),
        (
            "オークの原木を20個取って",
            "待って",
            "待っています。「続けて」と言えば、オークの原木の続きをします。",
            "続けて",
            "オークの原木の続きをします。",
        ),
        (
            "拿20个橡木原木",
            "等等我",
            "好，我等你。你说“继续”，我就接着做橡木原木的事。",
            "继续",
            "我接着做橡木原木的事。",
        ),
    ],
)
async def test_whoever_is_to_wait_leaves_its_work_until_it_may_go_on(
    asked: str, wait: str, waits: str, go_on: str, goes_on: str
) -> None:
    steve = Steve()
    await steve.says(asked)
    carrying(steve, oak_log=steve.world.count("oak_log") + 5)
    assert await steve.says(wait) == waits
    assert steve.tools.used == ["goal", "stop"]
    assert await steve.says(go_on) == goes_on
    assert steve.goals == ["inventory.oak_log:+20", "inventory.oak_log:+15"]


async def test_work_that_waits_goes_on_behind_something_newer() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says("wait for me")
    await steve.says("get 2 dirt")
    assert await steve.hears(ended("goal")) == "I have got 2 dirt. I go on with the oak logs."


async def test_a_stop_ends_work_that_waits() -> None:
    steve = Steve()
    await steve.says("get 20 oak logs")
    await steve.says("wait for me")
    await steve.says("stop")
    assert await steve.says("go on") == "I was doing nothing."


async def test_what_fails_at_once_lets_the_work_go_on() -> None:
    no_bed = ToolOutcome("", True, result=Failure(reason="not_found", message="I know no bed."))
    steve = Steve(FakeTools([BEGUN, no_bed], names=("goal", "skill_sleep")), is_busy=True)
    await steve.says("get 20 oak logs")
    assert await steve.says("go to sleep") == "I know no bed."
    assert await steve.says("get 2 dirt") == "All right: 2 dirt, after this."
    told = await steve.hears(ended("goal"))
    assert told == "I have got 20 oak logs. All right: 2 dirt."
