"""Daemons on one bus share one budget: together they never exceed a cap."""

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.broker import running_broker
from support.daemons import Town, daemon_on
from support.local_bus import LocalBus
from support.rig import until

from bots.clock import utc_now
from bots.cluster import nats_bus
from bots.cluster.bus import Bus, BusUnavailable
from bots.cluster.connecting import connected_bus
from bots.cluster.ledger import STREAM, BusLedger
from bots.cluster.nats_bus import NatsBus
from bots.errors import SettingsError
from bots.settings.secrets import SecretUrl
from bots.settings.settings import ClusterSettings, LlmSettings, Settings
from bridge.world import Position
from llm.engine.budget import Budget, BudgetSpent, Caps, Payer
from llm.function_model import FunctionModel
from llm.model import LedgerUnavailable

CAP = 1_000
WITHIN_S = 20.0
ALICE = Payer("Alice", "Steve")
BESIDE_STEVE = Position(9.5, 64, 8.5)


@asynccontextmanager
async def local_bus() -> AsyncIterator[Bus]:
    bus = LocalBus(utc_now, time.monotonic, 60.0)
    try:
        yield bus
    finally:
        await bus.aclose()


@asynccontextmanager
async def nats_bus_on(url: str) -> AsyncIterator[Bus]:
    bus = await NatsBus.connect([url], "townsfolk", 6.0)
    try:
        yield bus
    finally:
        await bus.aclose()


class Days:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 23, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


async def budget_on(bus: Bus, clock: Days, cap: int = CAP) -> Budget:
    caps = Caps(everything=cap, per_bot=cap, per_speaker=cap)
    return await Budget.load(BusLedger(bus), caps, clock)


async def held(budget: Budget, worst: int) -> int:
    """What could be held of it."""
    try:
        return (await budget.hold(worst, ALICE)).amount
    except BudgetSpent:
        return 0


@pytest.fixture(params=["local", pytest.param("nats", marks=pytest.mark.slow)])
async def bus(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Bus]:
    if request.param == "local":
        async with local_bus() as bus:
            yield bus
    else:
        async with running_broker(tmp_path) as broker, nats_bus_on(broker.url) as bus:
            yield bus


async def test_three_that_hold_at_once_never_exceed_the_cap_together(bus: Bus) -> None:
    clock = Days()
    budgets = [await budget_on(bus, clock) for _ in range(3)]
    tries = [held(budget, 90) for _ in range(8) for budget in budgets]
    at_once = sum(await asyncio.gather(*tries))
    assert 0 < at_once <= CAP
    assert (await budget_on(bus, clock)).spent() == at_once
    for budget in budgets:
        await budget.look()  # of those who gave way
    after = [await held(budget, 90) for _ in range(12) for budget in budgets]
    assert at_once + sum(after) == 11 * 90  # as much as one daemon alone could hold


async def test_what_one_spends_the_others_see(bus: Bus) -> None:
    clock = Days()
    mine, yours = await budget_on(bus, clock), await budget_on(bus, clock)
    charge = await mine.hold(700, ALICE)
    await yours.look()
    assert (yours.spent(), yours.spent("speaker", "Steve"), yours.held()) == (700, 700, 700)
    with pytest.raises(BudgetSpent):
        await yours.hold(301, ALICE)
    await mine.settle(charge, 100)
    await yours.look()
    assert (yours.spent(), yours.held()) == (100, 0)


async def test_a_run_that_was_killed_stays_charged_at_its_worst_case(bus: Bus) -> None:
    clock = Days()
    await (await budget_on(bus, clock)).hold(700, ALICE)
    assert (await budget_on(bus, clock)).spent() == 700


async def test_what_is_older_than_the_period_is_free_again(bus: Bus) -> None:
    clock = Days()
    mine, yours = await budget_on(bus, clock), await budget_on(bus, clock)
    await mine.hold(700, ALICE)
    await yours.look()
    clock.now += timedelta(days=1, seconds=1)
    assert (mine.spent(), yours.spent()) == (0, 0)
    await yours.hold(1_000, ALICE)


async def test_an_entry_that_is_no_charge_is_set_aside(bus: Bus) -> None:
    clock = Days()
    await bus.append(STREAM, b"\xff{")
    await bus.append(STREAM, b'{"run": "x", "nanodollars": -5}')
    await (await budget_on(bus, clock)).hold(700, ALICE)
    assert (await budget_on(bus, clock)).spent() == 700


@pytest.mark.slow
async def test_without_its_broker_a_budget_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus, "WITHIN_S", 0.2)
    async with running_broker(tmp_path) as broker, nats_bus_on(broker.url) as bus:
        budget = await budget_on(bus, Days())
        await broker.kill()
        with pytest.raises(LedgerUnavailable):
            await budget.hold(1, ALICE)
        assert budget.spent() == 0


@pytest.mark.slow
async def test_holds_do_not_wait_for_a_broker_that_is_known_to_be_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_broker(tmp_path) as broker, nats_bus_on(broker.url) as bus:
        budget = await budget_on(bus, Days())
        await broker.kill()
        await until(lambda: not bus.is_up)
        monkeypatch.setattr(nats_bus, "WITHIN_S", 3_600.0)
        async with asyncio.timeout(WITHIN_S):
            for hold in [budget.hold(1, ALICE) for _ in range(5)]:
                with pytest.raises(LedgerUnavailable, match="the broker is gone"):
                    await hold
        assert budget.spent() == 0


@pytest.mark.slow
async def test_a_daemon_pays_from_the_budget_in_the_broker(town: Town) -> None:
    steve = town.world.person("Steve", BESIDE_STEVE)
    async with running_broker(town.folder / "broker") as broker:
        model = FunctionModel(lambda question: "Fine.")
        url = broker.url
        async with daemon_on(town.bridge, town.folder / "own", model, budget_bus=url) as daemon:
            steve.whisper("Alice", "How are you?")
            await until(lambda: len(daemon.bot("Alice").get_conversation_history()) == 2)
        async with nats_bus_on(url) as bus:
            charges = [json.loads(entry.body) for entry in await bus.read(STREAM)]
    assert [(one["speaker"], one["settled"]) for one in charges] == [
        ("Steve", False),
        ("Steve", True),
    ]


def test_a_cluster_pays_from_the_budget_in_its_broker(tmp_path: Path) -> None:
    def brokers(**llm: Any) -> tuple[str, ...]:
        cluster = ClusterSettings(bus="nats://one:4222")  # type: ignore[arg-type]
        return tuple(map(str, Settings(cluster=cluster, llm=LlmSettings(**llm)).budget_brokers))

    assert brokers() == ("nats://one:4222",)
    assert brokers(budget_bus="nats://two:4222") == ("nats://two:4222",)
    assert brokers(budget_dir=tmp_path) == ()


async def test_a_daemon_without_its_broker_says_so(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nats_bus, "CONNECT_WITHIN_S", 0.3)
    with pytest.raises(BusUnavailable, match="no NATS broker answers"):
        async with daemon_on(town.bridge, town.folder, budget_bus="nats://127.0.0.1:1"):
            pass


@pytest.mark.parametrize("address", ["http://a:1", "nats://", "a:4222", "nats://a:0"])
def test_an_address_that_is_no_brokers_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="write nats://HOST:PORT"):
        LlmSettings(budget_bus=address)  # type: ignore[arg-type]


def test_several_addresses_of_one_broker_may_be_named_and_passwords_are_hidden() -> None:
    written = "nats://me:p%40ss@one:4222,nats://two:4222"
    settings = Settings(llm=LlmSettings(budget_bus=written))  # type: ignore[arg-type]
    assert len(settings.llm.budget_bus) == 2
    assert {"p%40ss", "p@ss"} <= set(settings.secrets)
    with pytest.raises(ValueError, match="this is no broker") as refused:
        LlmSettings(budget_bus="http://me:p%40ss@one:4222")  # type: ignore[arg-type]
    assert "p%40ss" not in str(refused.value)


async def test_a_missing_extra_is_told_with_its_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bots.cluster.nats_bus", None)
    with pytest.raises(SettingsError, match=r"\[cluster\]"):
        async with connected_bus([SecretUrl("nats://127.0.0.1:1")]):
            pass
