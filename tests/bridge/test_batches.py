"""How commands that wait are put together into batches."""

import json

from hypothesis import given
from hypothesis import strategies as st

from bridge.js.link import BATCH_CHARS, BATCH_COMMANDS, Outgoing

LENGTHS = st.lists(
    st.integers(2, 2000) | st.sampled_from([BATCH_CHARS // 2, BATCH_CHARS, 2 * BATCH_CHARS]),
    max_size=12,
)


def all_batches(commands: list[str]) -> list[str]:
    outgoing = Outgoing()
    for command in commands:
        outgoing.put(command)
    return list(iter(outgoing.next_batch, ""))


@given(LENGTHS)
def test_every_command_crosses_once_and_in_order(lengths: list[int]) -> None:
    commands = [json.dumps(f"{i:x>{length}}") for i, length in enumerate(lengths)]
    crossed = [command for batch in all_batches(commands) for command in json.loads(batch)]
    assert crossed == [json.loads(command) for command in commands]


@given(LENGTHS)
def test_a_batch_keeps_its_size_unless_one_command_is_larger(lengths: list[int]) -> None:
    for batch in all_batches([json.dumps("x" * length) for length in lengths]):
        commands = json.loads(batch)
        assert len(commands) == 1 or len(batch) - len(commands) - 1 <= BATCH_CHARS


def test_a_batch_holds_a_bounded_number_of_commands() -> None:
    sizes = [len(json.loads(batch)) for batch in all_batches(["1"] * (BATCH_COMMANDS + 3))]
    assert sizes == [BATCH_COMMANDS, 3]
