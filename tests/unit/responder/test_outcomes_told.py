"""What a command came to is told in the language of who asked: that nothing was needed, or only a
part was done."""

import pytest
from support.steve_by_rules import FakeTools, Steve

from bots.bot.result import Failure, Result
from bots.catalogue.counted import told
from bots.responder.case.inbox import EventReport
from bots.words import Saying, saying
from llm.engine.decision import ToolOutcome


class Told(Result):
    message: str


NO_TORCH, TORCHES = saying("did.no_torch"), saying("did.torches", n=3)
ENGLISH = {"light": "light this place up", "fight": "kill that zombie", "store": "store everything"}
JAPANESE = {"light": "明るくして", "fight": "ゾンビを倒して", "store": "片付けて"}
CHINESE = {"light": "照亮这里", "fight": "打僵尸", "store": "收拾东西"}
MOVED = (saying("did.moved", items={"dirt": 5}, at="1 64 2"),)
CAME_TO: tuple[tuple[str, Saying, str, str, str], ...] = (
    (
        "light",
        saying("did.light", put=NO_TORCH, radius=12),
        "I put no torch: within 12 blocks no ground is dark enough for monsters.",
        "松明は置いていません。まわり12ブロックに、モンスターが出るほど暗い地面はありません。",
        "我没有放火把：周围12格没有暗得会出怪物的地面。",
    ),
    (
        "light",
        saying("did.light_partly", put=TORCHES, radius=12, n=4),
        "I put 3 torches; 4 blocks within 12 blocks stay dark, where no torch may or can stand.",
        "松明を3本置きました。まわり12ブロックのうち4か所は、松明を置けないので暗いままです。",
        "我放了3个火把；周围12格还有4格是暗的，那里放不了火把。",
    ),
    (
        "store",
        saying("did.store_partly", moved=MOVED, kept={"bread": 2}),
        "I put 5 dirt into the chest at 1 64 2; I keep 2 bread.",
        "土×5を 1 64 2 のチェストに入れました。パン×2は使うので持っています。",
        "我把5个泥土放进了 1 64 2 的箱子。2个面包我要用，就留着了。",
    ),
    (
        "fight",
        saying("did.fight", mob="zombie"),
        "The zombie is dead.",
        "ゾンビを倒しました。",
        "僵尸打死了。",
    ),
)


@pytest.mark.parametrize(("what", "outcome", "english", "japanese", "chinese"), CAME_TO)
async def test_what_it_came_to_is_told_in_every_language(
    what: str, outcome: Saying, english: str, japanese: str, chinese: str
) -> None:
    text, tool = told(outcome, "en"), f"skill_{what}"
    result = Told(message=text).with_outcome(outcome)
    for line, wanted in ((ENGLISH[what], english), (JAPANESE[what], japanese)):
        steve = Steve(FakeTools([ToolOutcome(text, result=result)], names=(tool,)))
        assert await steve.says(line) == wanted
    steve = Steve(FakeTools(names=(tool,)))
    await steve.says(CHINESE[what])
    event = EventReport("action_ended", text, 0.0, about=f"!skill {what}", outcome=outcome)
    assert await steve.hears(event) == chinese


@pytest.mark.parametrize(
    ("line", "data", "reason", "wanted"),
    [
        (
            "明るくして",
            {"torches": [[1, 2, 3]], "dark": 9},
            "missing_item",
            "松明×1を置きました。必要な",
        ),
        (
            "原木を8個集めて",
            {"itemName": "oak_log", "gathered": 3},
            "not_found",
            "オークの原木×3を集めました。見つ",
        ),
        (
            "片付けて",
            {"put": {"dirt": 5}},
            "inventory_full",
            "土×5をチェストに入れました。持ち物が",
        ),
        ("拾って", {"collected": {"dirt": 2}}, "inventory_full", "土×2を集めました。持ち物が"),
        ("明るくして", {"torches": []}, "missing_item", "必要な"),
    ],
)
async def test_what_was_done_before_it_failed_is_told_too(
    line: str, data: dict[str, object], reason: str, wanted: str
) -> None:
    failed = Failure(reason=reason, message="English.", data=data)
    names = [f"skill_{one}" for one in ("light", "gather", "store", "collectDrops")]
    steve = Steve(FakeTools([ToolOutcome("", True, result=failed)], names=names))
    assert (await steve.says(line)).startswith(wanted)


async def test_what_was_done_before_it_failed_is_told_in_chinese() -> None:
    failed = Failure(reason="missing_item", message="", data={"torches": [[1, 2, 3]], "dark": 9})
    steve = Steve(FakeTools(names=("skill_light",)))
    await steve.says("照亮这里")
    event = EventReport(
        "action_ended",
        "English.",
        0.0,
        success=False,
        about="!skill light",
        reason=failed.reason,
        done=failed.episodes(),
    )
    assert await steve.hears(event) == "我放了1个火把。我没有需要的东西，做不到。"


def test_a_result_has_an_outcome_only_where_it_was_given_one() -> None:
    outcome = saying("did.fight", mob="zombie")
    assert Result().outcome is None
    assert Result().with_outcome(outcome).outcome == outcome
    assert Result().with_outcome(outcome).as_json() == {"success": True}
