"""What a model is shown of the people it has to do with: of each card what the view may show.

First whoever is answered, then those who are spoken of, then those near. Who was met today and has
told nothing costs no words.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence

from bots.access.sources import LevelOf, Sources, joined
from bots.clock import Clock
from bots.knowledge.cards.card import card_of
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.wording import shown
from bots.responder.case.case import Case
from bots.text.word_match import says

MOST_CARDS = 3
LOOKED_FOR = 100  # persons, the last met, whose names are looked for in what is asked
NEAR = 16.0  # blocks


class KnownPeople:
    """The cards of all bots, as `bots.responder.case.ports.Knowledge`."""

    def __init__(
        self,
        cards_of: Callable[[str], Cards],
        level_of: LevelOf,
        fellows: Container[str],
        clock: Clock,
    ) -> None:
        self._cards_of, self._level_of = cards_of, level_of
        self._fellows, self._clock = fellows, clock

    def about(self, case: Case) -> Sequence[tuple[str, Sources]]:
        """A line for each person, the speaker first."""
        cards, now = self._cards_of(case.bot), self._clock().astimezone()

        def may_show(sources: Sources) -> bool:
            return case.view.shows(sources, self._level_of)

        found = list[tuple[str, Sources]]()
        for person in dict.fromkeys(self._concerned(case, cards)):
            days_away = cards.absences.untold_days(person)
            words, facts = shown(card_of(cards, person, may_show), days_away, now)
            if words and len(found) < MOST_CARDS:
                found.append((words, joined(one.sources for one in facts)))
        return found

    def _concerned(self, case: Case, cards: Cards) -> Iterator[str]:
        if not case.turn.from_fellow:
            yield case.turn.speaker
        spoken = " ".join(case.turn.lines)
        yield from (one for one in cards.persons[:LOOKED_FOR] if says(spoken, one))
        if case.world is None:
            return
        for player in case.world.players:
            distance = case.world.distance_to(player)
            if player.name not in self._fellows and distance is not None and distance <= NEAR:
                yield str(player.name)
