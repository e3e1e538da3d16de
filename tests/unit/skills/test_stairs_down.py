"""Stairs down: after a step that went wrong they go on from where the bot stands."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed
from bots.skills.reach import foot
from bots.skills.tunnelling import dig_near
from bridge.actions import MoveTo
from bridge.world import Position

START = Position(8, 74, 6)
ORE = Position(8, 60, 6)


@dataclass
class Rock:
    """A job in solid rock. The first step down leads one block on, level, and no further."""

    at: Position = START
    torches: int = 0
    walked: list[tuple[Position, Position]] = field(default_factory=list)
    """From where to where."""

    async def snapshot(self) -> SimpleNamespace:
        return SimpleNamespace(position=foot(self.at))

    async def blocks_around(self) -> dict[Position, str]:
        return {}

    async def block(self, _: Position) -> str:
        return "stone"

    async def act(self, way: MoveTo, *, deadline_s: float) -> None:
        there, is_first = way.position.block, not self.walked
        self.walked.append((self.at, there))
        self.at = Position(there.x, self.at.y, there.z) if is_first else there
        if is_first:
            raise ActionFailed("no_path", "Something holds it back there.")


async def test_after_a_step_that_led_level_the_next_one_begins_there_and_not_back() -> None:
    rock = Rock()
    await dig_near(cast(Bot, None), cast(Job, rock), ORE)
    assert rock.at.distance_to(ORE) <= 2
    (_, *others) = rock.walked
    assert all(_is_stair(here, there) for here, there in others if here.y > ORE.y)
    (_, second, *_) = rock.walked
    assert (second[1].x, second[1].z) != (START.x, START.z)


def _is_stair(here: Position, there: Position) -> bool:
    """One down and one ahead: with that the bot can climb it again."""
    return here.y - there.y == 1 and abs(here.x - there.x) + abs(here.z - there.z) == 1
