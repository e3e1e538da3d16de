"""A hand-made domain: wood, stone, iron, diamonds, and a bow whose string cannot be had."""

from bots.goals.activity import Activity, Domain, Pool, Station

WOODS = ("birch", "oak")
PLANKS: Pool = tuple(f"{wood}_planks" for wood in WOODS)


def _dig(block: str, gives: str, *tools: str | None) -> tuple[Activity, ...]:
    return tuple(
        Activity("gather", block, {gives: 1}, tool=tool, fixed_ticks=120, unit_ticks=60 - 10 * n)
        for n, tool in enumerate(tools)
    )


def _craft(
    target: str,
    count: int,
    consumes: dict[str, int],
    planks: int = 0,
    station: Station | None = "crafting_table",
) -> Activity:
    pools = {PLANKS: planks} if planks else {}
    return Activity("craft", target, {target: count}, consumes, pools, station, None, 20, 4)


def _tools(material: str, consumes: dict[str, int], planks: int = 0) -> Activity:
    return _craft(f"{material}_pickaxe", 1, {"stick": 2, **consumes}, planks)


MAKING = (
    *(_craft(f"{wood}_planks", 4, {f"{wood}_log": 1}, station=None) for wood in WOODS),
    *(_craft(f"{wood}_boat", 1, {f"{wood}_planks": 5}) for wood in WOODS),
    _craft("stick", 4, {}, 2, None),
    _craft("crafting_table", 1, {}, 4, None),
    _craft("chest", 1, {}, 8),
    _craft("furnace", 1, {"cobblestone": 8}),
    _craft("bow", 1, {"stick": 3, "string": 3}),
    _craft("torch", 4, {"stick": 1, "coal": 1}, station=None),
    _craft("iron_block", 1, {"iron_ingot": 9}),
    _craft("iron_ingot", 9, {"iron_block": 1}, station=None),
    _tools("wooden", {}, 3),
    _tools("stone", {"cobblestone": 3}),
    _tools("iron", {"iron_ingot": 3}),
    _tools("diamond", {"diamond": 3}),
    Activity(
        "smelt",
        "iron_ingot",
        {"iron_ingot": 1},
        {"iron_ore": 1},
        station="furnace",
        fixed_ticks=60,
        unit_ticks=200,
    ),
)
DIGGING = {
    **{f"{wood}_log": _dig(f"{wood}_log", f"{wood}_log", None) for wood in WOODS},
    "stone": _dig("stone", "cobblestone", "wooden_pickaxe", "stone_pickaxe", "iron_pickaxe"),
    "coal_ore": _dig("coal_ore", "coal", "wooden_pickaxe", "stone_pickaxe"),
    "iron_ore": _dig("iron_ore", "iron_ore", "stone_pickaxe", "iron_pickaxe"),
    "diamond_ore": _dig("diamond_ore", "diamond", "iron_pickaxe"),
    "crafting_table": _dig("crafting_table", "crafting_table", None),
    "furnace": _dig("furnace", "furnace", "wooden_pickaxe"),
}
STATIONS: tuple[Station, ...] = ("crafting_table", "furnace")
ITEMS = frozenset(
    {item for activity in MAKING for item in (*activity.produces, *activity.consumes)}
    | {f"{wood}_log" for wood in WOODS}
)
COUNTRY = Domain(
    version="1.16.5",
    items=ITEMS,
    blocks=frozenset({*DIGGING, "torch", "fire"}),
    making=MAKING,
    digging=DIGGING,
    placing={
        station: Activity("place", station, {}, {station: 1}, unit_ticks=40) for station in STATIONS
    },
    fuels={"coal": 32, "oak_log": 6, "oak_planks": 6, "stick": 2},
    remainders={},
    tool_order=tuple(f"{kind}_pickaxe" for kind in ("wooden", "stone", "iron", "diamond")),
)
RICH = {
    "oak_log": 20,
    "birch_log": 10,
    "stone": 90,
    "coal_ore": 9,
    "iron_ore": 12,
    "diamond_ore": 3,
}
"""A world where everything but string can be had."""
