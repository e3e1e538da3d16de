"""What a player in the world gets from the bots of a running daemon."""

import asyncio

import pytest
from e2e.daemon_client import Json
from e2e.daemon_process import DaemonProcess, daemon_with
from e2e.people import People, Player

from bots.chat.turn_taking import TURNS_WITHOUT_A_PERSON
from bridge.events import WhisperReceived

pytestmark = pytest.mark.real

BOTS = "Alice,Bob,Cara"  # Cara says nothing but in one test, whose burst is timed
LINE_LIMIT = 256
BURST = 50
WRONG = [
    *("!hlep", "!chat", "!chat Nobody hello", '!chat {"username": ', "!goal inventory.wod:1"),
    *("!navigation goto", "!navigation goto nowhere", "!info weather", "!look direction sideways"),
    "!talk start Alice",
]
SPAM_PER_LINE, SPAM_LIMIT, TICK_S = 20, 200, 0.05  # the vanilla server's rule


daemon = daemon_with("--bots", BOTS, TOWNSFOLK_TALK__SMALL_TALK="false")


async def position_of(daemon: DaemonProcess, bot: str) -> str:
    """As the rules word a position."""
    info = await daemon.command(bot, "!info all")
    assert info["success"] is True, info
    where = info["data"]["position"]["position"]
    return " ".join(str(where[axis]) for axis in "xyz")


def said_by(history: list[Json], speaker: str) -> list[str]:
    return [line["content"] for line in history if line["speaker"] == speaker]


async def test_ten_wrong_commands_at_once_are_all_answered_within_12_s_below_the_spam_limit(
    daemon: DaemonProcess, steve: Player
) -> None:
    before = len(steve.heard)
    await asyncio.gather(*(steve.whispers("Cara", command) for command in WRONG))
    for _ in WRONG:
        await steve.hears("Cara", within_s=12)
    answers = steve.heard[before:]
    assert (answers[-1].at - answers[0].at).total_seconds() < 12
    assert any("no command !hlep" in line.text for line in answers)
    assert all("Usage: " in line.text for line in answers if line.text.startswith("message is"))
    assert highest_spam_level(steve.heard) <= SPAM_LIMIT


async def test_a_question_is_answered_by_whisper_in_time_and_truly(
    daemon: DaemonProcess, steve: Player
) -> None:
    async with daemon.watching() as watch:
        answer = await steve.asks("Alice", "Hello Alice, where are you?")
        await watch.next("reply.sent", speaker=steve.name)
    assert await position_of(daemon, "Alice") in answer
    asked, answered = (await daemon.history("Alice", username=f"{steve.name},Alice"))[-2:]
    assert (asked["role"], asked["content"]) == ("user", "Hello Alice, where are you?")
    assert answered["role"] == "assistant"
    facts = answered["content"]
    assert (facts["targetUsername"], facts["delivered"]) == (steve.name, True)
    assert facts["message"].startswith(answer)


@pytest.mark.parametrize("command", ["!help", "!help chat", "!info all", "!status", "!chat Bob hi"])
async def test_a_whispered_command_is_answered_in_short_lines(steve: Player, command: str) -> None:
    answer = await steve.asks("Alice", command)
    await steve.asks("Alice", "!echo enough")
    lines = [line.text for line in steve.heard if line.sender == "Alice"]
    assert lines[0] == answer
    assert 1 <= len(lines) <= 9
    assert all(1 <= len(f"/tell {steve.name} {line}") <= LINE_LIMIT for line in lines)


async def test_made_to_speak_a_bot_is_always_answered(daemon: DaemonProcess, steve: Player) -> None:
    for number in range(TURNS_WITHOUT_A_PERSON + 1):
        async with daemon.watching() as watch:
            await daemon.command("Alice", f"!chat Bob How are you? ({number})")
            answer = await watch.next("reply.sent", bot="Bob", speaker="Alice", within_s=8)
        assert answer["success"] is True
        assert "health" in answer["text"]


async def test_a_bot_named_in_public_answers_in_public(
    daemon: DaemonProcess, steve: Player
) -> None:
    async with daemon.watching() as watch:
        await steve.says("What a morning!")
        await steve.says("Alice, where are you?")
        answer = await watch.next("reply.sent", within_s=8, speaker=steve.name)
    assert answer["bot"] == "Alice"
    heard = await daemon.history("Bob", username=f"{steve.name},Alice")
    assert [line["content"] for line in heard if line.get("public")][-3:] == [
        "What a morning!",
        "Alice, where are you?",
        answer["text"],
    ]


async def test_a_bot_in_a_talk_follows_and_comes_back(daemon: DaemonProcess, steve: Player) -> None:
    async with daemon.watching() as watch:
        await steve.whispers("Alice", "hey Alice, Bob, what shall we build at the lake?")
        begun = await watch.next("talk.begun")
        assert begun["topic"] == "what shall we build at the lake"
        await steve.whispers("Alice", "Bob, follow me")
        while "follow" not in await steve.hears("Bob"):
            pass
        assert "!navigation follow" in (await daemon.bots())["Bob"]["doing"]
        await steve.whispers("Alice", "Bob, how are you?")
        await watch.next("talk.said", bot="Bob", within_s=20)
        await steve.whispers("Alice", "!talk end")
        assert (await watch.next("talk.ended"))["why"] == "asked"
    await daemon.command("Bob", "!stop")


async def test_a_person_who_comes_back_is_answered(daemon: DaemonProcess, people: People) -> None:
    for _ in range(2):
        async with people.player(daemon.minecraft, "Guest") as guest:
            assert await guest.asks("Bob", "How are you?")


async def test_a_burst_is_remembered_in_order_and_answered_together_below_the_spam_limit(
    daemon: DaemonProcess, steve: Player
) -> None:
    lines = [f"where are you? ({number})" for number in range(BURST)]
    async with daemon.watching() as watch:
        await asyncio.gather(*(steve.whispers("Alice", line) for line in lines))
        answered, answers = 0, 0
        while answered < BURST:
            sent = await watch.next("reply.sent", speaker=steve.name)
            answered, answers = answered + sent["lines"], answers + 1
        assert await daemon.all_online()
    assert said_by(await daemon.history("Alice", username=steve.name), steve.name) == lines
    assert answers <= 5
    changes = [e for e in daemon.logged if e["event"] == "bot.disconnected"]
    assert changes == []
    assert highest_spam_level(steve.heard) <= SPAM_LIMIT


def highest_spam_level(lines: list[WhisperReceived]) -> float:
    """What the server's counter would have reached by these arrivals."""
    level = highest = 0.0
    last = lines[0].at
    for line in lines:
        drained = (line.at - last).total_seconds() / TICK_S
        level, last = max(0.0, level - drained) + SPAM_PER_LINE, line.at
        highest = max(highest, level)
    return highest


async def test_a_flood_of_commands_is_refused_once(daemon: DaemonProcess, steve: Player) -> None:
    for number in range(60):
        await steve.whispers("Bob", f"!echo {number}")
    await steve.hears("Bob", within_s=20, containing="too many commands")
    echoes = [line.text for line in steve.heard if line.text.isdigit()]
    assert echoes == [str(number) for number in range(len(echoes))]
    assert await daemon.all_online()
    assert highest_spam_level(steve.heard) <= SPAM_LIMIT
    assert (await daemon.post("/api/stop"))["success"] is True
