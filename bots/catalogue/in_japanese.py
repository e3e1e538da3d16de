"""The catalogue's sentences in Japanese."""

from __future__ import annotations

from collections.abc import Mapping

from bots.catalogue.counted import any_of, few, listed, thing
from bots.catalogue.entries import BlockEntry, ItemEntry, MobEntry, Otherwise, Recipe, Spoil
from bots.catalogue.in_english import EATEN_WHERE_PLACED, HEART, SCRAP, WAYS
from bots.catalogue.japanese import japanese_mob
from bots.text.numbers import whole

_TEMPERS = {
    "hostile": "敵対的で",
    "neutral": "手を出さなければおとなしく",
    "peaceful": "おとなしく",
}

_OTHERWISE: Mapping[Otherwise, str] = {
    "shearing": "ハサミでヒツジの毛を刈ると手に入ります。",
    "milking": "空のバケツでウシの乳をしぼると手に入ります。",
    "laying": "ニワトリがときどき産みます。",
    "filling": "空のバケツで汲めます。",
    "fishing": "釣りで手に入ります。",
    "growing": "耕した土にまくと育ちます。",
    "honey": "いっぱいになったハチの巣から、下で焚き火をして採ります。",
    "chests": "ダンジョンなどの古い場所のチェストに入っています。",
    "end": "エンドの船にあります。",
}


class Japanese:
    between = ""

    def crafting(self, entry: ItemEntry) -> str:
        ways = "、または".join(map(_way, entry.recipes[:WAYS]))
        return f"{_name(entry.name)}は、{ways}作れます。" if ways else ""

    def cooking(self, entry: ItemEntry) -> str:
        if not entry.cooked_from:
            return ""
        raws = entry.raws if len(entry.raws) <= SCRAP else entry.raws[:1]
        named = listed([_name(raw) for raw in raws], "ja", joint="か")
        return f"{_name(entry.name)}は、かまどで{named}を焼くとできます。"

    def digging(self, entry: ItemEntry) -> str:
        if not entry.dug_from:
            return ""
        first = entry.dug_from[0]
        blocks = few([_name(source.block) for source in entry.dug_from], "ja")
        how = "そのまま掘れます" if first.block == entry.name else f"{blocks}を掘ると出ます"
        needs = f"（{_least(first.tool)}）" if first.tool else ""
        return f"{_name(entry.name)}は、{how}{needs}。{_high(entry.heights)}"

    def spoils(self, entry: ItemEntry) -> str:
        mobs = few([f"{japanese_mob(one.mob)}（{_count(one)}個）" for one in entry.left_by], "ja")
        return f"{_name(entry.name)}は、{mobs}を倒すと落とします。" if mobs else ""

    def otherwise(self, entry: ItemEntry) -> str:
        return _OTHERWISE[entry.otherwise] if entry.otherwise else ""

    def use(self, entry: ItemEntry) -> str:
        made = few([_name(name) for name in entry.used_for], "ja")
        return f"{_name(entry.name)}からは、{made}が作れます。" if made else ""

    def eaten(self, entry: ItemEntry) -> str:
        facts = [
            f"食べると満腹度が{entry.food}回復します。" if entry.food else "",
            f"燃料にすると1個で{whole(entry.fuel)}個焼けます。" if entry.fuel else "",
            f"かまどで焼くと{_name(entry.cooks_to)}になります。" if entry.cooks_to else "",
        ]
        return "".join(facts)

    def edible(self, entry: ItemEntry) -> str:
        if entry.name in EATEN_WHERE_PLACED:
            return f"はい、{_name(entry.name)}は置いてから食べます。"
        if entry.food:
            return f"はい、{_name(entry.name)}を食べると満腹度が20のうち{entry.food}回復します。"
        return f"いいえ、{_name(entry.name)}は食べられません。"

    def useless(self, entry: ItemEntry) -> str:
        return f"{_name(entry.name)}から作れるものは知りません。"

    def unknown(self, entry: ItemEntry) -> str:
        return f"{_name(entry.name)}の作り方も、落とすものも知りません。"

    def block(self, entry: BlockEntry) -> str:
        name = _name(entry.name)
        if entry.hardness is None:
            return f"{name}は壊せません。"
        own = entry.drops == (entry.name,)
        drops = few([_name(drop) for drop in entry.drops], "ja") if not own else ""
        dropped = f"掘ると{drops}が出ます。" if drops else ""
        return f"{name}は{_dug_with(entry)}。{dropped}{_high(entry.heights)}"

    def mob(self, entry: MobEntry) -> str:
        name, temper = japanese_mob(entry.name), _TEMPERS[entry.temper]
        hearts = entry.half_hearts
        health = "不明" if hearts is None else f"ハート{whole(hearts / HEART):g}個分"
        drops = few([f"{_name(one.item)}（{_count(one)}個）" for one in entry.drops], "ja")
        left = f"倒すと{drops}を落とします。" if drops else "倒しても特に何も落としません。"
        return f"{name}は{temper}、体力は{health}です。{left}"


def _way(recipe: Recipe) -> str:
    needs = listed([any_of(need.any_of, need.count, "ja") for need in recipe.needs], "ja")
    return f"{'作業台' if recipe.at_table else '手元'}で{needs}から{recipe.count}個"


def _dug_with(entry: BlockEntry) -> str:
    if entry.tool is not None:
        return f"掘れます（{_least(entry.tool)}）"
    faster = f"（{_name(entry.faster_with[0])}だと速いです）" if entry.faster_with else ""
    return f"素手で掘れます{faster}"


def _high(height: str | None) -> str:
    return f"高さ{height}あたりに多いです。" if height else ""


def _count(spoil: Spoil) -> str:
    return f"{spoil.most}" if spoil.least == spoil.most else f"{spoil.least}～{spoil.most}"


def _least(tool: str) -> str:
    """`鉄のツルハシ以上が必要`; of the least kind any will do."""
    material, _, kind = tool.rpartition("_")
    if material in ("", "wooden"):
        return f"{_name(kind)}が必要"
    return f"{_name(tool)}以上が必要"


def _name(name: str) -> str:
    return thing(name, "ja")
