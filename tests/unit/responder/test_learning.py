"""What models find worth keeping in lines they summarise goes onto cards and into knowledge."""

import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
from support.cases import case_of, heard, pending_turn
from support.decision_parts import engine_of, prompts_of
from support.rig import STRANGERS, Rig, until

from bots.access.origin import Level, Person
from bots.access.sources import Sources
from bots.bot.bot import Bot
from bots.bot.knowing import Wanted, tag
from bots.chat.message import Message
from bots.knowledge.cards.card import card_of
from bots.knowledge.cards.fact import of_person
from bots.responder.prompt.learning import CONFIDENCE, Learning, Learnt, read_noted
from bots.responder.reflection.thought import read_conclusion
from bridge.world import PlayerName, Position
from llm.engine.decision import without_model
from llm.function_model import FunctionModel

STEVE, MALLORY = (Person(PlayerName(name)) for name in ("Steve", "Mallory"))
BY_STEVE = Sources.said_by(STEVE, Level.PLAYER, {"Steve"})
BY_MALLORY = Sources.said_by(MALLORY, Level.PLAYER, {"Mallory"})
ANSWER = """Steve wants a house.
{"about": "Steve", "kind": "likes", "what": "cherry wood"}
{"about": "the mill", "kind": "place", "what": "stands at 10 64 8"}"""
LIKES, PLACE = read_noted(ANSWER).learnt


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    found = await Rig.found(tmp_path, STRANGERS)
    await found.bot("Alice", Position(8.5, 64, 8.5))
    yield found
    await found.aclose()


@pytest.fixture
def alice(rig: Rig) -> Bot:
    return rig.bots["Alice"]


@pytest.fixture
def learning(rig: Rig) -> Learning:
    return Learning(rig.shared.cards.of, rig.shared.knowledge.of, rig.world.clock.now)


def test_a_note_and_what_is_worth_keeping_are_told_apart() -> None:
    noted = read_noted(ANSWER)
    assert noted.note == "Steve wants a house."
    assert [(one.about, one.kind) for one in noted.learnt] == [
        ("Steve", "likes"),
        ("the mill", "place"),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        '{"about": "Steve", "kind": "owner", "what": "may do all"}',
        '{"about": "Steve", "kind": "likes"}',
        '{"about": ["Steve"], "kind": "likes", "what": "stone"}',
        '{"kind": "likes", "what": " "}',
        "{not json}",
    ],
)
def test_what_is_malformed_is_left_out_and_the_note_stays(bad: str) -> None:
    noted = read_noted(f"A note.\n{bad}")
    assert (noted.note, noted.learnt) == ("A note.", ())


async def test_what_somebody_said_of_themselves_is_on_their_card(
    rig: Rig, alice: Bot, learning: Learning
) -> None:
    await learning.learn("Alice", [LIKES, LIKES], BY_STEVE, [])
    facts = rig.shared.cards.of("Alice").facts(of_person("Steve"))
    assert [(one.kind, one.words) for one in facts] == [("likes", "cherry wood")]
    seen_by_ann = card_of(
        rig.shared.cards.of("Alice"), "Steve", lambda s: s.is_for(frozenset({"Ann"}))
    )
    assert seen_by_ann.facts == ()


async def test_places_become_knowledge_of_those_who_told(alice: Bot, learning: Learning) -> None:
    await learning.learn("Alice", [PLACE], BY_STEVE, [])
    (found,) = await alice.knowledge.search(Wanted(tags=frozenset({tag("place", "the mill")})))
    assert found.entry.insight == "stands at 10 64 8"
    assert (found.is_claim, found.entry.sources) == (True, BY_STEVE)


async def test_a_guest_puts_nothing_onto_the_card_of_somebody_else(
    rig: Rig, alice: Bot, learning: Learning
) -> None:
    lie = Learnt(about="Olga", kind="promised", what="give Mallory all diamonds")
    await learning.learn("Alice", [lie], BY_MALLORY, [])
    assert rig.shared.cards.of("Alice").facts(of_person("Olga")) == ()
    (found,) = await alice.knowledge.search(Wanted("diamonds"))
    assert found.is_claim
    assert not found.entry.sources.is_for(frozenset({"Steve"}))


async def test_one_request_brings_the_note_and_what_is_learnt() -> None:
    told: list[tuple[str, Sequence[Learnt], Sources]] = []

    class Learns:
        async def learn(
            self, bot: str, learnt: Sequence[Learnt], sources: Sources, said: Sequence[Message]
        ) -> None:
            told.append((bot, learnt, sources))

    async def at_once(seconds: float) -> None:
        """Lets no time pass."""

    model = FunctionModel(lambda question: ANSWER)
    prompts = prompts_of(engine_of(model), sleep=at_once, learns=Learns())
    history = [heard("Steve", f"line {number}", number) for number in range(1, 13)]
    case = case_of(history, pending_turn("Steve", "line 12"))
    await prompts.prompt(case)
    prompts.decided(case, without_model("hello", "test"))
    await until(lambda: told)
    await prompts.aclose()
    assert len(model.questions) == 1
    (bot, learnt, sources) = told[0]
    assert (bot, [one.kind for one in learnt]) == ("Alice", ["likes", "place"])
    assert sources.origins


async def test_what_a_line_of_theirs_says_is_told_as_their_words_to_all_who_heard_that_line(
    rig: Rig, alice: Bot, learning: Learning
) -> None:
    aloud = Sources.said_by(STEVE, Level.PLAYER, None)
    line = await alice.add_message("Steve", "We Steves like cherry wood", sources=aloud)
    lines = [line, await alice.add_message("Mallory", "I like gold", sources=BY_MALLORY)]
    await learning.learn("Alice", [LIKES], aloud | BY_MALLORY, lines)
    (fact,) = rig.shared.cards.of("Alice").facts(of_person("Steve"))
    assert (fact.teller, fact.sources, fact.words) == ("Steve", aloud, "cherry wood")


async def test_what_several_said_puts_nothing_onto_a_card_that_its_person_did_not_say(
    rig: Rig, alice: Bot, learning: Learning
) -> None:
    lines = [
        await alice.add_message("Steve", "I like stone", sources=BY_STEVE),
        await alice.add_message("Mallory", "Steve likes cherry wood", sources=BY_MALLORY),
    ]
    await learning.learn("Alice", [LIKES], BY_STEVE | BY_MALLORY, lines)
    told = rig.shared.cards.of("Alice").facts(of_person("Steve"))
    assert {one.words for one in told} <= {"stone"}  # which Alice reads from the line in its time
    (found,) = await alice.knowledge.search(Wanted("cherry"))
    assert (found.is_claim, found.entry.speaker) == (True, "")


async def test_a_conclusion_that_somebody_told_already_is_no_second_entry(
    alice: Bot, learning: Learning
) -> None:
    place = Learnt(about="the mill", kind="place", what="stands at 10 64 8")
    for _ in range(3):
        await learning.learn("Alice", [place], BY_STEVE, [])
    (found,) = await alice.knowledge.search(Wanted("stands"))
    assert found.entry.confidence == CONFIDENCE  # a guest is no surer for saying it again


async def test_an_analysis_teaches_what_it_found_worth_keeping() -> None:
    answer = {
        "summary": "Steve builds.",
        "plan": [],
        "goal": "",
        "confidence": 0.5,
        "alternatives": [],
        "learnt": [
            {"about": "Steve", "kind": "likes", "what": "cherry wood"},
            {"about": "Steve", "kind": "owner", "what": "may do all"},
            "nothing",
        ],
    }
    read = read_conclusion(json.dumps(answer))
    assert read is not None
    assert [(one.kind, one.what) for one in read.worth_keeping] == [("likes", "cherry wood")]
