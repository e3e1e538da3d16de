"""Which lines of a history a prompt shows."""

from hypothesis import given
from hypothesis import strategies as st
from support.cases import heard

from bots.chat.message import Message, newest_lines, with_one

MOST, OF_ONE = 6, 3
LINES = st.lists(st.tuples(st.sampled_from(("Steve", "Tess")), st.booleans()), max_size=30)
"""Who spoke, and whether the line may be shown; oldest first."""


@given(LINES)
def test_the_newest_and_some_of_the_conversation_are_shown(lines: list[tuple[str, bool]]) -> None:
    history = [heard(name, "hello", number) for number, (name, _) in enumerate(lines, 1)]
    may = {number for number, (_, shown) in enumerate(lines, 1) if shown}
    chosen = newest_lines(history, with_one("Steve"), MOST, OF_ONE, lambda m: m.sequence in may)
    shown = [one for one in history if one.sequence in may]
    own = [one for one in shown if one.utterance.speaker == "Steve"][-OF_ONE:]
    others = [one for one in shown if one not in own]
    rest = others[max(0, len(others) - (MOST - len(own))) :]
    assert chosen == sorted([*own, *rest], key=lambda one: one.sequence)


def test_of_a_long_history_no_more_lines_are_looked_at_than_needed() -> None:
    history = [heard("Steve", "hello", number) for number in range(1, 1_000)]
    looked_at = []

    def is_shown(message: Message) -> bool:
        looked_at.append(message.sequence)
        return True

    newest_lines(history, with_one("Steve"), MOST, OF_ONE, is_shown)
    assert len(looked_at) == MOST
