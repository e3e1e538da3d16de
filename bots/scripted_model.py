"""A script in the place of a model: for demonstrations and trials without a key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import structlog

from bots.errors import SettingsError
from bots.settings import Settings
from llm.fake_api import FakeClaude
from llm.fake_api.script import RuleScript, ScriptError

log = structlog.get_logger()


@asynccontextmanager
async def thinking_by(script: Path | None, settings: Settings) -> AsyncIterator[Settings]:
    """The settings, with a scripted API on loopback as their model while the block lasts.

    Without a script they are as they were. Raises SettingsError for a script of no use."""
    if script is None:
        yield settings
        return
    try:
        rules = RuleScript.read(script)
    except ScriptError as error:
        raise SettingsError(str(error)) from error
    async with FakeClaude(decide=rules).serving() as api:
        log.warning("model.scripted", script=str(script), meaning="no model is asked")
        scripted = {"enabled": "on", "base_url": api.url, "api_key": None, "auth_token": None}
        yield settings.model_copy(update={"llm": settings.llm.model_copy(update=scripted)})
