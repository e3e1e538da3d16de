"""The imitation of the Messages API, field by field, against three witnesses.

**The SDK's types**, strictly: a field too many, one too few, or a word of no list is a fault. **The
public reference** (platform.claude.com/docs/en): the third column of the table. **The API itself**,
as public recordings of it show it, last of October 2026 with claude-sonnet-5-5: which of the fields
that may be missing are there, the order of events, a ping after the first block began, an empty
first piece of a call's arguments.

Other imitations were asked the same questions once, in November 2026: `llmock` 0.2.2, `fakellm`
0.3.5, `mock-ai-api` 0.1.1, `llm-mock-api` 0.1.2, `stubllm` 0.1.5 and npm's `@copilotkit/aimock`
1.43.0. Of the two that are kept best, `llmock` agrees with ours on the order, the ping and, by its
source, on the type of each error but four: for 409 and 504 the reference speaks for ours, 408 and
503 it does not name. `aimock` agrees on the events, and words errors as OpenAI does. All send fewer
fields than the API, and none a `request-id`. None is installed here: `llmock` brings a plugin of
pytest, and an event loop that uvicorn would prefer from then on.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import anthropic
import anyio
import httpx2
import pytest
from anthropic import types as sdk
from anthropic.pagination import AsyncPage
from anthropic.types import shared
from anthropic.types.message_tokens_count import MessageTokensCount
from anthropic.types.raw_message_delta_event import Delta
from pydantic import BaseModel, TypeAdapter, ValidationError

from llm.fake_api import Call, Failure, FakeClaude, Reply, Step
from llm.fake_api.steps import ERROR_TYPES, Stop

pytestmark = pytest.mark.slow


class Ping(BaseModel):
    """In the reference alone."""

    type: Literal["ping"]


class OtherError(BaseModel):
    """In the reference alone."""

    message: str
    type: Literal["conflict_error", "request_too_large"]


class OtherErrorResponse(BaseModel):
    error: OtherError
    request_id: str
    type: Literal["error"]


@dataclass(frozen=True, slots=True)
class Row:
    place: str
    type: type[BaseModel]
    page: str
    """Of the reference."""
    sends: str
    """Each time."""
    leaves: str = ""
    """Known to the SDK, and not sent: nothing that we ask for brings it."""


MESSAGE = (
    "id type role model content container stop_reason stop_sequence stop_details usage diagnostics"
)
READ = "input_tokens cache_creation_input_tokens cache_read_input_tokens"
USED = f"{READ} cache_creation output_tokens service_tier inference_geo"
KEPT = "ephemeral_1h_input_tokens ephemeral_5m_input_tokens"
DETAILS = "output_tokens_details"
TOTALS = f"{READ} output_tokens {DETAILS}"
UNASKED = "server_tool_use speed"
THOUGHT = "thinking_tokens"
REFUSED = "type category explanation"
STOPPED = "stop_reason stop_sequence stop_details container"
CALL = "type id name input caller"
MODEL = (
    "type id display_name created_at lifecycle line max_input_tokens max_tokens capabilities "
    "deprecated_at retires_at"
)
CREATE, STREAM, ERRORS = "api/messages/create", "build-with-claude/streaming", "api/errors"
THINKING, REFUSALS = "build-with-claude/thinking", "build-with-claude/handling-stop-reasons"
TOLD = "message type"  # of an error
TABLE = (
    Row("message", sdk.Message, CREATE, MESSAGE),
    Row("message.content", sdk.TextBlock, CREATE, "type text", "citations"),
    Row("message.content", sdk.ThinkingBlock, THINKING, "type thinking signature"),
    Row("message.content", sdk.ToolUseBlock, CREATE, CALL, "toolset_name"),
    Row("message.content.caller", sdk.DirectCaller, CREATE, "type"),
    Row("message.stop_details", sdk.RefusalStopDetails, REFUSALS, REFUSED),
    Row("message.usage", sdk.Usage, CREATE, f"{USED} {DETAILS}", UNASKED),
    Row("message.usage.cache_creation", sdk.CacheCreation, CREATE, KEPT),
    Row("message.usage.output_tokens_details", sdk.OutputTokensDetails, CREATE, THOUGHT),
    Row("message_start", sdk.RawMessageStartEvent, STREAM, "type message"),
    Row("message_start.message", sdk.Message, STREAM, MESSAGE),
    Row("message_start.message.usage", sdk.Usage, STREAM, USED, f"{DETAILS} {UNASKED}"),
    Row("message_start.message.usage.cache_creation", sdk.CacheCreation, STREAM, KEPT),
    Row("ping", Ping, STREAM, "type"),
    Row("content_block_start", sdk.RawContentBlockStartEvent, STREAM, "type index content_block"),
    Row("content_block_start.content_block", sdk.TextBlock, STREAM, "type text", "citations"),
    Row("content_block_start.content_block", sdk.ThinkingBlock, STREAM, "type thinking signature"),
    Row("content_block_start.content_block", sdk.ToolUseBlock, STREAM, CALL, "toolset_name"),
    Row("content_block_start.content_block.caller", sdk.DirectCaller, STREAM, "type"),
    Row("content_block_delta", sdk.RawContentBlockDeltaEvent, STREAM, "type index delta"),
    Row("content_block_delta.delta", sdk.TextDelta, STREAM, "type text"),
    Row("content_block_delta.delta", sdk.ThinkingDelta, STREAM, "type thinking"),
    Row("content_block_delta.delta", sdk.SignatureDelta, STREAM, "type signature"),
    Row("content_block_delta.delta", sdk.InputJSONDelta, STREAM, "type partial_json"),
    Row("content_block_stop", sdk.RawContentBlockStopEvent, STREAM, "type index"),
    Row("message_delta", sdk.RawMessageDeltaEvent, STREAM, "type delta usage"),
    Row("message_delta.delta", Delta, STREAM, STOPPED),
    Row("message_delta.delta.stop_details", sdk.RefusalStopDetails, REFUSALS, REFUSED),
    Row("message_delta.usage", sdk.MessageDeltaUsage, STREAM, TOTALS, "server_tool_use"),
    Row("message_delta.usage.output_tokens_details", sdk.OutputTokensDetails, STREAM, THOUGHT),
    Row("message_stop", sdk.RawMessageStopEvent, STREAM, "type"),
    Row("error", shared.ErrorResponse, ERRORS, "type error request_id"),
    Row("error", OtherErrorResponse, ERRORS, "type error request_id"),
    Row("error.error", shared.InvalidRequestErrorObject, ERRORS, TOLD),
    Row("error.error", shared.AuthenticationErrorObject, ERRORS, TOLD),
    Row("error.error", shared.BillingErrorObject, ERRORS, TOLD),
    Row("error.error", shared.PermissionErrorObject, ERRORS, TOLD),
    Row("error.error", shared.NotFoundErrorObject, ERRORS, TOLD),
    Row("error.error", shared.RateLimitErrorObject, ERRORS, TOLD),
    Row("error.error", shared.GatewayTimeoutErrorObject, ERRORS, TOLD),
    Row("error.error", shared.APIErrorObject, ERRORS, TOLD),
    Row("error.error", shared.OverloadedErrorObject, ERRORS, TOLD),
    Row("error.error", OtherError, ERRORS, TOLD),
    Row("models", AsyncPage[sdk.ModelInfo], "api/models/list", "data has_more first_id last_id"),
    Row("models.data", sdk.ModelInfo, "api/models/list", MODEL),
    Row("count_tokens", MessageTokensCount, "api/messages/count_tokens", "input_tokens"),
)  # fmt: skip
WHOLE = {row.place: row.type for row in TABLE if "." not in row.place and row.place != "error"}

QUESTION: dict[str, Any] = {
    "model": "claude-sonnet-5-5",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "Hello?"}],
    "thinking": {"type": "adaptive", "display": "summarized"},
}
ANSWER = Reply("Hello there.", thinking="He greets me.", calls=(Call("look", {"at": "Steve"}),))
REPLIES = (ANSWER, Reply(""), *(Reply(stop=stop) for stop in get_args(Stop)))
STATUSES = (*ERROR_TYPES, 418, 503)
ORDER = re.compile(
    "message_start"
    "(?: content_block_start(?: ping)?(?: content_block_delta)+ content_block_stop)*"
    " message_delta message_stop"
)


@dataclass(frozen=True, slots=True)
class Sent:
    kind: str
    body: Any


@lru_cache
def everything() -> Sequence[Sent]:
    """All bodies and events that the imitation knows."""
    return anyio.run(_everything)


async def _everything() -> Sequence[Sent]:
    steps: list[Step] = [*REPLIES, *map(Failure, STATUSES)]
    twice = [step for step in steps for _ in range(2)]
    async with (
        FakeClaude(*twice, Reply(error_after=3)).serving() as api,
        httpx2.AsyncClient(base_url=api.url, trust_env=False) as http,
    ):
        counted = await http.post("/v1/messages/count_tokens", json=QUESTION)
        listed = await http.get("/v1/models")
        sent = [Sent("count_tokens", counted.json()), Sent("models", listed.json())]
        for stream in (*[False, True] * len(steps), True):
            asked = {**QUESTION, "stream": stream}
            sent += _parts(await http.post("/v1/messages", json=asked))
    return sent


def _parts(answer: httpx2.Response) -> Iterator[Sent]:
    """An answer's body, or its events."""
    if not answer.headers["content-type"].startswith("text/event-stream"):
        body = answer.json()
        yield Sent(body["type"], body)
        return
    for block in answer.text.rstrip().split("\n\n"):
        named, data = block.split("\n")
        yield Sent(named.removeprefix("event: "), json.loads(data.removeprefix("data: ")))


def type_of(sent: Sent) -> type[BaseModel]:
    if sent.kind != "error":
        return WHOLE[sent.kind]
    is_other = sent.body["error"]["type"] in get_args(OtherError.model_fields["type"].annotation)
    return OtherErrorResponse if is_other else shared.ErrorResponse


@lru_cache
def adapter(of_type: type[BaseModel]) -> TypeAdapter[BaseModel]:
    return TypeAdapter(of_type)


def read_strictly(body: Any, as_type: type[BaseModel]) -> BaseModel:
    """Raises ValidationError."""
    return adapter(as_type).validate_json(json.dumps(body), strict=True, extra="forbid")


def parts_of(place: str, value: object) -> Iterator[tuple[str, BaseModel]]:
    """What is read, and all that it holds, each with its place."""
    if isinstance(value, list):
        for one in value:
            yield from parts_of(place, one)
    if isinstance(value, BaseModel):
        yield place, value
        for name in value.model_fields_set:
            yield from parts_of(f"{place}.{name}", getattr(value, name))


@pytest.mark.parametrize("kind", sorted({*WHOLE, "error"}))
def test_all_that_is_sent_holds_what_the_types_of_the_sdk_hold(kind: str) -> None:
    sent = [one for one in everything() if one.kind == kind]
    assert sent
    for one in sent:
        assert one.body.get("type", kind) == kind or kind == "models"
        read_strictly(one.body, type_of(one))


def test_each_field_that_is_sent_stands_in_the_table_and_the_other_way_round() -> None:
    seen = {
        (place, type(part), frozenset(part.model_fields_set))
        for one in everything()
        for place, part in parts_of(one.kind, read_strictly(one.body, type_of(one)))
    }
    assert seen == {(row.place, row.type, frozenset(row.sends.split())) for row in TABLE}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row.place}:{row.type.__name__}")
def test_each_field_that_the_sdk_knows_is_sent_or_left_out_by_name(row: Row) -> None:
    sends, leaves = row.sends.split(), row.leaves.split()
    assert sorted([*sends, *leaves]) == sorted(row.type.model_fields)
    assert not [name for name in leaves if row.type.model_fields[name].is_required()]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"weather": "fair"}, "extra_forbidden"),
        ({"usage": {"input_tokens": 1}}, "missing"),
        ({"stop_reason": "stop"}, "literal_error"),
        ({"id": 7}, "string_type"),
    ],
)
def test_a_wrong_or_missing_field_is_found(change: dict[str, Any], complaint: str) -> None:
    body = next(one.body for one in everything() if one.kind == "message")
    with pytest.raises(ValidationError) as found:
        read_strictly({**body, **change}, sdk.Message)
    assert [error["type"] for error in found.value.errors()] == [complaint]


def test_each_event_and_each_error_that_the_sdk_knows_stands_in_the_table() -> None:
    def variants(union: Any) -> set[object]:
        return set(get_args(get_args(union)[0]))

    known = {row.type for row in TABLE}
    assert variants(sdk.RawMessageStreamEvent) <= known
    assert variants(shared.ErrorObject) <= known
    assert variants(sdk.RawContentBlockDelta) - known == {sdk.CitationsDelta}


def test_what_only_the_reference_knows_is_unknown_to_the_sdk_still() -> None:
    assert set(ERROR_TYPES.values()) - set(get_args(shared.ErrorType)) == {"request_too_large"}
    assert set(get_args(shared.ErrorType)) - set(ERROR_TYPES.values()) == {
        "memory_precondition_failed_error",
        "memory_path_conflict_error",
    }
    for one in everything():
        if type_of(one) in (OtherErrorResponse, Ping):
            with pytest.raises(ValidationError):
                read_strictly(one.body, shared.ErrorResponse)


def test_every_reason_to_stop_but_a_stop_sequence_can_be_given() -> None:
    assert {*get_args(Stop), "stop_sequence"} == {"", *get_args(sdk.StopReason)}


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.stop_reason)
async def test_events_come_in_the_order_of_the_reference(reply: Reply) -> None:
    async with FakeClaude(reply).serving() as api, httpx2.AsyncClient(trust_env=False) as http:
        asked = {**QUESTION, "stream": True}
        sent = list(_parts(await http.post(f"{api.url}/v1/messages", json=asked)))
    assert ORDER.fullmatch(" ".join(one.kind for one in sent))
    indices = [one.body["index"] for one in sent if "index" in one.body]
    assert indices == sorted(indices)
    begun = [one.body["index"] for one in sent if one.kind == "content_block_start"]
    assert begun == list(range(len(begun)))


@pytest.mark.parametrize("reply", REPLIES, ids=lambda reply: reply.stop_reason)
async def test_the_sdk_reads_the_same_message_from_a_stream_and_whole(reply: Reply) -> None:
    async with (
        FakeClaude(reply).serving() as api,
        anthropic.AsyncAnthropic(api_key="x", base_url=api.url) as client,
    ):
        whole = await client.messages.create(**QUESTION)
        async with client.messages.stream(**QUESTION) as stream:
            streamed = await stream.get_final_message()
    assert whole._request_id == "req_1"
    numbered = whole.to_json().replace("msg_1", "msg_2").replace("toolu_1", "toolu_2")
    read = sdk.Message.model_validate_json(streamed.to_json())
    assert json.loads(read.to_json()) == json.loads(numbered)


@pytest.mark.parametrize("status", STATUSES)
async def test_the_sdk_reads_type_and_request_of_an_error(status: int) -> None:
    async with FakeClaude(Failure(status, message="Not now.")).serving() as api:
        client = anthropic.AsyncAnthropic(api_key="x", base_url=api.url, max_retries=0)
        with pytest.raises(anthropic.APIStatusError) as failed:
            await client.messages.create(**QUESTION)
        await client.close()
    error = failed.value
    assert (error.status_code, error.api_message, error.request_id) == (status, "Not now.", "req_1")
    assert error.type == Failure(status).type
    assert isinstance(error.body, dict)
    assert error.body["request_id"] == "req_1"
