"""The fake API can run for hours: what it keeps is bounded."""

from __future__ import annotations

import httpx2
import pytest

from llm.fake_api import FakeClaude, Reply, server

pytestmark = pytest.mark.anyio


async def test_only_the_newest_questions_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """With --fake-llm a daemon grew by every prompt it had ever made."""
    monkeypatch.setattr(server, "KEPT", 3)
    async with (
        FakeClaude(Reply("Yes.")).serving() as api,
        httpx2.AsyncClient(base_url=api.url, trust_env=False) as http,
    ):
        for number in range(10):
            asked = {"model": "m", "messages": [], "number": number}
            answer = await http.post("/v1/messages", json=asked, headers={"n": str(number)})
    assert [question["number"] for question in api.requests] == [7, 8, 9]
    assert [headers["n"] for headers in api.headers] == ["7", "8", "9"]
    assert '"msg_10"' in answer.text
