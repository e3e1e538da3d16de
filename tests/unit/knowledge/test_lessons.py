"""What bots find out by themselves: what goals took, what was missing, what is dangerous."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice, run_json

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.events import JobFinished, StepDone
from bots.bot.knowing import Entry, Tag, Wanted, tag
from bots.bot.result import Failure, Result
from bridge.causes import Cause
from bridge.events import BotDied, BotHurt
from bridge.world import Death, PlayerName, Position

HERE = Position(8.5, 64, 8.5)
STEVE = Person(PlayerName("Steve"))
BY_STEVE = Sources.said_by(STEVE, Level.PLAYER, {"Steve"})


ZOMBIE, FALL = Cause("creature", "zombie", "seen"), Cause("thing", "fall", "seen")


class Reached(Result):
    took_s: float


rig = rig_with_alice(HERE, STRANGERS)


@dataclass
class Life:
    """What happens to Alice, and what she makes of it."""

    rig: Rig
    alice: Bot

    def ends(self, result: Result, goal: str, sources: Sources = BY_STEVE) -> None:
        self.alice.events.emit(JobFinished("1", "!goal", result, sources, STEVE, goal))

    def fails(self, goal: str, why: str, **data: object) -> None:
        self.ends(Failure(reason="impossible", message=why, data=data), goal)

    def does(self, action: str, thing: str, produces: Mapping[str, int]) -> None:
        step = StepDone("1", action, thing, produces, 5.0, Position(10.5, 30, -4), "overworld")
        self.alice.events.emit(step)

    def is_hurt(self, health: float, by: Cause | None, lost: float = 4.0) -> None:
        now = self.rig.world.clock.now()
        self.alice.events.emit(BotHurt(self.alice.name, lost, health, by, HERE, "overworld", now))

    def dies(self, of: Cause | None, at: Position) -> None:
        now = self.rig.world.clock.now()
        self.alice.events.emit(BotDied(self.alice.name, Death(1, at), of, "overworld", "", (), now))

    async def knows(self, words: str, count: int = 1) -> list[Entry]:
        """So many entries with these words."""
        found: list[Entry] = []
        async with asyncio.timeout(10):
            while len(found) != count:
                found = [one.entry for one in await self.alice.knowledge.search(Wanted(words))]
        return found

    async def tells_of(self, name: str, words: str, asker: Person) -> None:
        """Wait until these words stand on somebody's card, which is written beside the work."""
        async with asyncio.timeout(10):
            while words not in (await run_json(self.alice, f"!knows {name}", asker))["message"]:
                pass


@pytest.fixture
def life(rig: Rig) -> Life:
    return Life(rig, rig.bots["Alice"])


async def test_a_goal_that_is_reached_teaches_what_it_took_and_where_things_are(life: Life) -> None:
    life.does("gather", "coal_ore", {"coal": 2})
    life.does("craft", "torch", {"torch": 8})
    life.ends(Reached(took_s=95), "8 torch")
    (took,) = await life.knows("torch")
    assert took.insight == "8 torch took me 2 min: gather coal ore, craft torch."
    assert (took.type, took.sources, took.learnt_from) == ("strategy", BY_STEVE, "seen")
    assert {tag("item", "coal"), tag("item", "torch")} <= took.tags
    (found,) = await life.knows("found")
    assert found.insight == "I found coal_ore near 10 30 -4 in the overworld."
    assert found.sources == FACTS


async def test_what_was_missing_is_forgotten_once_the_goal_is_reached(life: Life) -> None:
    life.fails("beacon", "There is no nether_star.", missing=[{"item": "nether_star"}])
    (failed,) = await life.knows("beacon")
    assert failed.insight == "I failed to get beacon: There is no nether_star."
    assert {tag("item", "beacon"), tag("item", "nether_star")} <= failed.tags
    life.does("craft", "beacon", {"beacon": 1})
    life.ends(Reached(took_s=10), "beacon")
    (reached,) = await life.knows("took")
    assert reached.insight.startswith("beacon took me 10 s")
    assert [one.id for one in await life.knows("beacon")] == [failed.id]


async def test_the_same_goal_again_is_one_entry_of_which_the_bot_is_surer(life: Life) -> None:
    life.fails("beacon", "There is no nether_star.")
    (first,) = await life.knows("nether_star")
    life.fails("beacon", "There is no obsidian.")
    (again,) = await life.knows("obsidian")
    assert again.id == first.id
    assert again.confidence > first.confidence
    assert await life.knows("nether_star", 0) == []


async def test_a_goal_that_was_stopped_or_met_already_teaches_nothing(life: Life) -> None:
    life.ends(Failure(reason="stopped", message="It was stopped."), "64 beacon")
    life.ends(Reached(took_s=0), "9 torch")
    life.fails("bell", "There is no bell.")
    await life.knows("bell")
    assert await life.knows("torch", 0) == await life.knows("beacon", 0) == []


async def test_blows_of_one_monster_are_one_lesson(life: Life) -> None:
    for health in (16.0, 12.0, 8.0):
        life.is_hurt(health, ZOMBIE)
    (hurt,) = await life.knows("zombie")
    assert hurt.insight == "A zombie hurt me around 0 64 0 in the overworld."
    assert tag("mob", "zombie") in hurt.tags
    assert hurt.expires_at is not None


async def test_near_deaths_and_deaths_are_remembered_with_their_cause(life: Life) -> None:
    life.is_hurt(3.0, Cause("creature", "skeleton", "told"))
    life.is_hurt(0.0, FALL)
    life.dies(FALL, Position(30, 70, 4))
    (near,) = await life.knows("nearly")
    assert near.insight == "A skeleton nearly killed me around 0 64 0 in the overworld."
    (death,) = await life.knows("died")
    assert death.insight == "I died at 30 70 4 in the overworld: a fall killed me."


MALLORY = Cause("player", "Mallory", "seen")
GUESS = Cause("creature", "zombie", "guessed")


@pytest.mark.parametrize(
    ("cause", "words", "tags", "learnt_from"),
    [
        (MALLORY, ": Mallory killed me.", {tag("player", "Mallory")}, "seen"),
        (GUESS, ": perhaps a zombie killed me.", set(), "concluded"),
        (Cause("thing", "command", "told"), ": somebody's command killed me.", set(), "seen"),
        (None, "; I do not know of what.", set(), "seen"),
    ],
)
async def test_no_guess_is_learnt_as_a_fact(
    life: Life, cause: Cause | None, words: str, tags: set[Tag], learnt_from: str
) -> None:
    life.dies(cause, Position(30, 70, 4))
    (death,) = await life.knows("died")
    assert death.insight == f"I died at 30 70 4 in the overworld{words}"
    assert death.tags == tags
    assert death.learnt_from == learnt_from


async def test_the_same_danger_again_makes_a_bot_surer_of_it(life: Life) -> None:
    life.is_hurt(14.0, ZOMBIE)
    (first,) = await life.knows("zombie")
    await life.rig.world.clock.advance(3_600)
    life.is_hurt(14.0, ZOMBIE)
    async with asyncio.timeout(10):
        while (again := await life.knows("zombie"))[0].confidence <= first.confidence:
            pass
    assert [one.id for one in again] == [first.id]


async def test_a_scratch_and_what_nobody_knows_teach_nothing(life: Life) -> None:
    life.is_hurt(19.0, ZOMBIE, lost=1.0)
    life.is_hurt(14.0, None)
    life.is_hurt(13.0, replace(ZOMBIE, how="guessed"))
    life.is_hurt(12.0, Cause("creature", "spider", "told"))
    await life.knows("spider")
    assert await life.knows("zombie", 0) == []


async def test_a_goal_without_a_plan_teaches_what_is_missing(life: Life) -> None:
    olga = Person(PlayerName("Olga"))
    result = await run_json(
        life.alice, '!goal {"goal": "inventory.gold_ingot:1", "outlooks": 0}', olga
    )
    assert result["reason"] == "impossible"
    (failed,) = await life.knows("gold_ingot")
    assert failed.insight.startswith("I failed to get gold ingot: Gold ingot is not possible")
    await life.tells_of("Olga", "You asked me today: gold ingot, and I failed.", olga)
