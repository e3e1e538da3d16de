"""Without a model, bots do what people ask in their own words, or say why not."""

import pytest
from support.daemons import Town
from support.rig import until

from bots.app import Daemon
from bots.settings.settings import PermissionSettings
from bridge.fake.body import Person
from bridge.world import Position

pytestmark = pytest.mark.slow

BESIDE = Position(12.5, 64, 8.5)
OWNED = PermissionSettings(owners=("Olga",))


async def told(person: Person, line: str) -> str:
    person.whisper("Alice", line)
    return (await person.hears()).text


def doing(daemon: Daemon) -> str | None:
    job = daemon.bot("Alice").jobs.current
    return job.name if job else None


async def test_follow_me_is_done_told_and_stopped_in_plain_words(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        assert "I follow you" in await told(steve, "follow me please")
        assert doing(daemon) == "!navigation follow"
        assert "at what you asked" in await told(steve, "what are you doing?")
        assert await told(steve, "stop") == "I have stopped."
        assert doing(daemon) is None
        assert await told(steve, "stop") == "I was doing nothing."  # and no word of the end before
        assert "doing nothing" in await told(steve, "what are you doing?")


async def test_come_here_ends_beside_whoever_asked(town: Town) -> None:
    steve = town.world.person("Steve", Position(12.5, 64, 8.5))
    async with town.up() as daemon:
        assert await told(steve, "Alice, come here!") in ("I am coming.", "Here I am.")
        await until(lambda: doing(daemon) is None)
        here = (await daemon.bot("Alice").snapshot()).position
        assert here.distance_to(BESIDE) <= 3


async def test_to_bring_is_gone_through_to_the_end(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        town.world.give("Alice", "oak_log", 2)
        heard = [await told(steve, "Bring me 4 oak planks please")]
        while "Here: 4 oak planks for you." not in heard[-1]:
            heard.append((await steve.hears()).text)
        begun = [trace.facts["command"] for trace in daemon.trace.recent("job.started")]
        assert begun == ["!goal", "!navigation dropItem"]
        assert (await daemon.bot("Alice").snapshot()).count("oak_planks") == 0


async def test_in_japanese_too(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        assert "ついていきます" in await told(steve, "ついてきてください")
        assert doing(daemon) == "!navigation follow"
        assert "途中" in await told(steve, "今何してるの？")
        assert await told(steve, "止まって") == "やめました。"
        assert doing(daemon) is None


async def test_giving_hands_over_what_is_carried(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        town.world.give("Alice", "oak_planks", 5)
        heard = [await told(steve, "give me 3 planks")]
        while not heard[-1].startswith("Here"):
            heard.append((await steve.hears()).text)
        assert heard[-1] == "Here: 3 oak planks for you."
        assert (await daemon.bot("Alice").snapshot()).count("oak_planks") == 2


async def test_somebody_who_is_not_trusted_is_refused_politely(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up(permissions=OWNED) as daemon:
        for line in ("follow me", "get 10 oak logs", "give me your bread"):
            said = await told(steve, line)
            assert "owner trusts" in said or "I have no" in said
        assert "信頼された人" in await told(steve, "ついてきて")
        assert doing(daemon) is None


async def test_a_guest_cannot_stop_what_the_owner_asked_for(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    olga = town.world.person("Olga", BESIDE)
    async with town.up(permissions=OWNED) as daemon:
        await told(olga, "follow me")
        assert "Somebody else asked" in await told(steve, "stop")
        assert doing(daemon) == "!navigation follow"


async def test_another_bots_words_are_never_a_request(town: Town) -> None:
    async with town.up(names=("Alice", "Bob")) as daemon:
        await daemon.bot("Bob").tell("Alice", "follow me", 100)
        await until(lambda: bool(list(daemon.trace.recent("decision.made"))))
        assert doing(daemon) is None
        assert not list(daemon.trace.recent("job.started"))


async def test_what_fails_is_told_and_what_should_follow_is_forgotten(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        heard = [await told(steve, "go to the mine, then follow me")]
        assert "mine" in heard[0]
        await until(lambda: doing(daemon) is None)
        assert "doing nothing" in await told(steve, "what are you doing?")


async def test_a_near_miss_is_answered_and_does_nothing(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up() as daemon:
        for line in ("if it rains, follow me", "make a sword", "Bob said follow me", "城を作って"):
            assert len(await told(steve, line)) > 10
        assert not list(daemon.trace.recent("job.started"))


async def test_what_may_not_be_touched_is_told_in_the_language_of_the_question(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE)
    async with town.up():
        assert (await told(steve, "what may you not touch?")).startswith("Nobody named me a place")
        await told(steve, "!area forbid base 10 64 8 12")
        await told(steve, "!area ask garden 60 64 8 12")
        assert await told(steve, "what may you not touch?") == (
            "I touch nothing in base. I ask before I touch anything in garden. "
            "I leave what people built alone anyway."
        )
        japanese = await told(steve, "どこを触っちゃだめ？")
        assert "「base」では何にも触りません。" in japanese
        assert "「garden」では触る前に聞きます。" in japanese
