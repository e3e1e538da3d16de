"""What bots make of what happened to them: episodes, and lessons for the next time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice, run_json, until

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.episode import WHATS, Episode, read_episode
from bots.bot.events import JobFinished, StepDone
from bots.bot.knowing import Entry, Tag, Wanted, tag
from bots.bot.result import Failure, Result
from bots.chat.conversation import ASIDE
from bots.commands.skill.making import CraftResult
from bots.knowledge.episodes import SHORTEST_VISIT_S, EpisodeWords, in_words
from bots.text.language import Language
from bridge.causes import Cause
from bridge.events import BotDied, BotHurt, ItemGiven, PlayerJoined, PlayerLeft
from bridge.world import Death, PlayerName, Position

HERE = Position(8.5, 64, 8.5)
STEVE, ANN, OLGA = (Person(PlayerName(name)) for name in ("Steve", "Ann", "Olga"))
BY_STEVE = Sources.said_by(STEVE, Level.PLAYER, {"Steve"})
rig = rig_with_alice(HERE, STRANGERS)


def made(item: str, count: int) -> CraftResult:
    return CraftResult(
        item_name=item,
        count=count,
        made=count,
        have=count,
        station="hand",
        table=None,
        table_placed=False,
        message="",
    )


def ends(alice: Bot, result: Result, by: Person = STEVE, goal: str = "") -> None:
    sources = Sources.said_by(by, Level.PLAYER, {by.name})
    alice.events.emit(JobFinished("1", "!skill craft", result, sources, by, goal))


async def noted(alice: Bot, count: int = 1) -> None:
    await until(lambda: len(alice.get_conversation_history(type="episode")) >= count)


async def found(alice: Bot, words: str, asker: Person | None, **narrowed: Any) -> list[str]:
    lines = await alice.recall(words, asker=asker.name if asker else None, **narrowed)
    return [one.text for one in lines]


async def test_what_was_made_is_found_with_who_when_and_where(alice: Bot) -> None:
    ends(alice, made("torch", 4))
    await noted(alice)
    for words in (
        *("torches", "What have you made for me?", "松明はある？", "私に何を作ってくれた？"),
    ):
        result = await run_json(alice, f"!recall {words}", STEVE)
        (line,) = result["lines"]
        assert line["text"] == "I made 4 torches for Steve at 8 64 8."
        assert line["type"] == "episode"
        assert line["episode"]["askedBy"] == "Steve"
        assert line["episode"]["at"] == [8, 64, 8]
        assert line["timestamp"] > 0
    # It is for whoever asked for it, and for trusted players.
    for asker, count in ((STEVE, 1), (ANN, 0), (OLGA, 1), (None, 1)):
        assert (await run_json(alice, "!recall torches", asker))["count"] == count


@pytest.mark.parametrize("reason", ["not_received", "not_recognised"])
async def test_what_was_handed_over_is_between_giver_and_taker(alice: Bot, reason: str) -> None:
    data = {"itemName": "bread", "taken": {"Ann": 2}}
    ends(alice, Failure(reason=reason, message="Steve took none.", data=data))
    await noted(alice, 2)
    seen_by_ann = await run_json(alice, "!recall bread", ANN)
    assert [one["text"] for one in seen_by_ann["lines"]] == ["I gave Ann 2 bread at 8 64 8."]


async def test_a_gift_to_the_bot_is_between_it_and_the_giver(alice: Bot) -> None:
    now = alice.times.clock()
    alice.events.emit(ItemGiven(alice.name, PlayerName("Steve"), "bread", 3, now))
    await noted(alice)
    (line,) = (await run_json(alice, "!recall what did I give you?", STEVE))["lines"]
    assert line["text"] == "Steve gave me 3 bread at 8 64 8."
    assert (await run_json(alice, "!recall bread", ANN))["count"] == 0


async def test_episodes_for_the_asker_come_before_those_for_others(alice: Bot) -> None:
    ends(alice, made("torch", 4), STEVE)
    ends(alice, made("torch", 9), ANN)
    await noted(alice, 2)
    for asker, best in ((STEVE, "4 torches"), (ANN, "9 torches")):
        assert best in (await found(alice, "which torches did you make for me?", asker))[0]


async def test_what_failed_is_noted_with_why_and_a_stop_is_not(alice: Bot) -> None:
    ends(alice, Failure(reason="stopped", message="It was stopped."), goal="64 beacon")
    ends(alice, Failure(reason="impossible", message="There is no nether_star."), goal="beacon")
    await noted(alice)
    assert await found(alice, "", None, episodes=True) == [
        "I failed at beacon for Steve: There is no nether_star."
    ]


@pytest.mark.parametrize(
    ("language", "command", "words"),
    [
        ("en", "!skill fight", "I failed at a fight"),
        ("ja", "!skill fight", "戦いに失敗しました"),
        ("zh", "!navigation goto", "没有做成走路"),
        ("en", "!skill of tomorrow", "I failed at a task"),
    ],
)
def test_a_command_that_failed_is_told_in_plain_words(
    language: str, command: str, words: str
) -> None:
    assert words in EpisodeWords(language).sentence(Episode("failed", command, why="No."))


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (None, "I died at 8 64 8; I do not know of what."),
        (Cause("creature", "zombie", "told"), "I died at 8 64 8: a zombie killed me."),
        (Cause("creature", "zombie", "guessed"), "I died at 8 64 8: perhaps a zombie killed me."),
        (Cause("player", "Steve", "seen"), "I died at 8 64 8: Steve killed me."),
        (Cause("thing", "command", "told"), "I died at 8 64 8: somebody's command killed me."),
    ],
)
async def test_a_death_is_noted_once_as_the_trace_has_it_and_everybody_may_know(
    rig: Rig, alice: Bot, cause: Cause | None, words: str
) -> None:
    rig.world.set_health("Alice", 0, cause=cause)
    await noted(alice)
    result = await run_json(alice, "!recall where did you die", ANN)
    assert [one["text"] for one in result["lines"]] == [words]
    assert result["lines"][0]["episode"].get("cause") == (cause and cause.as_json())
    (died,) = rig.trace.recent("bot.died")
    assert (died.facts["position"], died.facts["cause"]) == ([8, 64, 8], cause and cause.as_json())


async def test_a_visit_is_noted_once_it_is_over(rig: Rig, alice: Bot) -> None:
    now = alice.times.clock()
    alice.events.emit(PlayerJoined(alice.name, PlayerName("Eve"), now))
    await rig.world.clock.advance(SHORTEST_VISIT_S * 20)
    alice.events.emit(PlayerJoined(alice.name, PlayerName("Ann"), now))
    alice.events.emit(PlayerLeft(alice.name, PlayerName("Ann"), now))  # looked in only
    alice.events.emit(PlayerLeft(alice.name, PlayerName("Eve"), now))
    await noted(alice)
    assert await found(alice, "", None, episodes=True) == ["Eve came and stayed for 20 minutes."]
    assert len(await found(alice, "When did Eve come?", STEVE)) == 1


async def test_episodes_are_in_no_list_of_lines_and_push_none_out(alice: Bot) -> None:
    await alice.add_message("Steve", "hello", sources=BY_STEVE)
    for _ in range(ASIDE + 5):
        ends(alice, made("stick", 1))
    await noted(alice, ASIDE)
    assert [one.text for one in alice.get_conversation_history()] == ["hello"]
    assert [one.text for one in await alice.read_history()] == ["hello"]
    assert (await run_json(alice, "!history"))["count"] == 1


async def test_episodes_outlast_a_restart_and_are_found_by_day(tmp_path: Path) -> None:
    first = await Rig.found(tmp_path, STRANGERS)
    alice = await first.bot("Alice", HERE)
    ends(alice, made("torch", 4))
    await noted(alice)
    await first.aclose()
    second = await Rig.found(tmp_path, STRANGERS)
    alice = await second.bot("Alice", HERE)
    assert len(await found(alice, "What did you make for me today?", STEVE)) == 1
    assert await found(alice, "", STEVE, until=0) == []
    await second.aclose()


async def test_a_command_that_nobody_waits_for_is_noted_once(alice: Bot) -> None:
    ends(alice, made("torch", 4))
    whole = JobFinished("2", "!skill craft", made("torch", 4), FACTS, is_whole_command=True)
    alice.events.emit(whole)
    ends(alice, made("stick", 1))
    await noted(alice, 2)
    assert len(await found(alice, "", None, episodes=True)) == 2


@pytest.mark.parametrize("what", WHATS)
def test_an_episode_is_told_in_both_languages_and_read_back(what: Any) -> None:
    episode = Episode(
        what, "oak_log", 3, "Ann", "Steve", Position(1, 2, 3), "the_nether", "No way."
    )
    assert read_episode(episode.as_json()) == episode
    for words in in_words(episode).values():
        assert "{" not in words
    for language in get_args(Language):
        assert "oak_log" not in EpisodeWords(language, "Steve").sentence(episode, "yesterday")


@pytest.mark.parametrize(
    "row",
    [
        None,
        "made",
        {},
        {"what": "flew"},
        {"what": "made", "count": "x"},
        {"what": "made", "at": [1]},
    ],
)
def test_a_damaged_episode_is_none(row: object) -> None:
    assert read_episode(row) is None


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (None, "死にました。原因は分かりません。"),
        (Cause("creature", "zombie", "told"), "死にました。原因はゾンビです。"),
        (Cause("thing", "fall", "seen"), "死にました。原因は落下です。"),
        (Cause("player", "Steve", "guessed"), "死にました。もしかすると原因はSteveさんです。"),
    ],
)
def test_a_death_in_japanese_tells_how_sure_its_cause_is(cause: Cause | None, words: str) -> None:
    assert EpisodeWords("ja").sentence(Episode("died", cause=cause)) == words


ZOMBIE, FALL = Cause("creature", "zombie", "seen"), Cause("thing", "fall", "seen")


class Reached(Result):
    took_s: float


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
