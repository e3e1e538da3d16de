"""A line that calls several bots by name begins a talk with them."""

import asyncio

import pytest
from support.daemons import Town
from support.live_talks import begun, numbered, talking
from support.rig import until

from bots.errors import StoreError
from bots.settings.settings import GroupTalkSettings
from bots.talks.live.start_phrases import called_together
from bots.talks.live.storage import TalkStore
from bridge.world import Position

HERE = Position(8.5, 64, 8.5)
BY_WORDS = GroupTalkSettings(gap_s=0, reading_cps=0, by_words=True)
BOTS = ("Al", "Alice", "Bob", "Cara")


@pytest.mark.parametrize(
    ("line", "called"),
    [
        ("hey Alice, Bob, what shall we build?", ("Alice", "Bob")),
        ("Hey alice and BOB what shall we build?", ("Alice", "Bob")),
        ("Alice, Bob: come here", ("Alice", "Bob")),
        ("Alice, Bob and Cara!", ("Alice", "Bob", "Cara")),
        ("Alice Bob, hello", ("Alice", "Bob")),
        ("Al, Alice, look", ("Al", "Alice")),
        ("ねえ、AliceさんとBobさん、橋を作ろう", ("Alice", "Bob")),
        ("Alice、Bob、こんにちは", ("Alice", "Bob")),
        ("Alice, where is Bob?", ()),
        ("Alice and Bob are far away", ()),
        ("hey Alice, how are you?", ()),
        ("hey Alice, Alice, listen", ()),
        ("hey Alice, Bobby is here", ()),
        ("I saw Alice, Bob, and a cow", ()),
        ("", ()),
    ],
)
def test_a_call_is_told_from_a_mention(line: str, called: tuple[str, ...]) -> None:
    assert called_together(line, BOTS) == called


async def test_a_call_begins_a_talk_with_whoever_called_and_is_answered_in_it(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered(), settings=BY_WORDS) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, what shall we build?")
        talk = await begun(daemon)
        assert [p.name for p in talk.machine.participants] == ["Alice", "Bob", "Steve"]
        await until(lambda: len(talk.lines) > 2)
        first = talk.lines[0]
        assert (first.speaker, first.hearing) == ("Steve", {"Alice": None, "Bob": None})
        assert {made.facts["trigger"] for made in daemon.trace.recent("decision.made")} == {"talk"}


async def test_a_whispered_call_to_a_public_talk_is_its_first_line_and_for_everybody(
    town: Town,
) -> None:
    steve = town.world.person("Steve", HERE)
    aloud = GroupTalkSettings(gap_s=0, reading_cps=0, by_words=True, channel="public")
    async with talking(town.bridge, town.folder, numbered(), settings=aloud) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, what shall we build?")
        talk = await begun(daemon)
        await until(lambda: len(talk.lines) > 2)
        assert talk.lines[0].speaker == "Steve"
        first = daemon.bot("Bob").get_conversation_history(username="Steve")[0].utterance
        assert (first.talk, first.sources.audience) == (talk.number, None)


async def test_two_calls_at_once_are_two_lines_of_one_talk(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered(), settings=BY_WORDS) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, one")
        steve.whisper("Bob", "hey Alice, Bob, two")
        talk = await begun(daemon)
        await until(lambda: [line.speaker for line in talk.lines].count("Steve") == 2)


@pytest.mark.parametrize("why", ["switched off", "not trusted"])
async def test_a_call_that_may_begin_none_is_answered_as_any_line(town: Town, why: str) -> None:
    steve = town.world.person("Steve", HERE)
    settings = GroupTalkSettings(by_words=why != "switched off")
    async with talking(town.bridge, town.folder, numbered(), settings=settings) as daemon:
        if why == "not trusted":
            object.__setattr__(daemon.bot("Alice").permissions, "open_house", False)
        steve.whisper("Alice", "hey Alice, Bob, hello")
        async with asyncio.timeout(5):
            await steve.hears()
        assert daemon.talks.under_way == ()


async def test_a_call_whose_talk_cannot_be_stored_is_answered_as_any_line(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(*_: object) -> int:
        raise StoreError("the disk is full")

    monkeypatch.setattr(TalkStore, "begin", full)
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered(), settings=BY_WORDS) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, hello")
        async with asyncio.timeout(5):
            await steve.hears()
        assert daemon.talks.under_way == ()


@pytest.mark.parametrize("aloud", [False, True])
@pytest.mark.parametrize("line", ["be quiet please", "静かにして", "stop talking"])
async def test_a_talk_ends_for_whoever_has_heard_enough(town: Town, line: str, aloud: bool) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, settings=BY_WORDS) as daemon:
        steve.whisper("Alice", "hey Alice, Bob, what shall we build?")
        talk = await begun(daemon)
        await until(lambda: len(talk.lines) > 2)
        if aloud:
            steve.chat(line)
        else:
            steve.whisper("Alice", line)
            await until(lambda: any(is_quiet(one.text) for one in steve.inbox))
        await until(lambda: not daemon.talks.under_way)
        assert sum(is_quiet(one.text) for one in steve.inbox) == (not aloud)
        responder = daemon.roster.find("Alice").responder
        assert responder is not None
        assert responder._persons.going_on("Cara")


def is_quiet(text: str) -> bool:
    return any(one in text for one in ("quiet.", "Not another word", "静かに", "もう話しません"))
