"""The simulated world alone: players, blocks, items."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.actions import Eat, Hunt, MoveTo, Shoot
from bridge.events import ActionId
from bridge.fake import VANILLA, FakeBridge, FakeWorld, Recipe, VirtualClock, endanger
from bridge.fake.body import Inventory
from bridge.fake.scanning import scan_blocks
from bridge.fake.terrain import Terrain
from bridge.looking import Behold, ScanBlocks
from bridge.port import ServerAddress
from bridge.world import BotName, Difficulty, ItemStack, MobSighting, PlayerName, Position

HERE = Position(8.5, 64, 8.5)


async def test_a_person_hears_whispers_of_others_and_overhears_their_chat(
    fake_world: FakeWorld,
) -> None:
    steve, alex = fake_world.person("Steve"), fake_world.person("Alex")
    steve.whisper("Alex", "psst")
    steve.chat("hello all")
    heard = await alex.hears()
    assert (heard.sender, heard.text) == ("Steve", "psst")
    with pytest.raises(TimeoutError):
        await alex.hears(timeout_s=0.01)
    assert [line.text for line in alex.overheard] == ["hello all"]
    assert steve.inbox == steve.overheard == []


async def test_a_person_is_the_same_until_they_leave_and_then_nobody_hears_them(
    fake_world: FakeWorld,
) -> None:
    steve, alex = fake_world.person("Steve"), fake_world.person("Alex")
    assert fake_world.person("Steve") is steve
    steve.leave()
    assert not steve.is_online
    steve.whisper("Alex", "boo")
    steve.chat("boo")
    assert alex.inbox == alex.overheard == []
    assert fake_world.person("Steve") is not steve


async def test_a_second_player_of_a_name_throws_out_the_first(fake_world: FakeWorld) -> None:
    first = fake_world.person("Steve")
    fake_world.enter(PlayerName("Steve"))
    assert not first.is_online


async def test_the_day_goes_on_with_the_clock(
    fake_world: FakeWorld, virtual_clock: VirtualClock
) -> None:
    fake_world.set_time_of_day(23_990)
    await virtual_clock.advance(1)
    assert fake_world.time_of_day == 10


async def test_whoever_walks_over_a_drop_takes_what_fits(fake_world: FakeWorld) -> None:
    steve = fake_world.person("Steve", HERE)
    fake_world.terrain().drop("apple", 3, Position(12.5, 64, 8.5))
    assert steve.body.inventory.count("apple") == 0
    steve.move_to(Position(12, 64, 8.5))
    assert steve.body.inventory.count("apple") == 3
    assert fake_world.terrain().drops == []
    assert fake_world.give("Steve", "dirt", 35 * 64 - 1) == 0
    fake_world.terrain().drop("dirt", 5, HERE)
    steve.move_to(HERE)
    (left,) = fake_world.terrain().drops
    assert left.count == 4


async def test_the_dead_leave_what_they_carried(fake_world: FakeWorld) -> None:
    steve = fake_world.person("Steve", Position(30.5, 64, 8.5))
    fake_world.give("Steve", "apple", 2)
    fake_world.set_health("Steve", 0)
    assert (steve.body.health, steve.body.position) == (20, fake_world.spawn_point)
    assert [(drop.item, drop.count) for drop in fake_world.terrain().drops] == [("apple", 2)]


async def test_a_player_in_another_dimension_is_unseen(fake_world: FakeWorld) -> None:
    steve, alex = fake_world.person("Steve", HERE), fake_world.person("Alex", HERE)
    assert fake_world.sees(steve.body, alex.body)
    fake_world.teleport("Alex", HERE, "the_nether")
    assert not fake_world.sees(steve.body, alex.body)


def test_the_ground_is_grass_over_dirt_over_stone(fake_world: FakeWorld) -> None:
    column = [fake_world.block(Position(3, y, -7)) for y in (64, 63, 60, 59, 0)]
    assert column == ["air", "grass_block", "dirt", "stone", "bedrock"]


def test_rules_grow_by_what_a_test_adds() -> None:
    rules = VANILLA.adding(
        recipes=[Recipe("moon_cheese", {"milk": 2})],
        foods={"moon_cheese": 9},
        stack_sizes={"moon_cheese": 4},
        items=["milk"],
    )
    assert rules.knows("moon_cheese")
    assert rules.knows("milk")
    assert rules.foods["bread"] == VANILLA.foods["bread"]
    assert rules.stack_size("moon_cheese") == 4
    assert not VANILLA.knows("moon_cheese")


@pytest.mark.parametrize(
    ("block", "tool", "seconds"),
    [
        ("oak_log", None, 3.0),
        ("oak_log", "stone_axe", 0.75),
        ("stone", None, 7.5),
        ("stone", "wooden_pickaxe", 1.125),
    ],
)
def test_digging_takes_as_long_as_in_the_game(block: str, tool: str | None, seconds: float) -> None:
    assert VANILLA.dig_seconds(block, tool) == pytest.approx(seconds)


def test_every_need_of_every_recipe_is_a_known_item() -> None:
    needs = {item for r in VANILLA.recipes for need in r.needs for item in VANILLA.choices(need)}
    assert [item for item in needs if not VANILLA.knows(item)] == []


_moves = st.lists(
    st.tuples(st.sampled_from(["dirt", "egg", "stone_axe"]), st.integers(-100, 100)), max_size=30
)


@given(_moves)
def test_an_inventory_neither_makes_nor_loses_items(moves: list[tuple[str, int]]) -> None:
    inventory, expected = Inventory(4, VANILLA.stack_size), Counter[str]()
    for item, change in moves:
        if change >= 0:
            room = inventory.space_for(item)
            assert inventory.add(item, change) == max(0, change - room)
            expected[item] += min(change, room)
        else:
            expected[item] -= inventory.take(item, -change)
        assert inventory.counts() == +expected
    assert all(stack.count <= VANILLA.stack_size(stack.name) for stack in inventory.stacks)


def test_a_hotbar_item_comes_to_hand_without_moving(fake_world: FakeWorld) -> None:
    body = fake_world.person("Steve").body
    body.inventory.add("dirt", 3)
    body.inventory.add("stone_axe")
    body.equip("stone_axe")
    assert body.held == ItemStack("stone_axe", 1)
    assert body.inventory.slots[0] == ItemStack("dirt", 3)


async def test_mobs_within_sight_are_sensed_nearest_first_with_the_effects_at_work(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    alice = BotName("Alice")
    await fake_bridge.spawn(alice, fake_world.address or ServerAddress("127.0.0.1", 25565))
    cow = MobSighting("cow", Position(28.5, 64, 8.5), hostile=False)
    creeper = MobSighting("creeper", Position(12.5, 64, 8.5), hostile=True)
    fake_world.mobs += [cow, MobSighting("bat", Position(900, 64, 0), hostile=False), creeper]
    fake_world.body("Alice").effects.append("poison")
    seen = await fake_bridge.snapshot(alice)
    assert seen.mobs == (creeper, cow)
    assert seen.effects == ("poison",)


async def test_a_herd_hides_no_monster(fake_bridge: FakeBridge, fake_world: FakeWorld) -> None:
    alice = BotName("Alice")
    await fake_bridge.spawn(alice, fake_world.address or ServerAddress("127.0.0.1", 25565))
    for number in range(40):
        fake_world.summon("cow", Position(12.5 + number / 100, 64, 8.5), hostile=False)
    zombie = fake_world.summon("zombie", Position(14.5, 64, 8.5))
    view = await fake_bridge.query(alice, Behold(yaw=270, pitch=0, field_across=360))
    for seen in ((await fake_bridge.snapshot(alice)).mobs, view.mobs):
        assert (len(seen), seen[-1].name, seen[-1].position) == (33, "zombie", zombie.position)


@pytest.mark.parametrize("names", [(), ("stone", "oak_log", "air")])
@pytest.mark.parametrize(("lowest", "highest"), [(-6, 6), (-2, 1)])
def test_counting_a_ball_at_once_comes_to_the_same_as_looking_at_each_block(
    names: tuple[str, ...], lowest: int, highest: int
) -> None:
    world = FakeWorld()
    body = world.enter(PlayerName("Alice"), Position(0.5, 62, 0.5))
    for cell, name in (((2, 62, 1), "oak_log"), ((0, 60, -3), "air"), ((7, 62, 0), "oak_log")):
        world.set_block(Position(*cell), name)
    each = ScanBlocks(names, 6, lowest, highest, max_checks=10_000, limit=1)
    at_once = replace(each, limit=0)
    assert scan_blocks(world, body, at_once).counts == scan_blocks(world, body, each).counts


@pytest.mark.parametrize(("lowest", "highest"), [(-6, 6), (-2, 1)])
def test_the_nearest_few_of_each_name_are_found_at_once(lowest: int, highest: int) -> None:
    world = FakeWorld()
    body = world.enter(PlayerName("Alice"), Position(0.5, 62, 0.5))
    logs = (((2, 62, 1), "oak_log"), ((0, 60, -3), "air"), ((5, 62, 0), "oak_log"))
    for cell, name in (*logs, ((0, 61, 0), "oak_log"), ((0, 60, 0), "air")):
        world.set_block(Position(*cell), name)
    one_by_one = ScanBlocks((), 6, lowest, highest, max_checks=10_000, limit=2_000, each=2)
    at_once = replace(one_by_one, limit=10_000)
    here = body.position.block

    def how_far(query: ScanBlocks) -> list[tuple[str, float]]:
        scan = scan_blocks(world, body, query)
        return sorted((one.name, one.position.distance_to(here)) for one in scan.blocks)

    assert how_far(at_once) == how_far(one_by_one)
    assert ("oak_log", 1.0) in how_far(at_once)


@pytest.mark.parametrize(("y", "radius"), [(64, 12), (64, 5), (100, 16), (6, 12), (250, 9)])
def test_what_is_nowhere_near_is_looked_for_as_if_cell_by_cell(
    y: int, radius: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = FakeWorld()
    body = world.enter(PlayerName("Alice"), Position(-20.5, y, 37.5))
    world.set_block(Position(-20 + radius + 20, y, 37), "oak_log")
    query = ScanBlocks(("oak_log",), radius, -radius, radius, max_checks=2_000_000)
    at_once = scan_blocks(world, body, query)
    monkeypatch.setattr("bridge.fake.scanning._Scan._is_in_sight", False)
    assert at_once == scan_blocks(world, body, query)


_blocks = st.dictionaries(
    st.tuples(st.integers(-3, 3), st.integers(60, 66), st.integers(-3, 3)),
    st.sampled_from(["air", "stone", "oak_log", "dirt"]),
)


@given(_blocks, st.integers(0, 3))
def test_blocks_around_are_counted_as_one_by_one(
    built: dict[tuple[int, int, int], str], reach: int
) -> None:
    terrain = Terrain(VANILLA)
    for (x, y, z), name in built.items():
        terrain.set_block(Position(x, y, z), name)
    steps = range(-reach, reach + 1)
    around = [Position(x, 63 + y, z) for x in steps for y in steps for z in steps]
    expected = Counter(map(terrain.block, around))
    del expected["air"]
    counted = terrain.count_within(Position(0.5, 63.9, 0.2), reach)
    assert {block.name: block.count for block in counted} == expected
    assert [block.count for block in counted] == sorted(expected.values(), reverse=True)


def _world_in_danger(difficulty: Difficulty = "normal") -> FakeWorld:
    world = FakeWorld(VirtualClock(auto=False))
    endanger(world, difficulty)
    return world


async def test_a_mob_that_hunts_walks_to_the_nearest_and_strikes_once_a_second() -> None:
    world = _world_in_danger()
    near, far = world.enter(PlayerName("Alice"), HERE), world.enter(PlayerName("Bob"))
    near.food = 17  # too hungry to heal
    world.teleport("Bob", replace(HERE, x=HERE.x - 12))
    still = world.summon("zombie", replace(HERE, z=HERE.z + 1))
    zombie = world.summon("zombie", replace(HERE, x=HERE.x + 6), hunts=True)
    spider = world.summon("spider", replace(HERE, z=HERE.z + 1), hunts=True)
    await world.clock.advance(1)
    assert [mob.position.x for mob in world.mobs if mob.id == zombie.id] == [pytest.approx(12.2)]
    await world.clock.advance(3)
    assert (near.health, far.health) == (11, 20), "struck at 2, 3 and 4 s"
    assert {still, spider} <= set(world.mobs), "one does not hunt, one not by day"
    world.difficulty = "peaceful"
    await world.clock.advance(10)
    assert near.health == 11


async def test_what_hunts_climbs_a_step_and_strikes_nobody_through_a_wall() -> None:
    world = _world_in_danger()
    body = world.enter(PlayerName("Alice"), replace(HERE, x=8.7))  # at the wall
    for dz in range(-4, 5):
        for y in (64, 65):
            world.set_block(Position(9, y, 8 + dz), "stone")
    world.summon("zombie", replace(HERE, x=14.4), hunts=True)
    await world.clock.advance(6)
    assert body.health == 20
    for dz in range(-4, 5):
        world.set_block(Position(9, 65, 8 + dz), "air")
    await world.clock.advance(3)
    assert body.health < 20


async def test_a_blow_within_half_a_second_of_another_takes_only_what_it_is_worse_by() -> None:
    world = _world_in_danger("hard")
    body = world.enter(PlayerName("Alice"), HERE)
    for kind in ("spider", "zombie", "spider"):  # 3, 4.5 and 3 half-hearts
        world.summon(kind, replace(HERE, x=HERE.x + 1), hunts=True)
    body.food = 17  # too hungry to heal
    world.set_time_of_day(18_000)
    await world.clock.advance(0.5)
    assert body.health == 15.5
    with pytest.raises(ValueError, match="zombie"):
        world.summon("ghast", HERE, hunts=True)


@pytest.mark.parametrize(("difficulty", "left"), [("easy", 10), ("normal", 1), ("hard", 20)])
async def test_one_starves_by_the_difficulty_and_to_death_where_it_is_hard(
    difficulty: Difficulty, left: float
) -> None:
    world = _world_in_danger(difficulty)
    body = world.enter(PlayerName("Alice"), HERE)
    world.set_health("Alice", 12, 0)
    await world.clock.advance(100)
    assert (body.health, body.died is not None) == (left, difficulty == "hard")


async def test_running_makes_hungry_and_bread_heals_where_the_world_is_dangerous() -> None:
    world = FakeWorld(VirtualClock(auto=False))
    bridge, alice = FakeBridge(world), BotName("Alice")
    await bridge.spawn(alice, ServerAddress("localhost", 25565))
    body = world.body("Alice")
    for way in range(4):
        if way == 2:
            endanger(world, "easy")
        there = replace(HERE, x=HERE.x + 200 * (1 - way % 2))
        await bridge.begin(alice, ActionId(f"{way}"), MoveTo(there, within=0))
        await world.clock.advance(60)
        assert body.position == there
        assert body.food == (20 if way < 3 else 15), "a point for each 40 m, after 5 of saturation"
    world.give("Alice", "bread")
    world.set_health("Alice", 15)
    await bridge.begin(alice, ActionId("eat"), Eat("bread"))
    await world.clock.advance(4)
    assert body.health > 18
    await bridge.aclose()


async def test_a_mob_that_comes_is_shot_and_struck_where_it_is_by_then() -> None:
    world, alice = _world_in_danger("easy"), BotName("Alice")
    bridge = FakeBridge(world)
    await bridge.spawn(alice, ServerAddress("localhost", 25565))
    world.give("Alice", "bow")
    world.give("Alice", "arrow", 1)
    zombie = world.summon("zombie", replace(HERE, x=HERE.x + 9), hunts=True)
    await bridge.begin(alice, ActionId("shoots"), Shoot(zombie.id, 6))
    await world.clock.advance(2)
    assert world.wounds[zombie.id] == 8
    await bridge.begin(alice, ActionId("strikes"), Hunt(zombie.id))
    await world.clock.advance(12)
    assert not world.mobs
    assert not world.hunting
    await bridge.aclose()
