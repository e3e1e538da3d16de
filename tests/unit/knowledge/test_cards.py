"""Cards of persons and places: made of lines and deeds, kept, told to who may know, forgotten."""

import asyncio
import json
from datetime import timedelta
from pathlib import Path

import pytest
from support.rig import STRANGERS, Rig, rig_with_alice, run_json, until

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.events import JobFinished
from bots.bot.knowing import Wanted
from bots.bot.result import Failure, Result
from bots.clock import EPOCH
from bots.knowledge.cards.cards import MOST_PERSONS, PAGE, Cards
from bots.knowledge.cards.fact import MOST_OF_A_KIND, Fact, Subject, of_person, with_facts
from bridge.events import BotDied, BotSpawned, ItemGiven
from bridge.world import Death, PlayerName, Position

HERE = Position(8.5, 64, 8.5)
STEVE, ANN, OLGA = (Person(PlayerName(name)) for name in ("Steve", "Ann", "Olga"))
rig = rig_with_alice(HERE, STRANGERS)


def cards_of(bot: Bot) -> Cards:
    found = bot.services.get(Cards)
    assert found is not None
    return found


async def told(alice: Bot, who: Person, words: str, *, public: bool = False) -> None:
    """Somebody says something, by whisper unless it is public."""
    sources = Sources.said_by(who, Level.PLAYER, None if public else {who.name})
    await alice.add_message(who.name, words, sources=sources)


async def knows(alice: Bot, about: str, asker: Person | None) -> str:
    result = await run_json(alice, f"!knows {about}".strip(), asker)
    return str(result["message"])


async def test_a_card_tells_the_asker_what_they_told(alice: Bot) -> None:
    await told(alice, STEVE, "I live at the lake")
    await told(alice, STEVE, "I like cherry wood")
    for about in ("", "Steve", "steve", "me", "Me", "私"):
        assert await knows(alice, about, STEVE) == (
            "We first met today. You said you live “at the lake”. You said you like “cherry wood”."
        )


async def test_a_home_told_by_whisper_is_nobody_elses(alice: Bot) -> None:
    await told(alice, STEVE, "I live at the lake")
    await told(alice, STEVE, "I like cherry wood", public=True)
    seen_by_ann = await knows(alice, "Steve", ANN)
    assert "lake" not in seen_by_ann
    assert "Steve likes “cherry wood”, in their own words." in seen_by_ann
    assert "at the lake" in await knows(alice, "Steve", OLGA)  # an owner may know everything


async def test_cards_outlast_a_restart_and_are_made_of_older_lines(tmp_path: Path) -> None:
    first = await Rig.found(tmp_path, STRANGERS)
    alice = await first.bot("Alice", HERE)
    await told(alice, STEVE, "I live at the lake")
    await asyncio.gather(
        *(told(alice, ANN, f"Sheep {number} is white") for number in range(PAGE + 5))
    )
    await first.aclose()
    second = await Rig.found(tmp_path, STRANGERS)
    alice = await second.bot("Alice", HERE)
    assert "at the lake" in await knows(alice, "", STEVE)
    await second.aclose()


async def test_when_they_met_is_told_in_peoples_terms(rig: Rig, alice: Bot) -> None:
    cards, now = cards_of(alice), rig.world.clock.now()
    cards.met("Steve", now - timedelta(days=22))
    cards.met("Steve", now - timedelta(days=8))
    assert cards.absences.untold_days("Steve") == 8
    assert await knows(alice, "", STEVE) == "We first met 3 weeks ago and last met a week ago."
    cards.met("Steve", now)
    assert await knows(alice, "", STEVE) == "We first met 3 weeks ago and last met a week ago."
    assert "and last met today" in await knows(alice, "Steve", ANN)
    cards.absences.told("Steve")
    assert cards.absences.untold_days("Steve") == 0


@pytest.mark.parametrize("reason", ["not_received", "not_recognised"])
async def test_what_was_handed_over_is_between_the_two(rig: Rig, alice: Bot, reason: str) -> None:
    result = Failure(reason=reason, message="", data={"itemName": "bread", "taken": {"Steve": 2}})
    alice.events.emit(JobFinished("1", "!navigation dropItem", result, FACTS, STEVE))
    await until(lambda: cards_of(alice).facts(of_person("Steve")))
    assert "I gave you 2 bread today." in await knows(alice, "", STEVE)
    assert "bread" not in await knows(alice, "Steve", ANN)


async def test_what_people_throw_to_a_bot_is_counted_as_one_gift(rig: Rig, alice: Bot) -> None:
    now = rig.world.clock.now()
    for count in (2, 3):
        alice.events.emit(ItemGiven(alice.name, PlayerName("Steve"), "diamond", count, now))
    await until(lambda: cards_of(alice).facts(of_person("Steve")))
    assert "You gave me 5 diamond today." in await knows(alice, "", STEVE)
    assert "diamond" not in await knows(alice, "Steve", ANN)


async def test_who_moves_house_lives_in_the_new_one(alice: Bot) -> None:
    await told(alice, STEVE, "I live at the lake")
    await told(alice, STEVE, "I live in the north now")
    told_to_steve = await knows(alice, "", STEVE)
    assert "in the north" in told_to_steve
    assert "lake" not in told_to_steve


async def test_a_bot_knows_when_it_was_last_at_a_place(rig: Rig, alice: Bot) -> None:
    await run_json(alice, f"!navigation register {json.dumps({'name': 'the lake'})}", OLGA)
    cards_of(alice).due.set()
    await until(lambda: "visited" in str(_facts_of_place(alice)))
    assert "I was there last today." in await knows(alice, "the lake", OLGA)


async def test_what_somebody_asked_for_is_remembered_reached_or_not(alice: Bot) -> None:
    sources = Sources.said_by(STEVE, Level.PLAYER, {"Steve"})
    alice.events.emit(JobFinished("1", "!goal", Result(), sources, STEVE, "8 torch"))
    failed = Failure(reason="impossible", message="no")
    alice.events.emit(JobFinished("2", "!goal", failed, sources, STEVE, "beacon"))
    await until(lambda: len(cards_of(alice).facts(of_person("Steve"))) == 2)
    told_to_steve = await knows(alice, "", STEVE)
    assert "You asked me today: 8 torch." in told_to_steve
    assert "You asked me today: beacon, and I failed." in told_to_steve


async def test_a_bots_promise_is_kept_in_mind(rig: Rig, alice: Bot) -> None:
    rig.world.person("Steve", HERE)
    await alice.reply("Steve", "I will bring you bread.", sources=FACTS)
    cards_of(alice).met("Steve", rig.world.clock.now())
    assert "I promised you today: “bring you bread”." in await knows(alice, "", STEVE)


async def test_a_place_tells_who_named_it_and_what_happened_there(rig: Rig, alice: Bot) -> None:
    registered = await run_json(
        alice, f"!navigation register {json.dumps({'name': 'the lake'})}", OLGA
    )
    assert registered["success"]
    await told(alice, STEVE, "I live at the lake")
    now = rig.world.clock.now()
    alice.events.emit(BotDied(alice.name, Death(1, HERE), None, "overworld", "", (), now))
    await until(lambda: "died" in str(_facts_of_place(alice)))
    told_to_olga = await knows(alice, "the lake", OLGA)
    assert "Named by Olga today." in told_to_olga
    assert "Steve lives “at the lake”." in told_to_olga
    assert "I died near there today." in told_to_olga
    (learnt,) = await alice.knowledge.search(Wanted("died"))
    assert learnt.entry.insight == "I died at 8 64 8 in the overworld; I do not know of what."
    assert (await run_json(alice, "!knows the lake", ANN))["reason"] == "unknown"


def _facts_of_place(alice: Bot) -> object:
    return cards_of(alice).facts(Subject("place", "the lake"))


async def test_forget_me_leaves_nothing_on_the_card(rig: Rig, alice: Bot) -> None:
    await told(alice, STEVE, "I live at the lake")
    await told(alice, ANN, "I like sheep")
    result = await run_json(alice, "!forget me", STEVE)
    assert (result["success"], result["facts"]) == (True, 1)
    assert "What was said stays in the record" in result["message"]
    assert (await run_json(alice, "!knows", STEVE))["reason"] == "unknown"
    assert "sheep" in await knows(alice, "", ANN)
    await told(alice, STEVE, "I like stone")
    assert "lake" not in await knows(alice, "", STEVE)
    assert "stone" in await knows(alice, "", STEVE)


async def test_only_an_owner_has_somebody_else_forgotten(alice: Bot) -> None:
    await told(alice, STEVE, "I live at the lake")
    by_ann = await run_json(alice, '!forget me {"person": "Steve"}', ANN)
    assert by_ann["reason"] == "not_permitted"
    assert (await run_json(alice, "!forget me"))["reason"] == "nobody"
    by_olga = await run_json(alice, '!forget me {"person": "Steve"}', OLGA)
    assert by_olga["message"].startswith("I have forgotten what I knew of Steve: 1 fact.")


async def test_what_is_forgotten_stays_forgotten_after_a_restart(tmp_path: Path) -> None:
    first = await Rig.found(tmp_path, STRANGERS)
    alice = await first.bot("Alice", HERE)
    await told(alice, STEVE, "I live at the lake")
    await run_json(alice, "!forget me", STEVE)
    await first.aclose()
    second = await Rig.found(tmp_path, STRANGERS)
    alice = await second.bot("Alice", HERE)
    assert (await run_json(alice, "!knows", STEVE))["reason"] == "unknown"
    await second.aclose()


async def test_who_is_not_known_yet_is_told_so_and_an_operator_who_is(rig: Rig, alice: Bot) -> None:
    alice.events.emit(BotSpawned(alice.name, "1.20.4", HERE, rig.world.clock.now()))
    assert await knows(alice, "me", STEVE) == "I know nothing of you yet."
    assert await knows(alice, "Ann", STEVE) == "I know nothing of Ann."
    assert (await run_json(alice, "!knows Herobrine", STEVE))["reason"] == "unknown"
    assert cards_of(alice).persons == ()
    await told(alice, STEVE, "hello")
    assert (await run_json(alice, "!knows"))["persons"] == ["Steve"]


async def test_of_many_persons_those_met_long_ago_are_forgotten(rig: Rig, alice: Bot) -> None:
    cards, now = cards_of(alice), rig.world.clock.now()
    for number in range(MOST_PERSONS + 1):
        cards.met(f"P{number}", now + timedelta(seconds=number))
    await cards.read_on()
    assert len(cards.persons) == MOST_PERSONS
    assert cards.meeting("P0") is None


def _likes(words: str, level: Level = Level.PLAYER, day: int = 1) -> Fact:
    sources = Sources.said_by(STEVE, level, {"Steve"})
    return Fact(of_person("Steve"), "likes", words, EPOCH + timedelta(days=day), sources)


def test_what_is_told_twice_is_one_fact() -> None:
    first, again = _likes("Stone", day=1), _likes("stone", day=2)
    assert with_facts((first,), [again]) == (again,)


def test_of_one_kind_the_newest_are_kept() -> None:
    facts = with_facts((), [_likes(f"thing {day}", day=day) for day in range(20)])
    assert [one.words for one in facts] == [f"thing {20 - n}" for n in range(MOST_OF_A_KIND, 0, -1)]
