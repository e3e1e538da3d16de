"""Who is answered next: by rank, in turns, and nobody waits for ever."""

from structlog.testing import capture_logs

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.permissions import PATIENCE, Permissions, ranking
from bots.chat.natural_message import NaturalMessage
from bots.clock import utc_now
from bots.observability.trace import TraceLog
from bots.responder.case.inbox import (
    ASKING,
    COMMANDING,
    EVENT_WAITS_S,
    MOST_EVENTS,
    MOST_SPEAKERS,
    EventReport,
    Inbox,
    PendingTurn,
)
from bridge.world import BotName, PlayerName

NAMED = Permissions(owners=frozenset({"Olga", "Otto"}), trusted=frozenset({"Tom"}))
BOB = Fellow(BotName("Bob"))


def inbox_of() -> Inbox:
    return Inbox("Alice", TraceLog(utc_now), ranking(NAMED.level_of))


def person(name: str) -> Person:
    return Person(PlayerName(name))


def say(inbox: Inbox, origin: Origin, at_s: float = 0.0) -> bool:
    name = origin.name if isinstance(origin, Person | Fellow) else "@operator"
    return inbox.add(NaturalMessage(BotName("Alice"), name, "hi", 0, origin, 1), at_s)


def report(inbox: Inbox, name: str) -> None:
    inbox.report(name, person(name), EventReport("action_ended", "Done.", 0.0))


def answered(inbox: Inbox, ranks: frozenset[int] = COMMANDING | ASKING) -> list[str]:
    """Everybody's turn, one after the other."""
    order: list[str] = []
    while (turn := inbox.first_line(ranks)) is not None:
        inbox.take(turn)
        order.append(turn.speaker)
    return order


def speaker(turn: PendingTurn | None) -> str | None:
    return turn.speaker if turn else None


def test_owners_are_answered_before_trusted_before_players_who_waited_longer() -> None:
    inbox = inbox_of()
    for name in ("Mallory", "Tom", "Steve", "Olga"):
        assert say(inbox, person(name))
    assert answered(inbox) == ["Olga", "Tom", "Mallory", "Steve"]


def test_whoever_speaks_again_queues_up_behind_the_others() -> None:
    inbox = inbox_of()
    for name in ("Mallory", "Steve"):
        say(inbox, person(name))
    first = inbox.first_line(ASKING)
    assert first is not None
    inbox.take(first)
    say(inbox, person("Mallory"))
    assert answered(inbox) == ["Steve", "Mallory"]


def test_a_trusted_player_waits_for_so_many_lines_of_owners_and_no_more() -> None:
    inbox = inbox_of()
    say(inbox, person("Tom"))
    order: list[str] = []
    for turn_number in range(PATIENCE + 2):
        say(inbox, person("Olga" if turn_number % 2 else "Otto"))
        turn = inbox.first_line(COMMANDING)
        assert turn is not None
        inbox.take(turn)
        order.append(turn.speaker)
    assert order.index("Tom") == PATIENCE


def test_those_who_may_command_are_answered_beside_all_others() -> None:
    inbox = inbox_of()
    for name in ("Mallory", "Olga"):
        say(inbox, person(name))
    assert speaker(inbox.first_line(COMMANDING)) == "Olga"
    assert speaker(inbox.first_line(ASKING)) == "Mallory"


def test_another_bots_line_waits_while_any_person_does() -> None:
    inbox = inbox_of()
    say(inbox, BOB)
    assert speaker(inbox.first_of_fellow()) == "Bob"
    say(inbox, person("Mallory"))
    assert inbox.first_of_fellow() is None
    assert answered(inbox) == ["Mallory"]
    assert speaker(inbox.first_of_fellow()) == "Bob"


def test_an_owner_is_told_of_an_event_while_strangers_wait_for_answers() -> None:
    inbox = inbox_of()
    report(inbox, "Mallory")
    report(inbox, "Olga")
    say(inbox, person("Steve"))
    assert speaker(inbox.first_event(0.0, ())) == "Olga"


def test_nobody_is_told_of_an_event_while_somebody_of_their_rank_waits_for_an_answer() -> None:
    inbox = inbox_of()
    report(inbox, "Mallory")
    say(inbox, person("Steve"))
    assert inbox.first_event(0.0, ()) is None
    assert answered(inbox) == ["Steve"]
    assert speaker(inbox.first_event(0.0, ())) == "Mallory"


def told_at(inbox: Inbox, now_s: float) -> str | None:
    """Who is told of an event at that moment, while a stranger and an owner are being answered."""
    turn = inbox.first_event(now_s, {int(Level.PLAYER), int(Level.OWNER)})
    if turn is not None:
        inbox.take(turn)
    return speaker(turn)


def test_a_strangers_event_waits_so_long_behind_lines_and_no_longer() -> None:
    inbox = inbox_of()
    report(inbox, "Mallory")
    for now_s in range(60):
        say(inbox, person("Olga"), now_s)
        say(inbox, person("Steve"), now_s)
        if told_at(inbox, now_s) is not None:
            break
        answered(inbox)
    assert now_s == EVENT_WAITS_S


def test_events_of_owners_come_first_and_of_strangers_in_between() -> None:
    inbox = inbox_of()
    report(inbox, "Mallory")
    order = []
    for _ in range(PATIENCE + 2):
        report(inbox, "Olga")
        order.append(told_at(inbox, EVENT_WAITS_S))
    assert order == [*["Olga"] * PATIENCE, "Mallory", "Olga"]


def test_an_event_that_is_dropped_is_told_in_the_log() -> None:
    inbox = inbox_of()
    with capture_logs() as logs:
        for _ in range(MOST_EVENTS + 1):
            report(inbox, "Mallory")
    assert [(line["event"], line["to"]) for line in logs] == [("event.not_reported", "Mallory")]


def test_strangers_fill_no_place_of_owners() -> None:
    inbox = inbox_of()
    for number in range(MOST_SPEAKERS):
        assert say(inbox, person(f"P{number}"))
    assert not say(inbox, person("Mallory"))
    assert say(inbox, person("Olga"))


def test_of_a_speaker_whose_lines_are_withdrawn_only_the_events_go_on_waiting() -> None:
    inbox = inbox_of()
    carol, steve = person("Carol"), person("Steve")
    for origin in (carol, steve):
        say(inbox, origin)
    report(inbox, "Carol")
    assert [line.from_ for line in inbox.withdraw(carol)] == ["Carol"]
    assert [line.from_ for line in inbox.withdraw(steve)] == ["Steve"]
    left = inbox.first_event(0.0, ())
    assert left is not None
    assert (left.speaker, len(left.messages), len(left.events)) == ("Carol", 0, 1)
    inbox.take(left)
    assert inbox.first_event(0.0, ()) is None


def test_the_ranks_of_people_are_the_levels() -> None:
    assert {*COMMANDING, *ASKING} == {int(level) for level in Level}
