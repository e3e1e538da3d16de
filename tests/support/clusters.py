"""Daemons of a cluster in one process, with one world and one bus; each can be cut off."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from pathlib import Path

from bots.app import Daemon
from bots.cluster.bus import PAGE, WITHIN_S, Answer, Bus, BusUnavailable, Entry, Lease
from bots.settings.settings import (
    BotsSettings,
    ClusterSettings,
    DashboardSettings,
    IdleSettings,
    LlmSettings,
    PermissionSettings,
    Settings,
    TalkSettings,
)
from bridge import FakeBridge
from bridge.fake import FakeWorld
from llm.function_model import FunctionModel

LEASE_S = 2.0
ANYWHERE = "nats://127.0.0.1:1"  # of settings; the bus is given


class Cable:
    """One daemon's way to the bus, which can be cut (port: `bots.cluster.bus.Bus`)."""

    def __init__(self, bus: Bus) -> None:
        self.lease_s = bus.lease_s
        self._bus, self._is_cut = bus, False

    def cut(self) -> None:
        self._is_cut = True

    def mend(self) -> None:
        self._is_cut = False

    @property
    def is_up(self) -> bool:
        return not self._is_cut and self._bus.is_up

    @property
    def trouble(self) -> str | None:
        return "the cable is cut" if self._is_cut else self._bus.trouble

    @property
    def _whole(self) -> Bus:
        if self._is_cut:
            raise BusUnavailable("the cable is cut")
        return self._bus

    async def publish(self, name: str, body: bytes) -> None:
        await self._whole.publish(name, body)

    def listen(self, name: str) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
        return self._whole.listen(name)

    async def request(self, name: str, body: bytes, within_s: float = WITHIN_S) -> bytes:
        return await self._whole.request(name, body, within_s)

    def answering(self, name: str, answer: Answer) -> AbstractAsyncContextManager[None]:
        return self._whole.answering(name, answer)

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        return await self._whole.append(stream, body, after)

    async def read(self, stream: str, after: int = 0, most: int = PAGE) -> tuple[Entry, ...]:
        return await self._whole.read(stream, after, most)

    async def last(self, stream: str) -> Entry | None:
        return await self._whole.last(stream)

    async def drop(self, stream: str, before: int) -> None:
        await self._whole.drop(stream, before)

    async def before(self, stream: str, at: datetime) -> int:
        return await self._whole.before(stream, at)

    async def take(self, name: str, holder: str) -> Lease | None:
        return await self._whole.take(name, holder)

    async def renew(self, lease: Lease) -> Lease:
        return await self._whole.renew(lease)

    async def give_back(self, lease: Lease) -> None:
        await self._whole.give_back(lease)

    async def holder(self, name: str) -> str | None:
        return await self._whole.holder(name)

    async def aclose(self) -> None:
        """Nothing: the bus is not ours."""


def cluster_settings(folder: Path, name: str, *bots: str) -> Settings:
    return Settings(
        data_dir=folder / name,
        bots=BotsSettings(names=bots),
        cluster=ClusterSettings(bus=ANYWHERE, name=name),  # type: ignore[arg-type]
        permissions=PermissionSettings(),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        llm=LlmSettings(briefing=False),
        dashboard=DashboardSettings(enabled=False),
    )


@asynccontextmanager
async def member(
    settings: Settings, world: FakeWorld, bus: Bus, model: FunctionModel | None = None
) -> AsyncIterator[Daemon]:
    """One daemon of the cluster, once its bots are in the world."""
    async with Daemon(settings, bridge=FakeBridge(world), bus=bus, model=model) as daemon:
        assert await daemon.all_joined(30)
        yield daemon
