"""Bots tell each other and whoever is near what they see, and keep quiet for people."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.decision_parts import engine_of
from support.rig import STRANGERS, Rig, until

from bots.access.permissions import Permissions
from bots.chat.turn_taking import PersonTalk
from bots.idle import small_talk
from bots.idle.company import DULL, LIVELY_FOR_S, IdleCompany
from bots.idle.model_words import ModelWords
from bots.idle.seen import Came, KeptCompany, SawBlock, SawFellow, Seen, TalkedOf, WeatherTurned
from bots.idle.small_talk import SmallTalk
from bots.observability.trace import Trace
from bots.responder.case.persona import PersonaFiles
from bots.responder.records.record import DecisionRecorder
from bots.words import table
from bridge.fake.body import Person
from bridge.world import Position
from llm.engine.budget import Payer
from llm.engine.prices import DOLLAR
from llm.function_model import FunctionModel

EVERY_S = 20.0
AN_EXCHANGE_S = 60.0
NEAR = Position(6.5, 64, 8.5)
WISH = "I would like a house by the lake"
POPPY = SawBlock("poppy", 5, "north")


class Company:
    """Alice and Bob with their small talk; Steve and others may come."""

    def __init__(
        self, rig: Rig, folder: Path, *, is_ours: bool = True, model: FunctionModel | None = None
    ) -> None:
        self.rig, self.world, self.clock = rig, rig.world, rig.world.clock
        rig.holds(self.clock)
        self.persons = PersonTalk(self.clock.monotonic)
        self.company = IdleCompany(
            lambda: list(rig.bots.values()),
            rig.shared.known_bots,
            rig.shared.attendance,
            self.persons,
            rig.shared.times,
            is_ours,
        )
        self.personas = PersonaFiles(folder)
        level_of = rig.bots["Alice"].permissions.level_of
        self.engine = engine_of(model)
        words = ModelWords(self.engine, self.personas, DecisionRecorder(rig.trace), level_of)
        self.small_talk = SmallTalk(
            self.company, self.personas, words, rig.trace, every_s=EVERY_S, hearing_range=15.0
        )

    @property
    def said(self) -> list[Trace]:
        return list(self.rig.trace.recent("smalltalk.said"))

    async def joins(self, name: str, at: Position) -> None:
        await self.rig.bot(name, at)
        await self.personas.current(name)  # a thread reads it, for which no clock waits

    async def look(self) -> None:
        """Every bot takes in what it senses."""
        for bot in self.rig.bots.values():
            self.company.look(bot, await bot.snapshot())

    async def hear(self, *news: Seen, by: str = "Alice", lines: int = 1) -> list[str]:
        """What is said of some news, once there are so many lines."""
        before = len(self.said)
        for seen in news:
            self.company.news.add(by, seen)
        await self._until(lambda: len(self.said) >= before + lines)
        return [traced.facts["text"] for traced in self.said[before:]]

    async def heard_by(self, person: Person) -> str:
        """The next line that a person hears."""
        hearing = asyncio.create_task(person.hears())
        await self._until(hearing.done)
        return hearing.result().text

    async def _until(self, met: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not met():
                await self.clock.advance(1)

    async def pass_time(self, seconds: float) -> None:
        """Let time pass, second by second."""
        for _ in range(round(seconds)):
            await self.clock.advance(1)


@asynccontextmanager
async def living_together(
    rig: Rig, folder: Path, *, is_ours: bool = True, model: FunctionModel | None = None
) -> AsyncIterator[Company]:
    found = Company(rig, folder / "bots", is_ours=is_ours, model=model)
    for name in rig.bots:  # a thread reads them, for which no clock waits
        await found.personas.current(name)
    running = asyncio.create_task(found.small_talk.run())
    yield found
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


@pytest.fixture
async def rig(rig: Rig) -> Rig:
    await rig.bot("Alice", Position(8.5, 64, 8.5))
    await rig.bot("Bob", Position(10.5, 64, 8.5))
    return rig


@pytest.fixture
async def bots(rig: Rig, tmp_path: Path) -> AsyncIterator[Company]:
    async with living_together(rig, tmp_path) as found:
        yield found


async def test_a_bot_tells_what_it_saw_and_a_fellow_replies_to_that(bots: Company) -> None:
    remark, reply = await bots.hear(POPPY, lines=2)
    assert "poppy" in remark
    assert [traced.bot for traced in bots.said] == ["Alice", "Bob"]
    assert remark != reply


async def test_nobody_is_told_what_they_do_themselves(bots: Company) -> None:
    told = await bots.hear(SawFellow("Bob", "working"), POPPY)
    assert "poppy" in told[0]


async def test_a_third_one_tells_what_is_worth_knowing_of_it(
    bots: Company, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_talk, "KNOWS", 1.0)
    await bots.joins("Cara", Position(9.5, 64, 10.5))
    *_, known = await bots.hear(SawBlock("sand", 9, "south"), lines=3)
    assert known in table("idle.fact", "en")["sand"]
    assert len({traced.bot for traced in bots.said}) == 3


async def test_news_after_a_long_silence_are_told_soon(bots: Company) -> None:
    await bots.pass_time(AN_EXCHANGE_S)
    assert bots.said == []
    begun_s = bots.clock.monotonic()
    assert await bots.hear(POPPY)
    assert bots.clock.monotonic() - begun_s <= 2 * small_talk.NEWS_AFTER_S


async def test_in_danger_or_badly_hurt_nobody_makes_small_talk(bots: Company) -> None:
    alice, bob = bots.rig.bots.values()
    bots.world.set_health(bob.name, 8)
    async with alice.actions.held():
        bots.company.news.add("Alice", POPPY)
        bots.company.news.add("Bob", SawBlock("sand", 9, "south"))
        await bots.pass_time(AN_EXCHANGE_S)
        assert bots.said == []
    told = await bots.hear()
    assert "poppy" in told[0]


async def test_who_comes_over_to_a_person_speaks_to_them_if_near(bots: Company) -> None:
    bots.world.person("Steve", NEAR)
    bots.company.news.add("Alice", KeptCompany("Zoe"))  # who has gone meanwhile
    bots.company.people = frozenset({"Steve"})
    [remark, *_] = await bots.hear(KeptCompany("Steve"))
    assert re.search(r"\b(Steve|you|me)\b", remark)
    await bots.pass_time(AN_EXCHANGE_S)
    assert not any("Zoe" in str(traced.facts["text"]) for traced in bots.said)


async def test_a_person_in_earshot_hears_it_and_one_far_away_does_not(bots: Company) -> None:
    steve = bots.world.person("Steve", NEAR)
    bots.world.person("Zoe", Position(60.5, 64, 8.5))
    bots.company.people = frozenset({"Steve", "Zoe"})
    [remark, *_] = await bots.hear(POPPY)
    heard = await steve.hears()
    assert (heard.sender, heard.text) == ("Alice", remark)
    assert "Zoe" not in bots.said[0].facts["to"]


async def test_who_comes_is_greeted_by_name_once_in_earshot(bots: Company) -> None:
    await bots.look()
    steve = bots.world.person("Steve", Position(60.5, 64, 8.5))
    await bots.look()
    await bots.pass_time(AN_EXCHANGE_S)
    bots.world.teleport("Steve", NEAR)
    await bots.look()
    assert "Steve" in await bots.heard_by(steve)


async def test_who_comes_again_is_reminded_of_their_wish_alone(bots: Company) -> None:
    steve = bots.world.person("Steve", NEAR)
    steve.whisper("Alice", WISH)
    steve.whisper("Alice", "where are you?")
    await until(lambda: len(bots.rig.fired) == 2)
    bots.company.people = frozenset({"Steve"})
    await bots.hear(Came("Steve", met_before=True))
    heard = [await bots.heard_by(steve) for _ in range(2)]
    assert any(WISH in text for text in heard)
    told = [traced.facts["text"] for traced in bots.said]
    assert not any("house" in text for text in told)


async def test_a_wish_is_remembered_among_those_who_may_know_it(bots: Company) -> None:
    bots.world.person("Steve", NEAR).whisper("Alice", WISH)
    await until(lambda: bots.rig.fired)
    bots.company.people = frozenset({"Steve"})
    [remark] = await bots.hear()
    assert WISH in remark
    assert "Steve" in remark


@pytest.mark.parametrize("permissions", [STRANGERS])
async def test_a_wish_whispered_by_a_stranger_is_told_to_nobody_else(
    bots: Company, permissions: Permissions
) -> None:
    bots.world.person("Steve", Position(60.5, 64, 8.5)).whisper("Alice", WISH)
    bots.world.person("Zoe", NEAR)
    await until(lambda: bots.rig.fired)
    bots.company.people = frozenset({"Zoe", "Steve"})
    await bots.pass_time(AN_EXCHANGE_S)
    assert bots.said == []


async def test_people_are_called_as_they_want_to_be(bots: Company) -> None:
    steve = bots.world.person("Steve", NEAR)
    steve.whisper("Alice", "Hello, my name is Stefan")
    await until(lambda: bots.rig.fired)
    bots.company.people = frozenset({"Steve"})
    [greeting, *_] = await bots.hear(Came("Steve", met_before=True))
    assert "Stefan" in greeting


async def test_a_model_finds_the_words_where_a_person_hears_them(rig: Rig, tmp_path: Path) -> None:
    model = FunctionModel(lambda question: f"Poppies, number {len(model.questions)}!")
    async with living_together(rig, tmp_path, model=model) as bots:
        await bots.hear(POPPY, lines=2)
        assert model.questions == []
        steve = rig.world.person("Steve", NEAR)
        bots.company.people = frozenset({"Steve"})
        for flower in ("dandelion", "cornflower", "allium"):  # a reply to one bot is whispered
            await bots.hear(SawBlock(flower, 3, "west"), lines=2)
        heard = [line.text for line in steve.inbox]
        assert len(heard) > 3
        assert all(text.startswith("Poppies, number ") for text in heard)
        first, *later = (question.turns[-1].text for question in model.questions)
        assert '"block":"dandelion"' in first
        assert any('"says":"Poppies, number ' in text for text in later)


async def test_a_model_that_repeats_itself_is_replaced_by_rules(rig: Rig, tmp_path: Path) -> None:
    rig.world.person("Steve", NEAR)
    model = FunctionModel(lambda question: "Poppies!")
    async with living_together(rig, tmp_path, model=model) as bots:
        bots.company.people = frozenset({"Steve"})
        said = await bots.hear(POPPY, lines=2)
        assert said[0] == "Poppies!"
        assert said[1] != "Poppies!"


async def test_small_talk_leaves_half_of_the_share_of_bots_to_analyses(
    rig: Rig, tmp_path: Path
) -> None:
    rig.world.person("Steve", NEAR)
    model = FunctionModel(lambda question: "Poppies!")
    async with living_together(rig, tmp_path, model=model) as bots:
        await bots.engine.budget.hold(DOLLAR * 6 // 10, Payer("Alice", background=True))
        bots.company.people = frozenset({"Steve"})
        await bots.hear(POPPY)
        assert model.questions == []


async def test_small_talk_is_answered_by_nobody_and_uses_up_no_turns(bots: Company) -> None:
    await bots.hear(POPPY, WeatherTurned("rain"), lines=4)
    assert bots.rig.fired == []
    assert bots.rig.shared.turns.may_answer("Alice", "Bob")
    history = bots.rig.bots["Bob"].get_conversation_history()
    assert {message.utterance.kind for message in history} == {"small_talk"}


async def test_bots_keep_quiet_while_a_person_talks_with_one_of_them(bots: Company) -> None:
    bots.persons.spoke("Bob")
    bots.company.news.add("Alice", POPPY)
    await bots.pass_time(15)
    bots.persons.spoke("Bob")
    await bots.pass_time(15)
    assert bots.said == []
    assert await bots.hear()


def told_to_be_quiet(bots: Company) -> None:
    bots.rig.bots["Alice"].quiet = True


def out_of_earshot(bots: Company) -> None:
    bots.world.teleport("Bob", Position(60.5, 64, 8.5))


def out_of_the_world(bots: Company) -> None:
    for name in ("Alice", "Bob"):
        bots.rig.bridge.faults.refuse_spawn(name, "kicked", "not now", times=99)
        bots.rig.bridge.drop_connection(name)


@pytest.mark.parametrize("hinder", [told_to_be_quiet, out_of_earshot, out_of_the_world])
async def test_a_bot_may_have_no_reason_to_speak(
    bots: Company, hinder: Callable[[Company], None]
) -> None:
    hinder(bots)
    bots.company.news.add("Alice", POPPY)
    await bots.pass_time(AN_EXCHANGE_S)
    assert bots.said == []


@pytest.mark.parametrize("permissions", [STRANGERS])
async def test_on_a_server_of_others_only_trusted_players_are_talked_to(
    rig: Rig, tmp_path: Path, permissions: Permissions
) -> None:
    rig.world.person("Alex", NEAR)
    rig.world.person("Zoe", NEAR)
    async with living_together(rig, tmp_path, is_ours=False) as bots:
        bots.company.people = frozenset({"Alex", "Zoe"})
        await bots.hear(POPPY)
        assert set(bots.said[0].facts["to"]) == {"Alex", "Bob"}


async def test_people_are_spoken_to_in_the_language_they_use(bots: Company) -> None:
    steve = bots.world.person("Steve", NEAR)
    steve.whisper("Alice", "こんにちは")
    await until(lambda: bots.rig.fired)
    bots.company.people = frozenset({"Steve"})
    [remark, *_] = await bots.hear(POPPY)
    assert "ポピー" in remark


async def test_bots_left_alone_for_long_talk_more_seldom(bots: Company) -> None:
    assert bots.company.pace == 1
    await bots.clock.advance(LIVELY_FOR_S + 1)
    assert bots.company.pace == DULL
    bots.world.person("Steve", NEAR)
    await bots.look()
    assert bots.company.pace == 1


async def lines_in_two_minutes(near: Company) -> int:
    """How much is said while there is always something new."""
    before = len(near.said)
    for number in range(12):
        for bot in ("Alice", "Bob"):
            near.company.news.add(bot, SawBlock(f"{bot}_{number}_ore", 5 + number, "north"))
        await near.pass_time(10)
    return len(near.said) - before


async def test_near_a_person_who_gives_orders_bots_say_little_unasked(bots: Company) -> None:
    bots.world.person("Steve", NEAR)
    await bots.look()
    await bots.hear(POPPY)
    idle = await lines_in_two_minutes(bots)
    bots.persons.spoke("Alice")
    while bots.persons.going_on("Alice"):
        await bots.pass_time(1)
    asked = await lines_in_two_minutes(bots)
    assert 1 <= asked <= idle / 2


@pytest.mark.parametrize(
    ("seen", "word"),
    [
        (TalkedOf("Steve", "what shall we build?"), "what shall we build"),
        (SawFellow("Cara", "visiting", "Steve"), "Cara"),
    ],
)
async def test_nobody_is_spoken_of_as_of_somebody_else_while_they_listen(
    bots: Company, seen: Seen, word: str
) -> None:
    bots.world.person("Steve", NEAR)
    await bots.look()
    await bots.hear(POPPY)
    before = len(bots.said)
    bots.company.news.add("Alice", seen)
    await bots.pass_time(AN_EXCHANGE_S)
    assert not any(word in str(one.facts["text"]) for one in bots.said[before:])


async def test_who_comes_is_greeted_alone(bots: Company) -> None:
    steve, tim = (bots.world.person(name, NEAR) for name in ("Steve", "Tim"))
    await bots.look()
    bots.company.news.add("Alice", Came("Steve", met_before=False))
    while not any("Steve" in line.text for line in steve.inbox):
        await bots.pass_time(1)
    await bots.pass_time(20)
    assert not [line.text for line in tim.inbox if "Steve" in line.text]


KINDS = ("poppy", "torch", "pumpkin", "chest", "dandelion", "oak_log", "sand", "furnace", "bell")
OF_BOTS = re.compile(r"\b(?:Alice|Bob|Cara)\b")


async def told_of_much(together: Company) -> list[Trace]:
    """What is said of many things."""
    for kind in KINDS:
        together.company.news.add("Alice", SawBlock(kind, 5, "north"))
        await together.pass_time(40)
    return together.said


async def test_near_people_they_hear_no_line_that_is_for_one_bot(bots: Company) -> None:
    steve = bots.world.person("Steve", NEAR)
    await bots.look()
    await told_of_much(bots)
    assert len(steve.inbox) > 2
    assert [line.text for line in steve.inbox if OF_BOTS.search(line.text)] == []


async def test_what_is_for_one_bot_is_whispered_to_that_one(bots: Company) -> None:
    await bots.joins("Cara", NEAR)
    said = [one.facts for one in await told_of_much(bots)]
    for_one = [facts for facts in said if OF_BOTS.search(facts["text"])]
    assert for_one
    assert [one for one in for_one if one["to"] != OF_BOTS.findall(one["text"])] == []
