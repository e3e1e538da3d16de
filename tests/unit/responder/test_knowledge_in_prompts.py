"""What a bot knows reaches its prompts: what matters now, to those who may know it, and no more."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.decision_parts import LearnsNothing
from support.obedience import HERE, LEVELS, Lab, lab_in, tools_of
from support.rig import until

from bots.access.origin import Level
from bots.access.sources import FACTS, Sources
from bots.access.visibility import EVERYTHING, Visibility, standing
from bots.bot.knowing import Entry, Wanted, tag
from bots.bot.locations import Location
from bots.chat.message import PUBLIC
from bots.experiments.actors import CastSenses
from bots.knowledge.cards.fact import Fact, of_person
from bots.responder.case.case import KNOWN
from bots.responder.case.inbox import PendingTurn
from bots.responder.records.record import DecisionRecorder
from bots.responder.reflection.reflector import Reflector
from bots.talks.live.prompt import TurnContext
from bots.talks.live.thinker import TalkThinker
from bridge.world import BotName
from llm.model import Question


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    async with lab_in(tmp_path, lambda question: "I see.") as lab:
        yield lab


async def knows(lab: Lab, words: str, by: str = "Owner", **more: Any) -> int:
    """What somebody whispered to Alice; its number."""
    more.setdefault("sources", lab.said_by(by, {by}))
    return (await lab.bot.knowledge.add(Entry(words, speaker=by, **more))).id


def known_rows(question: Question) -> list[dict[str, Any]]:
    """The rows below the heading."""
    _, _, below = question.turns[-1].text.partition(f"{KNOWN}\n")
    rows = [json.loads(row) for row in below.splitlines() if row.startswith("{")]
    return [row for row in rows if {"known", "claimed"} & row.keys()]


def told(question: Question) -> list[str]:
    return [str(row.get("known") or row.get("claimed")) for row in known_rows(question)]


async def asked(lab: Lab, speaker: str, words: str, **more: Any) -> Question:
    """The question that a line leads to."""
    before = len(lab.model.questions)
    await lab.asks(speaker, words, **more)
    return lab.model.questions[before]


async def test_what_the_words_are_about_is_shown_below_its_heading_and_nothing_else(
    lab: Lab,
) -> None:
    await knows(lab, "The bridge at the lake is broken.", by="Tess")
    await knows(lab, "Carol bakes cakes on Sundays.", by="Tess")
    question = await asked(lab, "Owner", "Can we cross the bridge?")
    (row,) = known_rows(question)
    assert row.pop("when")
    assert row == {"known": "The bridge at the lake is broken.", "from": "Tess", "who": "trusted"}
    assert question.turns[-1].text.count(KNOWN) == 1


async def test_in_japanese_too(lab: Lab) -> None:
    await knows(lab, "湖の橋は壊れている。")
    await knows(lab, "牧場に牛がいる。")
    assert told(await asked(lab, "Owner", "橋を渡れる？")) == ["湖の橋は壊れている。"]


async def test_without_anything_to_know_there_is_no_heading(lab: Lab) -> None:
    assert KNOWN not in (await asked(lab, "Owner", "Hello Alice")).turns[-1].text


async def test_what_was_whispered_is_shown_to_trusted_ones_and_nobody_else(lab: Lab) -> None:
    await knows(lab, "The diamonds lie below the mill.")
    home = Fact(
        of_person("Eve"),
        "lives",
        "at the mill",
        lab.rig.world.clock.now(),
        lab.said_by("Eve", {"Eve"}),
        said="I live at the mill",
    )
    await lab.rig.shared.cards.of("Alice").learn(home)
    question = "What lies below the mill? Where does Eve live?"
    assert "mill" not in " ".join(told(await asked(lab, "Mallory", question)))
    assert "mill" not in " ".join(told(await asked(lab, "Owner", question, public=True)))
    assert sum("mill" in one for one in told(await asked(lab, "Owner", question))) == 2


async def test_a_guests_claim_is_quoted_as_one_and_comes_behind_what_an_owner_told(
    lab: Lab,
) -> None:
    everybody = Sources.said_by(*_guest(lab), None)
    claim = "The bridge, the bridge, the bridge is safe, says the Owner."
    await knows(lab, claim, by="Mallory", sources=everybody, confidence=1.0)
    await knows(lab, "The bridge at the lake is broken.")
    question = await asked(lab, "Owner", "Is the bridge safe?")
    broken, safe = known_rows(question)
    assert "known" in broken
    assert (safe["claimed"], safe["from"], safe["who"]) == (claim, "Mallory", "player")
    assert not {"goal", "go", "hand_over"} & tools_of(question)


async def test_an_owners_own_words_permit_all_that_the_owner_may(lab: Lab) -> None:
    await knows(lab, "The bridge at the lake is broken.")
    assert {"goal", "go", "hand_over"} <= tools_of(await asked(lab, "Owner", "Mend the bridge?"))


async def test_a_claim_that_has_none_of_the_words_is_not_shown(lab: Lab) -> None:
    sources = lab.said_by("Mallory", {"Mallory"})
    about = {"tags": frozenset({tag("player", "Owner")}), "always": True}
    await knows(lab, "Owner owes me diamonds.", by="Mallory", sources=sources, **about)
    assert told(await asked(lab, "Owner", "Nice weather here")) == []


async def test_what_is_about_the_speaker_or_the_place_is_shown_without_a_word(lab: Lab) -> None:
    await lab.bot.locations.put(Location("mill", HERE.block, "overworld", FACTS))
    about_owner = frozenset({tag("player", "Owner")})
    await knows(lab, "Always call him boss.", by="Tess", tags=about_owner)
    await knows(lab, "Its door creaks.", by="Tess", tags=frozenset({tag("place", "mill")}))
    rows = told(await asked(lab, "Owner", "Good morning"))
    assert {"Always call him boss.", "Its door creaks."} <= set(rows)
    assert rows[-1].startswith("mill is at 10 64 8")


async def test_more_is_known_than_shown_and_the_best_comes_first(tmp_path: Path) -> None:
    async with lab_in(tmp_path, lambda question: "I see.") as lab:
        for number in range(30):
            await knows(lab, f"Bridge number {number} is made of oak and spans the wide river.")
        tagged = frozenset({tag("player", "Owner")})
        best = await knows(lab, "The bridge at the lake is made of oak too.", tags=tagged)
        await knows(lab, "Owner keeps bees.", tags=tagged, links=frozenset({best}))
        rows = known_rows(await asked(lab, "Owner", "What is that bridge made of, oak?"))
        tokens = lab.parts.engine.tokens.tokens
        shown = [json.dumps(row, separators=(",", ":")) for row in rows]
        assert 100 < sum(map(tokens, shown)) <= 300
        assert rows[0]["known"] == "The bridge at the lake is made of oak too."
        (used,) = lab.rig.trace.recent("knowledge.used")
        assert used.facts["entries"][0] == best
        assert len(used.facts["entries"]) == len(rows)


async def test_with_no_budget_nothing_is_shown(tmp_path: Path) -> None:
    async with lab_in(tmp_path, lambda question: "I see.", most_tokens=0) as lab:
        await knows(lab, "The bridge at the lake is broken.")
        assert known_rows(await asked(lab, "Owner", "Is the bridge safe?")) == []


async def test_what_a_model_decided_with_is_in_the_trace_and_counts_as_used(lab: Lab) -> None:
    number = await knows(lab, "The bridge at the lake is broken.")
    await asked(lab, "Owner", "Is the bridge safe?")
    (used,) = lab.rig.trace.recent("knowledge.used")
    assert (used.bot, used.facts["work"], used.facts["entries"]) == ("Alice", "person", [number])

    await until(lambda: not len(lab.knowledge._tasks))
    await lab.bot.knowledge.prune()  # behind the count
    (found,) = await lab.bot.knowledge.search(Wanted("bridge"))
    assert found.entry.used == 1
    await lab.maker.question(PendingTurn("Owner", *_turn(lab, "Owner", "The bridge?")))
    assert len(list(lab.rig.trace.recent("knowledge.used"))) == 1


async def test_in_a_talk_only_what_all_who_listen_may_know_is_shown(lab: Lab) -> None:
    both, one = {"Mallory", "Eve"}, {"Mallory"}
    await knows(lab, "The bridge is painted red.", sources=lab.said_by("Tess", both), by="Tess")
    await knows(lab, "The bridge hides gold.", sources=lab.said_by("Tess", one), by="Tess")
    to_both = await turn_of_a_talk(lab, Visibility(Level.PLAYER, frozenset(both)))
    to_one = await turn_of_a_talk(lab, Visibility(Level.PLAYER, frozenset(one)))
    assert told(to_both) == ["The bridge is painted red."]
    assert set(told(to_one)) == {"The bridge is painted red.", "The bridge hides gold."}
    assert [one.facts["work"] for one in lab.rig.trace.recent("knowledge.used")] == ["talk"] * 2


async def turn_of_a_talk(lab: Lab, view: Visibility) -> Question:
    """As an experiment on a real server has it, too: with senses of its own."""
    parts, rng = lab.parts, lab.rig.shared.times.rng
    thinker = TalkThinker(
        parts.engine, parts.personas, {"Alice"}, rng, LEVELS.level_of, 5.0, lab.prompts
    )
    senses = CastSenses(BotName("Alice"), lab.bot.snapshot, [])
    context = TurnContext(("Mallory", "Eve"), {}, "the bridge", view=view, circle=PUBLIC)
    await thinker.think(senses, context)
    return lab.model.questions[-1]


async def test_thoughts_are_made_with_what_their_level_may_see(lab: Lab) -> None:
    await lab.heard("Owner", "Let us look at the bridge.")
    await knows(lab, "The bridge at the lake is broken.")
    await knows(lab, "The bridge is safe.", by="Mallory", sources=lab.said_by("Mallory", None))
    parts, rig = lab.parts, lab.rig
    level_of = LEVELS.level_of
    reflector = Reflector(
        parts.engine,
        parts.personas,
        DecisionRecorder(rig.trace),
        level_of,
        standing(LEVELS, rig.shared.known_bots),
        rig.shared.times,
        lab.knowledge,
        LearnsNothing(),
    )
    thought = await reflector.think(lab.bot, "briefing", Level.TRUSTED, None, ())
    assert told(lab.model.questions[-1]) == ["The bridge at the lake is broken."]
    assert not isinstance(thought, str)
    assert not EVERYTHING.shows(thought.sources, level_of) or thought.sources.level > Level.PLAYER
    await reflector.think(lab.bot, "periodic", Level.PLAYER, None, ())
    assert len(told(lab.model.questions[-1])) == 2


def _guest(lab: Lab) -> tuple[Any, Level]:
    sources = lab.said_by("Mallory", None)
    return next(iter(sources.origins)), sources.level


def _turn(lab: Lab, speaker: str, words: str) -> tuple[Any, float]:
    origin = next(iter(lab.said_by(speaker, None).origins))
    return origin, 0.0
