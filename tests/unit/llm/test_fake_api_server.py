"""The fake API as a server: what it keeps, what it refuses, and how it names requests."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from llm.fake_api import Call, Failure, FakeClaude, Reply, server

QUESTION: dict[str, Any] = {
    "model": "m",
    "max_tokens": 9,
    "messages": [{"role": "user", "content": "Hello?"}],
}


@asynccontextmanager
async def client_of(fake: FakeClaude) -> AsyncIterator[httpx2.AsyncClient]:
    async with fake.serving() as api, httpx2.AsyncClient(base_url=api.url, trust_env=False) as http:
        yield http


async def test_only_the_newest_questions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --fake-llm a daemon grew by every prompt it had ever made."""
    monkeypatch.setattr(server, "KEPT", 3)
    api = FakeClaude(Reply("Yes."))
    async with client_of(api) as http:
        for number in range(10):
            asked = {**QUESTION, "number": number}
            answer = await http.post("/v1/messages", json=asked, headers={"n": str(number)})
    assert [question["number"] for question in api.requests] == [7, 8, 9]
    assert [headers["n"] for headers in api.headers] == ["7", "8", "9"]
    assert answer.json()["id"] == "msg_10"


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({}, "application/json"),
        ({"stream": False}, "application/json"),
        ({"stream": True}, "text/event-stream; charset=utf-8"),
    ],
)
async def test_only_who_asks_for_a_stream_gets_one(asked: dict[str, Any], kind: str) -> None:
    async with client_of(FakeClaude(Reply("Hi."))) as http:
        answer = await http.post("/v1/messages", json={**QUESTION, **asked})
    assert answer.headers["content-type"] == kind
    assert ("event: message_stop" in answer.text) == (kind != "application/json")


@pytest.mark.parametrize(
    ("thinking", "shown"),
    [(None, ""), ({"type": "adaptive"}, ""), ({"display": "summarized"}, "He greets me.")],
)
async def test_thoughts_are_shown_to_who_asks_for_them(
    thinking: dict[str, str] | None, shown: str
) -> None:
    asked = {**QUESTION, **({"thinking": thinking} if thinking else {})}
    async with client_of(FakeClaude(Reply("Hi.", thinking="He greets me."))) as http:
        whole = (await http.post("/v1/messages", json=asked)).json()
        streamed = (await http.post("/v1/messages", json={**asked, "stream": True})).text
    assert [block["type"] for block in whole["content"]] == ["thinking", "text"]
    assert (whole["content"][0]["thinking"], whole["content"][0]["signature"]) == (shown, "c2ln")
    pieces = re.findall('"type": "thinking_delta", "thinking": "([^"]*)"', streamed)
    assert "".join(pieces) == shown
    assert '"type": "signature_delta"' in streamed


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages/count_tokens"])
@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"\xff\xfe", "Invalid JSON"),
        (b"[" * 5_000, "Invalid JSON"),
        (b"[]", "Input should be an object"),
        (b'{"max_tokens": 1, "messages": []}', "model: Field required"),
        (b'{"max_tokens": 1, "model": 7, "messages": []}', "model: Input should be a valid string"),
        (b'{"max_tokens": 1, "model": "m"}', "messages: Field required"),
        (b'{"max_tokens": 1, "model": "m", "messages": []}', "messages: List should have at least"),
        (b'{"max_tokens": 1, "model": "m", "messages": [{}]}', "messages.0.role: Field required"),
    ],
)
async def test_a_body_without_a_question_is_refused(path: str, body: bytes, complaint: str) -> None:
    fake = FakeClaude(Reply("Hi."))
    async with client_of(fake) as http:
        answer = await http.post(path, content=body)
        assert answer.status_code == 400
        told = answer.json()
        assert (told["type"], told["error"]["type"]) == ("error", "invalid_request_error")
        assert told["error"]["message"].startswith(complaint)
        assert fake.requests == []
        assert (await http.post("/v1/messages", json=QUESTION)).status_code == 200


@pytest.mark.parametrize("most", [{}, {"max_tokens": -1}, {"max_tokens": "many"}])
async def test_a_question_must_say_how_long_its_answer_may_be(most: dict[str, Any]) -> None:
    asked = {"model": "m", "messages": QUESTION["messages"]}
    async with client_of(FakeClaude()) as http:
        refused = await http.post("/v1/messages", json={**asked, **most})
        counted = await http.post("/v1/messages/count_tokens", json=asked)
    assert refused.json()["error"]["message"].startswith("max_tokens: ")
    assert counted.json()["input_tokens"] > 0


async def test_each_answer_names_its_request() -> None:
    fake = FakeClaude(Reply("Hi."), Failure(529), Reply("Hi.", error_after=3))
    streamed = {**QUESTION, "stream": True}
    async with client_of(fake) as http:
        answers = [
            await http.get("/v1/models"),
            await http.get("/v1/nothing"),
            await http.post("/v1/messages", content=b"{"),
            await http.post("/v1/messages", json=streamed),
            await http.post("/v1/messages", json=streamed),
            await http.post("/v1/messages", json=streamed),
        ]
    names = [answer.headers["request-id"] for answer in answers]
    assert names == [f"req_{number}" for number in range(1, 7)]
    broken_off = json.loads(answers[-1].text.rstrip().rpartition("data: ")[2])
    told = [answers[number].json() for number in (1, 2, 4)]
    assert [body["request_id"] for body in (*told, broken_off)] == [
        *("req_2", "req_3", "req_5", "req_6")
    ]
    assert broken_off["error"]["type"] == told[-1]["error"]["type"] == "overloaded_error"


async def test_two_questions_at_once_are_answered_under_numbers_of_their_own() -> None:
    slow = Reply("", calls=(Call("look"),), slow_s=0.2)
    async with client_of(FakeClaude(slow)) as http:
        asking = (http.post("/v1/messages", json=QUESTION) for _ in range(2))
        bodies = [answer.json() for answer in await asyncio.gather(*asking)]
    assert {body["id"] for body in bodies} == {"msg_1", "msg_2"}
    assert len({body["content"][0]["id"] for body in bodies}) == 2
