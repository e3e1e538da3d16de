"""An order is understood in a line that says much besides, in each language; what only tells,
asks or names a thing orders nothing."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.moments import WORLD
from support.steve_by_rules import AllTools, Steve, ended

from bots.responder.rules.requests.gist import question
from bots.text.language import tongue_of
from bots.text.spelling import once
from bots.words.heard import calls, with_names

AT = [WORLD.position.block.x, WORLD.position.block.y, WORLD.position.block.z]
LOOKS = ("knowledge", "knows", "recall", "status", "chest_list", "info_scanBlocks")


async def done(line: str) -> tuple[str, list[tuple[str, Mapping[str, Any] | None]]]:
    """What Alice says, and what she begins."""
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    begun = [(one.name, one.arguments) for one in steve.tools.calls if one.name not in LOOKS]
    return said, begun


def goal(item: str, count: int) -> tuple[str, Mapping[str, Any]]:
    return "goal", {"goal": f"inventory.{item}:+{count}"}


def logs(count: int) -> tuple[str, Mapping[str, Any]]:
    return "skill_gather", {"itemName": "log", "count": count}


@pytest.mark.parametrize(
    ("line", "begun"),
    [
        ("can you make like 2 chests real quick", goal("chest", 2)),
        ("okay go and get me coal please, maybe 15", goal("coal", 15)),
        ("I'd be grateful if you could bring me sixteen oak logs, please.", goal("oak_log", 16)),
        ("hello there, it would be lovely if you could craft 4 torches", goal("torch", 4)),
        ("its cold so lets make 3 torches bro, then we dance", goal("torch", 3)),
        ("please put all your stuff in the chest next to the door", ("skill_store", None)),
        ("ok bro now go fishing", goal("cod", 1)),
        ("please be so kind and come over here", ("navigation_gotoCoords", None)),
        ("okay now go grab a stack of cobble thanks", goal("cobblestone", 64)),
        ("its dark in the cave so place some torches, like 4", ("goal", None)),
        ("まずきがいるよね 木10こくらいとってきて", logs(10)),
        ("すまん、原木2スタックほど頼めるか", logs(128)),
        ("松明クラフトよろ、32本", goal("torch", 32)),
        ("y=-58でダイヤ掘ってきてくれたら神", goal("diamond", 1)),
        ("こむぎうえといて。あとにんじんも", goal("wheat", 3)),
        ("いらないのぜんぶちぇすとにしまって", ("skill_store", {"nearest": True})),
        ("お手数ですが、畑の収穫と植え直しをお願いできますか?", ("skill_tend", {})),
        ("ここにちっちゃいいえたてて", ("skill_build", {"design": "small_house"})),
        ("べっどはもうあるよ、いっしょにねよ", ("skill_sleep", {})),
        ("你先帮我砍点木头 要20个", logs(20)),
        ("帮我弄两组圆石好不好", goal("cobblestone", 128)),
        ("下次你要保护我哦 不许跑", ("skill_guard", {"where": "Steve"})),
        ("麦子熟了就收,收完记得补种", ("skill_tend", {})),
        ("我们造个房子把 要很大很大的那种", ("skill_build", {"design": "small_house"})),
    ],
)
async def test_an_order_among_other_words_is_carried_out(
    line: str, begun: tuple[str, Mapping[str, Any] | None]
) -> None:
    said, calls = await done(line)
    assert [name for name, _ in calls] == [begun[0]], said
    assert begun[1] is None or calls[0][1] == begun[1], said


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("put 8 torches here if it gets dark", "place 8 torches"),
        ("do that thing where u dig and get me coal maybe 15", "bring me 15 coal"),
        ("arrr we need coal go dig sum ye lazy bird, 20 of em", "coal"),
        ("perhaps you could walk beside me until the sun comes up", "follow me"),
        ("could you please look after the crops while im away", "tend the field"),
        ("make 4 torches, no wait, i mean a chest", "make 4 torches"),
        ("When I say so, I'd like you to bring me three bread.", "bring me three bread"),
        ("俺が戻るまで入口見張ってて。敵来たら倒しちゃっていいから", "ここを守って"),
        ("松明を湧き潰し用に32本クラフトよろ", "松明を32個作って"),
        ("算了先别挖了,回来吧", "过来"),
    ],
)
async def test_an_order_that_may_not_be_meant_is_asked_back(line: str, asked: str) -> None:
    said, calls = await done(line)
    assert calls == []
    assert asked in said


NO_ORDERS = """
i like bread|we need to talk|i need a break|give me a minute|i could use a hug
find me if you can|eat my shorts|i like to make cake with my mum|my brother wants a sword
we got 10 logs yesterday
i fish a lot|she will come back|he went fishing|come on|he said make a chest
she told me to get wood|do not get any dirt
why do you need 10 logs|did you get the logs|you get the stone|i made you a sword
get off the boat|make it stop raining|put the fire out with water|quit digging dirt
dont give me bread|give bob my sword|pass the salt|pick me|build up your courage
木を切ったよ|さっき石を掘ってたら落ちた|パンを食べてるところ|弟が剣を作ってくれた
木を取りに行くね|ダイヤを見つけてうれしい|石を捨てないで|松明を置いてきた
昨日つくって遊んだ|ボブが木を取ってきてくれた|石炭を取ってくるね|木を切ってもいい？
我砍了十个木头|我去砍木头|我在做一把剑|妈妈给我做了面包|别给我石头|你给我的剑坏了
i hate people who come and drop the axe|tom, drop the axe|my mom says: make bread
no need to stay here and drop the bread|zombies die and drop bread|he will come and get bread
could you throw the axe to tom over there mate|carol, drop everything
drop everything but the axe|could you kindly drop all your logs but 2|i want the chest to be red
全部捨てて、逃げた|斧を捨てて、逃げた|ボブを倒して、笑った|斧以外は全部チェストにしまっておいて
パンちょうだい、あ、間違えた|太郎、斧を捨てて|お母さん、斧をちょうだい|松明4個作って、いややめて|さくらのげんぼく20ことってきてー
太郎にパンを渡してほしいな|石の斧欲しいですか|昨日は木を切って、石を掘って、寝た
他说：扔掉面包|扔掉面包，不对，扔掉斧头|麻烦你把除了面包的东西都放进箱子|做四个火把，算了
建房子好难|睡不着|我做的房子好看吗|找到羊了|打雷了|我拿到钻石了
"""


@pytest.mark.parametrize("line", [one for row in NO_ORDERS.split("\n") for one in row.split("|")])
async def test_what_only_tells_orders_nothing(line: str) -> None:
    _, calls = await done(line)
    assert calls == []


async def test_only_what_is_named_is_dropped() -> None:
    said, calls = await done("drop all the cobble ur carrying, my inv is full so throw it here")
    assert (said, calls) == ("I have no cobble.", [])


async def test_what_shall_be_left_out_is_asked_for_one_by_one() -> None:
    said, begun = await done("drop everything but the axe")
    assert (said.startswith("I cannot leave anything out."), begun) == (True, [])


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("ありす、きて", "Alice、きて"),
        ("ボブはどこ", "Bobはどこ"),
        ("爱丽丝过来", "Alice过来"),
        ("アリス", "アリス"),
        ("かいだんを作って", "かいだんを作って"),
    ],
)
def test_names_are_read_in_other_letters(line: str, read: str) -> None:
    assert with_names(line, ["Alice", "Bob", "Dan"]) == read


@pytest.mark.parametrize(
    ("line", "is_called"),
    [("アリス！", True), ("ねえ、ありす", True), ("爱丽丝你好", True), ("ボブ！", False)],
)
def test_a_bot_hears_its_name_in_other_letters(line: str, is_called: bool) -> None:
    assert calls(line, "Alice") is is_called


@pytest.mark.parametrize(
    ("before", "line", "begun"),
    [
        ("木を10個集めて", "じゃあほってきて 15こくらい", logs(15)),
        ("get 10 coal", "we need 4 more, then we go", goal("coal", 4)),
        ("帮我弄两组圆石好不好", "去弄三个 快点天要黑了", goal("cobblestone", 3)),
    ],
)
async def test_an_order_without_a_thing_is_for_the_last_one_named(
    before: str, line: str, begun: tuple[str, Mapping[str, Any]]
) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(before)
    await steve.hears(ended(steve.tools.calls[-1].name.replace("_", " ")))
    await steve.says(line)
    assert [(one.name, one.arguments) for one in steve.tools.calls][-1:] == [begun]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("alice come here come here COME HERE", "come here"),
        ("たおしてたおして!!", "たおして"),
        ("no no no", "no no no"),
        ("come here now", "come here now"),
        ("knock knock", "knock knock"),
    ],
)
def test_what_is_said_again_and_again_is_read_once(line: str, said: str) -> None:
    assert once(line, "Alice").casefold() == said


@pytest.mark.parametrize(
    ("line", "asked"),
    [
        ("hey so like how many planks have we got left", "how many planks do you have?"),
        ("im only asking: could we make a chest with what we have", "how do i make chest?"),
        ("鉄のツルハシってさ、どうやって作るんだったっけ", "鉄のツルハシの作り方は？"),
        ("我想做床 要几个羊毛", "怎么做床"),
        ("铁锭还剩多少?够做一个桶不", "你有多少铁锭"),
        ("we went to the shop for planks", None),
    ],
)
def test_a_question_after_a_thing_is_found_among_other_words(line: str, asked: str | None) -> None:
    things = ("planks", "chest", "鉄のツルハシ", "床", "铁锭")
    tongue = tongue_of(line)
    assert question(line, tongue, things.__contains__) == asked


async def test_another_count_is_taken_for_what_the_bot_offers() -> None:
    steve = Steve(tools=AllTools())
    assert "Shall I get 3 sticks?" in await steve.says("gimme 3 sticks")
    assert "Shall I get 4 sticks?" in await steve.says("wait 4")


@pytest.mark.parametrize("line", ["make 4 torches. nvm", "make 4 torches. cancel"])
async def test_what_is_taken_back_in_the_same_line_is_not_begun(line: str) -> None:
    _, begun = await done(line)
    assert [name for name, _ in begun] == ["stop"]
