"""Each line said shows once."""

from datetime import UTC, datetime
from typing import Any

import pytest

from bots.observability.terminal_log import spoken_line
from bots.observability.trace import Trace

FELLOWS = {"Alice", "Bob"}
LINES: list[tuple[str, str, dict[str, Any], dict[str, str] | None]] = [
    (
        "message.heard",
        "Alice",
        {"speaker": "Steve", "text": "hi"},
        {"by": "Steve", "to": "Alice", "text": "hi"},
    ),
    (
        "reply.sent",
        "Alice",
        {"speaker": "Steve", "text": "hello"},
        {"by": "Alice", "to": "Steve", "text": "hello"},
    ),
    ("reply.sent", "Alice", {"speaker": "Bob", "text": "told when Bob hears it"}, None),
    ("health.changed", "Alice", {}, None),
    (
        "message.heard",
        "Alice",
        {"speaker": "Steve", "text": "hi all", "public": True, "news": True},
        {"by": "Steve", "to": "everybody", "text": "hi all"},
    ),
    (
        "message.heard",
        "Bob",
        {"speaker": "Steve", "text": "told by who heard it first", "public": True, "news": False},
        None,
    ),
    (
        "talk.said",
        "Alice",
        {"text": "hello you two", "to": ("Bob", "Steve")},
        {"by": "Alice", "to": "Bob, Steve", "text": "hello you two"},
    ),
    ("message.heard", "Bob", {"speaker": "Alice", "text": "told as said", "of_talk": True}, None),
    ("smalltalk.said", "Alice", {"text": "refused to each", "to": []}, None),
    ("reply.sent", "Alice", {"speaker": "Steve", "text": "refused", "success": False}, None),
    ("talk.said", "Alice", {"text": "told as chat", "to": ("Bob",), "public": True}, None),
    ("chat.said", "Alice", {"text": "hello"}, {"by": "Alice", "to": "everybody", "text": "hello"}),
    ("reply.sent", "Alice", {"speaker": "Steve", "text": "told as said", "public": True}, None),
    (
        "message.heard",
        "Bob",
        {"speaker": "Alice", "text": "told as said", "public": True, "news": True},
        None,
    ),
]


@pytest.mark.parametrize(("name", "bot", "facts", "line"), LINES)
def test_a_line_is_told_where_it_arrives(
    name: str, bot: str, facts: dict[str, Any], line: dict[str, str] | None
) -> None:
    happened = Trace(1, datetime(2026, 1, 1, tzinfo=UTC), name, bot, facts)
    assert spoken_line(happened, FELLOWS) == line
