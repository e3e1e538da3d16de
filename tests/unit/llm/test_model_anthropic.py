"""Every failure of the Messages API ends in time as one of our errors."""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
import structlog

from llm.claude.model import AnthropicModel, RealCallForbidden
from llm.engine.context import TokenEstimate, most_tokens
from llm.fake_api import Body, Call, Drop, Failure, FakeClaude, Reply, Step
from llm.fake_api.server import MODELS
from llm.model import (
    Completion,
    Image,
    ModelRefused,
    ModelUnavailable,
    Question,
    Tool,
    ToolResult,
    ToolRound,
    Turn,
    Usage,
)

pytestmark = pytest.mark.slow

KEY = "sk-ant-not-a-real-key-0123456789"
MODEL_ID = "claude-haiku-5-5"
ASKED = Question("You are Alice.", (Turn("user", "hello"),))
USED = Usage(fresh=20, output=9, cache_read=5)
LONG = Reply(text="I am at home. " * 20)


@pytest.fixture(scope="module", autouse=True)
def _sdk_is_loaded() -> None:
    """So that no test measures the seconds this takes."""
    import_module("llm.claude.calls")


@asynccontextmanager
async def model_of(fake: FakeClaude, model_id: str = MODEL_ID) -> AsyncIterator[AnthropicModel]:
    async with fake.serving():
        model = AnthropicModel(model_id, api_key=KEY, base_url=fake.url)
        await model.warm()
        try:
            yield model
        finally:
            await model.aclose()


async def ask(*script: Step, deadline_s: float = 5.0) -> Completion:
    async with model_of(FakeClaude(*script)) as model:
        return await model.complete(ASKED, deadline_s=deadline_s)


async def test_an_answer_comes_with_its_model_and_all_tokens_read() -> None:
    assert await ask(Reply("Hi Steve.")) == Completion("Hi Steve.", MODEL_ID, USED)


async def test_thinking_is_never_part_of_the_answer() -> None:
    assert (await ask(Reply("Hi.", thinking="Steve greets me"))).text == "Hi."


async def test_an_answer_that_hit_the_token_ceiling_says_so() -> None:
    assert (await ask(Reply("Hi", stop="max_tokens"))).stop == "length"


async def test_a_refusal_is_an_error_of_its_own() -> None:
    with pytest.raises(ModelRefused) as refused:
        await ask(Reply("", stop="refusal"))
    assert refused.value.usage == USED


@pytest.mark.parametrize(
    ("why", "step"),
    [
        ("bad_request", Failure(400)),
        ("auth", Failure(401)),
        ("billing", Failure(402)),
        ("auth", Failure(403)),
        ("unknown_model", Failure(404)),
        ("rate_limited", Failure(429, headers={"retry-after-ms": "10"})),
        ("server", Failure(500, headers={"retry-after-ms": "10"})),
        ("overloaded", Failure(529, headers={"retry-after-ms": "10"})),
        ("network", Reply(cut_after=4)),
        ("overloaded", Reply(error_after=4)),
        ("bad_reply", Reply(end_after=5)),
        ("bad_reply", Reply(garbage_after=3)),
        ("bad_reply", Body("<html>Sign in</html>", "text/html")),
        ("bad_reply", Body('{"id": "msg_1", "type": "mess')),
        ("bad_reply", Body("{}")),
        ("bad_reply", Body("event: message_start\ndata: {}\n\n", "text/event-stream")),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_fault_is_named_in_time(why: str, step: Step) -> None:
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        await ask(step, deadline_s=2.5)
    assert caught.value.why == why
    assert time.monotonic() - began < 6.0


@pytest.mark.parametrize("step", [Reply(slow_s=60), Reply("x" * 400, drip_s=0.1)])
async def test_the_deadline_is_total(step: Step) -> None:
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        await ask(step, deadline_s=0.4)
    assert caught.value.why == "deadline"
    assert time.monotonic() - began < 6.0


async def test_a_server_that_recovers_is_asked_again() -> None:
    failure = Failure(500, headers={"retry-after-ms": "10"})
    assert (await ask(failure, Failure(529), Reply("Back."))).text == "Back."


@pytest.mark.parametrize(
    ("status", "wait"),
    [(429, "30"), (503, "30"), (529, "30"), (429, "Fri, 01 Jan 2100 00:00:00 GMT")],
)
async def test_a_wait_past_the_deadline_fails_at_once(status: int, wait: str) -> None:
    began = time.monotonic()
    with pytest.raises(ModelUnavailable) as caught:
        await ask(Failure(status, headers={"retry-after": wait}), deadline_s=20.0)
    assert caught.value.why in {"rate_limited", "server", "overloaded"}
    assert time.monotonic() - began < 10.0


@pytest.mark.parametrize("step", [Reply(LONG.text, cut_after=30), Reply(LONG.text, drip_s=0.02)])
async def test_what_had_arrived_is_kept(step: Reply) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        await ask(step, deadline_s=0.8)
    assert caught.value.partial.startswith("I am at home. I")


async def test_an_unreachable_server_is_a_network_fault() -> None:
    model = AnthropicModel(MODEL_ID, api_key=KEY, base_url="http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(ASKED, deadline_s=10.0)
    await model.aclose()
    assert caught.value.why == "network"


async def test_the_key_is_in_no_error_and_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    echo = Failure(401, message=f"invalid x-api-key: {KEY}")
    with structlog.testing.capture_logs() as logs, pytest.raises(ModelUnavailable) as caught:
        await ask(echo)
    error = caught.value
    assert (error.__cause__, error.__context__) == (None, None)
    assert KEY not in f"{error!r} {logs}"
    assert logs[-1]["detail"] == "invalid x-api-key: [key]"
    ours = [r.getMessage() for r in caplog.records if r.name != "asyncio"]
    assert not [line for line in ours if KEY in line]


@pytest.mark.parametrize("step", [Failure(400), Reply(error_after=4)])
async def test_the_log_names_the_request_that_failed(step: Step) -> None:
    with structlog.testing.capture_logs() as logs, pytest.raises(ModelUnavailable):
        await ask(step)
    assert logs[-1]["request"] == "req_1"


async def test_the_key_goes_to_the_server_and_nothing_else_of_us_does() -> None:
    fake = FakeClaude()
    async with model_of(fake) as model:
        await model.complete(ASKED, deadline_s=5.0)
    assert fake.headers[0]["authorization"] == f"Bearer {KEY}"
    assert not [name for name in fake.headers[0] if "beta" in name.lower()]
    assert set(fake.requests[0]) <= {
        *("model", "max_tokens", "system", "messages", "output_config", "thinking", "stream")
    }


@pytest.mark.parametrize(
    ("model_id", "effort"),
    [
        ("claude-sonnet-5-5", {"effort": "low"}),
        ("claude-opus-4-8", {"effort": "low"}),
        ("claude-haiku-4-5", None),
        ("llama3.2", None),
    ],
)
async def test_low_effort_is_asked_of_models_that_know_it(model_id: str, effort: object) -> None:
    fake = FakeClaude()
    async with model_of(fake, model_id) as model:
        await model.complete(ASKED, deadline_s=5.0)
    assert fake.requests[0].get("output_config") == effort


async def test_turns_reach_the_api_alternating_from_a_user_to_a_user() -> None:
    fake = FakeClaude()
    turns = (Turn("assistant", "Hi."), Turn("user", "a"), Turn("user", "b"), Turn("user", " "))
    async with model_of(fake) as model:
        await model.complete(Question("s", (*turns, Turn("assistant", "c"))), deadline_s=5.0)
    sent = [(m["role"], m["content"]) for m in fake.requests[0]["messages"]]
    assert [role for role, _ in sent] == ["user", "assistant", "user", "assistant", "user"]
    assert sent[1:4] == [("assistant", "Hi."), ("user", "a\nb"), ("assistant", "c")]
    assert all(text for _, text in sent)


STEADY = (Turn("user", "a"), Turn("user", "b"), Turn("assistant", "c"), Turn("user", "d"))


async def test_what_the_next_question_begins_with_too_is_marked_to_be_kept() -> None:
    fake = FakeClaude()
    turns = (*STEADY, Turn("user", "now"), Turn("user", "this"))
    later = (*STEADY, Turn("user", "now"), Turn("assistant", "e"), Turn("user", "and?"))
    async with model_of(fake) as model:
        for question in (Question("s", turns, steady=4), Question("s", later, steady=6)):
            await model.complete(question, deadline_s=5.0)
    first, second = (
        [block for message in request["messages"] for block in blocks_of(message)]
        for request in fake.requests
    )
    marked = [
        [number for number, block in enumerate(blocks) if "cache_control" in block]
        for blocks in (first, second)
    ]
    assert marked == [[3], [5]]
    words = [[block["text"] for block in blocks] for blocks in (first, second)]
    assert words[0] == ["a\n", "b", "c", "d\n", "now\nthis"]
    assert words[0][:4] == words[1][:4]


def blocks_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return content if isinstance(content, list) else [{"text": content}]


async def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    fake = FakeClaude(Reply("Hi."))
    async with fake.serving():
        model = AnthropicModel("llama3.2", api_key=None, base_url=fake.url)
        assert (await model.complete(ASKED, deadline_s=20.0)).text == "Hi."
        await model.aclose()
    assert "output_config" not in fake.requests[0]


async def test_closing_waits_for_no_sdk_that_still_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()
    monkeypatch.setattr("llm.claude.model._Connection._load", lambda self: release.wait(10))
    model = AnthropicModel(MODEL_ID, api_key=KEY, base_url="http://127.0.0.1:9")
    with pytest.raises(ModelUnavailable) as caught:
        await model.complete(ASKED, deadline_s=0.1)
    async with asyncio.timeout(1.0):
        await model.aclose()
    release.set()
    assert caught.value.why == "deadline"


async def test_a_test_cannot_ask_a_real_model() -> None:
    model = AnthropicModel(MODEL_ID, api_key=KEY)
    with pytest.raises(RealCallForbidden):
        await model.complete(ASKED, deadline_s=1.0)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1", "127.0.0.1:11434", "http://"])
def test_a_base_url_that_is_no_http_address_is_refused_at_once(url: str) -> None:
    with pytest.raises(ValueError, match="base_url"):
        AnthropicModel(MODEL_ID, api_key=KEY, base_url=url)


LOOK = Tool("look", "Look at somebody.", {"type": "object", "properties": {"at": {}}})
WITH_TOOLS = Question("You are Alice.", (Turn("user", "look at me"),), tools=(LOOK,))


async def test_a_tool_the_model_asks_for_comes_with_its_arguments() -> None:
    step = Reply("Gladly.", calls=(Call("look", {"at": "スティーブ"}), Call("look")))
    async with model_of(FakeClaude(step)) as model:
        asked = await model.complete(WITH_TOOLS, deadline_s=5)
    assert (asked.stop, asked.text) == ("tools", "Gladly.")
    assert [(call.name, call.arguments) for call in asked.calls] == [
        ("look", {"at": "スティーブ"}),
        ("look", {}),
    ]
    assert len({call.id for call in asked.calls}) == 2


@pytest.mark.parametrize("arrived", ['{"at": "St', "at=Steve", "[1]"])
async def test_arguments_that_are_no_object_are_not_guessed(arrived: str) -> None:
    broken = Call("look", json=arrived)
    async with model_of(FakeClaude(Reply("", calls=(broken,)))) as model:
        asked = await model.complete(WITH_TOOLS, deadline_s=5)
    assert asked.calls[0].arguments is None
    assert asked.raw[0]["input"] == {}, "it goes back in a form that the API takes"


async def test_a_tool_loop_goes_back_as_it_came_thinking_included() -> None:
    fake = FakeClaude(Reply("", thinking="He wants eyes.", calls=(Call("look"),)), Reply("Done."))
    async with model_of(fake) as model:
        asked = await model.complete(WITH_TOOLS, deadline_s=5)
        result = ToolResult(asked.calls[0].id, "nobody of that name", failed=True)
        rounds = (ToolRound(asked, (result,)),)
        done = await model.complete(replace(WITH_TOOLS, rounds=rounds), deadline_s=5)
    assert (asked.thinking, done.text) == ("He wants eyes.", "Done.")
    _, assistant, user = fake.requests[1]["messages"]
    assert [block["type"] for block in assistant["content"]] == ["thinking", "tool_use"]
    assert assistant["content"][0]["signature"]
    assert user["content"] == [
        {
            "type": "tool_result",
            "tool_use_id": asked.calls[0].id,
            "content": "nobody of that name",
            "is_error": True,
        }
    ]
    assert [tool["name"] for tool in fake.requests[0]["tools"]] == ["look"]


async def test_pictures_go_along_as_blocks_of_their_own() -> None:
    picture = Image("aGVsbG8=", 480, 270)
    looked = ToolRound(
        Completion("", MODEL_ID, USED, "tools", raw=[{"type": "text", "text": "I look."}]),
        (ToolResult("call1", "a lake", images=(picture,)),),
    )
    asked = Question("You are Alice.", (Turn("user", "look", (picture,)),), rounds=(looked,))
    fake = FakeClaude()
    async with model_of(fake) as model:
        await model.complete(asked, deadline_s=5.0)
    said, _, results = fake.requests[0]["messages"]
    source = {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}
    shown, words = {"type": "image", "source": source}, {"type": "text", "text": "a lake"}
    assert said["content"] == [{"type": "text", "text": "look"}, shown]
    assert results["content"][0]["content"] == [words, shown]


def test_a_picture_counts_in_the_size_of_a_question() -> None:
    picture = Image("aGVsbG8=" * 10_000, 480, 270)
    plain = Question("", (Turn("user", "look"),))
    asked = Question("", (Turn("user", "look", (picture,)),))
    assert picture.tokens == 173
    assert most_tokens(asked) - most_tokens(plain) >= picture.tokens
    assert TokenEstimate().tokens_of(asked) - TokenEstimate().tokens_of(plain) == picture.tokens


async def test_an_answer_of_a_schema_is_asked_of_models_that_can() -> None:
    schema = {"type": "object", "properties": {"next": {"type": "string"}}}
    for model_id, asked in [(MODEL_ID, True), ("qwen3:4b", False)]:
        fake = FakeClaude(Reply('{"next": "Bob"}'))
        async with model_of(fake, model_id) as model:
            await model.complete(replace(ASKED, schema=schema), deadline_s=5)
        sent = fake.requests[0].get("output_config", {}).get("format")
        assert sent == ({"type": "json_schema", "schema": schema} if asked else None)


async def test_what_all_characters_share_is_marked_before_the_character() -> None:
    fake = FakeClaude()
    async with model_of(fake) as model:
        for character in ("You are Alice.", "You are Bob."):
            await model.complete(replace(WITH_TOOLS, character=character), deadline_s=5)
    (alice, shared), (bob, also_shared) = (
        (request["system"][1], (request["tools"], request["system"][0]))
        for request in fake.requests
    )
    assert shared == also_shared
    assert shared[1]["cache_control"] == alice["cache_control"] == {"type": "ephemeral"}
    assert (alice["text"], bob["text"]) == ("You are Alice.", "You are Bob.")


@pytest.mark.parametrize(
    ("step", "unbilled"),
    [
        (Failure(400), True),
        (Failure(529, headers={"retry-after": "60"}), True),
        (Reply(cut_after=4), False),
        (Reply(error_after=4), False),
        (Reply(end_after=5), False),
        (Reply(slow_s=5), False),
        (Drop(), False),
    ],
)
async def test_only_what_was_refused_before_any_work_is_free(step: Step, unbilled: bool) -> None:
    with pytest.raises(ModelUnavailable) as failed:
        await ask(step, Reply("too late"), deadline_s=0.4)
    assert failed.value.unbilled is unbilled


async def test_a_request_that_was_lost_is_not_sent_again() -> None:
    fake = FakeClaude(Drop(), Reply("again"))
    async with model_of(fake) as model:
        with pytest.raises(ModelUnavailable, match="network"):
            await model.complete(ASKED, deadline_s=5)
    assert len(fake.requests) == 1


async def test_the_newest_model_of_each_line_is_listed() -> None:
    async with model_of(FakeClaude()) as model:
        assert dict((await model.listing(5.0)).newest) == MODELS


async def test_an_api_that_lists_no_models_is_no_fault() -> None:
    model = AnthropicModel(MODEL_ID, api_key=KEY, base_url="http://127.0.0.1:9")
    assert dict((await model.listing(5.0)).newest) == {}
    await model.aclose()
