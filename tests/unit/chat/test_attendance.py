"""Who is in which talk, and which lines belong to it."""

from datetime import UTC, datetime

import pytest

from bots.access.origin import Person
from bots.chat.attendance import Attendance, GiveBack, begins_no_talk
from bots.chat.natural_message import NaturalMessage
from bridge.world import BotName, PlayerName

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Talk:
    """Keeps what it was told."""

    number = 1

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.overheard: list[str] = []
        self.busy_changes: list[tuple[str, bool]] = []

    def hear(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        self.heard.append(message.content)
        return message.content != "psst"

    def overhear(self, bot: str, speaker: str, text: str, at: datetime) -> None:
        self.overheard.append(text)

    def busy(self, bot: str, busy: bool) -> None:
        self.busy_changes.append((bot, busy))


def line(text: str, speaker: str = "Steve", *, relayed: bool = False) -> NaturalMessage:
    origin = Person(PlayerName(speaker))
    return NaturalMessage(BotName("Alice"), speaker, text, 0, origin, 1, relayed=relayed)


def nothing() -> None:
    """Nobody wants the line back."""


@pytest.fixture
def attendance() -> Attendance:
    return Attendance()


@pytest.mark.parametrize(
    ("said", "is_taken", "heard"),
    [
        (line("hello"), True, ["hello"]),
        (line("me too", "Olga"), False, []),
        (line("psst"), False, ["psst"]),
        (line("hello", relayed=True), True, []),
    ],
    ids=["a member's", "another's", "not for the talk", "heard by another bot"],
)
def test_a_talk_takes_the_lines_between_its_members(
    attendance: Attendance, said: NaturalMessage, is_taken: bool, heard: list[str]
) -> None:
    talk = Talk()
    for name in ("Alice", "Steve"):
        attendance.enter(name, talk)
    assert (attendance.takes(said, nothing), talk.heard) == (is_taken, heard)


def test_a_name_is_in_one_talk_at_a_time(attendance: Attendance) -> None:
    first, second = Talk(), Talk()
    assert attendance.enter("Alice", first)
    assert attendance.enter("Alice", first)
    assert not attendance.enter("Alice", second)
    assert attendance.is_taken("Alice")


def test_leaving_a_talk_one_is_not_in_changes_nothing(attendance: Attendance) -> None:
    first, second = Talk(), Talk()
    attendance.enter("Alice", first)
    attendance.leave("Alice", second)
    attendance.leave("Bob", second)
    assert attendance.is_taken("Alice")
    attendance.leave("Alice", first)
    assert not attendance.is_taken("Alice")


def test_only_members_of_the_same_talk_are_together(attendance: Attendance) -> None:
    assert not attendance.together("Alice", "Bob")
    talk = Talk()
    attendance.enter("Alice", talk)
    assert not attendance.together("Alice", "Bob")
    attendance.enter("Bob", talk)
    attendance.enter("Cara", Talk())
    assert attendance.together("Alice", "Bob")
    assert not attendance.together("Alice", "Cara")


def test_a_public_line_goes_to_the_talk_of_its_speaker_alone(attendance: Attendance) -> None:
    talk = Talk()
    attendance.enter("Alice", talk)
    attendance.enter("Steve", talk)
    assert attendance.takes_public("Alice", "Steve", "hello", NOW)
    assert not attendance.takes_public("Alice", "Olga", "and me?", NOW)
    assert talk.overheard == ["hello"]


def test_a_talk_hears_once_that_its_bot_is_away_and_once_it_is_back(attendance: Attendance) -> None:
    talk = Talk()
    attendance.enter("Alice", talk)
    with attendance.thinking_elsewhere("Alice"):
        with attendance.thinking_elsewhere("Alice"):
            assert attendance.is_elsewhere("Alice")
        assert attendance.is_elsewhere("Alice")
        assert not attendance.is_elsewhere("Bob")
    assert not attendance.is_elsewhere("Alice")
    assert talk.busy_changes == [("Alice", True), ("Alice", False)]


def test_a_bot_that_failed_to_think_is_back_in_its_talk(attendance: Attendance) -> None:
    with pytest.raises(RuntimeError), attendance.thinking_elsewhere("Alice"):
        raise RuntimeError("a bug")
    assert not attendance.is_elsewhere("Alice")


def test_without_words_that_begin_talks_no_line_begins_one() -> None:
    assert not begins_no_talk(line("hey Alice, Bob, what shall we do?"), nothing)
