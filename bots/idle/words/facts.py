"""What bots know of the things and animals they come across: true in every version, and of use.

Each is told by a fellow who hears of such a thing, as small talk.
"""

from __future__ import annotations

from collections.abc import Mapping

from bots.text.language import Language

_TREE = "A trunk gives four planks, and two planks give four sticks."
_TREE_JA = "原木1つで板材が4つ、板材2つで棒が4本できますよ。"
_LIGHT = "One piece of coal and one stick make four torches."
_LIGHT_JA = "石炭1つと棒1本で松明が4本できますよ。"


def _dye(flower: str, colour: str) -> str:
    return f"Of {flower} one makes {colour} dye."


ENGLISH: Mapping[str, tuple[str, ...]] = {
    "sand": (
        "Sand melts into glass in a furnace.",
        "Four blocks of sand make one of sandstone.",
        "Dig away what sand lies on, and it falls.",
    ),
    "gravel": (
        "Now and then there is a flint in gravel.",
        "Flint and iron strike fire, so keep your flints.",
    ),
    "clay": ("Clay falls into four balls, and each burns to a brick.",),
    "water": (
        "Water keeps a field moist four blocks away.",
        "Whoever falls into deep water does not get hurt.",
        "Fish bite faster when it rains.",
    ),
    "sugar_cane": (
        "Three sugar canes make three sheets of paper.",
        "Sugar cane grows only right beside water.",
        "If you leave the lowest piece, sugar cane grows again.",
    ),
    "pumpkin": ("A pumpkin holds four seeds.", "Pumpkins grow beside their stem, not on it."),
    "melon": ("Nine slices put together are a melon again.", "A melon slice makes a good snack."),
    "cactus": (
        "A cactus becomes green dye in a furnace.",
        "Do not hug a cactus; it pricks, {speaker}.",
    ),
    "coal_ore": (_LIGHT, "Any pickaxe gets coal out of the rock."),
    "iron_ore": (
        "Iron ore wants a pickaxe of stone or better.",
        "Three iron ingots make a bucket.",
    ),
    "obsidian": (
        "Nothing less than a diamond pickaxe breaks obsidian.",
        "Where water meets still lava, there is obsidian.",
    ),
    "chest": ("Eight planks make a chest.", "Two chests side by side become a large one."),
    "crafting_table": ("Four planks make a crafting table.",),
    "furnace": ("Eight cobblestones make a furnace.", "Charcoal is a log that was in a furnace."),
    "campfire": ("A campfire cooks four pieces of food without any fuel.",),
    "torch": (_LIGHT,),
    "wall_torch": (_LIGHT,),
    "lantern": ("A torch and eight iron nuggets make a lantern.",),
    "oak_log": ("Now and then an apple falls from an oak.", _TREE),
    "birch_log": ("A birch never grows crooked, it is always one straight trunk.", _TREE),
    "spruce_log": ("Four spruce saplings in a square grow into a giant.", _TREE),
    "jungle_log": ("Cocoa beans grow on jungle trees and nowhere else.", _TREE),
    "acacia_log": ("Acacia planks are orange.", _TREE),
    "dark_oak_log": ("A dark oak grows only from four saplings in a square.", _TREE),
    "dandelion": ("Rabbits love dandelions.", _dye("a dandelion", "yellow")),
    "poppy": (_dye("a poppy", "red"), "Iron golems sometimes hold out a poppy."),
    "blue_orchid": (_dye("a blue orchid", "light blue"), "Blue orchids like it swampy."),
    "allium": (_dye("an allium", "magenta"),),
    "azure_bluet": (_dye("an azure bluet", "light gray"),),
    "red_tulip": (_dye("a red tulip", "red"),),
    "orange_tulip": (_dye("an orange tulip", "orange"),),
    "white_tulip": (_dye("a white tulip", "light gray"),),
    "pink_tulip": (_dye("a pink tulip", "pink"),),
    "oxeye_daisy": (_dye("an oxeye daisy", "light gray"),),
    "cornflower": (_dye("a cornflower", "blue"),),
    "lily_of_the_valley": (_dye("a lily of the valley", "white"),),
    "brown_mushroom": ("A brown and a red mushroom in a bowl make a stew.",),
    "red_mushroom": ("A brown and a red mushroom in a bowl make a stew.",),
    "cow": (
        "Cows come along when you hold wheat.",
        "A bucket is all you need to milk a cow.",
        "Whoever is poisoned should drink milk.",
    ),
    "sheep": (
        "Sheep follow whoever holds wheat.",
        "A sheep that eats grass gets its wool back.",
        "Three blocks of wool and three planks make a bed.",
    ),
    "pig": ("Pigs run after carrots.", "With a saddle you can ride a pig."),
    "chicken": (
        "Chickens follow whoever holds seeds.",
        "A chicken lays an egg every five to ten minutes.",
        "Chickens float down slowly, and no fall hurts them.",
    ),
    "rabbit": ("Rabbits like carrots and dandelions.",),
    "horse": ("A wild horse throws you off until it trusts you.", "Horses like apples and wheat."),
    "wolf": ("Wolves become friends for bones.",),
    "cat": ("Creepers are afraid of cats.",),
    "fox": ("Foxes like sweet berries best.",),
    "bee": ("Bees fly after whoever holds a flower.",),
    "squid": ("Squids leave ink, which is good for writing.",),
    "llama": ("Llamas spit at whoever hits them.",),
    "turtle": ("Turtles come back to their own beach to lay eggs.",),
}

JAPANESE: Mapping[str, tuple[str, ...]] = {
    "sand": (
        "砂はかまどで焼くとガラスになりますよ。",
        "砂4つで砂岩が1つできますよ。",
        "砂は下を掘ると落ちてきますよ。",
    ),
    "gravel": (
        "砂利からは時々火打石が出ますよ。",
        "火打石と鉄で火がつくので、取っておきましょう。",
    ),
    "clay": ("粘土は4つの玉になって、焼くとレンガになりますよ。",),
    "water": (
        "水があると4ブロック先まで畑がうるおいますよ。",
        "深い水に落ちれば、けがをしませんよ。",
        "雨の日は魚が早くかかりますよ。",
    ),
    "sugar_cane": (
        "サトウキビ3本で紙が3枚できますよ。",
        "サトウキビは水のすぐそばにしか育ちません。",
        "サトウキビは根元を残すとまた伸びますよ。",
    ),
    "pumpkin": (
        "カボチャ1つから種が4つとれますよ。",
        "カボチャは茎の上ではなく隣に実りますよ。",
    ),
    "melon": ("スイカの薄切り9つでまたスイカになりますよ。", "スイカはいいおやつです。"),
    "cactus": (
        "サボテンはかまどで緑の染料になりますよ。",
        "{speaker}さん、サボテンはさわると痛いですよ。",
    ),
    "coal_ore": (_LIGHT_JA, "石炭はどのツルハシでも掘れますよ。"),
    "iron_ore": (
        "鉄鉱石には石のツルハシより良い物が要ります。",
        "鉄インゴット3つでバケツができますよ。",
    ),
    "obsidian": (
        "黒曜石はダイヤのツルハシでないと掘れません。",
        "動かない溶岩に水がふれると黒曜石になりますよ。",
    ),
    "chest": ("板材8つでチェストができますよ。", "チェストは2つ並べると大きくなりますよ。"),
    "crafting_table": ("板材4つで作業台ができますよ。",),
    "furnace": ("丸石8つでかまどができますよ。", "木炭は原木をかまどで焼いた物ですよ。"),
    "campfire": ("焚き火なら燃料なしで食べ物が4つ焼けますよ。",),
    "torch": (_LIGHT_JA,),
    "wall_torch": (_LIGHT_JA,),
    "lantern": ("松明1本と鉄塊8つでランタンができますよ。",),
    "oak_log": ("オークからは時々リンゴが落ちますよ。", _TREE_JA),
    "birch_log": ("シラカバはいつもまっすぐ伸びますよ。", _TREE_JA),
    "spruce_log": ("トウヒの苗木を4つ四角に植えると大木になりますよ。", _TREE_JA),
    "jungle_log": ("カカオ豆はジャングルの木にだけ実りますよ。", _TREE_JA),
    "acacia_log": ("アカシアの板材はオレンジ色ですよ。", _TREE_JA),
    "dark_oak_log": ("ダークオークは苗木4つを四角に植えないと育ちません。", _TREE_JA),
    "dandelion": (
        "ウサギはタンポポが大好きですよ。",
        "タンポポからは黄色の染料ができますよ。",
    ),
    "poppy": (
        "ポピーからは赤色の染料ができますよ。",
        "アイアンゴーレムは時々ポピーを差し出しますよ。",
    ),
    "blue_orchid": (
        "ヒスイランからは空色の染料ができますよ。",
        "ヒスイランは湿った土地が好きですよ。",
    ),
    "allium": ("アリウムからは赤紫色の染料ができますよ。",),
    "azure_bluet": ("ヒナソウからは薄灰色の染料ができますよ。",),
    "red_tulip": ("赤色のチューリップからは赤色の染料ができますよ。",),
    "orange_tulip": ("橙色のチューリップからは橙色の染料ができますよ。",),
    "white_tulip": ("白色のチューリップからは薄灰色の染料ができますよ。",),
    "pink_tulip": ("桃色のチューリップからは桃色の染料ができますよ。",),
    "oxeye_daisy": ("フランスギクからは薄灰色の染料ができますよ。",),
    "cornflower": ("ヤグルマギクからは青色の染料ができますよ。",),
    "lily_of_the_valley": ("スズランからは白色の染料ができますよ。",),
    "brown_mushroom": ("茶色と赤色のキノコをボウルに入れるとシチューになりますよ。",),
    "red_mushroom": ("茶色と赤色のキノコをボウルに入れるとシチューになりますよ。",),
    "cow": (
        "小麦を持っていると牛がついてきますよ。",
        "バケツがあれば牛の乳がしぼれますよ。",
        "毒にやられたら牛乳を飲みましょう。",
    ),
    "sheep": (
        "小麦を持っていると羊がついてきますよ。",
        "羊は草を食べるとまた毛が生えますよ。",
        "羊毛3つと板材3つでベッドができますよ。",
    ),
    "pig": ("豚はニンジンを追いかけますよ。", "鞍があれば豚に乗れますよ。"),
    "chicken": (
        "種を持っているとニワトリがついてきますよ。",
        "ニワトリは5分から10分に一度卵を産みますよ。",
        "ニワトリはふわりと落ちるので、けがをしません。",
    ),
    "rabbit": ("ウサギはニンジンとタンポポが好きですよ。",),
    "horse": (
        "野生の馬はなつくまで何度も振り落としますよ。",
        "馬はリンゴと小麦が好きですよ。",
    ),
    "wolf": ("オオカミは骨をあげると仲良くなりますよ。",),
    "cat": ("クリーパーは猫が苦手ですよ。",),
    "fox": ("キツネはスイートベリーが一番好きですよ。",),
    "bee": ("花を持っているとハチがついてきますよ。",),
    "squid": ("イカの墨は字を書くのに使えますよ。",),
    "llama": ("ラマは叩かれるとつばを吐きますよ。",),
    "turtle": ("カメは生まれた浜に戻って卵を産みますよ。",),
}


def known_of(kind: str, language: Language) -> tuple[str, ...]:
    """What there is to tell of a kind of block or animal."""
    return (JAPANESE if language == "ja" else ENGLISH).get(kind, ())
