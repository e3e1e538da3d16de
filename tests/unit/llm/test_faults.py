"""What an error of a server means, in the words of each kind of server."""

import pytest

from llm.claude.calls import message_in, why_broken_off, why_of


def anthropic(kind: str, message: str = "scripted") -> object:
    return {"type": "error", "error": {"type": kind, "message": message}}


@pytest.mark.parametrize(
    ("status", "body", "why"),
    [
        (404, anthropic("not_found_error", "model: claude-haiku-9"), "unknown_model"),
        (404, anthropic("not_found_error", "model 'qwen4' not found"), "unknown_model"),
        (404, anthropic("NotFoundError", "The model `x` does not exist."), "unknown_model"),
        (400, {"error": {"message": "Invalid model name passed in model=x"}}, "unknown_model"),
        (404, "404 page not found", "no_api"),
        (405, {"detail": "Method Not Allowed"}, "no_api"),
        (404, {"error": {"message": "File Not Found", "type": "not_found_error"}}, "no_api"),
        (404, {"error": {"message": "Invalid URL", "type": "invalid_request_error"}}, "no_api"),
        (404, None, "no_api"),
        (400, anthropic("invalid_request_error", "prompt is too long: 9 > 8"), "context"),
        (400, anthropic("BadRequestError", "the model's context length is only 8"), "context"),
        (400, {"error": {"message": "x", "type": "exceed_context_size_error"}}, "context"),
        (400, {"error": "(n_keep: 13055>= n_ctx: 4096)"}, "context"),
        (500, {"error": {"message": "Context size has been exceeded."}}, "context"),
        (401, {"error": "Unauthorized"}, "auth"),
        (404, anthropic("authentication_error"), "auth"),
        (429, anthropic("rate_limit_error", "the context window is full"), "rate_limited"),
        (400, anthropic("invalid_request_error", "messages: at least one"), "bad_request"),
        (500, "<html>", "server"),
        (503, {"error": {"message": "Loading model", "type": "unavailable_error"}}, "server"),
    ],
)
def test_an_error_is_read_by_type_status_and_words(status: int, body: object, why: str) -> None:
    assert why_of(status, body) == why


def test_an_answer_that_ends_in_an_error_is_read_alike() -> None:
    assert why_broken_off("api_error", "Context size has been exceeded.") == "context"
    assert why_broken_off("overloaded_error", "the context length …") == "overloaded"
    assert why_broken_off("something", "") == "server"


def test_what_is_no_error_has_no_words() -> None:
    bodies: list[object] = [None, [], {"error": {}}, 7]
    assert [message_in(body) for body in bodies] == [""] * 4
