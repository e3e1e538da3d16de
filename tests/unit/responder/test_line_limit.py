"""So many lines of a player are answered in a minute; the rest are recorded, and that is told."""

from bots.access.origin import Fellow, Operator, Origin, Person
from bots.access.permissions import Permissions
from bots.chat.natural_message import NaturalMessage
from bots.responder.limits import WINDOW_S, LineLimit
from bridge.fake import VirtualClock
from bridge.world import BotName, PlayerName

NAMED = Permissions(owners=frozenset({"Olga"}), trusted=frozenset({"Tom"}))
PER_MINUTE = 3


def line_of(origin: Origin, text: str = "hi", bot: str = "Alice") -> NaturalMessage:
    name = "@operator" if isinstance(origin, Operator) else origin.name
    return NaturalMessage(BotName(bot), name, text, 0, origin, 1)


def limit_on(clock: VirtualClock) -> LineLimit:
    return LineLimit(PER_MINUTE, NAMED.level_of, clock.monotonic)


MALLORY = Person(PlayerName("Mallory"))


def test_a_player_is_answered_so_often_a_minute_by_all_bots_together() -> None:
    limit = limit_on(VirtualClock(auto=False))
    bots = ["Alice", "Bob", "Alice", "Bob", "Bob"]
    admitted = [limit.admits(line_of(MALLORY, bot=bot)) for bot in bots]
    assert admitted == [True, True, True, False, False]
    assert (limit.withheld("Alice"), limit.withheld("Bob")) == (0, 2)
    assert limit.admits(line_of(Person(PlayerName("Steve"))))


def test_those_who_may_command_the_operator_and_bots_have_no_such_limit() -> None:
    limit = limit_on(VirtualClock(auto=False))
    named = [Person(PlayerName("Olga")), Person(PlayerName("Tom"))]
    origins: list[Origin] = [*named, Operator("http"), Fellow(BotName("Bob"))]
    for origin in origins:
        assert all(limit.admits(line_of(origin)) for _ in range(PER_MINUTE * 3))


async def test_the_speaker_is_told_once_a_minute_in_their_language() -> None:
    clock = VirtualClock(auto=False)
    limit = limit_on(clock)
    told = limit.notice_due(line_of(MALLORY))
    assert told == "I answer 3 lines a minute of each player; wait a little."
    assert limit.notice_due(line_of(MALLORY)) == ""
    await clock.advance(WINDOW_S)
    assert "3回" in limit.notice_due(line_of(MALLORY, "こんにちは"))
