"""The budget: never over a cap, also with concurrent calls; it survives a restart."""

import asyncio
import random
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.daemons import Town

from bots.app import Daemon
from bots.clock import Times, Uptime, real_sleep, utc_now
from bots.settings.settings import DashboardSettings, Settings
from bots.store.database import FILE_NAME, Store
from bots.store.ledger import SqliteLedger
from bridge.fake import VirtualClock
from llm.engine.budget import Asker, Budget, BudgetSpent, Caps, Charge, Others, Payer
from llm.engine.prices import DOLLAR

ALICE = Payer("Alice", "Steve")


class Notebook:
    """A ledger in memory that gives way to others at every call, as a disk does."""

    def __init__(self) -> None:
        self.charges: dict[int, Charge] = {}

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        return None

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        await asyncio.sleep(0)
        self.charges[charge.number] = charge
        return None

    async def settle(self, charge: Charge) -> None:
        await asyncio.sleep(0)
        self.charges[charge.number] = charge


def budget(caps: Caps, clock: VirtualClock | None = None) -> Budget:
    return Budget(Notebook(), caps, (clock or VirtualClock()).now)


async def test_a_call_that_could_exceed_the_cap_is_not_begun() -> None:
    purse = budget(Caps(everything=100))
    await purse.hold(60, ALICE)
    with pytest.raises(BudgetSpent) as refused:
        await purse.hold(41, ALICE)
    assert (refused.value.scope, refused.value.room) == ("all", 40)
    await purse.hold(40, ALICE)


async def test_settling_frees_what_was_held_too_much() -> None:
    purse = budget(Caps(everything=100))
    held = await purse.hold(90, ALICE)
    assert (purse.spent(), purse.held(), purse.room(ALICE)) == (90, 90, 10)
    await purse.settle(held, 7)
    assert (purse.spent(), purse.held(), purse.room(ALICE)) == (7, 0, 93)


async def test_each_bot_and_each_speaker_has_a_cap_of_its_own() -> None:
    purse = budget(Caps(everything=1_000, per_bot=100, per_speaker=50))
    await purse.hold(50, ALICE)
    with pytest.raises(BudgetSpent, match="speaker"):
        await purse.hold(1, Payer("Bob", "Steve"))
    with pytest.raises(BudgetSpent, match="bot"):
        await purse.hold(51, Payer("Alice", "Alex"))
    await purse.hold(50, Payer("Bob", "Alex"))


async def test_background_work_gets_its_share_and_no_more() -> None:
    purse = budget(Caps(everything=100, background_share=0.5))
    thinking = Payer("Alice", background=True)
    await purse.hold(50, thinking)
    with pytest.raises(BudgetSpent, match="background"):
        await purse.hold(1, thinking)
    await purse.hold(50, ALICE)


async def test_all_strangers_together_get_their_share_under_whatever_names() -> None:
    purse = budget(Caps(everything=100, strangers_share=0.2))
    for number in range(4):
        await purse.hold(5, Payer("Alice", f"Mallory{number}", asker="stranger"))
    with pytest.raises(BudgetSpent, match="strangers"):
        await purse.hold(1, Payer("Bob", "Mallet", asker="stranger"))
    await purse.hold(80, Payer("Alice", "Tom", asker="trusted"))


@pytest.mark.parametrize("asker", ["trusted", "stranger", None])
async def test_what_is_kept_for_owners_nobody_else_spends(asker: Asker | None) -> None:
    purse = budget(Caps(everything=100, owners_reserve=0.2))
    other, owner = Payer("Alice", "Tom", asker=asker), Payer("Alice", "Olga", asker="owner")
    await purse.hold(80, other)
    with pytest.raises(BudgetSpent, match="unreserved"):
        await purse.hold(1, other)
    await purse.hold(20, owner)
    with pytest.raises(BudgetSpent, match="all"):
        await purse.hold(1, owner)


async def test_shares_survive_the_program(tmp_path: Path) -> None:
    clock = VirtualClock()
    caps = Caps(everything=100, strangers_share=0.2)
    store = await Store.open(tmp_path / FILE_NAME)
    before = await Budget.load(SqliteLedger(store), caps, clock.now)
    await before.hold(15, Payer("Alice", "Mallory", asker="stranger"))
    after = await Budget.load(SqliteLedger(store), caps, clock.now)
    await store.aclose()
    assert after.spent("strangers") == 15
    assert after.room(Payer("Alice", "Mallet", asker="stranger")) == 5


async def test_a_charge_is_forgotten_when_its_period_has_passed() -> None:
    clock = VirtualClock()
    purse = budget(Caps(period_s=60, everything=100), clock)
    await purse.hold(100, ALICE)
    await clock.advance(59)
    assert purse.room(ALICE) == 0
    await clock.advance(1)
    assert purse.room(ALICE) == 100


async def test_what_was_held_when_the_program_died_stays_charged(tmp_path: Path) -> None:
    clock = VirtualClock()
    caps = Caps(everything=DOLLAR)
    store = await Store.open(tmp_path / FILE_NAME)
    before = await Budget.load(SqliteLedger(store), caps, clock.now)
    settled = await before.hold(300, ALICE)
    await before.settle(settled, 120)
    await before.hold(500, Payer("Bob", background=True))
    await store.aclose()

    again = await Store.open(tmp_path / FILE_NAME)
    after = await Budget.load(SqliteLedger(again), caps, clock.now)
    assert (after.spent(), after.held()) == (620, 500)
    assert (after.spent("bot", "Bob"), after.spent("speaker", "Steve")) == (500, 120)
    assert after.spent("background") == 500
    await after.hold(1, ALICE)  # its number is not that of an earlier charge
    await again.aclose()


async def test_a_run_settles_its_own_charges_and_no_earlier_ones(tmp_path: Path) -> None:
    clock = VirtualClock()
    store = await Store.open(tmp_path / FILE_NAME)
    for _ in range(2):
        purse = await Budget.load(SqliteLedger(store), Caps(), clock.now)
        held = await purse.hold(10, ALICE)
    await purse.settle(held, 1)
    later = await Budget.load(SqliteLedger(store), Caps(), clock.now)
    assert (later.spent(), later.held()) == (11, 10)
    await store.aclose()


async def test_a_run_has_a_cap_of_its_own_however_long_it_takes() -> None:
    clock = VirtualClock()
    purse = budget(Caps(period_s=60, everything=100, per_run=50), clock)
    await purse.settle(await purse.hold(50, ALICE), 30)
    await clock.advance(3_600)
    assert (purse.spent(), purse.spent("run"), purse.room(ALICE)) == (0, 30, 20)
    with pytest.raises(BudgetSpent, match="run"):
        await purse.hold(21, ALICE)
    await purse.hold(20, ALICE)


async def two_programs(folder: Path, caps: Caps) -> tuple[list[Store], list[Budget]]:
    """Two budgets on one file, each through a connection of its own, as two processes have."""
    stores = [await Store.open(folder / FILE_NAME) for _ in range(2)]
    clock = VirtualClock()
    return stores, [await Budget.load(SqliteLedger(one), caps, clock.now) for one in stores]


async def test_what_another_program_holds_leaves_less_for_this_one(tmp_path: Path) -> None:
    stores, (daemon, experiment) = await two_programs(tmp_path, Caps(everything=100))
    held = await daemon.hold(70, ALICE)
    with pytest.raises(BudgetSpent) as refused:
        await experiment.hold(31, ALICE)
    assert (refused.value.scope, refused.value.room) == ("all", 30)
    assert (experiment.spent("run"), experiment.room(ALICE)) == (0, 30)
    await daemon.settle(held, 10)
    await experiment.look()
    assert (experiment.spent(), experiment.held(), experiment.room(ALICE)) == (10, 0, 90)
    await experiment.hold(90, ALICE)
    for store in stores:
        await store.aclose()


async def test_two_programs_together_never_exceed_a_cap(tmp_path: Path) -> None:
    caps = Caps(everything=300, per_bot=200, background_share=0.4)
    stores, purses = await two_programs(tmp_path, caps)
    rng, refused = random.Random(4), 0

    async def call(purse: Budget) -> None:
        nonlocal refused
        payer = Payer(rng.choice(["Alice", "Bob"]), background=rng.random() < 0.5)
        try:
            held = await purse.hold(rng.randint(1, 30), payer)
        except BudgetSpent:
            refused += 1
            return
        if rng.random() < 0.5:
            await purse.settle(held, rng.randint(0, held.amount))

    for _ in range(20):
        await asyncio.gather(*(call(purse) for purse in purses for _ in range(3)))
    whole = await Budget.load(SqliteLedger(stores[0]), caps, VirtualClock().now)
    assert refused > 10
    assert whole.spent() <= 300
    assert whole.spent("background") <= 120
    assert all(whole.spent("bot", bot) <= 200 for bot in ("Alice", "Bob"))
    assert whole.spent() == sum(purse.spent("run") for purse in purses)
    for store in stores:
        await store.aclose()


calls = st.lists(
    st.tuples(
        st.sampled_from(["Alice", "Bob", "Carol"]),
        st.sampled_from([None, "Steve", "Alex"]),
        st.booleans(),
        st.integers(1, 60),  # worst case
        st.floats(0, 1),  # of which so much was the cost
        st.booleans(),  # whether its outcome became known
    ),
    max_size=40,
)


@settings(max_examples=60)
@given(calls=calls)
async def test_no_cap_is_exceeded_by_calls_at_the_same_time(
    calls: list[tuple[str, str | None, bool, int, float, bool]],
) -> None:
    caps = Caps(everything=200, per_bot=120, per_speaker=90, background_share=0.4)
    purse = budget(caps)
    refused = 0

    def check() -> None:
        assert purse.spent() <= 200
        assert purse.spent("background") <= 80
        assert all(purse.spent("bot", bot) <= 120 for bot in ("Alice", "Bob", "Carol"))
        assert all(purse.spent("speaker", who) <= 90 for who in ("Steve", "Alex"))

    async def call(row: tuple[str, str | None, bool, int, float, bool]) -> None:
        nonlocal refused
        bot, speaker, background, worst, share, known = row
        try:
            held = await purse.hold(worst, Payer(bot, speaker, background))
        except BudgetSpent:
            refused += 1
            return
        check()
        await asyncio.sleep(0)
        if known:
            await purse.settle(held, int(worst * share))
        check()

    async with asyncio.TaskGroup() as group:
        for row in calls:
            group.create_task(call(row))
    worst_sum = sum(row[3] for row in calls)
    assert refused == 0 or worst_sum > 80


async def test_a_thousand_holds_at_once_come_to_the_right_sum() -> None:
    clock = VirtualClock()
    purse = budget(Caps(everything=10_000), clock)
    held = await asyncio.gather(*(purse.hold(10, ALICE) for _ in range(1_000)))
    assert purse.room(ALICE) == 0
    await asyncio.gather(*(purse.settle(one, 0) for one in held))
    assert purse.room(ALICE) == 10_000
    await clock.advance(2 * 86_400)
    assert purse.spent() == 0


@pytest.mark.parametrize("jump_h", [25, -25])
async def test_a_clock_that_is_set_during_a_run_gives_nothing_back(town: Town, jump_h: int) -> None:
    """A clock set forward by 25 hours freed the whole budget."""
    shown, clock = [utc_now()], VirtualClock()
    times = Times(lambda: shown[0], clock.monotonic, real_sleep, random.Random(1))
    alone = Settings(data_dir=town.folder, dashboard=DashboardSettings(enabled=False))
    async with Daemon(alone, bridge=town.bridge, times=times, answers=False) as daemon:
        purse = daemon.responders.engine.budget
        notice = daemon.responders._parts.budget_notice
        assert notice.due("Steve", "en")
        held = await purse.hold(purse.room(ALICE), ALICE)
        shown[0] += timedelta(hours=jump_h)
        assert purse.room(ALICE) == 0
        assert not notice.due("Steve", "en")
        await clock.advance(86_399)
        assert purse.room(ALICE) == 0
        await clock.advance(2)
        assert purse.room(ALICE) == held.amount
        assert notice.due("Steve", "en")


@pytest.mark.parametrize(("boot", "jump_h"), [("this", 25), ("this", -25), ("another", -25)])
async def test_a_clock_that_is_set_between_two_runs_gives_nothing_back(
    tmp_path: Path, boot: str, jump_h: int
) -> None:
    """A clock set forward by 25 hours freed the whole budget. The uptime of the machine tells
    the time that has passed; after a new start of the machine only a clock set back is known."""
    noon = VirtualClock().now()
    store = await Store.open(tmp_path / FILE_NAME)
    first = SqliteLedger(store, lambda: Uptime("this", 1_000))
    assert await first.now(noon) == noon  # nothing was charged yet
    before = await Budget.load(first, Caps(everything=100), lambda: noon)
    await before.hold(100, ALICE)

    later = SqliteLedger(store, lambda: Uptime(boot, 4_600))
    now = await later.now(noon + timedelta(hours=jump_h))
    assert now == noon + (timedelta(hours=1) if boot == "this" else timedelta())
    after = await Budget.load(later, Caps(everything=100), lambda: now)
    assert after.room(ALICE) == 0
    await store.aclose()


async def test_a_charge_of_the_future_is_held_for_one_period(tmp_path: Path) -> None:
    clock = VirtualClock()
    store = await Store.open(tmp_path / FILE_NAME)
    ledger = SqliteLedger(store, lambda: None)
    future = clock.now() + timedelta(days=9)
    await ledger.enter(Charge(1, future, ALICE, 100), clock.now(), None)
    purse = await Budget.load(
        SqliteLedger(store, lambda: None), Caps(period_s=60, everything=100), clock.now
    )
    assert purse.room(ALICE) == 0
    await clock.advance(60)
    assert purse.room(ALICE) == 100
    await store.aclose()
