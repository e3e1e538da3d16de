"""Builds the daemon and takes it apart: the only place that names real adapters.

Order of start: store, Node, server, bridge, model, bots, HTTP, daemon.json; end: the reverse.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, TypeAlias

import structlog

from bots.access.origin import Operator
from bots.bot.bot import Bot
from bots.clock import Times
from bots.cluster.bus import Bus
from bots.cluster.heartbeats import Beat
from bots.commands.catalogue import commands
from bots.daemon import daemon_file
from bots.daemon.experiment_records import ExperimentRecords
from bots.daemon.health import Health, Load
from bots.daemon.models import budget_on, budget_over, follow, shared_budget
from bots.daemon.operator import OperatorService
from bots.daemon.residence import (
    Guest,
    Guests,
    HomeLost,
    Members,
    Residence,
    guest_settings,
    own_residence,
    with_bots,
)
from bots.daemon.responders import Responders
from bots.daemon.server import EmbeddedPlan, EmbeddedServerHost, ExternalServer, ServerHost
from bots.daemon.session import BotRoster, BotSession
from bots.daemon.shared import SharedServices
from bots.daemon.talks import beginning_of, idle_company_of, small_talk_of, talks_of
from bots.daemon.tracker import Tracker
from bots.errors import SettingsError
from bots.goals.runner import goal_planner
from bots.goals.runner.journeys import StepTimes
from bots.http.app import create_member_app
from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.http.shared_traces import Cluster, open_door, shared_web
from bots.idle.life import IdleLife
from bots.observability import logs, otlp
from bots.observability.redaction import new_token
from bots.observability.stalls import LoopLag
from bots.observability.terminal_log import narrate
from bots.observability.trace import TraceLog
from bots.owned_tasks import OwnedTasks, until_first
from bots.private_files import make_private_folder
from bots.responder.responder import Responder
from bots.settings.fields import check_name
from bots.settings.settings import Settings, weaknesses
from bots.store.database import FILE_NAME, Store
from bots.talks.live.runner import NO_OBSERVER, Observer
from bots.talks.live.talk import LiveTalk
from bots.talks.live.talks import Talks
from bots.talks.live.thinker import Thinker
from bots.talks.machine.events import Participant
from bots.talks.machine.policy import TalkPolicy
from bots.talks.machine.state import NO_OWN_RULES, OwnRules
from bridge.errors import SpawnFailed
from bridge.js.bridge import JSBridge
from bridge.node import NodeRuntime
from bridge.node import ready as node_ready
from bridge.port import Bridge, ServerAddress
from bridge.shares import BridgeShare, SharedBridge
from bridge.world import BotName
from llm.engine.budget import Budget
from llm.model import ChatModel

if TYPE_CHECKING:
    from bots.daemon.gauges import Metered

log = structlog.get_logger()

JOIN_WITHIN_S = 30.0

Count: TypeAlias = Callable[[TraceLog], Coroutine[Any, Any, None]]
"""Adds what a trace tells to the figures for Prometheus, until cancelled."""


class Daemon:
    """Runs bots for as long as its `async with` block lasts.

    `bridge` and `model` replace the real ones, as tests do with `FakeBridge` and
    `FunctionModel`; with a bridge of your own no Node and no embedded server is started.
    With `answers` false the configured bots only record and call your handlers. Of their own
    accord bots do and say nothing where a bridge is given, unless `idle.enabled` and
    `talk.small_talk` are set. `bus` replaces the broker of `cluster.bus`; `guest` is set where a
    daemon of a cluster lives with another one's home.
    A program that has not set up structlog finds the log as `settings.log` says in `log_to`,
    stderr unless given.
    Raises a subclass of `BotError`, in plain words, when something it needs is missing.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        bridge: Bridge | None = None,
        model: ChatModel | None = None,
        answers: bool = True,
        bus: Bus | None = None,
        times: Times | None = None,
        progress: Callable[[str], None] = lambda line: None,
        log_to: TextIO | None = None,
        guest: Guest | None = None,
    ) -> None:
        self.settings = settings if bridge is None else _quiet(settings)
        self.times = times or Times.real()
        self.trace = TraceLog(self.times.clock)
        self.http: HttpServer | None = None
        self._given_bridge, self._model, self._answers = bridge, model, answers
        self._progress, self._log_to = progress, log_to
        self._given_bus, self._guest = bus, guest
        self._guests: list[Daemon] = []
        self._count: Count = _counts_nothing

    async def __aenter__(self) -> Daemon:
        async with AsyncExitStack() as stack:
            self._stack = stack
            stack.enter_context(
                logs.logging_unless_set_up(self.settings.log, self.settings.secrets, self._log_to)
            )
            await self._start()
            self._stack = stack.pop_all()
        return self

    async def __aexit__(self, *raised: Any) -> None:
        await self._stack.__aexit__(*raised)

    @property
    def address(self) -> ServerAddress:
        """Where the bots' server listens."""
        return self.server_host.address

    @property
    def lan_address(self) -> ServerAddress | None:
        """Where other devices join the embedded server; None where they may not."""
        return self.server_host.lan_address

    def new_link(self) -> str | None:
        """An address that opens the page in a browser, once; None without HTTP."""
        return None if self.http is None else f"{self.http.url[:-1]}{self._keys.new_link()}"

    def bot(self, name: str) -> Bot:
        """The bot of this name, in the world or on its way. Raises KeyError."""
        return self.roster.find(name).bot

    async def spawn(self, name: str, *, answers: bool = True) -> Bot:
        """Add a bot and wait until it is in the world.

        With `answers` false it only records and calls your handlers. Raises `SpawnFailed` when
        it is not in the world after 30 s (it goes on trying), ValueError when the name is
        taken or no player may have it."""
        await self.server_host.take_in(check_name(name))
        if self.residence is not None:
            await self.residence.take_in(name)
        session = self._add(name, answers=answers)
        try:
            async with asyncio.timeout(JOIN_WITHIN_S):
                await session.connection.until_online()
        except TimeoutError:
            raise SpawnFailed(name, "spawn_timeout", str(session.connection.diagnosis)) from None
        self._publish_again()
        return session.bot

    async def talk(
        self,
        *names: str | Participant,
        topic: str = "",
        policy: TalkPolicy | None = None,
        observer: Observer = NO_OBSERVER,
        thinker: Thinker | None = None,
        brakes_machines: bool = True,
        rules: OwnRules = NO_OWN_RULES,
    ) -> LiveTalk:
        """Begin a talk of these bots and people; `await talk.wait()` for its end.

        `thinker` replaces model and rules for its bots; without `policy` the settings apply.
        Without `brakes_machines` people in it may answer like clocks, as scripted ones do. `rules`
        say who is next, and when it ends, in place of the policy.
        Raises CommandError: too_few, player_not_found, in_a_talk."""
        going_by = policy or replace(self.talks.policy, topic=topic)
        by = Operator("python")
        return await self.talks.start(
            names,
            started_by=by,
            policy=going_by,
            observer=observer,
            thinker=thinker,
            brakes_machines=brakes_machines,
            rules=rules,
        )

    async def all_joined(self, within_s: float = JOIN_WITHIN_S) -> bool:
        """Wait until every bot is in the world; False when one is not in time, or the daemon
        has failed."""
        joins = [session.connection.until_online() for session in self.roster.sessions]
        try:
            async with asyncio.timeout(within_s):
                await until_first(asyncio.gather(*joins), asyncio.wait({self.failure}))
        except TimeoutError:
            return False
        self._publish_again()
        return not self.failure.done()

    async def first_joined(self) -> None:
        """Wait until one bot at least is in the world, or the daemon has failed. One without bots
        waits for nobody."""
        while self.roster.sessions and not self.roster.bots_online and not self.failure.done():
            joins = [session.connection.until_online() for session in self.roster.sessions]
            await until_first(*joins, asyncio.wait({self.failure}))
        self._publish_again()

    async def _start(self) -> None:
        if self.settings.telemetry.otlp_endpoint:
            otlp.check_installed()
        store = await self._open_below()
        await self._build_parts(store)
        await self._begin_work(store)
        await self._serve()
        self._stack.push_async_callback(self.roster.end_jobs)  # first: whoever waits is told

    async def _open_below(self) -> Store:
        """Open what all parts stand on: the folder, the store, the world."""
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Awaiting it raises when a part fails that the daemon cannot do without."""
        self._ended: dict[str, str] = {}
        self._tasks = OwnedTasks(self._has_ended)
        self._stack.enter_context(daemon_file.alone_on(self.settings.data_dir))
        self.residence = await self._moved_in()
        """Our place in a cluster; None for a daemon of its own."""
        store = await self._open_store()
        self._stack.push_async_callback(store.aclose)
        self.times.hold_while(lambda: store.is_at_work)
        self.bridge = await self._open_world()
        """Connects the bots; use it to add players of your own."""
        return store

    async def _build_parts(self, store: Store) -> None:
        self._shared = await SharedServices.open(
            self.settings,
            bridge=self.bridge,
            commands=commands,
            address=lambda: self.address,
            is_ours_alone=self.server_host.is_ours_alone,
            store=store,
            times=self.times,
            trace=self.trace,
        )
        self._tell_who_may_command()
        self.roster = BotRoster(self._shared)
        budget = await self._open_budget(store)
        self.responders = Responders(
            self.settings, self._shared, self._model, budget, store, self._has_ended
        )
        self._stack.push_async_callback(self.responders.aclose)
        self.talks = await talks_of(
            self.settings, store, self._shared, self.roster, self.responders
        )
        self._stack.push_async_callback(self.talks.aclose)
        self._begin_talk = beginning_of(self.settings, self._shared, self.talks)
        self._idle_company = idle_company_of(
            self._shared,
            self.roster,
            self.responders,
            is_ours=self.server_host.is_ours_alone,
        )
        self._small_talk = small_talk_of(
            self.settings, self._shared, self._idle_company, self.responders
        )

    async def _begin_work(self, store: Store) -> None:
        """Run all that works in the background."""
        self._stack.push_async_callback(self._tasks.aclose)
        self._watch_health(store)
        self._own(store.watch(self.times.sleep), "database", fatal=False)
        self._own(follow(self.responders.budget, self.times.sleep), "budget", fatal=False)
        self._step_times = StepTimes()
        await self._step_times.load(store)
        self._own(self._step_times.keep(store), "step times", fatal=False)
        if self.settings.telemetry.otlp_endpoint:
            exporter = otlp.Exporter(self.settings.telemetry.otlp_endpoint)
            self._own(exporter.run(self.trace), "spans", fatal=False)
        self._run_parts()

    def _watch_health(self, store: Store) -> None:
        self._lag = LoopLag(time.perf_counter, asyncio.sleep)
        self._own(self._lag.run(), "loop lag", fatal=False)
        self.health = Health(
            self.roster,
            self._lag,
            is_whole=lambda: not self.failure.done(),
            trouble=lambda: store.trouble,
            guests_trouble=self._guests_trouble,
            broker=self.residence.bus if self.residence is not None else None,
            ended=lambda: self._ended,
        )
        """How the daemon is, for whoever supervises it."""

    async def _open_budget(self, store: Store) -> Budget:
        """The budget of this data folder, or of the folder or broker that is to pay."""
        settings = self.settings
        if self.residence is not None and settings.budget_brokers == settings.cluster.bus:
            return await budget_over(self.residence.bus, settings, self.times)
        if settings.llm.budget_dir is None and not settings.budget_brokers:
            return await budget_on(store, settings, self.times)
        elsewhere = shared_budget(self.settings, self.times)
        return await self._stack.enter_async_context(elsewhere)

    def _tell_who_may_command(self) -> None:
        if self._shared.permissions.open_house:
            log.info("permissions.open_house", meaning="every player here may command the bots")
        is_ours_alone = self.server_host.is_ours_alone
        for weakness in weaknesses(self.settings, is_ours_alone=is_ours_alone):
            log.warning("permissions.weak", found=weakness.found, advice=weakness.next_step)

    async def _moved_in(self) -> Residence | None:
        """Our place in the cluster; None for a daemon of its own."""
        if self._guest is not None:
            residence = self._guest.residence
        elif self.settings.cluster.bus:
            self._refuse_two_worlds()
            entering = own_residence(self.settings, self.times, self._given_bus)
            residence = await self._stack.enter_async_context(entering)
        else:
            return None
        self.settings = with_bots(self.settings, residence.bots)
        return residence

    def _refuse_two_worlds(self) -> None:
        if self._given_bridge is None and not self.settings.server.host:
            raise SettingsError(
                "a cluster needs a server that all daemons join: --server HOST:PORT"
            )

    async def _open_store(self) -> Store:
        path = self.settings.data_dir / FILE_NAME
        if self.residence is None:
            return await Store.open(path)
        return await self.residence.open_store(path, keep_file=self.settings.cluster.keep_file)

    async def _open_world(self) -> Bridge:
        """Open the server and the bridge to it; with guests it is shared."""
        if self._guest is not None:
            self.server_host: ServerHost = self._guest.server_host
            self._stack.push_async_callback(self._guest.bridge.aclose)
            return self._guest.bridge
        bridge = await self._open_bridge()
        if self.residence is None:
            return bridge
        self._shared_bridge = SharedBridge(bridge)
        self._own(self._shared_bridge.run(), "shared bridge", fatal=True)
        share = self._shared_bridge.share(self.residence.may_act)
        self._stack.push_async_callback(share.aclose)
        return share

    async def _open_bridge(self) -> Bridge:
        if self._given_bridge is not None:
            self.server_host = ExternalServer(
                self.settings.named_server, is_ours_alone=self._is_simulated
            )
            self._stack.push_async_callback(self._given_bridge.aclose)
            return self._given_bridge
        runtime = await node_ready(self._progress, offline=self.settings.offline)
        self.server_host = await self._open_server_host(runtime)
        self._stack.push_async_callback(self.server_host.aclose)
        bridge = JSBridge(
            runtime.binary,
            runtime.packages_dir,
            self._log_folder / "node.log",
            self.settings.bridge.line_shapes,
            hosts=self.settings.host_count,
        )
        self._stack.push_async_callback(bridge.aclose)
        await bridge.start()
        return bridge

    async def _open_server_host(self, runtime: NodeRuntime) -> ServerHost:
        if self.settings.server.host:
            return ExternalServer(self.settings.named_server)
        embedded = self.settings.embedded
        plan = EmbeddedPlan(
            runtime,
            spam_checked=self.settings.bots.names if self.settings.chat.pace else (),
            is_paced=self.settings.chat.pace,
            owners=self.settings.permissions.owners,
            host=embedded.host,
            port=embedded.port,
            seed=embedded.seed,
            world_folder=embedded.world_folder,
            difficulty=embedded.difficulty,
            log_path=self._log_folder / "server.log",
        )
        return await EmbeddedServerHost.open(plan, self.times.sleep)

    @property
    def _is_simulated(self) -> bool:
        """Whether the world is in memory, where nobody joins from outside."""
        is_real = isinstance(self._given_bridge, JSBridge)
        return not is_real and not self.settings.server.host

    @property
    def _log_folder(self) -> Path:
        folder = self.settings.data_dir / logs.LOG_FOLDER
        make_private_folder(folder)
        return folder

    def _run_parts(self) -> None:
        self._own(self.roster.pump(), "pump", fatal=True)
        self.responders.start()
        # Without a model the rules answer.
        self._prepare(self.responders.warm(), "model")
        self._prepare(goal_planner.warm_up(), "solver")
        self._own(self.server_host.run(self.roster.retry_now), "server", fatal=True)
        for name in self.settings.bots.names:
            self._add(name, answers=self._answers)
        if self.settings.log.talk:
            self._own(narrate(self.trace, self._shared.fellows), "narrator", fatal=False)
        if self.settings.talk.small_talk:
            self._own(self._small_talk.run(), "small talk", fatal=False)
        self._own(self.talks.resume(self.all_joined), "talks", fatal=False)
        if self.residence is not None:
            self._live_in_cluster(self.residence)

    def _live_in_cluster(self, residence: Residence) -> None:
        """Tell the others of our bots, and stand by for theirs."""
        sleep = self.times.sleep
        self._own(self._until_home_is_lost(residence), "home", fatal=True)
        self._own(residence.beats.send(self._beat, sleep), "heartbeat", fatal=True)
        self._own(residence.files(self.settings.data_dir).keep(sleep), "characters", fatal=False)
        others = residence.know_others(self._shared.bots_elsewhere, sleep)
        self._own(others, "bots of others", fatal=False)
        if not residence.is_own:
            return
        self._own(residence.beats.hear(sleep), "heartbeats of others", fatal=True)
        guests = Guests(
            residence,
            self.settings.data_dir,
            self.settings.cluster.copies,
            self.times,
            self._open_guest,
        )
        self._own(guests.run(), "guests", fatal=True)

    async def _until_home_is_lost(self, residence: Residence) -> None:
        await residence.until_lost()
        assert isinstance(self.bridge, BridgeShare)
        with suppress(TimeoutError):  # they leave with Node, which ends with this daemon
            await self.bridge.shut()
        self._fail(HomeLost("the bots may live at another daemon now"))

    def _beat(self) -> Beat:
        assert self.residence is not None
        return self.residence.beat(session.as_json() for session in self.roster.sessions)

    @asynccontextmanager
    async def _open_guest(
        self, residence: Residence, folder: Path
    ) -> AsyncIterator[asyncio.Future[None]]:
        """Live with another daemon's home while the block lasts."""
        guest = Guest(residence, self._shared_bridge.share(residence.may_act), self.server_host)
        settings = guest_settings(self.settings, folder)
        async with Daemon(
            settings, model=self._model, answers=self._answers, times=self.times, guest=guest
        ) as daemon:
            self._guests.append(daemon)
            counting = self._tasks.start(self._count(daemon.trace), "meters of a guest")
            try:
                yield daemon.failure
            finally:
                counting.cancel()
                self._guests.remove(daemon)

    def _add(self, name: str, *, answers: bool) -> BotSession:
        def equip(bot: Bot) -> Responder | None:
            bot.services.provide(Talks, self.talks)
            bot.services.provide(StepTimes, self._step_times)
            return self.responders.responder(bot, self._begin_talk) if answers else None

        session = self.roster.add(BotName(name), lambda name: BotSession(name, self._shared, equip))
        if answers and self.settings.talk.small_talk:
            self._small_talk.listen(session.bot)
        self._own(session.run(), name, fatal=True)
        if answers and (self.settings.idle.enabled or self.settings.talk.small_talk):
            company, personas = self._idle_company, self.responders.personas
            life = IdleLife(session.bot, company, personas, self.settings.idle)
            self._own(life.run(), f"idle life of {name}", fatal=False)
        return session

    async def _serve(self) -> None:
        """HTTP, and the file by which commands find it; what other daemons may ask."""
        if not self.settings.dashboard.enabled and self.residence is None:
            return
        metered = self._metered()
        tracker = Tracker(self.roster, self.bridge, self.times, self.settings.chat.hearing_range)
        self._stack.push_async_callback(tracker.aclose)
        operator = OperatorService(
            self.roster,
            self._shared.commands,
            self.trace,
            self.responders.recorder,
            health=self.health,
            stats=self.responders.records.stats,
            metrics=metered.text,
            experiments=ExperimentRecords(self.settings.data_dir),
            talks=self.talks,
            budget=self.responders.budget,
            model_health=self.responders.health,
            prompts=self.responders.kept_prompts,
            tracker=tracker,
            load=Load(lambda: self._lag.worst_s, ended=self.health.ended),
        )
        self._stack.push_async_callback(operator.aclose)
        self._keys = Keys(new_token())
        cluster = await self._share(operator) if self.residence else None
        if not self.settings.dashboard.enabled:
            return
        self.http = await HttpServer.start(
            operator, self.settings.dashboard, self._keys, self.settings.secrets, cluster
        )
        self._stack.push_async_callback(self.http.aclose)
        self._publish()

    async def _share(self, operator: OperatorService) -> Cluster:
        """Let other daemons ask for our bots; how we ask for theirs."""
        assert self.residence is not None
        bus, members, closing = self.residence.bus, Members(self.residence), asyncio.Event()
        secrets = (*self.settings.secrets, self._keys.token)
        web = shared_web(bus, members, self.trace, operator.moving, secrets, self._has_ended)
        cluster = await self._stack.enter_async_context(web)
        app = create_member_app(operator, secrets, closing)
        await self._stack.enter_async_context(open_door(bus, members.name, app, closing))
        return cluster

    def _metered(self) -> Metered:
        """What Prometheus may read; counted from now on."""
        from bots.daemon.gauges import Gauges, Metered

        gauges = Gauges(self._sessions_here, self.responders.budget)
        metered = Metered(gauges, self._lag)
        self._own(metered.meters.run(self.trace), "meters", fatal=False)
        self._count = metered.meters.run
        return metered

    def _sessions_here(self) -> Iterator[BotSession]:
        """Of our bots, and of those of homes that we live with."""
        for daemon in (self, *self._guests):
            yield from daemon.roster.sessions

    def _guests_trouble(self) -> dict[str, str]:
        """Why databases of homes that we live with cannot be written, by home."""
        found = ((one.residence, one.health.database_trouble) for one in self._guests)
        return {where.home.id: why for where, why in found if where is not None and why}

    def _publish(self) -> None:
        """Write daemon.json: how other processes find server, HTTP and bots."""
        if self.http is None:
            return
        sessions = self.roster.sessions
        versions = [session.connection.version for session in sessions]
        found = daemon_file.DaemonFile(
            pid=os.getpid(),
            server=daemon_file.ServerAddress.of(self.address, versions),
            dashboard=daemon_file.DashboardAddress(url=self.http.url, token=self._keys.token),
            bots=tuple(session.name for session in sessions),
            born_s=daemon_file.born_s(os.getpid()),
            member=Members(self.residence).name if self.residence else None,
        )
        daemon_file.write(self.settings.data_dir, found)

    def _publish_again(self) -> None:
        """Publish newer facts; if they cannot be written, the earlier ones still serve."""
        try:
            self._publish()
        except SettingsError as error:
            log.warning("daemon_file.not_written", why=str(error))

    def _own(self, work: Coroutine[Any, Any, None], name: str, *, fatal: bool) -> None:
        """Run it in the background; if `fatal`, its failure ends the program."""
        self._tasks.start(work, name, self._fail if fatal else None)

    def _prepare(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Do once what spares the first use a wait; that finds out by itself what failed."""
        self._tasks.start(work, name, lambda _failure: None)

    def _has_ended(self, name: str, failure: BaseException) -> None:
        """A part failed that the daemon can do without: health tells of it until the next start."""
        self._ended[name] = why = type(failure).__name__
        self.trace.note("part.ended", part=name, why=why)

    def _fail(self, failure: BaseException) -> None:
        if not self.failure.done():
            self.failure.set_exception(failure)
            self.failure.exception()  # a daemon that is ending anyway awaits it no more


async def _counts_nothing(_trace: TraceLog) -> None:
    """Without HTTP nobody asks for figures."""


def _quiet(settings: Settings) -> Settings:
    """The settings of a test: bots idle, chat and save themselves only where that was asked for."""
    idle, talk = settings.idle, settings.talk
    if "enabled" not in idle.model_fields_set:
        idle = idle.model_copy(update={"enabled": False})
    if "small_talk" not in talk.model_fields_set:
        talk = talk.model_copy(update={"small_talk": False})
    survival = settings.survival
    if "enabled" not in survival.model_fields_set:
        survival = survival.model_copy(update={"enabled": False})
    return settings.model_copy(update={"idle": idle, "talk": talk, "survival": survival})
