"""A whole daemon with HTTP on the simulated world, for tests of the page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bots.app import Daemon
from bots.settings.settings import BotsSettings, IdleSettings, LlmSettings, Settings, TalkSettings
from bridge import FakeBridge
from llm.function_model import FunctionModel


@dataclass(frozen=True, slots=True)
class PageSite:
    """A daemon and its world."""

    daemon: Daemon
    bridge: FakeBridge

    def link(self) -> str:
        link = self.daemon.new_link()
        assert link is not None
        return link


@asynccontextmanager
async def page_site_on(
    bridge: FakeBridge,
    folder: Path,
    *,
    names: tuple[str, ...] = ("Alice", "Bob"),
    model: FunctionModel | None = None,
) -> AsyncIterator[PageSite]:
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=names),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        llm=LlmSettings(briefing=False),
    )
    async with Daemon(settings, bridge=bridge, model=model) as daemon:
        assert await daemon.all_joined(10)
        yield PageSite(daemon, bridge)
