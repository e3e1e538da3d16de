"""The tables of the simulated world as bots may read them."""

from __future__ import annotations

from bridge.catalogue import BlockFacts, Catalogue, ItemFacts, MobFacts, ReadCatalogue
from bridge.fake.body import Body
from bridge.fake.rules import SPEED_OF, TIER_OF, UNBREAKABLE, BlockRule, Rules
from bridge.fake.world import FakeWorld

_ANIMALS = ("chicken", "cow", "pig", "sheep")
_MONSTERS = ("creeper", "skeleton", "spider", "zombie")


def read_catalogue(world: FakeWorld, _body: Body, query: ReadCatalogue) -> Catalogue | None:
    """The facts of this world, unless the asker has them."""
    if query.known == world.version:
        return None
    rules = world.rules
    return Catalogue(
        version=world.version,
        blocks={name: _block(name, rule) for name, rule in rules.blocks.items()},
        items={name: _item(rules, name) for name in sorted(rules.names)},
        mobs={name: MobFacts(name, name in _MONSTERS, ()) for name in (*_ANIMALS, *_MONSTERS)},
    )


def _block(name: str, rule: BlockRule) -> BlockFacts:
    return BlockFacts(
        name=name,
        hardness=None if rule.hardness == UNBREAKABLE else rule.hardness,
        needs=None if rule.tier is None else frozenset(_tools(rule, rule.tier)),
        speeds={f"{material}_{rule.tool}": speed for material, speed in SPEED_OF.items()}
        if rule.tool
        else {},
        drops=(name,) if rule.drops is None else tuple(rule.drops),
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
