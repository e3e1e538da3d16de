"""Deeds: what a bot did and saw is noted with who, when and where, found again, and told to nobody
who may not know of it."""

from pathlib import Path
from typing import Any, get_args

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice, run_json, until

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.episode import WHATS, Episode, read_episode
from bots.bot.events import JobFinished
from bots.bot.result import Failure, Result
from bots.chat.conversation import ASIDE
from bots.commands.skill.making import CraftResult
from bots.knowledge.episodes import SHORTEST_VISIT_S, EpisodeWords, in_words
from bots.text.language import Language
from bridge.causes import Cause
from bridge.events import ItemGiven, PlayerJoined, PlayerLeft
from bridge.world import PlayerName, Position

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


async def test_an_episode_is_for_whoever_asked_for_it_and_for_trusted_players(alice: Bot) -> None:
    ends(alice, made("torch", 4))
    await noted(alice)
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
