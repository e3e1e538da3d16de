"""Chooses the next speaker by a chain of rules; the first that names a free bot decides.

1. owed: a bot that was addressed, was busy when its turn came, or was cut off; then, with
   nominations, any bot that heard a person's line which no bot has answered;
2. rounds: each bot once for every line of a person, in the order of the roster;
3. nominate: the bot that the last speaker named, else the fallback of the nomination rule.

Goodbyes go before this chain, a nudge after a long silence goes after it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bots.next_speaker import Resolved
from bots.talks.machine.participants import Participants
from bots.talks.machine.policy import Order

ANSWERING = frozenset({"addressed", "answer_due", "interrupted"})
"""Rules of turns that answer somebody; one that is cut off is still owed."""


@dataclass(frozen=True, slots=True)
class Choice:
    name: str
    rule: str
    resolved: Resolved | None = None
    """How the last speaker's words were read, where they decided."""


class SpeakerOrder:
    """Remembers who owes an answer, who has spoken this round, and who was nominated."""

    def __init__(self, order: Order, participants: Participants) -> None:
        self._is_rounds = order == "rounds"
        self._participants = participants
        self._owed: list[Choice] = []
        self._round_left: list[str] = []
        self._spoken: set[str] = set()
        self._goodbyes: set[str] = set()
        self._nominee: Choice | None = None
        self._hearers: tuple[str, ...] = participants.bots
        self._unanswered: tuple[str, ...] = ()
        self.round = 1
        self.last = ""
        """The bot whose turn it was last."""

    @property
    def owed(self) -> tuple[str, ...]:
        return tuple(choice.name for choice in self._owed)

    @property
    def nominee(self) -> str | None:
        """Who is next by what was said; None in `rounds`."""
        return self._nominee.name if self._nominee else None

    # Updates.

    def opened(self) -> None:
        """A bot speaks first."""
        bots = self._hearers = self._participants.bots
        if self._is_rounds:
            self._round_left = list(bots)
        else:
            self._nominee = Choice(bots[0], "opening")

    def person_spoke(
        self, hearers: Sequence[str], called: Sequence[str], interrupted: Choice | None
    ) -> None:
        """A person's line reached these bots; answering it goes before everything else."""
        if not hearers:
            return
        self._begin_round()
        first = [Choice(name, "addressed") for name in called]
        if interrupted and (interrupted.rule in ANSWERING or not (called or self._is_rounds)):
            first.append(replace(interrupted, rule="interrupted", resolved=None))
        self._owe(first, at_once=True)
        if self._is_rounds:
            deaf = [name for name in self._round_left if name not in hearers]
            self._round_left = [*hearers, *deaf]
        else:
            self._hearers = self._unanswered = tuple(hearers)

    def called(self, name: str) -> None:
        """Another bot addressed this one outside its turn."""
        self._owe([Choice(name, "addressed")])

    def turn_ended(self, hearers: Sequence[str], called: Sequence[str], resolved: Resolved) -> None:
        """A turn ended: who heard it, whom its words call, how its tag was read.

        A bot that was named earlier and still waits is not replaced by a mere fallback.
        """
        self._hearers = tuple(hearers)
        if resolved["next_id"] is None:
            chosen = None
        elif resolved["reason"] in ("tag", "fuzzy"):
            chosen = Choice(resolved["next_id"], "nominated", resolved)
        elif called:
            chosen = Choice(called[0], "addressed", resolved)
        else:
            chosen = Choice(resolved["next_id"], resolved["reason"], resolved)
        if not _is_named(self._nominee) or _is_named(chosen):
            self._nominee = chosen

    def everybody_is_silent(self) -> None:
        """All bots were asked in a row and none had words: drop the nomination."""
        self._nominee = None

    def say_goodbyes(self) -> None:
        self._goodbyes.clear()

    def left(self, name: str, *, had_floor: bool) -> None:
        """Forget a participant who left; if it was next, the bot after it is."""
        self._owed = [choice for choice in self._owed if choice.name != name]
        self._round_left = [other for other in self._round_left if other != name]
        self._unanswered = tuple(other for other in self._unanswered if other != name)
        was_next = self._nominee is not None and self._nominee.name == name
        if was_next or (had_floor and self._nominee is None and not self._is_rounds):
            able = [bot for bot in self._participants.bots if bot in self._hearers]
            self._nominee = self._behind(name, able, "round_robin")

    def interrupted(self, choice: Choice) -> None:
        """A turn was cancelled before it brought words; the bot gets it again."""
        self._owe([replace(choice, rule="interrupted", resolved=None)], at_once=True)

    # Who is next.

    def next_owed(self) -> Choice | None:
        """The first free bot that owes an answer."""
        free = self._participants.free_bots
        self._owed = [
            (choice if choice.name in free else replace(choice, rule="answer_due"))
            for choice in self._owed
        ]
        owed = next((choice for choice in self._owed if choice.name in free), None)
        if owed is not None:
            return owed
        able = [name for name in free if name in self._unanswered]  # they heard the person
        if self._nominee is not None and self._nominee.name in able:
            return self._nominee
        return self._anybody(able, "person_spoke")

    def next(self) -> Choice | None:
        """Whose turn it is by the order; a bot passed over because it is busy is owed a turn."""
        free = self._participants.free_bots
        chosen = next((name for name in self._round_left if name in free), None)
        if chosen is not None:
            passed_over = self._round_left[: self._round_left.index(chosen)]
            self._owe([Choice(name, "answer_due") for name in passed_over])
            return Choice(chosen, "round")
        nominee = self._nominee
        if nominee is None or nominee.name in free:
            return nominee
        if _is_named(nominee):
            self._owe([replace(nominee, rule="answer_due")])
            self._nominee = None
        able = [name for name in free if name in self._hearers]
        return self._behind(self.last, able, "round_robin")

    def next_to_say_goodbye(self) -> Choice | None:
        left = [name for name in self._participants.free_bots if name not in self._goodbyes]
        owing = [name for name in self.owed if name in left]
        return Choice(owing[0], "goodbye") if owing else self._anybody(left, "goodbye")

    def next_unasked(self, rule: str) -> Choice | None:
        """A bot that speaks although nobody asked."""
        return self._anybody(self._participants.free_bots, rule)

    def begin_bots_round(self) -> None:
        """Begin a round of all bots that no person asked for."""
        self._begin_round()
        self._round_left = list(self._participants.bots)

    def take(self, choice: Choice) -> None:
        """Give the chosen bot the floor."""
        self._owed = [owed for owed in self._owed if owed.name != choice.name]
        self._round_left = [name for name in self._round_left if name != choice.name]
        if self._nominee is not None and choice.name == self._nominee.name:
            self._nominee = None
        if choice.name in self._unanswered:
            self._unanswered = ()
        if choice.name in self._spoken:
            self._begin_round()
        self._spoken.add(choice.name)
        self.last = choice.name

    def said_goodbye(self, name: str) -> None:
        self._goodbyes.add(name)

    @property
    def goodbyes_left(self) -> int:
        return sum(name not in self._goodbyes for name in self._participants.bots)

    def _begin_round(self) -> None:
        if self._spoken:
            self.round += 1
            self._spoken.clear()

    def _owe(self, choices: Sequence[Choice], *, at_once: bool = False) -> None:
        """Add owed turns; each name once, with the first reason given."""
        new = list({choice.name: choice for choice in reversed(choices)}.values())[::-1]
        names = {choice.name for choice in new}
        others = [owed for owed in self._owed if owed.name not in names]
        self._owed = [*new, *others] if at_once else [*others, *new]

    def _anybody(self, candidates: Sequence[str], rule: str) -> Choice | None:
        """The next candidate around the table; the last speaker only when there is no other."""
        alone = Choice(candidates[0], rule) if candidates else None
        return self._behind(self.last, candidates, rule) or alone

    def _behind(self, name: str, candidates: Collection[str], rule: str) -> Choice | None:
        found = self._participants.after(name, candidates)
        return Choice(found, rule) if found is not None else None


def _is_named(choice: Choice | None) -> bool:
    """Whether words named this bot, rather than a fallback."""
    return choice is not None and choice.rule in ("nominated", "addressed")
