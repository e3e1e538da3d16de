"""What a bot was told to reach: its order, and what is left of it on the disk."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.held_commits import commits_held

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.sources import FACTS
from bots.bot.agenda import MOST_WAITING, Agenda, AllAgendas, Home, KeptGoal
from bots.clock import utc_now
from bots.errors import CommandError
from bots.observability.trace import TraceLog
from bots.store.database import Store
from bridge.world import BotName, PlayerName, Position

STEVE = Person(PlayerName("Steve"))


async def agenda_of(store: Store, bot: str = "Alice") -> Agenda:
    return (await AllAgendas.load(store, utc_now, TraceLog(utc_now))).of(bot)


def goal(agenda: Agenda, title: str, by: Origin = STEVE) -> KeptGoal:
    fields = {"goal": [title], "range": 12}
    return agenda.new_goal(title, fields, given_by=by, level=Level.TRUSTED, sources=FACTS)


@pytest.mark.parametrize("by", [STEVE, Operator("exec"), Fellow(BotName("Bob"))])
async def test_a_goal_is_read_back_as_it_was_given(store: Store, by: Origin) -> None:
    agenda = await agenda_of(store)
    given = replace(goal(agenda, "x", by), state="paused", home=Home(Position(1.5, 64, -3), "end"))
    await agenda.queue(given)
    assert (await agenda_of(store)).goals == (given,)
    assert (await agenda_of(store, "Bob")).goals == ()


async def test_what_has_begun_comes_first_then_what_waits_in_its_order(store: Store) -> None:
    agenda = await agenda_of(store)
    for state, title in (("waiting", "second"), ("waiting", "third"), ("begun", "first")):
        await agenda.queue(replace(goal(agenda, title), state=state))  # type: ignore[arg-type]
    assert [one.title for one in agenda.goals] == ["first", "second", "third"]
    assert agenda.next is agenda.goals[0]


async def test_numbers_go_on_after_a_restart(store: Store) -> None:
    agenda = await agenda_of(store)
    await agenda.queue(goal(agenda, "first"))
    again = await agenda_of(store)
    await again.queue(goal(again, "second"))
    assert [one.title for one in (await agenda_of(store)).goals] == ["first", "second"]


async def test_no_more_wait_than_may(store: Store) -> None:
    agenda = await agenda_of(store)
    for number in range(MOST_WAITING):
        await agenda.queue(goal(agenda, str(number)))
    with pytest.raises(CommandError, match="wait already"):
        await agenda.queue(goal(agenda, "one more"))
    assert len(agenda.goals) == MOST_WAITING


async def test_without_a_database_goals_are_kept_in_memory(store: Store) -> None:
    agenda = await agenda_of(store)
    await store.aclose()
    await agenda.queue(goal(agenda, "x"))
    assert [one.title for one in agenda.goals] == ["x"]
    await agenda.drop(agenda.goals[0])
    assert agenda.goals == ()


async def test_a_stop_does_not_wait_for_a_slow_disk(store: Store, tmp_path: Path) -> None:
    agenda = await agenda_of(store)
    await agenda.queue(goal(agenda, "x"))
    with commits_held(tmp_path):
        await agenda.held[0].stop()
        assert store.is_at_work
        assert agenda.goals == ()
    await store.write(lambda connection: None)
    assert (await agenda_of(store)).goals == ()
