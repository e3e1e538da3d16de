"""What happened to a bot since its last decision, one line an event; old ones are counted."""

from __future__ import annotations

from collections import Counter, deque

from bots.deciding.happening import Happening, Trigger, in_one_line

MOST = 12  # events kept whole; older ones are only counted

_CALLED: dict[Trigger, str] = {
    "message": "messages",
    "action_ended": "ends of commands",
    "danger": "times hurt or hungry",
    "stop": "stops",
    "proposal": "proposals",
}


class EventBuffer:
    """One bot's events that asked for no decision: the next decision is told of them."""

    def __init__(self) -> None:
        self._fresh: deque[Happening] = deque()
        self._older: Counter[Trigger] = Counter()

    def __len__(self) -> int:
        return len(self._fresh)

    def note(self, happening: Happening) -> None:
        """Keep an event; the same again in place of its forerunner."""
        if self._fresh and _same(self._fresh[-1], happening):
            self._fresh.pop()
        self._fresh.append(happening)
        if len(self._fresh) > MOST:
            self._older[self._fresh.popleft().kind] += 1

    def flush(self) -> tuple[Happening, ...]:
        """All of them, oldest first, older ones as one line of counts; none is left."""
        told = tuple(self._fresh)
        if self._older:
            told = (_counted(self._older, told[0].at_s), *told)
        self._fresh.clear()
        self._older.clear()
        return told


def _same(one: Happening, other: Happening) -> bool:
    return (one.kind, one.about, one.text) == (other.kind, other.about, other.text)


def _counted(older: Counter[Trigger], at_s: float) -> Happening:
    parts = [f"{count} {_CALLED[kind]}" for kind, count in sorted(older.items())]
    return Happening("action_ended", in_one_line(f"Earlier: {', '.join(parts)}."), at_s)
