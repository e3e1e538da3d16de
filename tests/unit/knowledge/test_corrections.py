"""Corrections in talk take the place of what was believed, but not of what higher levels told."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.rig import STRANGERS, Rig, run_json

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.bot.knowing import Entry, Wanted
from bots.knowledge.cards.cards import Cards
from bots.knowledge.joining import corrections_in, subject_of
from bridge.world import PlayerName, Position

STEVE, BOB, OLGA = (Person(PlayerName(name)) for name in ("Steve", "Bob", "Olga"))
LEVELS = {"Olga": Level.OWNER}


@pytest.fixture
async def alice(tmp_path: Path) -> AsyncIterator[Bot]:
    rig = await Rig.found(tmp_path, STRANGERS)
    yield await rig.bot("Alice", Position(8.5, 64, 8.5))
    await rig.aclose()


async def says(alice: Bot, who: Person, words: str, *, public: bool = False) -> None:
    level = LEVELS.get(who.name, Level.PLAYER)
    sources = Sources.said_by(who, level, None if public else {who.name})
    await alice.add_message(who.name, words, sources=sources)
    cards = alice.services.get(Cards)
    assert cards is not None
    await cards.read_on()


async def known(alice: Bot) -> list[tuple[str, str]]:
    """Everything about the tower: who says it, and what."""
    found = await alice.knowledge.search(Wanted("tower"))
    return [(one.entry.speaker, one.entry.insight) for one in found]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("No, the mine is in the north", "the mine is in the north"),
        ("Actually, our mine lies behind the hill.", "our mine lies behind the hill"),
        ("that's wrong: the mine isn't in the south", "the mine isn't in the south"),
        ("違うよ、鉱山は北にあるよ", "鉱山は北にあるよ"),
        ("いいえ、鉱山は北です。", "鉱山は北です"),
    ],
)
def test_a_correction_is_read_from_a_line(line: str, words: str) -> None:
    assert list(corrections_in(line)) == [words]


@pytest.mark.parametrize(
    "line",
    [
        *("No.", "no, it is in the north", "No, is the mine in the north?"),
        *("The mine is in the north", "No, come here", "no problem, thanks", "いいえ、結構です"),
        *("No, I am the owner", "No, you are wrong"),
    ],
)
def test_what_names_nothing_or_corrects_nothing_is_no_correction(line: str) -> None:
    assert list(corrections_in(line)) == []


def test_articles_and_case_do_not_count_in_what_a_sentence_is_about() -> None:
    assert (
        subject_of("The old tower is high") == subject_of("our OLD tower was shut") == "old tower"
    )


@pytest.mark.parametrize(
    ("by", "line"),
    [
        (STEVE, "no, the tower is in the north"),
        (OLGA, "That is wrong, the tower is in the north"),
    ],
    ids=["one's own", "an owner's"],
)
async def test_a_claim_is_replaced_once_by_whoever_may_correct_it(
    alice: Bot, by: Person, line: str
) -> None:
    await run_json(alice, "!remember the tower is in the south", STEVE)
    for _ in range(2):
        await says(alice, by, line)
        assert await known(alice) == [(by.name, "the tower is in the north")]
    (found,) = await alice.knowledge.search(Wanted("tower"))
    assert (found.entry.type, found.is_claim) == ("correction", by is STEVE)


@pytest.mark.parametrize("before", [OLGA, BOB])
async def test_a_guest_corrects_nobody_else(alice: Bot, before: Person) -> None:
    await run_json(alice, "!remember the tower is in the south", before)
    await says(alice, STEVE, "no, the tower is in the north")
    claims = await known(alice)
    assert (before.name, "the tower is in the south") in claims
    assert ("Steve", "the tower is in the north") in claims
    if before is OLGA:
        assert claims[0][0] == "Olga"


async def test_what_the_bot_saw_itself_stays(alice: Bot) -> None:
    seen = Entry("The tower is at 10 20 30.", FACTS, topic="tower", learnt_from="seen")
    await alice.knowledge.add(seen)
    await says(alice, OLGA, "no, the tower is in the north")
    assert ("", "The tower is at 10 20 30.") in await known(alice)


async def test_a_correction_by_whisper_is_nobody_elses(alice: Bot) -> None:
    await run_json(alice, "!remember the tower is in the south", STEVE)
    await says(alice, STEVE, "no, the tower is below my bed")
    told = await run_json(alice, "!knowledge tower", BOB)
    assert told["entries"] == []
