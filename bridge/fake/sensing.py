"""What bots sense in the simulated world, and how its queries are answered."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bridge.actions import (
    AtPlayer,
    AtPoint,
    BlockAt,
    Footholds,
    Gaze,
    Glance,
    LyingItems,
    OpenedContainer,
    PlayerGear,
    Query,
    Towards,
)
from bridge.catalogue import (
    BlockFacts,
    Catalogue,
    CraftingRecipe,
    ItemFacts,
    MobFacts,
    ReadCatalogue,
    ReadRecipes,
    RecipeBook,
)
from bridge.fake.body import Body
from bridge.fake.rules import SPEED_OF, TIER_OF, UNBREAKABLE, BlockRule, Rules
from bridge.fake.scanning import find_blocks, scan_blocks
from bridge.fake.terrain import is_standable
from bridge.fake.viewing import behold, nearest_of, read_region
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.looking import AskWhereabouts, Seen, Whereabouts
from bridge.world import (
    BlockSighting,
    BotName,
    Container,
    Gear,
    ItemStack,
    LyingItem,
    MobSighting,
    PlayerSighting,
    Position,
    WorldSnapshot,
)

_ANIMALS = ("chicken", "cow", "pig", "sheep")
_MONSTERS = ("creeper", "skeleton", "spider", "zombie")

T = TypeVar("T")

CEILING = 255  # blocks; nothing is built higher


def read_catalogue(world: FakeWorld, _body: Body, query: ReadCatalogue) -> Catalogue | None:
    """The facts of this world, unless the asker has them."""
    if query.known == world.version:
        return None
    rules = world.rules
    return Catalogue(
        version=world.version,
        blocks={
            name: BlockFacts(
                name=name,
                hardness=None if rule.hardness == UNBREAKABLE else rule.hardness,
                needs=None if rule.tier is None else frozenset(_tools(rule, rule.tier)),
                speeds={f"{material}_{rule.tool}": speed for material, speed in SPEED_OF.items()}
                if rule.tool
                else {},
                drops=(name,) if rule.drops is None else tuple(rule.drops),
            )
            for name, rule in rules.blocks.items()
        },
        items={name: _item(rules, name) for name in sorted(rules.names)},
        mobs={name: MobFacts(name, name in _MONSTERS, ()) for name in (*_ANIMALS, *_MONSTERS)},
    )


def _tools(rule: BlockRule, tier: int) -> tuple[str, ...]:
    return tuple(f"{material}_{rule.tool}" for material, its in TIER_OF.items() if its >= tier)


def _item(rules: Rules, name: str) -> ItemFacts:
    return ItemFacts(
        name=name,
        stack_size=rules.stack_size(name),
        food=rules.foods.get(name, 0),
        fuel=rules.fuels.get(name, 0.0),
        cooks_to=rules.smelting.get(name),
    )


def read_recipes(world: FakeWorld, _body: Body, query: ReadRecipes) -> RecipeBook | None:
    """Every recipe once for each choice of its categories; none has a shape here."""
    if query.known == world.version:
        return None
    variants = list[CraftingRecipe]()
    for recipe in world.rules.recipes:
        for chosen in itertools.product(*(world.rules.choices(need) for need in recipe.needs)):
            inputs = tuple(map(ItemStack, chosen, recipe.needs.values()))
            makes = ItemStack(recipe.makes, recipe.count)
            variants.append(CraftingRecipe(makes, inputs, (), recipe.at_table, shape=None))
    return RecipeBook(world.version, tuple(variants))


def turn_head(world: FakeWorld, body: Body, gaze: Gaze) -> Glance:
    """Turn at once; a body in this world is never long dead."""
    match gaze:
        case Towards():
            body.yaw, body.pitch = gaze.yaw % 360, gaze.pitch
        case AtPoint():
            body.look_at(gaze.position)
        case AtPlayer():
            other = world.bodies.get(gaze.player)
            if other is None or not world.sees(body, other):
                return "unseen"
            body.look_at(other.eyes)
    return "turned"


def take_snapshot(world: FakeWorld, body: Body, blocks_within: int) -> WorldSnapshot:
    ground = world.terrain(body.dimension)
    return WorldSnapshot(
        bot=BotName(body.name),
        version=world.version,
        position=body.position,
        yaw=body.yaw,
        pitch=body.pitch,
        dimension=body.dimension,
        game_mode=body.game_mode,
        health=body.health,
        food=body.food,
        time_of_day=world.time_of_day,
        spawn_point=world.spawn_point,
        held=body.held,
        items=body.inventory.stacks,
        free_slots=body.inventory.free_slots,
        players=tuple(
            PlayerSighting(other.name, other.position, other.health)
            if world.sees(body, other)
            else PlayerSighting(other.name, None)
            for other in world.bodies.values()
            if other is not body
        ),
        blocks=ground.count_within(body.position, blocks_within) if blocks_within else (),
        taken_at=world.clock.now(),
        weather=world.weather,
        worn=tuple(body.worn.values()),
        mobs=_mobs(world, body),
        effects=tuple(body.effects),
        difficulty=world.difficulty,
        died=body.died,
    )


def answer(world: FakeWorld, body: Body, query: Query[T]) -> T:
    answer: T = ANSWERS[query.kind](world, body, query)
    return answer


def _block_at(world: FakeWorld, body: Body, query: BlockAt) -> tuple[BlockSighting, ...]:
    if body.position.distance_to(query.position) > VIEW_DISTANCE:
        return ()
    where = query.position.block
    return (BlockSighting(world.terrain(body.dimension).block(where), where),)


def _mobs(world: FakeWorld, body: Body) -> tuple[MobSighting, ...]:
    def away(mob: MobSighting) -> float:
        return body.position.distance_to(mob.position)

    here = world.mobs if body.dimension == "overworld" else []
    return nearest_of((mob for mob in here if away(mob) <= VIEW_DISTANCE), away)


def _footholds(world: FakeWorld, body: Body, query: Footholds) -> tuple[Position, ...] | None:
    level_distance = math.hypot(body.position.x - query.x, body.position.z - query.z)
    if level_distance > VIEW_DISTANCE:
        return None
    ground = world.terrain(body.dimension)
    column = ((query.x, y, query.z) for y in range(1, CEILING))
    return tuple(Position(*feet) for feet in column if is_standable(ground, feet))


def _lying_items(world: FakeWorld, body: Body, query: LyingItems) -> tuple[LyingItem, ...]:
    drops = world.drops_for(body, query.radius)
    if not world.tells_items:
        return tuple(LyingItem(None, 1, drop.position) for drop in drops)
    return tuple(LyingItem(drop.item, drop.count, drop.position) for drop in drops)


def _player_gear(world: FakeWorld, body: Body, query: PlayerGear) -> Gear | None:
    other = world.bodies.get(query.player)
    if other is None or not world.sees(body, other):
        return None
    off_hand = [other.off_hand.name] if other.off_hand else []
    return Gear(other.held.name if other.held else None, (*other.worn.values(), *off_hand))


def _opened_container(world: FakeWorld, body: Body, _query: OpenedContainer) -> Container | None:
    if body.window is None:
        return None
    kept = world.terrain(body.dimension).chest(body.window)
    return Container(body.window, kept.stacks, len(kept.slots))


def _whereabouts(world: FakeWorld, body: Body, query: AskWhereabouts) -> Whereabouts:
    left_out = {body.name, *query.leave_out}
    others = [other for other in world.bodies.values() if other.name not in left_out]
    return Whereabouts(
        position=body.position,
        yaw=body.yaw,
        dimension=body.dimension,
        health=body.health,
        food=body.food,
        held=body.held.name if body.held else None,
        time_of_day=world.time_of_day,
        players=tuple(Seen(o.name, o.position) for o in others if world.sees(body, o)),
    )


ANSWERS: Mapping[str, Callable[[FakeWorld, Body, Any], Any]] = {
    "find_blocks": find_blocks,
    "block_at": _block_at,
    "scan_blocks": scan_blocks,
    "behold": behold,
    "read_recipes": read_recipes,
    "read_region": read_region,
    "footholds": _footholds,
    "lying_items": _lying_items,
    "opened_container": _opened_container,
    "whereabouts": _whereabouts,
    "player_gear": _player_gear,
    "read_catalogue": read_catalogue,
}
