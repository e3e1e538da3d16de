"""Claude, and every other server that speaks the Anthropic Messages API."""

from __future__ import annotations

from llm.claude.model import AnthropicModel
from llm.providers import Access, MakeModel


def connect(access: Access) -> MakeModel:
    """Models of all ids share one connection."""
    first = AnthropicModel("", api_key=access.key, base_url=access.url, hidden=access.hidden)
    return first.another
