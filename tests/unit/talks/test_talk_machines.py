"""Speakers who answer like machines: in a group talk they are left alone, too."""

import asyncio

import pytest
from support.daemons import Town
from support.live_talks import numbered, over, policy, talking
from support.rig import until

from bots.talks.live.talk import LiveTalk
from bridge.world import Position

HERE = Position(8.5, 64, 8.5)
HANDFUL = 6  # as talk.max_turns_without_person is by default
FOREIGN_WORDS = "I quite agree with all that you have just said about the bridge"


async def answer_each_line(talk: LiveTalk) -> int:
    """Answer at once whatever the bots say, as the bot of another program does; how often.

    What they said between two looks gets one answer: two lines without one between are a person's,
    who asks again."""
    answered = heard = 0
    while not talk.machine.ended:
        if heard < (said := sum(line.speaker != "Robo" for line in talk.lines)):
            heard, answered = said, answered + 1
            talk.say("Robo", f"{FOREIGN_WORDS}, for the {answered}th time")
        await asyncio.sleep(0.005)
    return answered


@pytest.mark.slow
async def test_a_foreign_bot_in_a_talk_does_not_keep_it_going(town: Town) -> None:
    """Each of its lines counted as a person's, and the talk went on to its last turn."""
    robo = town.world.person("Robo", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        going_by = policy(turns=40, bot_turns=3, silence_s=1.0)
        talk = await daemon.talk("Alice", "Bob", "Robo", policy=going_by)
        answering = asyncio.create_task(answer_each_line(talk))
        assert await over(talk) == "silence"
        await answering
        heard = [line for line in talk.lines if line.speaker == "Robo"]
        assert len(heard) <= HANDFUL + 1
        while "as fast as a machine" not in (await robo.hears()).text:
            pass


async def test_scripted_people_of_an_experiment_may_answer_like_clocks(town: Town) -> None:
    town.world.person("Robo", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        going_by = policy(turns=24, bot_turns=3, silence_s=5.0)
        talk = await daemon.talk("Alice", "Bob", "Robo", policy=going_by, brakes_machines=False)
        answering = asyncio.create_task(answer_each_line(talk))
        assert await over(talk) == "turns"
        await answering
        await until(lambda: sum(line.speaker == "Robo" for line in talk.lines) > HANDFUL)
