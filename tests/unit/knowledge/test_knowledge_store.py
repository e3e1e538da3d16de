"""What a bot knows: found by weight, told apart by who told it, bounded, carried elsewhere."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bots.access.origin import Level, Operator, Origin, Person
from bots.access.sources import FACTS, Sources
from bots.bot.knowing import Entry, KnowledgeType, Wanted, tag
from bots.knowledge.retrieval import MOST_CLAIMS, MOST_OF_ONE
from bots.knowledge.store import AllKnowledge, BotKnowledge
from bots.store.database import FILE_NAME, Store
from bridge.world import PlayerName

NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)
OLGA, STEVE, MALLORY = (Person(PlayerName(name)) for name in ("Olga", "Steve", "Mallory"))
PREFERENCES: tuple[KnowledgeType, ...] = ("preference",)
LEVELS: dict[Origin, Level] = {OLGA: Level.OWNER, STEVE: Level.TRUSTED}


class Time:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


class Standing:
    """Who may do what today."""

    def __init__(self) -> None:
        self.levels: dict[str, Level] = {"Olga": Level.OWNER, "Steve": Level.TRUSTED}

    def level_of(self, origin: Origin) -> Level:
        if isinstance(origin, Operator):
            return Level.OWNER
        return self.levels.get(origin.name, Level.PLAYER)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def standing() -> Standing:
    return Standing()


@pytest.fixture
def alice(store: Store, time: Time, standing: Standing) -> BotKnowledge:
    return AllKnowledge(store, time, standing.level_of).of("Alice")


def told(who: Person, insight: str, **fields: Any) -> Entry:
    """What somebody whispered."""
    sources = Sources.said_by(who, LEVELS.get(who, Level.PLAYER), {who.name})
    given = {"sources": sources, "speaker": str(who.name), **fields}
    return Entry(insight, **given)


def seen(insight: str, **fields: Any) -> Entry:
    return Entry(insight, FACTS, learnt_from="seen", **fields)


async def insights(alice: BotKnowledge, wanted: Wanted) -> list[str]:
    return [found.entry.insight for found in await alice.search(wanted)]


async def weights(alice: BotKnowledge, words: str, **how: Any) -> Mapping[str, float]:
    wanted = replace(Wanted(words), **how)
    found = await alice.relevant(wanted)
    return {one.entry.insight: round(one.weight, 6) for one in found}


async def test_the_worked_examples_of_the_weight(alice: BotKnowledge) -> None:
    """3 references, confidence 0.8, 9 uses: 8.3 at depth 0, and 7.79 two links away."""
    well = await alice.add(seen("Wells are deep.", confidence=0.8))
    for number in range(3):
        linked = frozenset({well.id})
        near = await alice.add(seen(f"Ladder {number}.", links=linked))
    await alice.add(seen("A rope.", links=frozenset({near.id})))
    for _ in range(9):
        await alice.mark_used([well.id])
    await alice.prune()  # behind the marks
    (found,) = await alice.search(Wanted("wells"))
    assert (round(found.weight, 6), found.references, found.depth) == (8.3, 3, 0)
    assert (await weights(alice, "rope"))["Wells are deep."] == 7.79


async def test_damping_takes_the_logarithm_of_the_references(alice: BotKnowledge) -> None:
    well = await alice.add(seen("Wells are deep.", confidence=0.5))
    for number in range(100):
        await alice.add(seen(f"Ladder {number}.", links=frozenset({well.id})))
    assert (await weights(alice, "wells"))["Wells are deep."] == 201.5
    damped = (await weights(alice, "wells", damped=True))["Wells are deep."]
    assert damped == pytest.approx(1.5 + 2 * 4.61512, abs=1e-3)


async def test_circles_of_links_end_and_each_entry_comes_once(alice: BotKnowledge) -> None:
    first = await alice.add(seen("Apple."))
    second = await alice.add(seen("Bread.", links=frozenset({first.id})))
    third = await alice.add(seen("Cake.", links=frozenset({first.id, second.id})))
    await alice.update(replace(first, links=frozenset({second.id, third.id})))
    found = await alice.relevant(Wanted("apple"))
    assert sorted((one.entry.insight, one.depth) for one in found) == [
        ("Apple.", 0),
        ("Bread.", 1),
        ("Cake.", 1),
    ]


async def test_links_are_followed_three_deep_and_20_entries_are_given(alice: BotKnowledge) -> None:
    last: frozenset[int] = frozenset()
    for number in range(6):
        entry = await alice.add(seen(f"Step{number}.", links=last))
        last = frozenset({entry.id})
    found = await alice.relevant(Wanted("step5"))
    assert [one.depth for one in sorted(found, key=lambda one: one.depth)] == [0, 1, 2, 3]
    for number in range(30):
        await alice.add(seen(f"Sheep number {number}."))
    assert len(await alice.relevant(Wanted("sheep"))) == 20


async def test_what_was_found_before_is_left_out(alice: BotKnowledge) -> None:
    first = await alice.add(seen("Sheep are white."))
    await alice.add(seen("Sheep eat grass.", links=frozenset({first.id})))
    found = await alice.relevant(Wanted("sheep", without=frozenset({first.id})))
    assert [one.entry.insight for one in found] == ["Sheep eat grass."]


async def test_a_claim_of_a_guest_comes_behind_whatever_it_weighs(alice: BotKnowledge) -> None:
    lie = await alice.add(told(MALLORY, "The bridge leads to gold.", confidence=1.0))
    await alice.add(told(OLGA, "The bridge is broken.", confidence=0.1))
    for number in range(9):
        await alice.add(told(MALLORY, f"Proof {number}.", links=frozenset({lie.id})))
        await alice.mark_used([lie.id])
    first, second = await alice.search(Wanted("bridge"))
    assert (first.entry.speaker, first.is_claim) == ("Olga", False)
    assert (second.entry.speaker, second.is_claim, second.references) == ("Mallory", True, 0)


async def test_a_guest_who_repeats_an_owner_changes_nothing_of_it(alice: BotKnowledge) -> None:
    owned = await alice.add(told(OLGA, "The mill is ours."))
    await alice.add(told(MALLORY, "the mill is ours!"))
    assert await alice.merge() == 0
    found = await alice.search(Wanted("mill"))
    assert [one.entry.speaker for one in found] == ["Olga", "Mallory"]
    assert found[0].entry.sources == owned.sources


async def test_the_same_told_again_is_one_entry_for_all_who_heard_it(alice: BotKnowledge) -> None:
    first = await alice.add(told(STEVE, "The mill grinds.", confidence=0.5))
    aloud = Sources.said_by(STEVE, Level.TRUSTED, None)
    again = await alice.add(told(STEVE, "The MILL grinds!", sources=aloud))
    assert (again.id, again.confidence, again.sources.audience) == (first.id, 0.8, None)


async def test_somebody_else_under_a_name_makes_no_secret_known(alice: BotKnowledge) -> None:
    secret = await alice.add(told(OLGA, "The key is under the mat."))
    impostor = Sources.said_by(OLGA, Level.PLAYER, None)
    again = await alice.add(told(OLGA, "The key is under the mat.", sources=impostor))
    assert (again.id, again.sources) == (secret.id, secret.sources)


async def test_what_is_seen_again_is_surer(alice: BotKnowledge) -> None:
    await alice.add(seen("Creepers fear cats.", confidence=0.5))
    again = await alice.add(seen("Creepers fear cats.", confidence=0.5))
    assert again.confidence == 0.625
    assert len(await alice.search(Wanted())) == 1


async def test_who_may_not_know_an_entry_neither_finds_nor_reaches_it(alice: BotKnowledge) -> None:
    secret = await alice.add(told(STEVE, "My gold is in the well."))
    await alice.add(seen("Gold is heavy.", links=frozenset({secret.id})))

    def guest(sources: Sources) -> bool:
        return sources.is_for(frozenset({"Mallory"}))

    found = await alice.relevant(Wanted("gold", may_know=guest))
    assert [one.entry.insight for one in found] == ["Gold is heavy."]
    assert await insights(alice, Wanted("well", may_know=guest)) == []


async def test_who_is_trusted_no_longer_makes_claims_from_then_on(
    alice: BotKnowledge, standing: Standing
) -> None:
    await alice.add(told(STEVE, "The mill grinds."))
    assert not (await alice.search(Wanted("mill")))[0].is_claim
    standing.levels.clear()
    assert (await alice.search(Wanted("mill")))[0].is_claim


async def test_claims_are_relevant_only_by_their_words(alice: BotKnowledge) -> None:
    about = frozenset({tag("player", "Steve")})
    await alice.add(told(MALLORY, "Steve steals.", tags=about))
    await alice.add(told(OLGA, "He likes birch.", tags=about))
    tagged = await alice.relevant(Wanted(tags=about))
    assert [one.entry.speaker for one in tagged] == ["Olga"]
    asked = await alice.relevant(Wanted("does Steve steal?", tags=about))
    assert [one.entry.speaker for one in asked] == ["Olga", "Mallory"]


async def test_an_empty_moment_has_only_what_always_matters(alice: BotKnowledge) -> None:
    await alice.add(seen("Sheep are white."))
    await alice.add(seen("Be kind.", always=True))
    await alice.add(seen("Zombies come.", situations=frozenset({"night"})))
    for situations, expected in (
        ({"day"}, ["Be kind."]),
        ({"night"}, ["Be kind.", "Zombies come."]),
    ):
        found = await alice.relevant(Wanted("ok", situations=frozenset(situations)))
        assert sorted(one.entry.insight for one in found) == expected


async def test_entries_are_found_by_tags_and_in_japanese(alice: BotKnowledge) -> None:
    await alice.add(seen("Grows slowly.", tags=frozenset({tag("item", "birch_log")})))
    await alice.add(told(STEVE, "湖の橋は壊れています。"))
    assert await insights(alice, Wanted("birch")) == ["Grows slowly."]
    assert await insights(alice, Wanted("橋のことを知っていますか？")) == ["湖の橋は壊れています。"]


async def test_a_search_narrows_by_type_speaker_tag_and_confidence(alice: BotKnowledge) -> None:
    await alice.add(told(STEVE, "Steve likes birch.", type="preference", confidence=0.9))
    await alice.add(seen("Birch burns.", tags=frozenset({tag("item", "Birch_Log")})))
    for narrow, expected in (
        (Wanted("birch", types=PREFERENCES), ["Steve likes birch."]),
        (Wanted("birch", speaker="Steve"), ["Steve likes birch."]),
        (Wanted(tags=frozenset({tag("item", "birch_log")})), ["Birch burns."]),
        (Wanted("birch", least_confidence=0.85), ["Steve likes birch."]),
    ):
        assert await insights(alice, narrow) == expected


async def test_what_has_expired_is_known_no_more(alice: BotKnowledge, time: Time) -> None:
    tomorrow = NOON + timedelta(days=1)
    await alice.add(told(STEVE, "Dinner is at six.", expires_at=tomorrow))
    assert await insights(alice, Wanted("dinner")) == ["Dinner is at six."]
    time.now = tomorrow
    assert await insights(alice, Wanted("dinner")) == []
    assert await alice.prune() == 1


async def test_a_talkative_guest_pushes_out_guests_alone(alice: BotKnowledge, time: Time) -> None:
    await alice.add(told(OLGA, "The mill is ours."))
    await alice.add(told(Person(PlayerName("Gus")), "I like cake."))
    for number in range(MOST_OF_ONE + 5):
        time.now += timedelta(hours=1)
        await alice.add(told(MALLORY, f"Lie number {number}."))
    lies = await insights(alice, Wanted(speaker="Mallory", limit=1_000))
    assert len(lies) == MOST_OF_ONE
    assert "Lie number 0." not in lies
    assert len(await insights(alice, Wanted("mill cake"))) == 2


async def test_many_guests_together_push_out_no_owner(alice: BotKnowledge) -> None:
    await alice.add(told(OLGA, "The mill is ours."))
    guests = (Person(PlayerName(f"Guest{number}")) for number in range(MOST_CLAIMS + 20))
    for guest in guests:
        await alice.add(told(guest, "Give me all."))
    found = await alice.search(Wanted(limit=10_000))
    assert len(found) == MOST_CLAIMS + 1
    assert found[0].entry.speaker == "Olga"


async def test_what_is_of_use_outlasts_what_is_not(alice: BotKnowledge, time: Time) -> None:
    useful = await alice.add(told(MALLORY, "Lie number 0."))
    for number in range(1, MOST_OF_ONE + 1):
        await alice.mark_used([useful.id])
        await alice.add(told(MALLORY, f"Lie number {number}."))
    assert "Lie number 0." in await insights(alice, Wanted(speaker="Mallory", limit=100))


async def test_knowledge_outlasts_a_restart_and_is_of_one_bot(
    tmp_path: Path, store: Store, alice: BotKnowledge, time: Time
) -> None:
    tags = frozenset({tag("place", "Lake")})
    kept = await alice.add(
        told(
            STEVE,
            "The bridge is broken.",
            type="correction",
            topic="bridge",
            context="after the storm",
            tags=tags,
            situations=frozenset({"night"}),
            always=True,
            utterance=7,
            expires_at=NOON + timedelta(days=9),
        )
    )
    await store.aclose()
    again = await Store.open(tmp_path / FILE_NAME)
    bots = AllKnowledge(again, time, lambda origin: Level.PLAYER)
    (found,) = await bots.of("Alice").search(Wanted("bridge"))
    assert found.entry == kept
    assert await bots.of("Bob").search(Wanted()) == []
    await again.aclose()


async def test_each_may_have_their_own_words_forgotten(alice: BotKnowledge) -> None:
    lie = await alice.add(told(MALLORY, "The mill is mine."))
    truth = await alice.add(told(OLGA, "The mill is ours."))
    gone = await alice.forget([lie.id, truth.id], lambda entry: entry.speaker == "Mallory")
    assert [entry.insight for entry in gone] == ["The mill is mine."]
    assert await insights(alice, Wanted("mill")) == ["The mill is ours."]
    both = Sources(frozenset({STEVE, MALLORY}), Level.PLAYER, frozenset({"Steve"}))
    await alice.add(Entry("They trade.", both, learnt_from="concluded"))
    await alice.add(told(STEVE, "I am a smith."))
    assert await alice.forget_person(STEVE, "Steve") == 2
    assert await insights(alice, Wanted()) == ["The mill is ours."]


async def test_a_changed_entry_is_found_by_its_new_words(alice: BotKnowledge) -> None:
    bridge = await alice.add(told(STEVE, "The bridge is broken."))
    assert await alice.update(replace(bridge, insight="The bridge is whole.")) is not None
    assert await insights(alice, Wanted("whole")) == ["The bridge is whole."]
    assert await insights(alice, Wanted("broken")) == []
    assert await alice.update(replace(bridge, id=999)) is None
