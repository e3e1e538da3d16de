"""Whatever the API answers, the model's caller gets words, calls, or a named failure."""

import json
from collections.abc import Mapping
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from support.fuzz import ANY_TEXT, fuzzed, nearly

from llm.claude import calls
from llm.claude.wire import StreamedMessage, completion_of, object_of, usage_of
from llm.engine.prices import Rates
from llm.fake_api import Call, Reply
from llm.fake_api.steps import events_of
from llm.model import Completion

RIGHT = list(
    events_of(Reply("Hello.", thinking="Hm.", calls=(Call("goal", {"goal": "x"}),)), "m", 1)
)
NAMELESS_CALL = {
    "type": "content_block_start",
    "content_block": {"type": "tool_use", "id": None, "name": "goal", "input": {}},
}
RATES = Rates(3_000, 15_000, 300, 3_750)


def completed(events: list[Any]) -> Completion | None:
    """What these events of a stream come to; None where they are refused."""
    arriving = StreamedMessage()
    try:
        for event in events:
            assert isinstance(arriving.take(event), str)
        message = arriving.whole()
        return completion_of(message, "m", arriving.arguments)
    except calls.REFUSED:
        return None


@given(nearly(RIGHT))
@example([*RIGHT[:1], {"type": "message_delta", "delta": {"stop_reason": "end"}, "usage": {}}])
@example([*RIGHT[:1], NAMELESS_CALL, RIGHT[-2]])
@fuzzed
def test_the_events_of_an_answer_make_a_sound_one_or_none(events: list[Any]) -> None:
    answer = completed(events)
    if answer is None:
        return
    assert isinstance(answer.text, str)
    assert isinstance(answer.model, str)
    assert RATES.of(answer.usage) >= 0
    for call in answer.calls:
        assert isinstance(call.id, str)
        assert isinstance(call.name, str)
        assert call.arguments is None or isinstance(call.arguments, dict)
    json.dumps(answer.raw)


@given(nearly({"usage": RIGHT[0]["message"]["usage"]}))
@example({"usage": {"input_tokens": -(10**9)}})
@example({"usage": {"output_tokens": float("nan")}})
@fuzzed
def test_no_count_of_tokens_gives_money_back(message: Mapping[str, Any]) -> None:
    try:
        used = usage_of(message)
    except calls.REFUSED:
        return
    assert RATES.of(used) >= 0


@given(ANY_TEXT | nearly({"a": [1, {"b": 2}]}).map(json.dumps) | st.sampled_from(("[" * 5_000,)))
@fuzzed
def test_arguments_of_a_call_are_an_object_or_none(text: str) -> None:
    found = object_of(text)
    assert found is None or isinstance(found, dict)
