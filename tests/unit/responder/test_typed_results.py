"""Rules read typed results of commands, never the text that was cut for a model."""

import pytest
from support.daemons import Town
from support.rig import until

from bots.bot.locations import Location
from bridge.world import Position

FOLLOWING = "I follow you. Say “stop” when it is enough."
PLACES = 40
"""More than fit into the 1,500 characters of a result that a model is shown."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "What are you doing?",
            "I am at what you asked: I follow you. Say “stop” when it is enough.",
        ),
        ("今何してるの？", "頼まれたことの途中です。ついていきます。"),
    ],
)
async def test_a_bot_that_knows_many_places_still_says_that_it_follows(
    town: Town, question: str, answer: str
) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    async with town.up(None) as daemon:
        alice = daemon.bot("Alice")
        for number in range(PLACES):
            place = Location(f"a place with a long name {number}", Position(1, 64, 1), "overworld")
            await alice.locations.put(place)
        steve.whisper("Alice", "Follow me")
        assert (await steve.hears()).text == FOLLOWING
        await until(lambda: alice.doing == ["!navigation follow"])
        steve.whisper("Alice", question)
        assert (await steve.hears()).text == answer
