"""A script of the fake API in a file: rules tried in order on what was said last.

[[rule]]
when = "5 oak planks"            # a regular expression; without it the rule always fits
once = true                      # used up by its first fit
call = { name = "goal", arguments = { goals = "inventory.oak_planks:5" } }

[[rule]]
when_result = "begun|success"    # fits the result of a tool instead
text = "On it!"

[[rule]]
text = "I heard you."
slow_s = 0.4                     # and every fault of steps.Reply; or status = 529
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from llm.fake_api.steps import Call, Failure, Reply, Step


class ScriptError(Exception):
    """The file cannot be used; the text says where and why."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class _CallRow(_Section):
    name: str
    arguments: dict[str, Any] = {}


class _Rule(_Section):
    when: str | None = None
    when_result: str | None = None
    once: bool = False
    text: str = ""
    thinking: str = ""
    call: _CallRow | None = None
    calls: tuple[_CallRow, ...] = ()
    stop: str = ""
    slow_s: float = Field(0.0, ge=0)
    drip_s: float = Field(0.0, ge=0)
    cut_after: int | None = Field(None, ge=0)
    end_after: int | None = Field(None, ge=0)
    error_after: int | None = Field(None, ge=0)
    garbage_after: int | None = Field(None, ge=0)
    status: int | None = Field(None, ge=400, le=599)
    kind: str = "api_error"
    retry_after_s: float | None = Field(None, ge=0)

    @field_validator("when", "when_result")
    @classmethod
    def _is_pattern(cls, text: str | None) -> str | None:
        if text is not None:
            try:
                re.compile(text)
            except re.error as error:
                raise ValueError(f"no regular expression: {error}") from None
        return text

    def fits(self, said: str, result: str | None) -> bool:
        if self.when_result is not None:
            return result is not None and _found(self.when_result, result)
        return result is None and (self.when is None or _found(self.when, said))

    def step(self) -> Step:
        if self.status is not None:
            wait = {} if self.retry_after_s is None else {"retry-after": f"{self.retry_after_s:g}"}
            return Failure(self.status, self.kind, headers=wait)
        rows = (*([self.call] if self.call else []), *self.calls)
        return Reply(
            text=self.text,
            thinking=self.thinking,
            calls=tuple(Call(row.name, row.arguments) for row in rows),
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

    @classmethod
    def read(cls, path: Path) -> RuleScript:
        """The script of a file. Raises ScriptError."""
        try:
            rows = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls(_File.model_validate(rows).rule)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ScriptError(f"{path}: {error}") from error
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise ScriptError(f"{path}: {where}: {first['msg']}") from error

    def __call__(self, question: Mapping[str, Any]) -> Step:
        said, result = _last(question)
        for rule in self._rules:
            if rule.fits(said, result):
                if rule.once:
                    self._rules.remove(rule)
                return rule.step()
        return Reply("I have nothing scripted for that.")


def _found(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def _last(question: Mapping[str, Any]) -> tuple[str, str | None]:
    """What a user said last; and the result of a tool, if that came last."""
    content = question["messages"][-1]["content"]
    if isinstance(content, str):
        return content, None
    results = [block.get("content", "") for block in content if block["type"] == "tool_result"]
    texts = [block.get("text", "") for block in content if block["type"] == "text"]
    return "\n".join(texts), "\n".join(map(str, results)) if results else None
