"""A hard budget: the worst case is held before a call and settled after it.

Within any `period_s` what was spent and what is held never exceeds a cap: of all, of one bot, of
one speaker; background work gets a share of all, strangers together another, and a part is kept for
owners. A hold is in the ledger before the call begins;
one that never settled (a cut call, a program killed before it was) stays charged at its worst case.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, TypeAlias

from llm.engine.prices import DOLLAR, Nanodollars
from llm.errors import LedgerUnavailable

Scope: TypeAlias = Literal["all", "bot", "speaker", "background", "strangers", "unreserved"]
"""`unreserved`: all that is not kept for owners."""
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

    id: int
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


class Ledger(Protocol):
    """Where charges survive; each call returns when it would survive a power cut.

    All raise `LedgerUnavailable`."""

    async def charges_since(self, since: datetime) -> Iterable[Charge]: ...

    async def newest_id(self) -> int:
        """Of all charges ever entered; 0 when there are none."""
        ...

    async def enter(self, charge: Charge) -> None: ...

    async def settle(self, charge: Charge) -> None: ...


class BudgetSpent(Exception):
    """A call would exceed a cap; nothing was held."""

    def __init__(self, scope: Scope, cap: Nanodollars, room: Nanodollars) -> None:
        super().__init__(f"the budget of {scope} has ${room / DOLLAR:.4f} left of its cap")
        self.scope, self.cap, self.room = scope, cap, room


class Budget:
    """What may still be spent. Safe for calls at the same time in one event loop."""

    def __init__(
        self,
        ledger: Ledger,
        caps: Caps,
        clock: Callable[[], datetime],
        charges: Iterable[Charge] = (),
        newest_id: int = 0,
    ) -> None:
        self.caps = caps
        self._ledger, self._clock = ledger, clock
        self._charges: dict[int, Charge] = {}
        self._by_age: deque[int] = deque()
        self._spent: Counter[Purse] = Counter()
        for charge in sorted(charges, key=lambda charge: charge.at):
            self._add(charge)
        self._newest_id = newest_id

    @classmethod
    async def load(cls, ledger: Ledger, caps: Caps, clock: Callable[[], datetime]) -> Budget:
        """The budget as an earlier run left it; what that run held counts as spent.

        `clock` must go on evenly: one that is set forward would give money back early."""
        now = clock()
        charges = await ledger.charges_since(now - caps.period)
        none_later = [replace(charge, at=min(charge.at, now)) for charge in charges]
        return cls(ledger, caps, clock, none_later, await ledger.newest_id())

    def spent(self, scope: Scope = "all", name: str = "") -> Nanodollars:
        """Charged in the period that ends now, including what is held."""
        self._forget_old()
        return self._spent[scope, name]

    def held(self) -> Nanodollars:
        """The part of `spent` that is not settled."""
        self._forget_old()
        return sum(charge.amount for charge in self._charges.values() if not charge.settled)

    def room(self, payer: Payer) -> Nanodollars:
        """The most that a call of this payer may cost now."""
        return self._tightest(payer)[0]

    async def hold(self, worst: Nanodollars, payer: Payer) -> Charge:
        """Set the worst case of a call aside, before it begins.

        Raises BudgetSpent, and LedgerUnavailable; then nothing is held."""
        room, scope = self._tightest(payer)
        if worst > room:
            raise BudgetSpent(scope, self.caps.of(scope), room)
        self._newest_id += 1
        charge = Charge(self._newest_id, self._clock(), payer, worst)
        self._add(charge)
        try:
            await self._ledger.enter(charge)
        except LedgerUnavailable:
            self._put(replace(charge, amount=0))
            raise
        return charge

    def settle(self, held: Charge, cost: Nanodollars) -> Coroutine[Any, Any, None]:
        """Put what a call cost in the place of its worst case, at once; to be awaited until the
        ledger says so too.

        Not to be called when the outcome is unknown: then the worst case stays."""
        settled = replace(held, amount=cost, settled=True)
        self._put(settled)
        return self._ledger.settle(settled)

    def _tightest(self, payer: Payer) -> tuple[Nanodollars, Scope]:
        self._forget_old()
        rooms = (
            (self.caps.of(scope) - self._spent[scope, name], scope) for scope, name in payer.purses
        )
        return min(rooms, key=lambda found: found[0])

    def _add(self, charge: Charge) -> None:
        self._charges[charge.id] = charge
        self._by_age.append(charge.id)
        self._burden(charge.payer, charge.amount)

    def _put(self, charge: Charge) -> None:
        """Replace the earlier form of the same charge, unless that is too old to count."""
        if (earlier := self._charges.get(charge.id)) is not None:
            self._charges[charge.id] = charge
            self._burden(charge.payer, charge.amount - earlier.amount)

    def _burden(self, payer: Payer, amount: Nanodollars) -> None:
        for purse in payer.purses:
            self._spent[purse] += amount

    def _forget_old(self) -> None:
        since = self._clock() - self.caps.period
        while self._by_age and self._charges[self._by_age[0]].at <= since:
            old = self._charges.pop(self._by_age.popleft())
            self._burden(old.payer, -old.amount)
