"""A bot that nobody wants anything of does things one can watch, and harms nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from support.rig import PYTHON, STRANGERS, Rig, run_json, until

from bots.access.origin import Level
from bots.access.permissions import Permissions
from bots.access.sources import FACTS
from bots.chat.turn_taking import PersonTalk
from bots.idle.company import IdleCompany
from bots.idle.life import IdleLife
from bots.idle.seen import (
    SAME_S,
    Came,
    Found,
    KeptCompany,
    Left,
    SatByFire,
    SawBlock,
    Seen,
    Walked,
    WeatherTurned,
)
from bots.responder.case.persona import PersonaFiles
from bots.settings.settings import IdleSettings
from bridge.world import MobSighting, Position

HOME = Position(8.5, 64, 8.5)
ROAM = 12.0
USUAL = IdleSettings(roam=ROAM)
A_WHILE_S = 240


class Life:
    """Alice, who lives in peace."""

    def __init__(self, rig: Rig, folder: Path, settings: IdleSettings, *, is_ours: bool) -> None:
        self.rig, self.world = rig, rig.world
        self.alice = rig.bots["Alice"]
        self.persons = PersonTalk(rig.world.clock.monotonic)
        self.company = IdleCompany(
            lambda: list(rig.bots.values()),
            rig.shared.known_bots,
            rig.shared.attendance,
            self.persons,
            rig.shared.times,
            is_ours,
        )
        self.personas = PersonaFiles(folder)
        self.life = IdleLife(self.alice, self.company, self.personas, settings)
        self.farthest = 0.0

    @property
    def done(self) -> list[str]:
        """What she did, by name."""
        return [str(t.facts["command"]) for t in self.rig.trace.recent("job.started")]

    def seen(self, kind: type[Seen]) -> list[Seen]:
        """The news of a kind."""
        news = (item.seen for item in self.company.news.fresh())
        return [one for one in news if isinstance(one, kind)]

    async def pass_time(self, seconds: float, met: Callable[[], object] = lambda: False) -> bool:
        """Let time pass until a condition is met; whether it was."""
        for _ in range(round(seconds * 2)):
            await self.rig.world.clock.advance(0.5)
            await asyncio.to_thread(lambda: None)  # behind whatever the one thread has to read
            here = self.world.body("Alice").position
            self.farthest = max(self.farthest, here.distance_to(HOME))
            if met():
                return True
        return False

    async def has_seen(self, kind: type[Seen], within_s: float = A_WHILE_S) -> bool:
        return await self.pass_time(within_s, lambda: self.seen(kind))


@asynccontextmanager
async def living(
    rig: Rig, folder: Path, settings: IdleSettings = USUAL, *, is_ours: bool = True
) -> AsyncIterator[Life]:
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    life = Life(rig, folder / "bots", settings, is_ours=is_ours)
    running = asyncio.create_task(life.life.run())
    yield life
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", HOME)
    return rig


@pytest.fixture
async def life(rig: Rig, tmp_path: Path) -> AsyncIterator[Life]:
    async with living(rig, tmp_path) as life_:
        yield life_


async def test_a_bot_left_alone_walks_about_near_where_it_was_left(life: Life) -> None:
    assert await life.has_seen(Walked)
    await life.pass_time(A_WHILE_S)
    assert 3 < life.farthest <= ROAM + 2
    assert len(life.done) > 3


async def test_it_looks_at_what_stands_out_and_watches_animals(life: Life) -> None:
    life.world.set_block(Position(12, 64, 12), "pumpkin")
    life.world.mobs.append(MobSighting("cow", Position(5, 64, 5), hostile=False, id=7))
    both = {"looking at a pumpkin", "watching a cow"}
    assert await life.pass_time(1_800, lambda: both <= set(life.done))


async def test_it_rests_by_a_light_at_night(life: Life, tmp_path: Path) -> None:
    life.world.set_block(Position(12, 64, 12), "torch")
    life.world.set_time_of_day(14_000)
    home = tmp_path / "bots" / "Alice"
    home.mkdir(parents=True)
    (home / "persona.md").write_text("Temperament: calm\n")
    assert await life.has_seen(SatByFire, 900)


async def test_on_our_own_server_it_picks_a_flower(life: Life) -> None:
    life.world.set_block(Position(11, 64, 8), "poppy")
    assert await life.has_seen(Found, 600)
    assert life.world.block(Position(11, 64, 8)) == "air"


@pytest.mark.slow
@pytest.mark.parametrize("why", ["somebody's garden", "a server of others", "switched off"])
async def test_elsewhere_or_where_that_is_off_it_takes_and_breaks_nothing(
    rig: Rig, tmp_path: Path, why: str
) -> None:
    rig.world.set_block(Position(11, 64, 8), "poppy")
    if why == "somebody's garden":
        rig.world.set_block(Position(12, 64, 8), "crafting_table")
    settings = IdleSettings(roam=ROAM, gather=why != "switched off")
    async with living(rig, tmp_path, settings, is_ours=why != "a server of others") as life:
        await life.pass_time(600)
        assert rig.world.block(Position(11, 64, 8)) == "poppy"
        assert life.done
        assert not [name for name in life.done if name.startswith("picking")]


@pytest.mark.slow
async def test_a_bot_does_not_walk_out_of_earshot_of_a_person(rig: Rig, tmp_path: Path) -> None:
    steve = Position(-3.5, 64, 8.5)
    rig.world.person("Steve", steve)
    far_and_often = IdleSettings(roam=30.0, every_s=2.0)
    async with living(rig, tmp_path, far_and_often) as life:
        earshot = life.alice.hearing_range
        left = await life.pass_time(
            600, lambda: rig.world.body("Alice").position.distance_to(steve) > earshot
        )
        assert len(life.done) > 5
        assert not left


async def test_it_goes_and_stands_with_a_person_once_and_bows(life: Life) -> None:
    life.world.person("Steve", Position(14.5, 64, 8.5))
    life.company.people = frozenset({"Steve"})
    assert await life.has_seen(KeptCompany, 900)
    assert life.world.body("Alice").position.distance_to(Position(14.5, 64, 8.5)) <= 4
    await life.pass_time(SAME_S - 60)
    assert life.done.count("visiting Steve") == 1


@pytest.mark.parametrize("permissions", [STRANGERS])
async def test_it_leaves_strangers_alone(life: Life, permissions: Permissions) -> None:
    life.world.person("Steve", Position(14.5, 64, 8.5))
    life.company.people = frozenset({"Steve"})
    await life.pass_time(900)
    assert life.done
    assert "visiting Steve" not in life.done


async def test_what_a_bot_saw_lately_it_does_not_go_to_see_again(life: Life) -> None:
    life.world.set_block(Position(11, 64, 8), "pumpkin")
    assert await life.has_seen(SawBlock, within_s=500)
    await life.pass_time(SAME_S - 60)
    assert life.done.count("looking at a pumpkin") == 1


async def test_beside_a_field_a_bot_looks_about_and_tramples_nothing(life: Life) -> None:
    life.world.set_block(Position(14, 63, 8), "farmland")
    life.world.mobs.append(MobSighting("cow", Position(11, 64, 8), hostile=False, id=1))
    await life.pass_time(A_WHILE_S)
    assert life.done == ["watching a cow"]
    assert life.farthest == 0


@pytest.mark.parametrize("told", ["!stop", "!navigation stopFollow", "!idle off"])
async def test_a_bot_told_to_stay_stays(life: Life, told: str) -> None:
    await run_json(life.alice, told)
    await life.pass_time(A_WHILE_S)
    assert (life.done, life.farthest) == ([], 0)
    await run_json(life.alice, "!idle on")
    assert await life.pass_time(A_WHILE_S, lambda: life.done)


async def test_it_is_shown_while_it_lasts_and_a_word_ends_it(life: Life) -> None:
    steve = life.world.person("Steve", Position(10.5, 64, 8.5))
    assert await life.pass_time(A_WHILE_S, lambda: life.alice.doing)
    assert life.alice.doing == life.done[-1:]
    steve.whisper("Alice", "hello")
    await until(lambda: life.alice.doing == [])
    began = len(life.done)
    await life.pass_time(5)
    assert len(life.done) == began


async def test_it_goes_to_meet_who_comes(life: Life) -> None:
    await life.pass_time(8)
    life.world.person("Steve", Position(18.5, 64, 8.5))
    assert await life.pass_time(60, lambda: "visiting Steve" in life.done)
    assert life.seen(Came)


async def test_who_is_hidden_from_one_bot_has_not_left_while_another_sees_them(life: Life) -> None:
    bob = await life.rig.bot("Bob", HOME)
    life.world.person("Steve", Position(18.5, 64, 8.5))
    hears, hidden = await life.alice.snapshot(), await bob.snapshot()
    for _ in range(3):
        life.company.look(life.alice, hears)
        life.company.look(bob, replace(hidden, players=()))
    assert life.company.people == {"Steve"}
    assert life.seen(Left) == []
    life.company.look(life.alice, replace(hears, players=()))
    assert life.seen(Left) == [Left("Steve")]


async def test_what_a_bot_saw_before_it_dropped_out_counts_no_more_when_it_is_back(
    life: Life,
) -> None:
    bob = await life.rig.bot("Bob", HOME)
    life.world.person("Steve", Position(18.5, 64, 8.5))
    there = [life.alice, bob]
    life.company.bots = lambda: there
    seen = await life.alice.snapshot()
    for bot in there:
        life.company.look(bot, seen)
    there.remove(bob)
    life.company.look(life.alice, replace(seen, players=()))
    came = life.seen(Came)
    there.append(bob)
    life.company.look(life.alice, replace(seen, players=()))
    assert life.company.people == frozenset()
    assert life.seen(Came) == came


async def test_each_world_has_a_sky_of_its_own(life: Life) -> None:
    bob = await life.rig.bot("Bob", HOME)
    here = replace(await life.alice.snapshot(), world="minecraft:overworld")
    there = replace(await bob.snapshot(), world="minecraft:arena", weather="rain")
    for _ in range(3):
        life.company.look(life.alice, here)
        life.company.look(bob, there)
    assert life.seen(WeatherTurned) == [WeatherTurned("rain")]


async def test_rain_that_one_bot_sees_a_moment_later_does_not_stop_between(life: Life) -> None:
    bob = await life.rig.bot("Bob", HOME)
    dry, late = await life.alice.snapshot(), await bob.snapshot()
    life.company.look(life.alice, dry)
    life.company.look(bob, late)
    for seen in (late, replace(late, weather="rain")):
        life.company.look(life.alice, replace(dry, weather="rain"))
        life.company.look(bob, seen)
    assert life.seen(WeatherTurned) == [WeatherTurned("rain")]


def away(life: Life) -> None:
    life.persons.spoke("Alice")


def hurt(life: Life) -> None:
    life.world.set_health("Alice", 4)


@pytest.mark.parametrize("hinder", [away, hurt])
async def test_it_does_nothing_while_a_person_talks_with_it_or_it_is_hurt(
    life: Life, hinder: Callable[[Life], None]
) -> None:
    for _ in range(6):
        hinder(life)
        await life.pass_time(10)
    assert life.done == []


async def test_it_does_nothing_while_a_goal_waits(life: Life) -> None:
    alice = life.alice
    goal = alice.agenda.new_goal(
        "inventory.diamond:1", {}, given_by=PYTHON, level=Level.OWNER, sources=FACTS
    )
    await alice.agenda.queue(replace(goal, state="paused"))
    await life.pass_time(A_WHILE_S)
    assert not [name for name in life.done if not name.startswith("!")]
