"""A streamed answer is put together from its events, whatever comes between them."""

from typing import Any

import pytest

from llm.claude.wire import Event, StreamedMessage, completion_of
from llm.fake_api import Call, Reply
from llm.fake_api.steps import events_of
from llm.model import ToolCall, Usage

MODEL_ID = "claude-haiku-5-5"
STARTED = {"type": "message_start", "message": {"usage": {"input_tokens": 3}}}
ENDED = {"stop_reason": "end_turn"}


def put_together(*events: Event) -> tuple[dict[str, Any], str]:
    """The message, and the text as it was heard piece by piece."""
    arriving = StreamedMessage()
    heard = "".join(arriving.take(event) for event in events)
    return arriving.whole(), heard


def delta(kind: str, index: int = 0, **more: Any) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **more}}


def block(kind: str, **more: Any) -> Event:
    return {"type": "content_block_start", "content_block": {"type": kind, **more}}


def test_an_answer_is_whole_with_thinking_text_and_tools() -> None:
    usage = Usage(fresh=20, output=9, cache_read=5)
    call = Call("look", {"at": "スティーブ"})
    reply = Reply("Gladly, Steve.", thinking="He wants eyes.", calls=(call,), usage=usage)
    arriving = StreamedMessage()
    heard = [arriving.take(event) for event in events_of(reply, MODEL_ID, 1)]
    made = completion_of(arriving.whole(), MODEL_ID, arriving.arguments)
    assert "".join(heard) == made.text == "Gladly, Steve."
    assert (made.thinking, made.stop, made.usage) == ("He wants eyes.", "tools", usage)
    assert made.calls == (ToolCall("toolu_1_0", "look", call.arguments),)
    assert [one["type"] for one in made.raw] == ["thinking", "text", "tool_use"]
    assert made.raw[0]["signature"]
    assert made.raw[2]["input"] == call.arguments


def test_counts_at_the_end_are_totals_and_those_left_out_stay() -> None:
    used = {"output_tokens": 7, "cache_read_input_tokens": None}
    message, _ = put_together(STARTED, {"type": "message_delta", "delta": ENDED, "usage": used})
    assert message["usage"] == {"input_tokens": 3, "output_tokens": 7}
    assert message["stop_reason"] == "end_turn"


def test_what_is_not_known_changes_nothing() -> None:
    message, heard = put_together(
        STARTED,
        {"type": "ping"},
        {"type": "weather_changed"},
        block("hologram", depth=3),
        block("text", text=""),
        delta("hologram_delta", depth=4),
        delta("text_delta", 0, text="no text"),
        delta("text_delta", 1, text="Hi."),
        delta("shape_delta", 1, shape="round"),
        {"type": "content_block_stop", "index": 1},
    )
    assert heard == "Hi."
    assert message["content"] == [{"type": "hologram", "depth": 3}, {"type": "text", "text": "Hi."}]
    assert message["stop_reason"] is None


def test_citations_go_back_with_their_text() -> None:
    cited = delta("citations_delta", citation={"url": "x"})
    message, _ = put_together(STARTED, block("text", text="", citations=None), cited, cited)
    assert message["content"][0]["citations"] == [{"url": "x"}, {"url": "x"}]


@pytest.mark.parametrize(
    "events",
    [
        (),
        ({"type": "message_start"},),
        ({"type": "message_start", "message": "hello"},),
        ({"type": "message_start", "message": {}},),
        ({"type": "message_delta", "delta": ENDED, "usage": {}},),
        (STARTED, delta("text_delta", text="before its block")),
        (STARTED, block("text", text=""), delta("text_delta", text=7)),
        (STARTED, {"type": "content_block_start", "content_block": {}}, delta("text_delta")),
    ],
)
def test_what_is_no_message_is_refused(events: tuple[Event, ...]) -> None:
    with pytest.raises((LookupError, TypeError, AttributeError)):
        put_together(*events)
