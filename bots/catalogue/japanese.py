"""Japanese names of items, blocks and mobs, as players say them, and what their other words name.

Most are made of parts: 鉄 and ツルハシ, オーク and 板材, 赤色 and 羊毛. What has no name here goes
by its English one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product


def pairs(table: str) -> dict[str, str]:
    """A table such as `stick 棒|stone 石` as a mapping."""
    split = (pair.partition(" ") for pair in table.replace("\n", "|").split("|"))
    return {left: right for left, _, right in split if right}


MATERIALS = pairs("""
wooden 木|stone 石|copper 銅|iron 鉄|golden 金|diamond ダイヤ|netherite ネザライト
leather 革|chainmail チェーン
""")
GEAR = pairs("""
pickaxe ツルハシ|axe 斧|shovel シャベル|hoe クワ|sword 剣|helmet ヘルメット
chestplate チェストプレート
leggings レギンス|boots ブーツ|horse_armor 馬鎧
""")
TREES = pairs("""
oak オーク|birch シラカバ|spruce トウヒ|jungle ジャングル|acacia アカシア|dark_oak ダークオーク
mangrove マングローブ|cherry サクラ|pale_oak ペールオーク|bamboo 竹|crimson 真紅|warped 歪んだ
""")
PARTS = pairs("""
log 原木|planks 板材|sapling 苗木|leaves 葉|door ドア|trapdoor トラップドア|fence フェンス
fence_gate フェンスゲート|boat ボート|slab ハーフブロック|stairs 階段|sign 看板|button ボタン
pressure_plate 感圧板
""")
_COLOURS = pairs("""
white 白|light_gray 薄灰|gray 灰|black 黒|brown 茶|red 赤|orange 橙|yellow 黄|lime 黄緑
green 緑|cyan 青緑|light_blue 空|blue 青|purple 紫|magenta 赤紫|pink 桃
""")
_COLOURED = pairs("""
wool の羊毛|carpet のカーペット|bed のベッド|dye の染料|concrete のコンクリート
stained_glass の色付きガラス
banner の旗|candle のろうそく|terracotta のテラコッタ|shulker_box のシュルカーボックス
""")
_ORES = pairs("""
coal 石炭|iron 鉄|copper 銅|gold 金|diamond ダイヤモンド|redstone レッドストーン|lapis ラピスラズリ
emerald エメラルド
""")
_METALS = pairs("""
iron 鉄|gold 金|copper 銅|netherite ネザライト|coal 石炭|diamond ダイヤモンド
redstone レッドストーン
lapis ラピスラズリ|emerald エメラルド
""")
_STONES = pairs("""
stone 石|cobblestone 丸石|stone_brick 石レンガ|brick レンガ|sandstone 砂岩
nether_brick ネザーレンガ|quartz クォーツ|deepslate 深層岩|granite 花崗岩|diorite 閃緑岩
andesite 安山岩
""")
_NAMED = pairs("""
stick 棒|crafting_table 作業台|furnace かまど|blast_furnace 溶鉱炉|smoker 燻製器|chest チェスト
trapped_chest トラップチェスト|ender_chest エンダーチェスト|barrel 樽|torch 松明
soul_torch 魂の松明|redstone_torch レッドストーントーチ|lantern ランタン|campfire 焚き火|dirt 土
grass_block 草ブロック|sand 砂|red_sand 赤い砂|gravel 砂利|clay 粘土ブロック|clay_ball 粘土
stone 石|smooth_stone なめらかな石|cobblestone 丸石|mossy_cobblestone 苔むした丸石|obsidian 黒曜石
bedrock 岩盤|netherrack ネザーラック|soul_sand ソウルサンド|glowstone グロウストーン
glowstone_dust グロウストーンダスト|end_stone エンドストーン|granite 花崗岩|diorite 閃緑岩
andesite 安山岩|deepslate 深層岩|cobbled_deepslate 深層岩の丸石|tuff 凝灰岩|calcite 方解石
sandstone 砂岩|stone_bricks 石レンガ|bricks レンガブロック|brick レンガ|nether_bricks ネザーレンガ
quartz クォーツ|quartz_block クォーツブロック|snow_block 雪ブロック|snowball 雪玉|ice 氷
packed_ice 氷塊|water 水|lava 溶岩|fire 火|coal 石炭|charcoal 木炭|raw_iron 鉄の原石
raw_gold 金の原石|raw_copper 銅の原石|iron_ingot 鉄インゴット|gold_ingot 金インゴット
copper_ingot 銅インゴット|netherite_ingot ネザライトインゴット|netherite_scrap ネザライトの欠片
ancient_debris 古代の残骸|iron_nugget 鉄塊|gold_nugget 金塊|diamond ダイヤモンド
redstone レッドストーン|lapis_lazuli ラピスラズリ|emerald エメラルド
amethyst_shard アメジストの欠片|flint 火打ち石|gunpowder 火薬|bread パン|apple リンゴ
golden_apple 金のリンゴ|enchanted_golden_apple エンチャントされた金のリンゴ|wheat 小麦
wheat_seeds 小麦の種|beetroot ビートルート|beetroot_seeds ビートルートの種|carrot ニンジン
golden_carrot 金のニンジン|potato ジャガイモ|baked_potato ベイクドポテト
poisonous_potato 毒ジャガイモ|pumpkin カボチャ|carved_pumpkin くり抜かれたカボチャ
jack_o_lantern ジャックオランタン|melon スイカ|melon_slice スイカの薄切り
pumpkin_seeds カボチャの種|melon_seeds スイカの種|pumpkin_pie パンプキンパイ|cake ケーキ
cookie クッキー|sugar 砂糖|sugar_cane サトウキビ|cocoa_beans カカオ豆|bamboo 竹|cactus サボテン
sweet_berries スイートベリー|honey_bottle ハチミツ入りの瓶|honeycomb ハニカム|kelp 昆布|egg 卵
beef 生の牛肉|cooked_beef ステーキ|porkchop 生の豚肉|cooked_porkchop 焼き豚|chicken 生の鶏肉
cooked_chicken 焼き鳥|mutton 生の羊肉|cooked_mutton 焼き羊肉|rabbit 生の兎肉
cooked_rabbit 焼き兎肉|rabbit_hide ウサギの皮|rabbit_foot ウサギの足|cod 生鱈|cooked_cod 焼き鱈
salmon 生鮭|cooked_salmon 焼き鮭|tropical_fish 熱帯魚|pufferfish フグ|rotten_flesh 腐った肉
spider_eye クモの目|leather 革|feather 羽根|string 糸|bone 骨|bone_meal 骨粉|bone_block 骨ブロック
slime_ball スライムボール|ink_sac イカスミ|glow_ink_sac 光るイカスミ|ender_pearl エンダーパール
ender_eye エンダーアイ|blaze_rod ブレイズロッド|blaze_powder ブレイズパウダー
magma_cream マグマクリーム|ghast_tear ガストの涙|nether_wart ネザーウォート
nether_star ネザースター|phantom_membrane ファントムの皮膜|shulker_shell シュルカーの殻
prismarine_shard プリズマリンの欠片|totem_of_undying 不死のトーテム|saddle 鞍|lead リード
name_tag 名札|arrow 矢|bow 弓|crossbow クロスボウ|shield 盾|trident トライデント|shears ハサミ
flint_and_steel 火打ち石と打ち金|fishing_rod 釣竿|carrot_on_a_stick ニンジン付きの棒|bucket バケツ
water_bucket 水入りバケツ|lava_bucket 溶岩入りバケツ|milk_bucket 牛乳入りバケツ
powder_snow_bucket 粉雪入りバケツ|compass コンパス|clock 時計|map 地図|spyglass 望遠鏡
glass ガラス|glass_pane 板ガラス|glass_bottle ガラス瓶|bowl ボウル|mushroom_stew キノコシチュー
rabbit_stew ウサギシチュー|red_mushroom 赤いキノコ|brown_mushroom 茶色のキノコ|paper 紙|book 本
bookshelf 本棚|writable_book 本と羽根ペン|enchanted_book エンチャントの本
enchanting_table エンチャントテーブル|anvil 金床|grindstone 砥石|smithing_table 鍛冶台
stonecutter 石切台|loom 機織り機|cartography_table 製図台|fletching_table 矢細工台|lectern 書見台
composter コンポスター|brewing_stand 醸造台|cauldron 大釜|beacon ビーコン|bell 鐘
jukebox ジュークボックス|note_block 音符ブロック|piston ピストン|sticky_piston 粘着ピストン
lever レバー|tripwire_hook トリップワイヤーフック|repeater リピーター|comparator コンパレーター
observer オブザーバー|dispenser ディスペンサー|dropper ドロッパー|hopper ホッパー
redstone_lamp レッドストーンランプ|daylight_detector 日照センサー|target 的|tnt TNT|rail レール
powered_rail パワードレール|detector_rail ディテクターレール|activator_rail アクティベーターレール
minecart トロッコ|chest_minecart チェスト付きトロッコ|hopper_minecart ホッパー付きトロッコ
ladder はしご|scaffolding 足場|iron_door 鉄のドア|iron_trapdoor 鉄のトラップドア|iron_bars 鉄格子
painting 絵画|item_frame 額縁|armor_stand 防具立て|flower_pot 植木鉢|sponge スポンジ
slime_block スライムブロック|hay_block 干し草の俵|wet_sponge 濡れたスポンジ|cobweb クモの巣
vine ツタ|lily_pad スイレンの葉|dandelion タンポポ|poppy ポピー|sunflower ヒマワリ
firework_rocket ロケット花火|end_crystal エンドクリスタル|elytra エリトラ
experience_bottle 経験値の瓶|respawn_anchor リスポーンアンカー|lodestone ロードストーン
dried_kelp 乾燥した昆布|cooked_egg ゆで卵|beehive 養蜂箱|bee_nest ハチの巣|farmland 耕地
spawner スポナー|crying_obsidian 泣く黒曜石|brush ブラシ|mace メイス|breeze_rod ブリーズロッド
wind_charge ウィンドチャージ|turtle_helmet カメの甲羅|turtle_scute カメのウロコ
crimson_stem 真紅の幹|warped_stem 歪んだ幹|stone_button 石のボタン|stone_pressure_plate 石の感圧板
""")
_OLDER = {
    **PARTS,
    **GEAR,
    **pairs("""
wool 羊毛|dye 染料|bed ベッド|wooden_door 木のドア|wooden_slab 木のハーフブロック|reeds サトウキビ
fish 魚|cooked_fish 焼き魚|melon_block スイカ|noteblock 音符ブロック|golden_rail パワードレール
red_flower 花|yellow_flower タンポポ|stonebrick 石レンガ|brick_block レンガブロック
nether_brick ネザーレンガ|netherbrick ネザーレンガ|web クモの巣|mob_spawner スポナー
lit_pumpkin ジャックオランタン|skull 頭|fireworks ロケット花火|scute カメのウロコ|grass 草
"""),
}
"""Names of versions before 1.13, and of kinds of which any will do; no word is read as one."""
MOBS = pairs("""
allay アレイ|armadillo アルマジロ|axolotl ウーパールーパー|bat コウモリ|bee ハチ|blaze ブレイズ
bogged ボグド|breeze ブリーズ|camel ラクダ|cat ネコ|cave_spider 洞窟グモ|chicken ニワトリ|cod タラ
cow ウシ|creaking クリーキング|creeper クリーパー|dolphin イルカ|donkey ロバ|drowned ドラウンド
elder_guardian エルダーガーディアン|ender_dragon エンダードラゴン|enderman エンダーマン
endermite エンダーマイト|evoker エヴォーカー|fox キツネ|frog カエル|ghast ガスト
glow_squid 光るイカ|goat ヤギ|guardian ガーディアン|hoglin ホグリン|horse ウマ|husk ハスク
iron_golem アイアンゴーレム|llama ラマ|magma_cube マグマキューブ|mooshroom ムーシュルーム
mule ラバ|ocelot ヤマネコ|panda パンダ|parrot オウム|phantom ファントム|pig ブタ|piglin ピグリン
piglin_brute ピグリンブルート|pillager ピリジャー|polar_bear シロクマ|pufferfish フグ
rabbit ウサギ|ravager ラヴェジャー|salmon サケ|sheep ヒツジ|shulker シュルカー
silverfish シルバーフィッシュ|skeleton スケルトン|skeleton_horse スケルトンホース|slime スライム
sniffer スニッファー|snow_golem スノウゴーレム|spider クモ|squid イカ|stray ストレイ
strider ストライダー|tadpole オタマジャクシ|tropical_fish 熱帯魚|turtle カメ|vex ヴェックス
villager 村人|vindicator ヴィンディケーター|wandering_trader 行商人|warden ウォーデン
witch ウィッチ|wither ウィザー|wither_skeleton ウィザースケルトン|wolf オオカミ|zoglin ゾグリン
zombie ゾンビ|zombie_horse ゾンビホース|zombie_villager 村人ゾンビ|zombified_piglin ゾンビピグリン
happy_ghast ハッピーガスト
""")
_MORE_MATERIALS = {"丸石": "stone", "ダイヤモンド": "diamond", "皮": "leather"}
_MORE_GEAR = pairs("""
ピッケル pickaxe|おの axe|スコップ shovel|鍬 hoe|けん sword|兜 helmet|胸当て chestplate
鎧 chestplate|ズボン leggings|靴 boots
""")
_MORE_TREES = {"樫": "oak", "白樺": "birch", "桜": "cherry"}
_MORE_PARTS = pairs("""
丸太 log|木 log|木材 planks|板 planks|葉っぱ leaves|柵 fence
""")
_OTHERS = pairs("""
木 log|原木 log|丸太 log|木材 planks|板材 planks|板 planks|葉 leaves|苗木 sapling|トーチ torch
たいまつ torch|ダイヤ diamond|鉄 iron_ingot|金 gold_ingot|鉄インゴット iron_ingot
金インゴット gold_ingot|スティック stick|木の棒 stick|コブルストーン cobblestone|土ブロック dirt
砂ブロック sand|釜戸 furnace|竈 furnace|クラフトテーブル crafting_table|作業机 crafting_table
箱 chest|林檎 apple|はしご ladder|梯子 ladder|盾 shield|ハサミ shears|ベッド bed
羊毛 white_wool|種 wheat_seeds|粘土 clay_ball|火打石 flint|看板 sign|石ハーフ stone_slab
樽 barrel|紙 paper|本 book|本棚 bookshelf|釣り竿 fishing_rod|ボート boat|トロッコ minecart
レール rail|牛肉 beef|豚肉 porkchop|鶏肉 chicken|にんじん carrot|ニンジン carrot|じゃがいも potato
ジャガイモ potato
""")
_OTHER_MOBS = pairs("""
牛 cow|豚 pig|羊 sheep|鶏 chicken|にわとり chicken|馬 horse|蜘蛛 spider|狼 wolf|猫 cat
狐 fox|蜂 bee|骸骨 skeleton|スケさん skeleton|匠 creeper|エンダマン enderman
エンドラ ender_dragon|ゴーレム iron_golem|ゾンビピッグマン zombified_piglin
ピッグマン zombified_piglin|スノーゴーレム snow_golem|シュルカー shulker
""")


def japanese_name(item: str) -> str:
    """The name of an item or a block; the English one where it has none here."""
    return _ITEMS.get(item) or _OLDER.get(item, item)


def japanese_mob(mob: str) -> str:
    return MOBS.get(mob, mob)


def japanese_names() -> Mapping[str, str]:
    """Japanese names by id, for the items and blocks that have one here."""
    return _ITEMS


def _made_of_parts() -> Iterator[tuple[str, str]]:
    for material, of in MATERIALS.items():
        yield from ((f"{material}_{gear}", f"{of}の{its}") for gear, its in GEAR.items())
    for tree, of in TREES.items():
        yield from ((f"{tree}_{part}", f"{of}の{its}") for part, its in PARTS.items())
    for colour, of in _COLOURS.items():
        yield from ((f"{colour}_{thing}", f"{of}色{its}") for thing, its in _COLOURED.items())
    for ore, of in _ORES.items():
        yield f"{ore}_ore", f"{of}鉱石"
        yield f"deepslate_{ore}_ore", f"深層{of}鉱石"
    yield from ((f"{metal}_block", f"{of}ブロック") for metal, of in _METALS.items())
    for stone, of in _STONES.items():
        for part, its in (("slab", "ハーフブロック"), ("stairs", "階段"), ("wall", "塀")):
            yield f"{stone}_{part}", f"{of}の{its}"


_ITEMS: Mapping[str, str] = {**dict(_made_of_parts()), **_NAMED}


def in_hiragana(text: str) -> str:
    """The text with katakana turned into hiragana."""
    return "".join(chr(ord(c) - 0x60) if "ァ" <= c <= "ヶ" else c for c in text)


def item_in_japanese(words: str) -> str | None:
    """The item, or the kind of items, of this Japanese name."""
    return _READ_ITEMS.get(in_hiragana(words.strip()))


def mob_in_japanese(words: str) -> str | None:
    return _READ_MOBS.get(in_hiragana(words.strip()))


def japanese_items() -> Mapping[str, str]:
    """Items by every Japanese name that is understood, in hiragana."""
    return _READ_ITEMS


def japanese_mobs() -> Mapping[str, str]:
    return _READ_MOBS


def _read(names: Mapping[str, str]) -> dict[str, str]:
    """From a word to a name, where both are listed the other way round."""
    return {japanese: name for name, japanese in names.items()}


def _all() -> dict[str, str]:
    materials, gear = {**_MORE_MATERIALS, **_read(MATERIALS)}, {**_MORE_GEAR, **_read(GEAR)}
    trees, parts = {**_MORE_TREES, **_read(TREES)}, {**_MORE_PARTS, **_read(PARTS)}
    made: dict[str, str] = {}
    for (of, material), (kind, its) in product(materials.items(), gear.items()):
        made[f"{of}{kind}"] = made[f"{of}の{kind}"] = f"{material}_{its}"
    for (of, tree), (part, its) in product(trees.items(), parts.items()):
        made[f"{of}の{part}"] = f"{tree}_{its}"
    named = {**made, **gear, **parts, **_read(_ITEMS), **_OTHERS}
    return {in_hiragana(japanese): name for japanese, name in named.items()}


_READ_ITEMS = _all()
_READ_MOBS = {in_hiragana(name): mob for name, mob in {**_read(MOBS), **_OTHER_MOBS}.items()}
