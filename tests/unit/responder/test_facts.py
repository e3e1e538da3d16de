"""Facts of Minecraft 1.16 that children ask for are told, however they are typed."""

import re

import pytest
from support.steve_by_rules import AllTools, Steve

from bots.responder.rules import phrases

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("wat lvl is best to mine at", "11"),
        ("wher do i find netherit", "ancient debris"),
        ("whats in the nether like is it scary", "ghasts"),
        ("can i sleep in the nether", "explodes"),
        ("how do u get to the end", "12"),
        ("hey alice do u know how to tame a parot", "seeds"),
        ("can you tame a fox", "cub"),
        ("how do i breed bees??", "flower"),
        ("wat do endermans hate", "Water"),
        ("what do skeletons do", "arrows"),
        ("what do zombies do", "doors"),
        ("what do spiders do", "walls"),
        ("how to beat a gast", "fireballs"),
        ("why r zombies on fire", "Sunlight"),
        ("what do fantoms do", "three nights"),
        ("do creepers hate cats", "run away"),
        ("how do u sleep in a bed", "Right-click"),
        ("alice how do u get a sadle", "dungeons"),
        ("how do you get a trident", "drowned"),
        ("where can i find a totem of undying", "Evokers"),
        ("how do i get honey from bees", "bottle"),
        ("how do u make a potion of fire resistance", "magma cream"),
        ("how many bookshelves do i need for level 30", "15"),
        ("how do u breed villigers", "beds"),
        ("how do you make a iron golem", "pumpkin"),
        ("how do i stop a raid", "[Mm]ilk"),
        ("why wont my wheat grow", "4 blocks"),
        ("how far does water go", "7 blocks"),
        ("how do i make infinite water pls", "2 by 2"),
        ("why did my house burn down", "stone does not"),
        ("how do u spawn the wither", "soul sand"),
        ("how deep is the world", "255"),
        ("whats the rarest ore", "emerald"),
        ("are there axolotls in this world", "1.17"),
        ("how do i find a warden", "1.19"),
        ("ねざーにはなにがいるの", "ガスト"),
        ("エンドにはどうやっていくの", "12個"),
        ("おうむってどうやったらなつく", "種"),
        ("きつねをかいたいんだけど", "スイートベリー"),
        ("オオカミどうやってなつくの", "骨"),
        ("えんだーまんってなにがきらいなの", "水"),
        ("くもってかべのぼるの", "屋根"),
        ("がすとってどうやってたおすの", "火の玉"),
        ("ふぁんとむってなんでくるの", "3日"),
        ("サドルってどうやってつくるの", "作れません"),
        ("トライデントってどうやってとるの", "ドラウンド"),
        ("はちみつってどうやってとるの", "ガラス瓶"),
        ("ほんだなはなんこいるの", "15個"),
        ("あいあんごーれむのつくりかたおしえて", "カボチャ"),
        ("なんでこむぎがそだたないの", "4ブロック"),
        ("こくようせきってどうやってつくるの", "溶岩"),
        ("いちばんレアなものってなに", "ドラゴンの卵"),
        ("うーぱーるーぱーっているの", "1.17"),
        ("うぉーでんっているの", "1.19"),
        ("钻石要挖到第几层", "11层"),
        ("怎么找钻石", "铁镐"),
        ("末地怎么去啊", "12个"),
        ("怎么驯服狼", "骨头"),
        ("怎么养鹦鹉呀", "种子"),
        ("末影人怕什么呀", "怕水"),
        ("僵尸怎么打", "退一步"),
        ("骷髅怎么打呀", "射箭"),
        ("僵尸为什么会烧起来", "太阳"),
        ("鞍怎么做呀", "做不出来"),
        ("要几个书架", "15个"),
        ("村民怎么生小孩", "床"),
        ("雪人怎么做", "南瓜"),
        ("小麦怎么不长", "4格"),
        ("世界有多深", "255"),
        ("有没有美西螈", "1.17"),
    ],
)
async def test_a_fact_is_told(line: str, told: str) -> None:
    steve = Steve(tools=AllTools())
    said = await steve.says(line)
    assert re.search(told, said), said
    assert not {*steve.tools.used} - {"knowledge", "recall"}


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("kill the witch", "skill_fight"),
        ("plant some wheat", "goal"),
        ("ゾンビきたたすけて", "skill_fight"),
        ("种小麦", "goal"),
        ("打僵尸", "skill_fight"),
    ],
)
async def test_a_request_is_no_question_for_a_fact(line: str, wanted: str) -> None:
    steve = Steve(tools=AllTools())
    await steve.says(line)
    assert wanted in steve.tools.used


def test_each_chinese_line_is_answered_by_one_row() -> None:
    rows = [one for one in phrases.file_of("zh").items() if "heard" in one[1]]
    heard = [(phrases.bare(said, "", "zh"), name) for name, row in rows for said in row["heard"]]
    names = dict(heard)
    assert [said for said, name in heard if names[said] != name] == []
