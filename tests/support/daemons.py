"""A whole daemon on the simulated world, with one bot and the test's own model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bots.app import Daemon
from bots.commands.catalogue import commands
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.operator import OperatorService
from bots.http.port import MetricsText
from bots.settings.idle import IdleSettings
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    LlmSettings,
    Settings,
    TalkSettings,
)
from bridge import FakeBridge
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, ToolCall, Usage


@asynccontextmanager
async def daemon_on(
    bridge: FakeBridge,
    folder: Path,
    model: FunctionModel | None,
    *,
    names: tuple[str, ...] = ("Alice",),
    **llm: Any,
) -> AsyncIterator[Daemon]:
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=names),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        llm=LlmSettings(**{"briefing": False, **llm}),
        dashboard=DashboardSettings(enabled=False),
    )
    async with Daemon(settings, bridge=bridge, model=model) as daemon:
        assert await daemon.all_joined(5)
        yield daemon


def calling(name: str, then: str, **arguments: Any) -> Callable[[Question], Answer]:
    """Uses a tool when asked for something, and tells of events."""

    def answer(question: Question) -> Answer:
        if question.rounds:
            return then
        if '{"event"' in question.turns[-1].text and '"says"' not in question.turns[-1].text:
            return "It is over."
        call = ToolCall("c1", name, arguments)
        return Completion("", "claude-sonnet-5-5", Usage(100, 10), "tools", (call,))

    return answer


def operator_of(daemon: Daemon) -> OperatorService:
    """The operator service of this daemon; close it if commands are not waited for."""
    return OperatorService(
        daemon.roster,
        commands,
        daemon.trace,
        daemon.responders.recorder,
        health=daemon.health,
        metrics=lambda accept: MetricsText(b"", accept),
        stats=daemon.responders.records.stats,
        experiments=ExperimentRecords(daemon.settings.data_dir),
    )
