"""Four known failures of talking bots: endless, deaf, stalled, brought down."""

import asyncio
from time import monotonic

from support.daemons import Town
from support.live_talks import (
    is_of_talk,
    model_of,
    numbered,
    over,
    policy,
    said,
    speaker_of,
    talking,
)
from support.rig import until

from bots.settings.settings import GroupTalkSettings
from bridge.world import Position
from llm.model import Question

HERE = Position(8.5, 64, 8.5)
DEFAULTS = GroupTalkSettings(gap_s=0, reading_cps=0, by_words=False)


async def test_bots_that_always_have_an_answer_end_by_themselves(town: Town) -> None:
    """Two idle bots, nobody near, every answer new: bounded by the usual settings."""
    async with talking(town.bridge, town.folder, numbered(), settings=DEFAULTS) as daemon:
        talk = await daemon.talk("Alice", "Bob")
        await over(talk)
        assert 1 < len(talk.lines) <= DEFAULTS.max_turns_without_person
        before = len(said(daemon, "Alice"))
        assert daemon.talks.under_way == ()
        assert len(said(daemon, "Alice")) == before == len(talk.lines)


async def test_bots_that_repeat_themselves_end_sooner(town: Town) -> None:
    def parrot(name: str, _question: Question) -> str:
        return "Indeed, a very fine day for a walk to the old mill. [Next: Bob]"

    async with talking(town.bridge, town.folder, parrot, settings=DEFAULTS) as daemon:
        talk = await daemon.talk("Alice", "Bob")
        assert await over(talk) in ("repetition", "goodbye")
        assert len(talk.lines) < DEFAULTS.max_turns_without_person


async def test_what_a_third_party_calls_is_known_at_once_and_in_mind_at_the_next_turn(
    town: Town,
) -> None:
    """Cara warns Alice while she talks with Bob."""
    town.world.person("Steve", HERE)
    bob_thinks, warned = asyncio.Event(), asyncio.Event()

    async def answer(name: str, question: Question) -> str:
        if is_of_talk(question) and name == "Bob" and not warned.is_set():
            bob_thinks.set()
            await warned.wait()
        return f"{name} nods."

    model = model_of(answer)
    async with talking(town.bridge, town.folder, model=model) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=3))
        await bob_thinks.wait()
        await daemon.bot("Cara").tell("Alice", "creeper behind you!", 15)
        await until(lambda: ("Cara", "creeper behind you!") in said(daemon, "Alice"), within_s=1)
        warned.set()
        await over(talk)
        turns = [q for q in model.questions if is_of_talk(q) and speaker_of(q) == "Alice"]
        assert "creeper behind you!" in "".join(turn.text for turn in turns[-1].turns)
        assert not any("creeper" in text for _, text in said(daemon, "Bob"))


async def test_a_bot_that_was_busy_answers_within_a_second_of_being_free(town: Town) -> None:
    """Both are busy with strangers when the line comes; nobody has to ask again."""
    steve, alex = (town.world.person(name, HERE) for name in ("Steve", "Alex"))
    chats = {"Alice": steve, "Bob": alex}
    asked: set[str] = set()
    free_bob, alice_said = asyncio.Event(), asyncio.Event()
    answered_at: dict[str, float] = {}

    async def answer(name: str, question: Question) -> str:
        if not is_of_talk(question):
            asked.add(name)
            await (free_bob if name == "Bob" else alice_said).wait()
            return "Yes, I am here."
        answered_at.setdefault(name, monotonic())
        return f"{name} has time again. [Next: {'Bob' if name == 'Alice' else 'Alice'}]"

    async with talking(town.bridge, town.folder, answer) as daemon:
        for bot, person in chats.items():
            person.whisper(bot, "got a minute?")
        await until(lambda: asked == {"Alice", "Bob"})
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=2))
        alice_said.set()
        await until(lambda: talk.machine.owed == ("Bob",))
        assert "Bob" not in answered_at
        freed = monotonic()
        free_bob.set()
        await alex.hears()
        await over(talk)
        assert [line.speaker for line in talk.lines] == ["Alice", "Bob"]
        assert answered_at["Bob"] - freed < 1.0


async def test_talking_to_a_bot_that_is_gone_brings_nothing_down(town: Town) -> None:
    """Bob's connection is lost mid-talk; people, commands and bots go on addressing him."""
    steve = town.world.person("Steve", HERE)

    def answer(name: str, question: Question) -> str:
        if is_of_talk(question) and "Bob" in {str(there) for there in town.world.bodies}:
            town.world.kick("Bob", '{"text":"out"}')
        return f"{name} calls for Bob. [Next: Bob]"

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=6))
        steve.whisper("Bob", "are you there?")
        talk.say("Steve", "Bob?", "Bob")
        await over(talk)
        assert len(talk.lines) >= 3
        assert not daemon.failure.done()
        steve.whisper("Dan", "is everybody well?")
        await until(lambda: list(daemon.trace.recent("reply.sent")))
