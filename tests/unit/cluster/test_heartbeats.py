"""Daemons tell each other what they have, and hear who claims what."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import Any

import pytest
from support.local_bus import LocalBus
from support.rig import until

from bots.clock import real_sleep, utc_now
from bots.cluster.bus import LARGEST, Bus
from bots.cluster.heartbeats import GONE_AFTER_S, NAME, STREAM, Beat, Claims, Heartbeats
from bots.settings.settings import BotsSettings


class Watch:
    s = 0.0

    def __call__(self) -> float:
        return self.s


def beat_of(home: str, *, is_leaving: bool = False) -> Beat:
    bots = ({"name": "Alice", "state": "online"},)
    return Beat(home, "one", True, bots, position=7, is_leaving=is_leaving)


@asynccontextmanager
async def hearing(bus: Bus, time: Watch) -> AsyncIterator[Heartbeats]:
    beats = Heartbeats(bus, time)
    ear = asyncio.create_task(beats.hear(real_sleep))
    await asyncio.sleep(0)  # it listens
    try:
        yield beats
    finally:
        ear.cancel()


@pytest.fixture
async def bus() -> AsyncIterator[LocalBus]:
    made = LocalBus(utc_now, Watch(), 60.0)
    yield made
    await made.aclose()


async def beats_once(beats: Heartbeats, beat: Beat) -> None:
    """It is heard."""
    await beats.beat(beat)
    await until(lambda: beats.of(beat.home) is not None)


async def test_a_home_is_known_while_it_is_heard_of(bus: LocalBus) -> None:
    time = Watch()
    async with hearing(bus, time) as beats:
        await beats_once(beats, beat_of("h1"))
        assert beats.alive == (beat_of("h1"),)
        time.s += GONE_AFTER_S
        assert beats.of("h1") is None
        assert not beats.alive


async def test_a_home_that_is_left_is_free_at_once(bus: LocalBus) -> None:
    async with hearing(bus, Watch()) as beats:
        await beats_once(beats, beat_of("h1"))
        await beats.beat(beat_of("h1", is_leaving=True))
        await until(lambda: beats.of("h1") is None)


async def test_a_beat_takes_no_secret_along(bus: LocalBus) -> None:
    bots = ({"name": "Alice", "advice": 'the server said: "my-secret"'},)
    async with hearing(bus, Watch()) as beats:
        teller = Heartbeats(bus, Watch(), ("my-secret",))
        await teller.beat(Beat("h1", "one", True, bots, position=7))
        await until(lambda: beats.of("h1") is not None)
        (beat,) = beats.alive
    assert beat.bots[0]["advice"] == 'the server said: "***"'


WRONG: list[dict[str, Any]] = [
    {"home": ["h2"]},
    {"home": "../../h2"},
    {"daemon": 3},
    {"daemon": "no name on a bus"},
    {"is_own": "yes"},
    {"bots": ["Alice"]},
    {"bots": [{"state": "online"}]},
    {"bots": [{"name": 3}]},
    {"position": "7"},
]


async def test_what_is_no_beat_or_has_a_wrong_part_harms_nobody(bus: LocalBus) -> None:
    no_beats = (b"", b"{}", b'{"bots": 3}', b"[1]", b"\xff", b"[" * 100_000)
    wrong = [json.dumps({**asdict(beat_of("h2")), **part}).encode() for part in WRONG]
    async with hearing(bus, Watch()) as beats:
        for body in (*no_beats, *wrong):
            await bus.publish(NAME, body)
        await beats_once(beats, beat_of("h1"))
        assert beats.alive == (beat_of("h1"),)


async def test_a_beat_that_no_message_holds_tells_less_of_each_bot(bus: LocalBus) -> None:
    goal = "x" * (LARGEST // 300)
    bots = tuple({"name": f"Bot{n}", "state": "online", "goal": goal} for n in range(300))
    async with hearing(bus, Watch()) as beats:
        await beats_once(beats, Beat("h1", "one", True, bots, position=7))
        heard = beats.of("h1")
        assert heard is not None
        short = {"state": "online", "goal": None}
        assert heard.bots == tuple({"name": f"Bot{n}", **short} for n in range(300))


@pytest.mark.parametrize(
    "bots",
    [
        [{"name": f"Bot{n}"} for n in range(LARGEST // 20)],
        [{"name": "Alice", "goal": "\ud83d"}],  # half a character
    ],
    ids=["too many", "half a character"],
)
async def test_whatever_its_bots_tell_a_home_is_heard_of(
    bus: LocalBus, bots: list[dict[str, Any]]
) -> None:
    async with hearing(bus, Watch()) as beats:
        await beats_once(beats, Beat("h1", "one", True, tuple(bots), position=7))


async def test_homes_that_are_not_heard_of_any_more_are_forgotten(bus: LocalBus) -> None:
    time = Watch()
    async with hearing(bus, time) as beats:
        for number in range(50):
            await beats_once(beats, beat_of(f"h{number}"))
            time.s += 60.0
        assert len(beats._newest) < 25


def bots(*names: str, **more: tuple[str, ...]) -> BotsSettings:
    return BotsSettings(names=names, **more)  # type: ignore[arg-type]


async def test_a_home_gets_the_bots_that_nobody_has_and_keeps_them_over_a_restart(
    bus: LocalBus,
) -> None:
    for _ in range(2):
        assert await Claims(bus).claim("one", bots("Alice", "Bob")) == bots("Alice", "Bob")
    assert len(await bus.read(STREAM)) == 1
    other = Claims(bus)
    assert await other.claim("two", bots("bob", "Carol")) == bots("Carol")
    assert other.names_elsewhere("two") == {"Alice", "Bob"}
    assert await other.claim("three", bots("Alice")) is None
    assert set(other.homes) == {"one", "two"}


async def test_what_a_home_no_longer_wants_is_free(bus: LocalBus) -> None:
    one, two = Claims(bus), Claims(bus)
    await one.claim("one", bots("Alice", "Bob"))
    await one.claim("one", bots("Alice"))
    assert await two.claim("two", bots("Bob")) == bots("Bob")


async def test_of_two_that_claim_at_once_one_gets_the_name(bus: LocalBus) -> None:
    homes = [f"home{number}" for number in range(8)]
    claims = [Claims(bus) for _ in homes]
    got = await asyncio.gather(
        *(claim.claim(home, bots("Alice")) for claim, home in zip(claims, homes, strict=True))
    )
    assert [one for one in got if one is not None] == [bots("Alice")]


async def test_accounts_and_nicknames_go_with_the_bots(bus: LocalBus) -> None:
    await Claims(bus).claim("one", bots("Bob"))
    wanted = BotsSettings(
        names=("Alice", "Bob"),
        accounts=("Alice", "Bob"),
        nicknames=[{"name": "Alice", "short_name": "Al"}, {"name": "Bob", "short_name": "B"}],  # type: ignore[arg-type]
    )
    left = await Claims(bus).claim("two", wanted)
    assert left is not None
    assert left.accounts == ("Alice",)
    assert [one.short_name for one in left.nicknames] == ["Al"]


async def test_a_damaged_claim_hides_no_other(bus: LocalBus) -> None:
    await Claims(bus).claim("one", bots("Alice"))
    await bus.append(STREAM, b"{nonsense")
    await Claims(bus).claim("two", bots("Bob"))
    late = Claims(bus)
    await late.look()
    assert set(late.homes) == {"one", "two"}


@pytest.mark.parametrize("home", ["", "../../etc", "a b", "x" * 65, "a.b"])
async def test_what_is_no_name_of_a_home_claims_nothing(bus: LocalBus, home: str) -> None:
    claim = {"home": home, "bots": bots("Alice").model_dump(mode="json")}
    await bus.append(STREAM, json.dumps(claim).encode())
    claims = Claims(bus)
    assert await claims.claim("one", bots("Alice")) == bots("Alice")
    assert set(claims.homes) == {"one"}
