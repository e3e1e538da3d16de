"""A line that no row fits is answered by the row that it is most like."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

import pytest
from support.steve_by_rules import AllTools, Steve

from bots.words import filled, slots_of, table

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("my dog biscuit died today he fell in lava :(", "sorry|sad"),
        ("hiii alise its me im bak from skool", "Welcome back|Good to see you"),
        ("ok i need u to com over hear rite now", "navigation_gotoCoords"),
        ("wat do u even hav on u", "3 oak logs"),
        ("wat do i do if it goes ssssss", "Run back|Keep four steps"),
        ("how do u mak a torch agen i forgot", "torch"),
        ("do the torches stop the monsters coming", "dark|Light"),
        ("tell me a funny joke not a lame one", "creeper|skeleton|miner|sheep|cows"),
        ("whats 7 x 8 its for my homwork dont tell my mom", "56"),
        ("and wat about 12 takeaway 5 plus 3", "10"),
        ("how do u spell diamond", "D-I-A-M-O-N-D"),
        ("u wanna be my frend forever", "Steve"),
        ("i only hav half a hart left help meeee", "bread"),
        ("jayden keeps griefing my base make him stop", "grown-up"),
        ("This is Ellie's mum. Is she talking to strangers or are you a computer?", "program"),
        ("why dos my pick keep braking", "wear out|breaks"),
        ("can u go get my stuff it was by the river", "follow me"),
        ("dig a hole strate down to find dimonds", "position"),
        ("get me 3 wool off the sheeps", "white_wool:[+]3"),
        ("omg can u pls get me sum wood for my house its so small", "log"),
        ("kill that zombie i am scared", "skill_fight {'mob': 'zombie'}"),
        ("help, zombies!", "skill_fight"),
        ("i lost all my stuff i died in lava im so sad", "[Ll]ava"),
        ("wat do pandas eat", "Bamboo"),
        ("Are you recording what the children say to you?", "forget you"),
        ("whats ur favrite color mines purple", "Green|Blue"),
        ("ok nite nite alice c u tmrw xoxo", "Good night|Sleep well"),
        ("こっちきてよー はやくー", "navigation_gotoCoords"),
        ("きをきってきて 5こ", "'log', 'count': 5"),
        ("ぱんいっこちょうだい", "'bread', 'count': 1"),
        ("おうちつくって あかいやねの", "家作って|skill_build"),
        ("8たす7はなあに", "15"),
        ("やっつけて！！", "skill_fight"),
        ("ぞんびきた！たすけて！", "skill_fight"),
        ("ちがうよ おおきいきじゃなくて ちいさいき", "もう一度言って"),
        ("なんでやめちゃったの", "何もありません"),
        ("そとにぞんびいる？ こわいよう", "モンスターは見えません"),
        ("おなかすいたよ なんかたべるものちょうだい", "パン"),
        ("ありがと だいすき", "Steveさん|元気が出ます"),
        ("だいやもんどほしい いっぱいほしい", "取りに行きますか"),
        ("ありすはにんげんなの ろぼっとなの", "ボット"),
        ("ぼぶとけっこんしてるの？", "仲間|なかよし"),
        ("もういいかーい", "じゅう|ここにいます"),
        ("つるはしこわれちゃったよー", "こわれます"),
        ("ベッドでねれないんだけど", "眠れます"),
        ("ぼくの犬が死んじゃった", "悲しい|かわいそう"),
        ("おとうとがいじわるするの", "おとなの人|おうちの人"),
        ("たいまつってなんのためにおくの", "暗い|明かり"),
        ("ついてこないでってば", "navigation_stopFollow"),
        ("うちの子が知らない人と話しているのですか", "プログラム"),
        ("リンゴ食べたい", "リンゴ"),
        ("きょうようちえんでけーきたべた", "いいですね|そうなんですね"),
        ("いっしょにだいやさがしにいこうよ", "ついてきて"),
        ("たいまつ10こほしいんだけど", "松明×10"),
        ("ぼくのなまえしってる？", "Steveさん"),
        ("じめんほって ちかしつつくろ", "goal"),
        ("なんでこたえてくれないの", "短く言って"),
        ("小爱快看 我养了一只小猫", "真好|真不错"),
        ("有骷髅射我 快来救我", "skill_fight"),
        ("别挖那里 那是我的房子", "我不碰"),
        ("3加5是几呀", "8"),
        ("べっどつくりたい なにがいるの？", "ベッド|べっど"),
        ("だれかきたよ", "Carol"),
        ("これからいえつくるね", "がんばって"),
        ("这个箱子打不开呀", "右键"),
        ("すけるとんがやをうってくる", "skill_fight"),
        ("だめ そこほっちゃだめ", "stop|何もしていません"),
        ("不许打小羊", "我不碰"),
        ("把你的石斧借我用用", "navigation_dropItem.*stone_axe"),
        ("木镐子咋做啊 我忘了", "木镐怎么做"),
        ("别跟着我啦 烦死了", "stop"),
        ("不是这个 我要的是石头的", "再说一遍"),
        ("外面有怪物吗 我不敢出去", "看不到怪物"),
        ("给我一个面包好不好 我快饿死了", "navigation_dropItem.*'bread', 'count': 1"),
        ("帮我砍3棵树 然后做成木板给我", "木板"),
        ("我的狗狗不见了 呜呜", "难过|伤心"),
        ("你今年几岁啦", "机器人不数年纪"),
        ("你会飞吗", "不会"),
        ("我孩子在跟谁聊天呀", "程序"),
        ("我睡不着呀 它说附近有怪物", "床"),
    ],
)
async def test_what_is_said_besides_does_not_hide_what_is_meant(line: str, wanted: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    did = [f"{call.name} {call.arguments}" for call in steve.tools.calls]
    assert re.search(wanted, " ".join([said, *did])), (said, did)


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (
            "ok come over here i wanna show u somthing i made at skool today",
            "navigation_gotoCoords",
        ),
        ("dig a big hole rite here so all the zombies fall in it haha", "goal"),
        ("make me a sword, a stone one", "goal"),
    ],
)
async def test_what_begins_a_line_plainly_is_done_without_asking(line: str, wanted: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    assert steve.tools.used == [wanted], said


@pytest.mark.parametrize(
    "line",
    ["can u get cobblestone like 10 i need it for a furnis", "do u have a chest or can u make one"],
)
async def test_a_word_of_a_row_in_another_place_is_not_the_row(line: str) -> None:
    said = await Steve(tools=AllTools()).says(line)
    assert not re.search("by name|is it good|[Yy]ou asked", said), said


@pytest.mark.parametrize(
    ("line", "meant", "then"),
    [
        ("follow me but not too close ur creepy", "follow me", "navigation_follow"),
    ],
)
async def test_what_is_less_sure_is_asked_and_a_yes_does_it(
    line: str, meant: str, then: str
) -> None:
    steve = Steve(tools=AllTools())
    assert await steve.says(line) == f"Do you mean “{meant}”?"
    assert steve.tools.used == []
    await steve.says("yes")
    assert steve.tools.used == [then]


@pytest.mark.parametrize(
    "line",
    [
        "where do the cows sleep at night",
        "bob said follow me was his favourite song",
        "i never want to dig down again",
        "the frob is wugging",
        "should i come here tomorrow or next week",
        *("こっちこないで", "つくえの上に本がある", "けーきたべたい", "おはなおいて", "ねないで"),
        *("きをきらないで", "不要睡觉", "不要给我面包", "别砍树", "我不要木头", "不要跟着我妈妈"),
    ],
)
async def test_what_only_sounds_like_a_request_does_nothing(line: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    acts = {"goal", "navigation_follow", "navigation_gotoCoords", "navigation_dropItem"}
    assert not {*acts, "skill_sleep", "skill_gather", "skill_build"} & set(steve.tools.used)


@pytest.mark.parametrize(
    "line",
    [
        "I walk over to the cow.",
        "my walk took me 8 blocks west",
        "i come to you",
        "i jump",
        "he stays here",
    ],
)
async def test_what_somebody_does_is_not_asked_of_the_bot(line: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    assert steve.tools.used == []
    assert "Do you mean" not in said


async def test_a_mob_of_a_later_version_is_said_to_be_unknown() -> None:
    """The row that a question is like may stand for the same question."""
    assert "1.16.5" in await Steve(tools=AllTools()).says("how do i find a tadpole")


async def test_who_has_a_thing_is_given_none() -> None:
    for line, done in [("I have 3 oak logs", []), ("can we have 3 oak logs", [DROPPED])]:
        steve = Steve(tools=AllTools())
        await steve.says(line)
        assert steve.tools.used == done


DROPPED = "navigation_dropItem"
FILLED = defaultdict(lambda: "oak log", who="Carl", person="Carl", n="3", count="3")


def told_of_doing(language: str) -> Iterator[str]:
    """What bots say that they do, or have done."""
    orders = [one for one in table("order", language).values() if isinstance(one, Mapping)]
    for said in (*orders, table("outcome", language)["doing"]):
        for key, lines in said.items():
            if said not in orders or key in ("done", "doing"):
                for line in [lines] if isinstance(lines, str) else lines:
                    yield filled(line, {slot: FILLED[slot] for slot in slots_of(line)})


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_nothing_is_done_for_what_bots_say_that_they_do(language: str) -> None:
    said = [*told_of_doing(language)]
    assert len(said) > 30
    for line in said:
        steve = Steve(tools=AllTools())
        await steve.says(line)
        done = {*steve.tools.used} - {"knowledge", "recall", "position"}
        assert not done or line == "Hop!", (line, done)
