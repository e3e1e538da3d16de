"""A whole daemon on the simulated world, with one bot and the test's own model."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.rig import until

from bots.app import Daemon
from bots.clock import Times
from bots.commands.catalogue import commands
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.health import Load
from bots.daemon.operator import OperatorService
from bots.daemon.shapes import MetricsText
from bots.daemon.tracker import Tracker
from bots.settings.settings import (
    BotsSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    PermissionSettings,
    Settings,
    TalkSettings,
)
from bridge import FakeBridge
from bridge.fake.body import Person
from bridge.fake.world import FakeWorld
from llm.function_model import Answer, FunctionModel
from llm.model import Completion, Question, ToolCall, Usage

OPEN_HOUSE = PermissionSettings()


def beside(bridge: FakeBridge) -> Times:
    """Real time for a daemon; that of the simulated world waits for the daemon's database."""
    return replace(Times.real(), hold_while=bridge.world.clock.hold_while)


def answering_only(
    folder: Path, *names: str, llm: Mapping[str, Any] | None = None, **sections: Any
) -> Settings:
    """Settings of bots that do nothing of their own accord; `llm` and sections change them."""
    usual = {
        "bots": BotsSettings(names=names or ("Alice",)),
        "talk": TalkSettings(small_talk=False),
        "idle": IdleSettings(enabled=False),
        "dashboard": DashboardSettings(enabled=False),
        "llm": LlmSettings(**{"briefing": False, **(llm or {})}),
    }
    return Settings(**{"data_dir": folder, **usual, **sections})


@asynccontextmanager
async def daemon_on(
    bridge: FakeBridge,
    folder: Path,
    model: FunctionModel | None = None,
    *,
    names: tuple[str, ...] = ("Alice",),
    permissions: PermissionSettings = OPEN_HOUSE,
    on_its_clock: bool = False,
    **llm: Any,
) -> AsyncIterator[Daemon]:
    """`on_its_clock`: the days are those of the simulated world."""
    settings = answering_only(folder, *names, llm=llm, permissions=permissions)
    times = Times.of(bridge.world.clock) if on_its_clock else beside(bridge)
    async with Daemon(settings, bridge=bridge, model=model, times=times) as daemon:
        assert await daemon.all_joined(30)
        yield daemon


@dataclass(frozen=True)
class Town:
    """A simulated world, and the folder that the daemon of a test keeps its data in."""

    bridge: FakeBridge
    folder: Path

    @property
    def world(self) -> FakeWorld:
        return self.bridge.world

    def up(
        self, model: FunctionModel | None = None, **options: Any
    ) -> AbstractAsyncContextManager[Daemon]:
        """A daemon in this town; the options are those of `daemon_on`."""
        return daemon_on(self.bridge, self.folder, model, **options)

    @asynccontextmanager
    async def with_settings(
        self, model: FunctionModel | None, *names: str, **sections: Any
    ) -> AsyncIterator[Daemon]:
        """A daemon with these bots; the sections are those of `answering_only`."""
        settings = answering_only(self.folder, *names, **sections)
        async with Daemon(
            settings, bridge=self.bridge, model=model, times=beside(self.bridge)
        ) as daemon:
            assert await daemon.all_joined(30)
            yield daemon


async def answer_to(daemon: Daemon, who: Person, text: str, bot: str = "Alice") -> str:
    """What a bot answers somebody's whisper, once it has."""

    def is_of(speaker: object) -> bool:
        return str(speaker).removeprefix("?") == who.name  # as players with names of ours are told

    def answers() -> list[str]:
        sent = daemon.trace.recent("reply.sent")
        return [str(one.facts["text"]) for one in sent if is_of(one.facts["speaker"])]

    made = len(answers())
    who.whisper(bot, text)
    await until(lambda: len(answers()) > made)
    return answers()[-1]


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
        talks=daemon.talks,
        budget=daemon.responders.budget,
        model_health=daemon.responders.health,
        prompts=daemon.responders.kept_prompts,
        tracker=Tracker(daemon.roster, daemon.bridge, daemon.times, hearing_range=15.0),
        load=Load(lambda: 0.004),
    )
