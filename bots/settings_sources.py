"""Where settings come from beside our own file and environment: the SDK's usual variables."""

from __future__ import annotations

import os
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

ANTHROPIC_VARIABLES = {
    "ANTHROPIC_API_KEY": "api_key",
    "ANTHROPIC_AUTH_TOKEN": "auth_token",
    "ANTHROPIC_BASE_URL": "base_url",
}
"""The SDK's own variables and the `llm` settings they fill, below ours in strength."""


class AnthropicVariables(PydanticBaseSettingsSource):
    """The SDK's usual variables as `llm` settings."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return (
            (self._llm() or None, field_name, False) if field_name == "llm" else (None, "", False)
        )

    def __call__(self) -> dict[str, Any]:
        return {"llm": self._llm()}

    def _llm(self) -> dict[str, str]:
        given = {name: os.environ.get(variable) for variable, name in ANTHROPIC_VARIABLES.items()}
        return {name: value for name, value in given.items() if value}
