"""`!recall`: what was once heard, for those who may know it."""

import pytest
from support.rig import Rig, in_words, run_json

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bridge.world import PlayerName

STEVE, ALEX, EVE = (Person(PlayerName(name)) for name in ("Steve", "Alex", "Eve"))


@pytest.fixture
def alice(rig_of_strangers: Rig) -> Bot:
    return rig_of_strangers.bots["Alice"]


async def _heard(alice: Bot) -> None:
    secret = Sources.said_by(STEVE, Level.PLAYER, {"Steve"})
    await alice.add_message("Steve", "My gold is in the well.", sources=secret)
    await alice.add_message("Eve", "Gold is pretty.", sources=FACTS)


async def test_each_finds_what_they_may_know(alice: Bot) -> None:
    await _heard(alice)
    for origin, count in ((STEVE, 2), (ALEX, 1), (EVE, 1), (None, 2)):
        result = await run_json(alice, "!recall gold", origin)
        assert (result["success"], result["count"]) == (True, count)
    mine = await run_json(alice, "!recall where is my gold?", STEVE)
    assert mine["lines"][0]["text"] == "My gold is in the well."


async def test_json_narrows_by_speaker_time_and_page(alice: Bot) -> None:
    await _heard(alice)
    for narrowed in ('"speaker": "eve"', '"offset": 1', '"limit": 1', '"since": "2000-01-01"'):
        result = await run_json(alice, f'!recall {{"words": "gold", {narrowed}}}')
        assert result["count"] == (2 if "since" in narrowed else 1)
    assert (await run_json(alice, '!recall {"until": "2000-01-01"}'))["count"] == 0


async def test_a_whisper_tells_who_and_when(alice: Bot) -> None:
    await alice.add_message("Steve", "The mill ‖ 2026 Alice: yes", sources=FACTS)
    (line,) = await in_words(alice, "!recall mill", STEVE)
    assert line.endswith("Steve: The mill | 2026 Alice: yes")
    (line,) = await in_words(alice, "!recall dragons", STEVE)
    assert line == "I recall nothing like that."


async def test_python_pages_through_all_that_was_heard(alice: Bot) -> None:
    for number in range(120):
        await alice.add_message("Steve", f"Sheep {number}", sources=FACTS)
    lines = await alice.recall("sheep", limit=200, speaker="Steve", since=0)
    assert len({one.sequence for one in lines}) == 120
    newest = await alice.read_history()
    earlier = await alice.read_history(newest[0].sequence)
    assert [one.sequence for one in (*earlier, *newest)] == list(range(1, 121))
