"""Cards and knowledge of bots over HTTP: how requests are read, and what they do to a real bot."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp
from support.http_stub import StubDaemon, app_over, ask, body
from support.rig import STRANGERS, Rig

from bots.access.origin import Level, Person
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.daemon.memory import NewEntry, NewFact, OperatorMemory
from bots.errors import CommandError
from bots.knowledge.cards.card import add_fact, card_of_person, card_of_place, drop_fact
from bridge.world import PlayerName, Position

BASE = "/api/bots/Alice"
STEVE = Person(PlayerName("Steve"))
AUDIENCES = {
    "public": Sources.said_by(STEVE, Level.PLAYER, None),
    "whispered": Sources.said_by(STEVE, Level.PLAYER, {"Steve"}),
}


@pytest.mark.parametrize(
    ("method", "path", "sent", "asked"),
    [
        ("GET", "people", b"", ("people", "Alice")),
        ("GET", "people/Steve", b"", ("person", "Alice", "Steve")),
        ("DELETE", "people/Steve", b"", ("forget_person", "Alice", "Steve")),
        (
            "POST",
            "people/Steve/facts",
            body(kind="likes", words="wood", forAll=True),
            ("add_fact", "Alice", "Steve", NewFact(kind="likes", words="wood", forAll=True)),
        ),
        (
            "DELETE",
            "people/Steve/facts?kind=likes&words=cherry%20wood",
            b"",
            ("drop_fact", "Alice", "Steve", "likes", "cherry wood"),
        ),
        ("GET", "places", b"", ("places", "Alice")),
        ("GET", "places/the lake", b"", ("place", "Alice", "the lake")),
        ("GET", "knowledge", b"", ("knowledge", "Alice", "", None, None, 20)),
        (
            "GET",
            "knowledge?words=mill&type=insight&speaker=Steve&limit=3",
            b"",
            ("knowledge", "Alice", "mill", "insight", "Steve", 3),
        ),
        ("POST", "knowledge", body(words="x"), ("add_entry", "Alice", NewEntry(words="x"))),
        (
            "PUT",
            "knowledge/7",
            body(words="x", days=3),
            ("correct_entry", "Alice", 7, NewEntry(words="x", days=3)),
        ),
        ("DELETE", "knowledge/7", b"", ("forget_entry", "Alice", 7)),
    ],
)
async def test_each_endpoint_asks_for_what_it_says(
    method: str, path: str, sent: bytes, asked: tuple[Any, ...]
) -> None:
    daemon = StubDaemon()
    reply = await ask(app_over(daemon), method, f"{BASE}/{path}", sent)
    assert (reply.status, daemon.memory.asked) == (200, [asked])


@pytest.mark.parametrize(
    ("method", "path", "sent", "status"),
    [
        ("GET", "people/Herobrine", b"", 404),
        ("POST", "people/Steve/facts", body(kind="likes"), 400),
        ("POST", "people/Steve/facts", body(kind="likes", words="x", owner=True), 400),
        ("DELETE", "people/Steve/facts?kind=likes", b"", 400),
        ("GET", "knowledge?limit=0", b"", 400),
        ("GET", "knowledge?who=Steve", b"", 400),
        ("POST", "knowledge", body(words=""), 400),
        ("POST", "knowledge", body(words="x", confidence=2), 400),
        ("PUT", "knowledge/seven", body(words="x"), 400),
        ("PATCH", "knowledge/7", body(words="x"), 405),
    ],
)
async def test_what_does_not_fit_is_refused(
    method: str, path: str, sent: bytes, status: int
) -> None:
    daemon = StubDaemon()
    assert (await ask(app_over(daemon), method, f"{BASE}/{path}", sent)).status == status
    assert daemon.memory.asked == []


async def test_a_bot_that_there_is_not_has_no_memory() -> None:
    app: ASGIApp = app_over(StubDaemon())
    assert (await ask(app, "GET", "/api/bots/Nobody/people")).status == 404


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path, STRANGERS)
    alice = await found.bot("Alice", Position(8.5, 64, 8.5))
    for words, audience in (("I like wood", "public"), ("I live at the lake", "whispered")):
        await alice.add_message("Steve", words, sources=AUDIENCES[audience])
    yield found
    await found.aclose()


@pytest.fixture
def memory(rig: Rig) -> OperatorMemory:
    return OperatorMemory(rig.roster)


def facts(card: dict[str, Any]) -> list[tuple[str, str]]:
    return [(one["kind"], one["words"]) for one in card["facts"]]


async def test_an_operator_reads_and_changes_a_card(memory: OperatorMemory) -> None:
    assert [one["name"] for one in (await memory.people("Alice"))["people"]] == ["Steve"]
    assert facts(await memory.person("Alice", "steve")) == [
        ("lives", "at the lake"),
        ("likes", "wood"),
    ]
    card = await memory.add_fact("Alice", "Steve", NewFact(kind="called", words="Stevie"))
    assert ("called", "Stevie") in facts(card)
    assert (await memory.drop_fact("Alice", "Steve", "likes", "WOOD"))["gone"] == 1
    assert ("likes", "wood") not in facts(await memory.person("Alice", "Steve"))


async def test_an_operator_has_a_person_forgotten(memory: OperatorMemory) -> None:
    assert (await memory.forget_person("Alice", "Steve"))["facts"] == 2
    with pytest.raises(CommandError, match="nobody called 'Steve'"):
        await memory.person("Alice", "Steve")


async def test_an_operator_adds_corrects_and_forgets_entries(memory: OperatorMemory) -> None:
    added = await memory.add_entry("Alice", NewEntry(words="The mill grinds.", days=3))
    number = added["entry"]["id"]
    newer = NewEntry(words="The mill stands still.", forAll=True)
    await memory.correct_entry("Alice", number, newer)
    (found,) = (await memory.knowledge("Alice", "mill", None, None, 20))["entries"]
    assert (found["insight"], found["speaker"]) == ("The mill stands still.", "@operator")
    assert found["sources"]["for"] is None
    assert (await memory.forget_entry("Alice", number))["forgotten"] == 1
    with pytest.raises(CommandError, match="no entry"):
        await memory.forget_entry("Alice", number)


@pytest.mark.parametrize("kind", ["owner", ""])
async def test_a_kind_that_there_is_not_is_refused(memory: OperatorMemory, kind: str) -> None:
    with pytest.raises(CommandError, match="none of"):
        await memory.add_fact("Alice", "Steve", NewFact(kind=kind, words="x"))


async def test_programs_read_cards_as_somebody_may_see_them(alice: Bot) -> None:
    card = await card_of_person(alice, "Steve", lambda sources: sources.is_for(frozenset({"Ann"})))
    assert card is not None
    assert [one.words for one in card.facts] == ["wood"]
    await add_fact(alice, "Steve", "dislikes", "rain")
    assert await drop_fact(alice, "Steve", "dislikes", "rain") == 1
    assert await card_of_person(alice, "Herobrine") is None
    assert await card_of_place(alice, "Atlantis") is None
