"""The seats of one talk, kept in step with its machine; `!stop` makes a bot leave its seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from bots.access.origin import Origin
from bots.bot.bot import Bot
from bots.chat.attendance import Attendance, Attended
from bots.talks.machine.events import Participant


class Seats:
    """The seats of one talk. `leave` is called with who gave up a seat, or got none, and why."""

    def __init__(
        self,
        attendance: Attendance,
        talk: Attended,
        bot: Callable[[str], Bot],
        *,
        name: str,
        started_by: Origin,
        leave: Callable[[str, str], None],
    ) -> None:
        self._attendance, self._talk, self._bot = attendance, talk, bot
        self._name, self._started_by, self._leave = name, started_by, leave
        self._taken: dict[str, ExitStack] = {}

    def follow(self, present: Sequence[Participant]) -> list[Participant]:
        """Seat exactly these participants; returns those who are new."""
        new = [one for one in present if one.name not in self._taken]
        for one in new:
            self._taken[one.name] = self._seat(one)
        names = {one.name for one in present}
        for gone in [name for name in self._taken if name not in names]:
            self._taken.pop(gone).close()
        return new

    def _seat(self, who: Participant) -> ExitStack:
        seat = ExitStack()
        if not self._attendance.enter(who.name, self._talk):
            self._leave(who.name, "in another talk")
            return seat
        seat.callback(self._attendance.leave, who.name, self._talk)
        if who.kind == "bot":
            self._let_be_stopped(who.name, seat)
        return seat

    def _let_be_stopped(self, name: str, seat: ExitStack) -> None:
        try:
            bot = self._bot(name)
        except KeyError:  # it was in the talk before a restart
            self._leave(name, "gone")
            return
        bot.leisure.turned_to()
        seat.enter_context(
            bot.running(self._name, lambda: self._leave(name, "stopped"), self._started_by)
        )
