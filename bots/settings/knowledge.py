"""Settings of what bots know."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from bots.settings.fields import Section, setting


class KnowledgeSettings(Section):
    prompt_tokens: Annotated[int, Field(ge=0, le=10_000)] = setting(
        300, "tokens of what a bot knows in one prompt, about; 0 shows a model none of it"
    )
