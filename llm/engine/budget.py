"""A hard budget: the worst case is held before a call and settled after it.

Within any `period_s` what was spent and what is held never exceeds a cap: of all, of one bot, of
one speaker; background work gets a share of all, strangers together another, and a part is kept for
owners. One run of a program may have a cap of its own. A hold is in the ledger before the call
begins;
one that never settled (a cut call, a program killed before it was) stays charged at its worst case.

Several programs may share a ledger at the same time. Each enters a hold first and then looks at
what the others have entered: of two that together would exceed a cap, the later one gives way."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Literal, Protocol, TypeAlias

from llm.engine.prices import DOLLAR, Nanodollars
from llm.model import LedgerUnavailable

Scope: TypeAlias = Literal["all", "bot", "speaker", "background", "strangers", "unreserved", "run"]
"""`unreserved`: all that is not kept for owners; `run`: what this run of the program is charged,
however long it takes."""
Asker: TypeAlias = Literal["owner", "trusted", "stranger"]
Purse: TypeAlias = tuple[Scope, str]
"""A scope and whose it is; '' where there is only one."""


@dataclass(frozen=True, slots=True)
class Payer:
    """Who is charged for a call."""

    bot: str
    speaker: str | None = None
    """Who asked for it; None when nobody did."""
    background: bool = False
    asker: Asker | None = None
    """What kind of person asked for it; None when nobody did."""

    @property
    def purses(self) -> tuple[Purse, ...]:
        """Every purse that a call of this payer is charged to."""
        purses: list[Purse] = [("all", ""), ("bot", self.bot)]
        if self.speaker is not None:
            purses.append(("speaker", self.speaker))
        if self.background:
            purses.append(("background", ""))
        if self.asker == "stranger":
            purses.append(("strangers", ""))
        if self.asker != "owner":
            purses.append(("unreserved", ""))
        return tuple(purses)


@dataclass(frozen=True, slots=True)
class Charge:
    """One call in the ledger: held at its worst case, or settled at what it cost."""

    number: int
    """Counts the charges of one run."""
    at: datetime
    payer: Payer
    amount: Nanodollars
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Caps:
    """The most that may be spent in any period."""

    period_s: float = 86_400.0
    everything: Nanodollars = 2 * DOLLAR
    per_bot: Nanodollars = 2 * DOLLAR
    per_speaker: Nanodollars = 2 * DOLLAR
    background_share: float = 0.5
    """Of `everything`; so are the following."""
    strangers_share: float = 1.0
    owners_reserve: float = 0.0
    per_run: Nanodollars | None = None
    """None: a run has no cap of its own."""

    @property
    def period(self) -> timedelta:
        return timedelta(seconds=self.period_s)

    def of(self, scope: Scope) -> Nanodollars:
        match scope:
            case "all":
                return self.everything
            case "bot":
                return self.per_bot
            case "speaker":
                return self.per_speaker
            case "background":
                return int(self.everything * self.background_share)
            case "strangers":
                return int(self.everything * self.strangers_share)
            case "unreserved":
                return self.everything - int(self.everything * self.owners_reserve)
            case "run":
                return self.everything if self.per_run is None else self.per_run


@dataclass(frozen=True, slots=True)
class Others:
    """What other runs on the same ledger were charged: earlier ones, and those going on."""

    charges: tuple[Charge, ...] = ()
    mark: int | None = None
    """The state of the ledger when it was read; another one: others may have written since."""


ALONE = Others()


class Ledger(Protocol):
    """Where the charges of a run survive; each call returns when it would survive a power cut.

    All raise `LedgerUnavailable`."""

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        """What others were charged after `since`; None: as it was at `mark`."""
        ...

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        """Enter a charge of this run and, in the same step, tell of the others."""
        ...

    async def settle(self, charge: Charge) -> None: ...


class BudgetSpent(Exception):
    """A call would exceed a cap; nothing was held."""

    def __init__(self, scope: Scope, cap: Nanodollars, room: Nanodollars) -> None:
        super().__init__(f"the budget of {scope} has ${room / DOLLAR:.4f} left of its cap")
        self.scope, self.cap, self.room = scope, cap, room


class Budget:
    """What may still be spent. Safe for calls at the same time in one event loop, and beside other
    programs on the same ledger."""

    def __init__(
        self, ledger: Ledger, caps: Caps, clock: Callable[[], datetime], others: Others = ALONE
    ) -> None:
        self.caps = caps
        self._ledger, self._clock = ledger, clock
        self._own = _Tally()
        self._numbers = count(1)
        self._of_run = 0
        self._see(others)

    @classmethod
    async def load(cls, ledger: Ledger, caps: Caps, clock: Callable[[], datetime]) -> Budget:
        """The budget as earlier runs left it; what they held counts as spent.

        `clock` must go on evenly: one that is set forward would give money back early."""
        others = await ledger.others(clock() - caps.period, None)
        return cls(ledger, caps, clock, others or ALONE)

    def spent(self, scope: Scope = "all", name: str = "") -> Nanodollars:
        """Charged in the period that ends now, including what is held; as far as is known, as
        others may have been charged since `look`."""
        if scope == "run":
            return self._of_run
        return sum(tally.spent(scope, name, self._since) for tally in self._tallies)

    def held(self) -> Nanodollars:
        """The part of `spent` that is not settled."""
        return sum(tally.held(self._since) for tally in self._tallies)

    def room(self, payer: Payer) -> Nanodollars:
        """The most that a call of this payer may cost now."""
        return self._tightest(payer)[0]

    async def hold(self, worst: Nanodollars, payer: Payer) -> Charge:
        """Set the worst case of a call aside, before it begins.

        Raises BudgetSpent, and LedgerUnavailable; then nothing is held."""
        room, scope = self._tightest(payer)
        if worst > room:
            raise BudgetSpent(scope, self.caps.of(scope), room)
        charge = Charge(next(self._numbers), self._clock(), payer, worst)
        self._own.add(charge)
        self._of_run += worst
        try:
            others = await self._ledger.enter(charge, self._since, self._mark)
        except LedgerUnavailable:
            self._put(charge, replace(charge, amount=0))
            raise
        if others is not None:
            self._see(others)
            # Let go of a charge that exceeds a cap together with what others were charged.
            room, scope = self._tightest(payer)
            if room < 0:
                await self.settle(charge, 0)
                raise BudgetSpent(scope, self.caps.of(scope), room + charge.amount)
        return charge

    def settle(self, held: Charge, cost: Nanodollars) -> Coroutine[Any, Any, None]:
        """Put what a call cost in the place of its worst case, at once; to be awaited until the
        ledger says so too.

        Not to be called when the outcome is unknown: then the worst case stays."""
        settled = replace(held, amount=cost, settled=True)
        self._put(held, settled)
        return self._ledger.settle(settled)

    async def look(self) -> None:
        """See what others were charged meanwhile. Raises LedgerUnavailable."""
        others = await self._ledger.others(self._since, self._mark)
        if others is not None:
            self._see(others)

    @property
    def _since(self) -> datetime:
        return self._clock() - self.caps.period

    @property
    def _tallies(self) -> tuple[_Tally, _Tally]:
        return self._own, self._others

    def _tightest(self, payer: Payer) -> tuple[Nanodollars, Scope]:
        rooms: list[tuple[Nanodollars, Scope]] = [
            (self.caps.of(scope) - self.spent(scope, name), scope) for scope, name in payer.purses
        ]
        if self.caps.per_run is not None:
            rooms.append((self.caps.per_run - self._of_run, "run"))
        return min(rooms, key=lambda found: found[0])

    def _see(self, others: Others) -> None:
        now = self._clock()
        none_later = [replace(one, at=min(one.at, now)) for one in others.charges]
        self._others, self._mark = _Tally(none_later), others.mark

    def _put(self, earlier: Charge, charge: Charge) -> None:
        self._own.put(charge)
        self._of_run += charge.amount - earlier.amount


class _Tally:
    """What charges of a period come to, for each purse."""

    def __init__(self, charges: Iterable[Charge] = ()) -> None:
        self._charges: dict[int, Charge] = {}
        self._by_age: deque[int] = deque()
        self._spent: Counter[Purse] = Counter()
        for charge in sorted(charges, key=lambda charge: charge.at):
            self.add(charge)

    def spent(self, scope: Scope, name: str, since: datetime) -> Nanodollars:
        self._forget(since)
        return self._spent[scope, name]

    def held(self, since: datetime) -> Nanodollars:
        self._forget(since)
        return sum(charge.amount for charge in self._charges.values() if not charge.settled)

    def add(self, charge: Charge) -> None:
        """Add the newest charge."""
        self._charges[charge.number] = charge
        self._by_age.append(charge.number)
        self._burden(charge.payer, charge.amount)

    def put(self, charge: Charge) -> None:
        """Replace the earlier form of the same charge, unless that is too old to count."""
        if (earlier := self._charges.get(charge.number)) is not None:
            self._charges[charge.number] = charge
            self._burden(charge.payer, charge.amount - earlier.amount)

    def _burden(self, payer: Payer, amount: Nanodollars) -> None:
        for purse in payer.purses:
            self._spent[purse] += amount

    def _forget(self, since: datetime) -> None:
        while self._by_age and self._charges[self._by_age[0]].at <= since:
            old = self._charges.pop(self._by_age.popleft())
            self._burden(old.payer, -old.amount)


class MemoryLedger:
    """Keeps nothing: the budget itself remembers what this run spends."""

    async def others(self, since: datetime, mark: int | None) -> Others | None:
        return None

    async def enter(self, charge: Charge, since: datetime, mark: int | None) -> Others | None:
        return None

    async def settle(self, charge: Charge) -> None:
        """Nothing to write down."""
