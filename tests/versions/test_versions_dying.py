"""What a bot was hurt by and died of is what the server shows; beside a zombie it blames nobody."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from contract.arena import CENTRE
from versions.stage import Scene, Stage
from versions.supported import since

from bridge.causes import Cause, Certainty
from bridge.events import BotDied, BotHurt, ChatHeard
from bridge.world import ItemStack, Position

pytestmark = [pytest.mark.real, pytest.mark.slow]

HERE, ZOMBIE = Position(CENTRE.x, CENTRE.y, CENTRE.z), 3001
BESIDE = [HERE.x - 1.5, HERE.y, HERE.z]
AWAY, ACROSS = [0.4, 0.0], [0.0, 0.4]
"""Pushes: away from the zombie, and not."""
MINE = {"name": "zombie", "id": ZOMBIE}
ZOMBIE_TOLD = Cause("creature", "zombie", "told")
TRIED = ("1.8.8", "1.16.5", "1.20.4", "1.21.4", "26.1")


class ZombieScene(Scene):
    """A bot with a zombie beside it."""

    async def begins(self) -> None:
        await super().begins()
        await self.do("mob", name="zombie", id=ZOMBIE, at=BESIDE)
        await self.arena.sees(self.bot, lambda seen: any(mob.id == ZOMBIE for mob in seen.mobs))

    async def hurt(self, op: str, **fields: Any) -> Cause | None:
        """What it says hurt it."""
        await self.do(op, **fields)
        return (await self.log.first(BotHurt, bot=self.bot)).cause

    async def died(self, op: str = "die", **fields: Any) -> Cause | None:
        """What it says it died of."""
        await self.do(op, **fields)
        return (await self.log.first(BotDied, bot=self.bot)).cause


@pytest.fixture
async def scene(stage: Stage) -> AsyncIterator[ZombieScene]:
    scene = ZombieScene(stage)
    await scene.begins()
    yield scene
    await scene.arena.clear()


async def test_a_kill_beside_a_zombie_is_somebodys_command(scene: ZombieScene) -> None:
    await scene.arena.kill(scene.bot)
    died = await scene.log.first(BotDied, bot=scene.bot)
    assert died.cause == Cause("thing", "command", "told")


@pytest.mark.parametrize("way", ["isPublic", "isPrivate"])
async def test_the_message_of_a_death_names_who_killed(scene: ZombieScene, way: str) -> None:
    if way == "isPrivate" and not since(scene.version, "1.9"):
        pytest.skip("1.8 sends the dead words without a key")
    told: dict[str, Any] = {"isPublic": False, "isPrivate": False, way: True}
    assert await scene.died(key="death.attack.mob", by=MINE, **told) == ZOMBIE_TOLD


CREEPER = {"name": "creeper", "id": 7}
BOB = {"name": "player", "player": {"name": "Bob", "uuid": f"{1:08}-2222-3333-8444-{5:012}"}}
SILENT: dict[str, Any] = {"key": "", "isPublic": False, "isPrivate": False}
DEATHS: dict[str, tuple[dict[str, Any], Cause | None]] = {
    "without a cause": ({"key": "death.attack.generic"}, None),
    "of what there is not": ({"key": "death.attack.noSuchDamage"}, None),
    "without a word of the server": (SILENT, None),
    "in flight": ({"key": "death.attack.fall.player", "by": MINE}, Cause("thing", "fall", "told")),
    "blown up": (
        {"key": "death.attack.explosion.player", "by": CREEPER},
        Cause("creature", "creeper", "told"),
    ),
    "by a player": ({"key": "death.attack.player.item", "by": BOB}, Cause("player", "Bob", "told")),
}
"""Each beside a zombie, which had no part in it."""


@pytest.mark.parametrize("death", DEATHS)
async def test_a_death_is_the_doing_of_whom_it_names(scene: ZombieScene, death: str) -> None:
    told, cause = DEATHS[death]
    assert await scene.died(**told) == cause


@pytest.mark.parametrize(
    ("signs", "how"),
    [
        ({"by": ZOMBIE, "way": AWAY}, "seen"),
        ({"by": ZOMBIE}, "guessed"),
        ({"way": AWAY}, "guessed"),
        ({"by": ZOMBIE, "way": ACROSS}, "guessed"),
        ({"way": ACROSS}, None),
    ],
)
async def test_a_swing_and_a_push_away_are_the_blow_of_the_zombie_and_one_of_them_is_a_guess(
    scene: ZombieScene, signs: dict[str, Any], how: Certainty | None
) -> None:
    cause = await scene.hurt("blow", health=17, **signs)
    assert cause == (how and Cause("creature", "zombie", how))


async def test_a_blow_speaks_for_one_loss_alone(scene: ZombieScene) -> None:
    await scene.hurt("blow", by=ZOMBIE, way=AWAY, health=17)
    assert await scene.died(**SILENT) is None


@pytest.mark.parametrize(("left", "how"), [(15, "seen"), (2, None)])
async def test_a_fall_is_seen_where_it_takes_so_much(
    scene: ZombieScene, left: float, how: str | None
) -> None:
    await scene.do("teleport", at=[HERE.x, HERE.y + 8, HERE.z])
    await scene.arena.sees(scene.bot, lambda seen: seen.position.y > HERE.y + 5)
    await scene.arena.sees(scene.bot, lambda seen: seen.position.y <= HERE.y)
    cause = await scene.hurt("health", health=left)
    assert cause == (how and Cause("thing", "fall", "seen"))


async def test_who_is_put_lower_has_not_fallen(scene: ZombieScene) -> None:
    await scene.do("teleport", at=[HERE.x, HERE.y + 8, HERE.z])
    falls = HERE.y + 7
    await scene.arena.sees(scene.bot, lambda seen: HERE.y + 1 < seen.position.y < falls)
    await scene.do("teleport", at=[HERE.x, HERE.y, HERE.z])
    await scene.arena.sees(scene.bot, lambda seen: seen.position.y <= HERE.y)
    assert await scene.hurt("health", health=15) is None


async def test_no_air_and_a_small_loss_is_drowning(scene: ZombieScene) -> None:
    await scene.do("air", ticks=-1)
    drowning = Cause("thing", "drowning", "seen")
    assert await scene.hurt("health", health=18) == drowning
    await scene.do("air", ticks=-1)
    assert await scene.died(**SILENT) is None  # 18 at once


async def test_a_hurt_that_shows_burning_is_told(scene: ZombieScene) -> None:
    await scene.do("status", status=37)
    assert await scene.hurt("health", health=19) == Cause("thing", "fire", "told")


@pytest.mark.parametrize(
    ("type_", "by", "cause"),
    [
        ("mob_attack", ZOMBIE, ZOMBIE_TOLD),
        ("drown", None, Cause("thing", "drowning", "told")),
        ("generic", None, None),
    ],
)
async def test_damage_is_what_the_server_calls_it(
    scene: ZombieScene, type_: str, by: int | None, cause: Cause | None
) -> None:
    if not since(scene.version, "1.19.4"):
        pytest.skip("servers tell of damage since 1.19.4")
    named = {} if by is None else {"by": by}
    assert await scene.hurt("damage", type=type_, health=15, **named) == cause


@pytest.mark.parametrize("shape", ["forged_death", "death_in_chat"])
async def test_a_typed_line_is_no_message_of_a_death(scene: ZombieScene, shape: str) -> None:
    await scene.game.do("line", to=scene.bot, shape=shape, text="", **{"from": "Steve"})
    assert await scene.died(**SILENT) is None
    if shape == "death_in_chat":
        await scene.log.first(ChatHeard, bot=scene.bot)


async def test_the_death_of_somebody_else_is_not_its_own(scene: ZombieScene) -> None:
    bob = await scene.arena.bot("Bob", HERE)
    told = {"key": "death.attack.mob", "by": MINE, "isPrivate": False}
    await scene.game.do("announce", player=bob, to=scene.bot, **told)
    assert await scene.died(**SILENT) is None


async def test_a_zombie_that_is_called_as_a_player_is_a_zombie(scene: ZombieScene) -> None:
    bob = await scene.arena.bot("Bob", HERE)
    cause = await scene.died(key="death.attack.mob", by={**MINE, "called": bob})
    assert cause == ZOMBIE_TOLD


async def test_the_death_of_a_pet_of_that_name_is_not_the_bots(scene: ZombieScene) -> None:
    wolf = {"name": "wolf", "id": 8, "called": scene.bot}
    told: dict[str, Any] = {"key": "death.attack.mob", "by": MINE, "of": wolf, "isPrivate": False}
    assert await scene.died(**told) is None


async def test_a_death_tells_what_the_bot_had_with_it_and_where(scene: ZombieScene) -> None:
    await scene.arena.give(scene.bot, "bread", 3)
    seen = await scene.arena.bridge.snapshot(scene.bot)
    await scene.do("die", key="death.attack.mob", by=MINE, empties=True)
    died = await scene.log.first(BotDied, bot=scene.bot)
    assert died.carried == (ItemStack("bread", 3),)
    assert died.death.position.distance_to(seen.position) < 0.5
    assert (died.dimension, died.world) == (seen.dimension, seen.world)
    assert (await scene.arena.sees(scene.bot, lambda seen: seen.health == 20)).died == died.death
