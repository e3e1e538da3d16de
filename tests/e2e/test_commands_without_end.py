"""Ten thousand commands nobody would type, and whispers of every kind, at a real daemon."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable

import pytest
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import Player

pytestmark = [pytest.mark.real, pytest.mark.slow]

SEED = 20_26
COMMANDS, CALLERS, WITHIN_S = 10_000, 20, 240.0
WHISPERS = 300
WHISPER_ROOM = 230  # of a line of 256, the rest for the order and the name

NAMES = ("help", "info", "chat", "echo", "status", "history", "stop", "HELP", "hlep", "", "💎", "{")
WORDS = (
    *("all", "Bob", "Alice", "Nobody", "hello there", "0", "-1", "NaN", "1e999", "null", "true"),
    *('{"type":"all"}', '{"username":"Bob"', "[[[[", '"', "'", "\\", "\\u0000", "%s%n", "${x}"),
    *(
        "村の人",
        "مرحبا",
        "👩‍👩‍👧‍👦",
        "e\u0301" * 20,
        "\u202e",
        "\ufeff",
        "a" * 300,
        "§4",
        "\n",
        "\t",
    ),
    *("@a", "@e[type=!player]", "/op Steve", "!stop", "<script>", "--", "=", "../../etc/passwd"),
)
KEYS = ("username", "message", "maxDistance", "type", "command", "limit", "since", "usernames", "?")
VALUES: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    2**80,
    1.5,
    *("", "all", "Nobody", "村"),
    [],
    [1],
    {},
    {"a": {"b": []}},
)


@pytest.fixture(scope="module")
async def daemon(new_site: Callable[[], Site]) -> AsyncIterator[DaemonProcess]:
    """Its bots are operators here: unpaced, so that there is an end to what they say."""
    async with new_site().up(
        TOWNSFOLK_TALK__SMALL_TALK="false",
        TOWNSFOLK_CHAT__PACE="false",
        TOWNSFOLK_LIMITS__COMMANDS_PER_10_S="10000",
        TOWNSFOLK_HISTORY__VIEW="10000",
    ) as daemon:
        yield daemon


def command(rng: random.Random) -> str:
    """`!` and a name that is often right, then words or JSON that seldom are."""
    name = rng.choice(NAMES)
    if rng.random() < 0.4:
        fields = {rng.choice(KEYS): rng.choice(VALUES) for _ in range(rng.randrange(4))}
        rest = json.dumps(fields, ensure_ascii=rng.random() < 0.5)
        rest = rest[: rng.randrange(len(rest) + 1)] if rng.random() < 0.3 else rest
    else:
        rest = " ".join(rng.choice(WORDS) for _ in range(rng.randrange(4)))
    return f"!{name}{rng.choice((' ', '', '  '))}{rest}"


@pytest.mark.timeout(WITHIN_S + 60)
async def test_ten_thousand_commands_never_meet_a_mistake_of_ours(daemon: DaemonProcess) -> None:
    rng = random.Random(SEED)
    waiting = iter([command(rng) for _ in range(COMMANDS)])
    seen: Counter[int] = Counter()

    async def give() -> None:
        for text in waiting:
            reply = await daemon.http.post("/api/bots/Alice/commands", json={"text": text})
            seen[reply.status_code] += 1
            result = reply.json()
            assert isinstance(result["success"], bool), text
            assert result["success"] or (result["reason"] and result["message"]), text
            assert result.get("reason") != "internal", text

    async with asyncio.timeout(WITHIN_S), asyncio.TaskGroup() as callers:
        for _ in range(CALLERS):
            callers.create_task(give())
    assert seen == {200: COMMANDS}
    assert await daemon.all_online()
    assert daemon.tracebacks == []


def whisper(rng: random.Random) -> str:
    """One line as a client could send it: no control characters, no section sign, not empty."""
    text = command(rng) if rng.random() < 0.5 else " ".join(rng.choices(WORDS, k=3))
    if rng.random() < 0.1:
        text = text.ljust(WHISPER_ROOM, "x")
    sayable = "".join(char for char in text if char.isprintable() or char > "\x7f")
    spaced = sayable.replace("§", "").replace("\ufeff", " ")  # the server takes it for a space
    return " ".join(spaced.split())[:WHISPER_ROOM].rstrip() or "?"


async def test_whispers_of_every_kind_leave_the_bot_in_the_world_and_in_its_right_mind(
    daemon: DaemonProcess, steve: Player
) -> None:
    rng = random.Random(SEED)
    said = [whisper(rng) for _ in range(WHISPERS)]
    for line in said:
        await steve.whispers("Bob", line)
    await steve.whispers("Bob", "!echo all of it heard")
    await steve.hears("Bob", within_s=30, containing="all of it heard")
    heard = [line["content"] for line in await daemon.history("Bob", username=steve.name)]
    assert heard == [line for line in said if not line.startswith("!")]
    assert await daemon.all_online()
    assert "bot.disconnected" not in {event["event"] for event in daemon.logged}
    assert daemon.tracebacks == []
