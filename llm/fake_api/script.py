"""A script of the fake API in a file: rules tried in order on what was said last.

[[rule]]
when = '(?P<count>[0-9]+) oak planks'  # a regular expression; without it a rule always fits
once = true                            # used up by its first fit
call = { name = "goal", arguments = { goal = "inventory.oak_planks:{count}" } }

[[rule]]
when_result = "begun|success"          # fits the result of a tool instead
text = "On it!"

[[rule]]
when_system = "planning mind"          # fits the system prompt: of briefings, here
text = '{"summary": "A meadow."}'

[[rule]]
text = "I heard you."
slow_s = 0.4                           # and every fault of steps.Reply; or status = 529

What a named group found is filled in wherever its name stands in braces, in later rules too."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from llm.fake_api.steps import Call, Failure, Reply, Step, Stop


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


class ScriptError(Exception):
    """The script cannot be used; the text says where and why."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _CallRow(_Section):
    name: str
    arguments: dict[str, Any] = {}


class _Rule(_Section):
    when: str | None = None
    when_result: str | None = None
    when_system: str | None = None
    once: bool = False
    text: str = ""
    thinking: str = ""
    call: _CallRow | None = None
    calls: tuple[_CallRow, ...] = ()
    stop: Stop = ""
    slow_s: float = Field(0.0, ge=0)
    drip_s: float = Field(0.0, ge=0)
    cut_after: int | None = Field(None, ge=0)
    end_after: int | None = Field(None, ge=0)
    error_after: int | None = Field(None, ge=0)
    garbage_after: int | None = Field(None, ge=0)
    status: int | None = Field(None, ge=400, le=599)
    kind: str = ""
    retry_after_s: float | None = Field(None, ge=0)

    @field_validator("when", "when_result", "when_system")
    @classmethod
    def _is_pattern(cls, text: str | None) -> str | None:
        if text is not None:
            try:
                re.compile(text)
            except re.error as error:
                raise ValueError(f"no regular expression: {error}") from None
        return text

    def fits(self, system: str, said: str, result: str | None) -> Mapping[str, str] | None:
        """What its named groups found, or None when it does not fit."""
        asked = _groups(self.when_system or "", system)
        if asked is None or (result is None) != (self.when_result is None):
            return None
        if result is None:
            found = _groups(self.when or "", said)
        else:
            found = _groups(self.when_result or "", result)
        return None if found is None else {**asked, **found}

    def step(self, found: Mapping[str, str]) -> Step:
        if self.status is not None:
            wait = {} if self.retry_after_s is None else {"retry-after": f"{self.retry_after_s:g}"}
            return Failure(self.status, self.kind, headers=wait)
        rows = (*([self.call] if self.call else []), *self.calls)
        return Reply(
            text=_filled(self.text, found),
            thinking=self.thinking,
            calls=tuple(Call(row.name, _filled(row.arguments, found)) for row in rows),
            stop=self.stop,
            slow_s=self.slow_s,
            drip_s=self.drip_s,
            cut_after=self.cut_after,
            end_after=self.end_after,
            error_after=self.error_after,
            garbage_after=self.garbage_after,
        )


class _File(_Section):
    rule: tuple[_Rule, ...] = Field(min_length=1)


class RuleScript:
    """Decides by the first rule that fits; where none does, by a plain answer."""

    def __init__(self, rules: tuple[_Rule, ...]) -> None:
        self._rules = list(rules)
        self._found: dict[str, str] = {}

    @classmethod
    def of(cls, text: str) -> RuleScript:
        """The script that this TOML is. Raises ScriptError."""
        try:
            return cls(_File.model_validate(tomllib.loads(text)).rule)
        except ValidationError as error:
            raise ScriptError(complaint_of(error)) from error
        except (ValueError, RecursionError) as error:
            raise ScriptError(str(error)) from error

    def __call__(self, question: Mapping[str, Any]) -> Step:
        system, (said, result) = _text(question.get("system", "")), _last(question)
        for rule in self._rules:
            found = rule.fits(system, said, result)
            if found is None:
                continue
            self._found |= found
            if rule.once:
                self._rules.remove(rule)
            return rule.step(self._found)
        return Reply("I have nothing scripted for that.")


def _groups(pattern: str, text: str) -> Mapping[str, str] | None:
    found = re.search(pattern, text, re.IGNORECASE)
    return None if found is None else {k: v for k, v in found.groupdict().items() if v}


def _filled(value: Any, found: Mapping[str, str]) -> Any:
    match value:
        case str():
            return re.sub(r"\{(\w+)\}", lambda name: found.get(name[1], name[0]), value)
        case dict():
            return {key: _filled(inner, found) for key, inner in value.items()}
        case list():
            return [_filled(inner, found) for inner in value]
    return value


def _text(content: Any) -> str:
    """Of a string, or of blocks."""
    return content if isinstance(content, str) else "\n".join(row["text"] for row in content)


def _last(question: Mapping[str, Any]) -> tuple[str, str | None]:
    """What a user said last; and the result of a tool, if that came last."""
    content = question["messages"][-1]["content"]
    if isinstance(content, str):
        return content, None
    results = [block.get("content", "") for block in content if block["type"] == "tool_result"]
    texts = [block.get("text", "") for block in content if block["type"] == "text"]
    return "\n".join(texts), "\n".join(map(str, results)) if results else None
