"""A bot's name belongs to one home of a cluster."""

import asyncio
import json

import pytest

from bots.cluster.heartbeats import STREAM, Claims
from bots.cluster.local import LocalBus
from bots.settings.settings import BotsSettings


def bots(*names: str, **more: tuple[str, ...]) -> BotsSettings:
    return BotsSettings(names=names, **more)  # type: ignore[arg-type]


async def test_a_home_gets_the_bots_that_nobody_has(bus: LocalBus) -> None:
    assert await Claims(bus).claim("one", bots("Alice", "Bob")) == bots("Alice", "Bob")
    other = Claims(bus)
    assert await other.claim("two", bots("bob", "Carol")) == bots("Carol")
    assert other.names_elsewhere("two") == {"Alice", "Bob"}


async def test_a_home_of_which_others_have_all_names_has_no_bots(bus: LocalBus) -> None:
    await Claims(bus).claim("one", bots("Alice"))
    stand_by = Claims(bus)
    assert await stand_by.claim("two", bots("Alice")) is None
    assert set(stand_by.homes) == {"one"}


async def test_what_a_home_no_longer_wants_is_free(bus: LocalBus) -> None:
    one, two = Claims(bus), Claims(bus)
    await one.claim("one", bots("Alice", "Bob"))
    await one.claim("one", bots("Alice"))
    assert await two.claim("two", bots("Bob")) == bots("Bob")


async def test_a_home_keeps_its_bots_over_a_restart(bus: LocalBus) -> None:
    await Claims(bus).claim("one", bots("Alice"))
    await Claims(bus).claim("one", bots("Alice"))
    assert len(await bus.read(STREAM)) == 1


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
