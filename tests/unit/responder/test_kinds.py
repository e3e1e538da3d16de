"""A line of which nobody wrote the words is answered by its kind, as a friend would."""

import random

import pytest
from support.steve_by_rules import AllTools, Steve

from bots.words.heard import questions

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("language", "line", "kind"),
    [
        ("en", "there is somthing growling outside the window", "danger"),
        ("en", "it was a accident i swear", "sorry"),
        ("en", "dont open that door its haunted", "forbidden"),
        ("en", "can you smell that smoke", "senses"),
        ("en", "im trapped under the stairs", "stuck"),
        ("en", "be back after lunch", "away"),
        ("ja", "ぶたさんころさないで", "forbidden"),
        ("zh", "那朵花是我妈的你别碰", "forbidden"),
        ("en", "a kid called liam pushed me of the swing", "bullied"),
        ("en", "some boy asked me to tell him where i live", "bullied"),
        ("en", "my gran is in hospitel again", "sad"),
        ("en", "i was sick all over the carpet", "sad"),
        ("en", "thx for carrying all that", "praise"),
        ("en", "no i meant the door on the left not that", "other"),
        ("en", "ur being so rude and u messed it up", "rude"),
        ("en", "can u turn the doors round and paint them blue", "order"),
        ("en", "we won the match and mum cheered", "good"),
        ("en", "imagine we are pirates on a ship", "pretend"),
        ("en", "tomorow im gonna make a massive rollercoaster", "plan"),
        ("en", "have u ever been on a plane", "bot"),
        ("en", "is the moon or the sun the older one", "choice"),
        ("en", "how come smoke only goes up", "question"),
        ("en", "my uncle works at an airport", "somebody"),
        ("en", "rofl that pig wears a hat", "laughing"),
        ("en", "i cant find my base its so dark", "lost"),
        ("en", "i can do it by myself thx", "alone"),
        ("en", "thats wrong my dad says its 9", "wrong"),
        ("en", "why did u put a torch in my bath", "reproach"),
        ("en", "slugs have no bones right", "so"),
        ("en", "i called the llama professor", "naming"),
        ("en", "heres your crown", "gift"),
        ("en", "bet u cant jump over the river", "dare"),
        ("en", "my feet are stinky like cheese", "silly"),
        ("en", "the door wont open i tried", "trouble"),
        ("en", "can we go inside", "shall"),
        ("en", "there will be a sleepover at mias", "invited"),
        ("en", "the one with the red roof belongs to mia", "told"),
        ("ja", "うしろからぞんびがきたよお", "danger"),
        ("ja", "けんたくんになかまはずれにされた", "bullied"),
        ("ja", "おばあちゃんがびょうきでかなしい", "sad"),
        ("ja", "さっきたすかったよ", "praise"),
        ("ja", "そのまどをあかくぬって", "order"),
        ("ja", "てすとでひゃくてんとってほめられた", "good"),
        ("ja", "にじってどうしてきえるの", "asked"),
        ("ja", "となりのいえはあおいよ", "told"),
        ("zh", "有人在窗户外面偷看", "danger"),
        ("zh", "小明在学校欺负我", "bullied"),
        ("zh", "我发烧了头好疼", "sad"),
        ("zh", "帮我把窗户涂成蓝色", "order"),
        ("zh", "我终于考了第一", "good"),
        ("zh", "彩虹为什么会消失", "question"),
        ("zh", "他们的羊是蓝色的", "told"),
    ],
)
async def test_a_line_is_answered_by_its_kind(language: str, line: str, kind: str) -> None:
    rows = {row["name"]: row["says"] for _, row in questions("kinds", language)}
    said = await Steve(tools=AllTools()).says(line)
    says = [one.replace("{name}", "Steve").replace("{who}", "uncle") for one in rows[kind]]
    assert said in says


@pytest.mark.parametrize(
    "line",
    [
        "skeletons are shootin at me come quik",
        "すけるとんにうたれてるはやくきて",
        "快过来快过来有骷髅射我",
    ],
)
async def test_who_calls_for_help_gets_it(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert steve.tools.used == ["skill_guard"]
    assert "guard me" in await Steve().says("skeletons are shootin at me come quik")


@pytest.mark.parametrize("line", ["いまからおふろだからまってて", "我去洗澡了等一下回来"])
async def test_who_asks_to_wait_is_waited_for(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert steve.tools.used == ["navigation_stopFollow"]


async def test_no_kind_claims_what_a_bot_cannot_know() -> None:
    """Nor is anything begun for it."""
    steve, chance = Steve(tools=AllTools()), random.Random(5)
    words = ["the", "my", "you", "frob", "did", "why", "never", "blue", "wug", "then", "song"]
    for _ in range(200):
        line = " ".join(chance.choices(words, k=chance.randint(2, 7)))
        said = await steve.says(line)
        assert "{" not in said, line
    assert set(steve.tools.used) <= {"knowledge", "recall", "search", "catalogue"}
