"""How long two of our bots may go on between themselves before a person says something."""

from __future__ import annotations

TURNS_WITHOUT_A_PERSON = 6


class TurnLimit:
    """Counts, for each pair of bots, the lines that either heard from the other."""

    def __init__(self, turns: int = TURNS_WITHOUT_A_PERSON) -> None:
        self._turns = turns
        self._heard: dict[frozenset[str], int] = {}
        self._allowed: dict[frozenset[str], int] = {}

    def may_answer(self, bot: str, fellow: str) -> bool:
        """Whether `bot` may say another line to `fellow` now."""
        pair = frozenset((bot, fellow))
        return self._heard.get(pair, 0) < self._allowed.get(pair, self._turns)

    def heard(self, bot: str, fellow: str) -> None:
        """`bot` heard a line from `fellow`."""
        pair = frozenset((bot, fellow))
        self._heard[pair] = self._heard.get(pair, 0) + 1

    def person_spoke(self, bot: str) -> None:
        """A person or the operator said something to `bot`: its pairs start anew."""
        for pair in [pair for pair in self._heard if bot in pair]:
            del self._heard[pair]

    def begin_talk(self, bot: str, fellow: str, turns: int | None = None) -> None:
        """A talk is wanted: the pair starts anew, with another number of turns if given."""
        pair = frozenset((bot, fellow))
        self._heard.pop(pair, None)
        if turns is None:
            self._allowed.pop(pair, None)
        else:
            self._allowed[pair] = turns
