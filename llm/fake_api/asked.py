"""What a request must hold for the Messages API to answer it."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class BadRequest(Exception):
    """The body of a request is no question; the text says what is wrong with it."""


class _Part(BaseModel):
    """More fields than these are none of the imitation's business."""

    model_config = ConfigDict(strict=True)


class _Block(_Part):
    type: str


class _Text(_Part):
    type: Literal["text"]
    text: str


class _Said(_Part):
    role: Literal["user", "assistant", "system"]
    content: str | list[_Block]


class _Thinking(_Part):
    display: str = ""


class Counted(_Part):
    """A question whose tokens are to be counted."""

    model: str
    messages: Annotated[list[_Said], Field(min_length=1)]
    system: str | list[_Text] = ""


class Asked(Counted):
    """A question."""

    max_tokens: Annotated[int, Field(ge=0)]
    stream: bool = False
    thinking: _Thinking = _Thinking()

    @property
    def shows_thinking(self) -> bool:
        return self.thinking.display == "summarized"


Form = TypeVar("Form", bound=Counted)


def read_as(form: type[Form], body: bytes) -> Form:
    """The question in a body. Raises BadRequest."""
    try:
        return form.model_validate_json(body)
    except ValidationError as error:
        raise BadRequest(complaint_of(error)) from error


def complaint_of(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors()[0]
    words = [".".join(map(str, first["loc"])), first["msg"].removeprefix("Value error, ")]
    return ": ".join(filter(None, words))
