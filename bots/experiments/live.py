"""Plays a scenario with real bots, on the embedded server or another one, in real time."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import asdict, dataclass, replace
from inspect import isawaitable
from pathlib import Path
from time import monotonic
from typing import Any

from bots.access.origin import OPERATOR_NAME, Operator
from bots.app import Daemon
from bots.bot.bot import Bot
from bots.bot.result import message_of
from bots.chat.message import AnyDelivery, Delivery, GroupDelivery, Message
from bots.clock import MS_PER_S, Times
from bots.commands.catalogue import handle_chat_command
from bots.daemon.models import scripted_model
from bots.daemon.server import EmbeddedServerHost
from bots.errors import ActionFailed, CommandError
from bots.experiments import paid_models
from bots.experiments.actors import (
    TAKES_S,
    Actor,
    Asked,
    CastSenses,
    Heard,
    InGame,
    by_person,
    cast_view,
    scripted_actor,
)
from bots.experiments.log import SEEN_EVERY_MS, LogRecorder, Transition
from bots.experiments.metrics import TaskOutcome
from bots.experiments.own_functions import ScenarioRules
from bots.experiments.paid_models import Means, ModelsUsed
from bots.experiments.runs import DATA_FOLDER, GROUND_NAME, PreparedRun, recording
from bots.experiments.scenario import (
    JOIN_WITHIN_S,
    ExperimentFailed,
    PersonLine,
    Place,
    Scenario,
    Schedule,
    ScheduledEvent,
    ScheduledStep,
    Task,
    Tell,
)
from bots.experiments.simulation import Standing, own_rng, standing_at, talk_event
from bots.goals.goal import Goal, ItemGoal, PlacedAtGoal, PlacedGoal
from bots.goals.parsing import parse_goals
from bots.goals.runner.goal_planner import planner_for
from bots.goals.runner.sight import carried, meets
from bots.observability.logs import logging_to
from bots.owned_tasks import OwnedTasks
from bots.private_files import make_private_folder, write_private
from bots.responder.case.case import Senses
from bots.responder.case.persona import MEMORY_FILE, PERSONA_FILE, PERSONA_FOLDER
from bots.settings.loading import load_settings
from bots.settings.settings import Settings
from bots.settings.world import ServerSettings
from bots.talks.live.prompt import TurnContext
from bots.talks.live.runner import Answer
from bots.talks.live.talk import LiveTalk
from bots.talks.live.thinker import Thinker
from bots.talks.machine.events import Delivered, Participant, Say, TalkEffect, TalkEvent, Think
from bots.talks.machine.participants import addressed
from bots.vision.studio import terrain_of
from bridge.actions import BlockAt, MoveTo
from bridge.errors import BridgeError, ServerFailed
from bridge.events import ActionId
from bridge.port import Bridge
from bridge.server_ping import ping
from bridge.world import BotName, PlayerName, Position, WorldSnapshot
from llm.engine.engine import Check
from llm.engine.prices import DOLLAR


class ScenarioThinker:
    """Asks a bot's actor, or `otherwise`, by name, for a bot without one."""

    def __init__(
        self,
        scenario: Scenario,
        actors: Mapping[str, Actor | None],
        otherwise: Mapping[str, Thinker],
        bots: Callable[[str], Senses],
    ) -> None:
        self._scenario, self._actors, self._otherwise = scenario, actors, otherwise
        self._bots = bots
        self._pace = own_rng(scenario.seed, "pace of thinking")
        self._rngs = {member.name: own_rng(scenario.seed, member.name) for member in scenario.cast}
        self._opened = False
        self._turns: defaultdict[str, int] = defaultdict(int)

    async def think(self, bot: Senses, context: TurnContext) -> Answer:
        """The bot's words, after the scenario's time. Raises ThinkingFailed or BridgeError."""
        if bot.name == self._scenario.opener and not self._opened:
            self._opened = True
            return Answer(self._scenario.opening_words, facts={"source": "opening"})
        begun_s, by_chance_s = monotonic(), self._pace.uniform(*self._scenario.talk.thinking_s)
        answer = await self._answer(bot, context)
        if answer.facts.get("source") == "model":  # which took its own time
            return answer
        takes_s = float(answer.facts.get(TAKES_S, by_chance_s))
        await asyncio.sleep(max(0.0, takes_s - (monotonic() - begun_s)))
        return replace(answer, facts={**answer.facts, "seconds": round(takes_s, 3)})

    async def _answer(self, bot: Senses, context: TurnContext) -> Answer:
        actor, world = self._actors.get(bot.name), await bot.snapshot()
        if actor is not None:
            found = actor(self._asked(bot, context, world))
            return await found if isawaitable(found) else found
        near = self._near(context, world)
        cast = CastSenses(bot.name, bot.snapshot, self._with_cast(bot))
        answer = await self._otherwise[bot.name].think(cast, replace(context, view=cast_view(near)))
        return replace(answer, hearers=near)

    def _with_cast(self, bot: Senses) -> list[Message]:
        """The bot's history, each line for those of the cast who heard it."""
        heard = {
            name: {message.utterance.id for message in self._bots(name).get_conversation_history()}
            for name in self._rngs
        }

        def of_cast(message: Message) -> Message:
            said = message.utterance
            if said.sources.audience is None and not _meant(said.delivery):
                return message  # public chat
            bots = {name for name, numbers in heard.items() if said.id in numbers}
            audience = {said.speaker, *bots, *_meant(said.delivery)}
            sources = replace(said.sources, audience=frozenset(audience))
            return replace(message, utterance=replace(said, sources=sources))

        return [of_cast(message) for message in bot.get_conversation_history()]

    def _near(self, context: TurnContext, world: WorldSnapshot) -> frozenset[str]:
        reach = self._scenario.talk.hearing_range
        in_reach = {p.name for p in world.players if (world.distance_to(p) or 0.0) <= reach}
        unseen = {p.name for p in world.players if p.position is None}
        return frozenset(in_reach - unseen).intersection(context.others)

    def _asked(self, bot: Senses, context: TurnContext, world: WorldSnapshot) -> Asked:
        heard = [
            Heard(message.utterance.speaker, message.text)
            for message in bot.get_conversation_history()
            if message.utterance.kind == "conversation" and message.text is not None
        ]
        self._turns[bot.name] += 1
        return Asked(
            name=bot.name,
            turn=self._turns[bot.name],
            round=0,
            why=context.why,
            say_goodbye=context.say_goodbye,
            heard=heard,
            others=context.others,
            near=self._near(context, world),
            topic=context.topic,
            rng=self._rngs[bot.name],
        )


def _meant(delivery: AnyDelivery | None) -> frozenset[str]:
    match delivery:
        case Delivery(target=target):
            return frozenset({target})
        case GroupDelivery(hearers=hearers):
            return frozenset(hearer.name for hearer in hearers)
    return frozenset()


WALK_WITHIN_S = 60.0
INTO_A_TURN_S = 0.3  # after the start of a turn: when events "during" it happen


class ScriptedPerson:
    """A player that everybody else takes for a person."""

    def __init__(self, name: str, bridge: Bridge) -> None:
        self.name = name
        self._bot, self._bridge = BotName(name), bridge
        self._walks = itertools.count(1)

    async def look(self) -> WorldSnapshot:
        return await self._bridge.snapshot(self._bot)

    async def walk(self, to: Position) -> None:
        """Start walking; does not wait for the arrival."""
        action = ActionId(f"{self.name}-walk-{next(self._walks)}")
        await self._bridge.begin(self._bot, action, MoveTo(to), deadline_s=WALK_WITHIN_S)

    async def say(self, text: str, bots: Sequence[Participant]) -> None:
        """Whisper to the bot that the text names, else to the nearest one; the talk spreads it."""
        world = await self.look()
        names = [bot.name for bot in bots]
        away = {p.name: world.distance_to(p) for p in world.players if p.name in names}
        seen = {name: blocks for name, blocks in away.items() if blocks is not None}
        called = [name for name in addressed(text, bots) if name in seen]
        nearest = min(seen, key=seen.__getitem__, default=None)
        to = next(iter(called), nearest)
        if to is not None:
            await self._bridge.whisper(self._bot, PlayerName(to), text)


class Director:
    """Observes the talk: records it, and carries out the scenario's steps when they are due."""

    def __init__(
        self,
        scenario: Scenario,
        daemon: Daemon,
        scripted: Mapping[str, ScriptedPerson],
        recorder: LogRecorder,
    ) -> None:
        self._scenario, self._daemon, self._scripted = scenario, daemon, scripted
        self._recorder = recorder
        self.schedule = Schedule(scenario)
        self._due: asyncio.Queue[tuple[ScheduledStep, float]] = asyncio.Queue()
        """Steps and the seconds to wait before each."""
        self._tasks = OwnedTasks()
        self._zero_s = 0.0
        self._asked_ms: dict[int, int] = {}
        self.goals: list[tuple[Goal, ...]] = []
        """Of each task of the scenario."""
        self._working: list[asyncio.Task[None]] = []
        self._turn_of: dict[int, int] = {}
        """The turn of each line that is being said."""

    # --- observing the talk ------------------------------------------------------------

    async def on_transition(
        self, at_ms: int, event: TalkEvent | None, effects: tuple[TalkEffect, ...]
    ) -> None:
        if event is None:
            self._zero_s = self._daemon.times.stopwatch()
            for due_ms, step in self.schedule.timed:
                self._soon([step], due_ms / MS_PER_S)
            self._tasks.start(self._watch_positions(), "watching positions")
        self._recorder.transition(Transition(at_ms, event, effects))
        for effect in effects:
            if isinstance(effect, Say):
                self._turn_of[effect.line] = effect.turn
            elif isinstance(effect, Think):
                self._asked_ms[effect.turn] = at_ms
                self._soon(self.schedule.during(effect.turn), INTO_A_TURN_S)
        if isinstance(event, Delivered) and event.line in self._turn_of:
            self._soon(self.schedule.after(self._turn_of.pop(event.line)), 0.0)

    async def on_answer(self, effect: Think, answer: Answer) -> None:
        took_ms = self._at_ms - self._asked_ms.get(effect.turn, self._at_ms)
        self._recorder.answer(self._at_ms, effect, answer, took_ms)

    async def direct(self, talk: LiveTalk, rules: ScenarioRules) -> None:
        """Carry out the steps as they become due, until the talk and all work have ended. Raises
        ExperimentFailed where a rule has failed: no work is waited for."""
        self._tasks.start(self._take_due(talk), "steps of the scenario")
        await talk.wait()
        for rule in (rules.order, rules.stop):
            if rule is not None and rule.fault is not None:
                raise rule.fault
        await asyncio.gather(*self._working)

    async def aclose(self) -> None:
        await self._tasks.aclose()

    # --- carrying out the scenario -------------------------------------------------------

    async def walk(self, name: str, place: Place) -> str:
        """Have somebody walk there; waits for bots to arrive, not for persons. Why a bot did not
        arrive; '' if it did."""
        x, y, z = self._scenario.point(place)
        if name in self._scripted:
            await self._scripted[name].walk(Position(x, y, z))
            return ""
        command = f"!navigation gotoCoords {json.dumps({'coords': [x, y, z]})}"
        bot = self._daemon.bot(name)
        done = await handle_chat_command(bot, "scenario", command, Operator("python"))
        return "" if done.success else message_of(done)

    @property
    def _at_ms(self) -> int:
        """Milliseconds since the talk began; 0 before."""
        now_s = self._daemon.times.stopwatch()
        return round((now_s - self._zero_s) * MS_PER_S) if self._zero_s else 0

    def _soon(self, steps: list[ScheduledStep], wait_s: float) -> None:
        for step in steps:
            self._due.put_nowait((step, wait_s))

    async def _take_due(self, talk: LiveTalk) -> None:
        while True:
            step, wait_s = await self._due.get()
            self._tasks.start(self._do(step, wait_s, talk), "a step of the scenario")

    async def _watch_positions(self) -> None:
        while True:
            found: dict[str, Standing] = {}
            for name in self._scenario.names:
                with suppress(BridgeError, KeyError):
                    person = self._scripted.get(name)
                    looking = person.look() if person else self._daemon.bot(name).snapshot()
                    world = await looking
                    found[name] = standing_at(world.position, world.dimension)
            self._recorder.positions(self._at_ms, found)
            await self._daemon.times.sleep(SEEN_EVERY_MS / MS_PER_S)

    async def _do(self, step: ScheduledStep, wait_s: float, talk: LiveTalk) -> None:
        await self._daemon.times.sleep(wait_s)
        if talk.machine.ended is not None:
            return
        if isinstance(step, Task):
            place = next(n for n, one in enumerate(self._scenario.tasks) if one is step)
            work = self._work(step, place)
            self._working.append(self._tasks.start(work, "a task of the scenario"))
        elif isinstance(step, PersonLine):
            bots = [one for one in talk.machine.participants if one.kind == "bot"]
            if step.name in self._scripted:
                await self._scripted[step.name].say(step.text, bots)
        elif step.do in ("walk", "teleport"):
            assert step.to is not None  # a scenario without is refused
            await self.walk(step.who, step.to)
        else:
            self._tell(step, talk)

    async def _work(self, task: Task, place: int) -> None:
        """Give a task, and wait until it is done or out of time; then the bot stops."""
        given_ms, bot, times = self._at_ms, self._daemon.bot(task.who), self._daemon.times
        start = await bot.snapshot()
        goals = [_total(goal, start) for goal in self.goals[place]]
        began_s, took_s = times.stopwatch(), None
        saying = asyncio.create_task(self._give(task, bot))
        try:
            while (spent_s := times.stopwatch() - began_s) < task.within_s:
                if await _hold(goals, bot):
                    took_s = round(spent_s, 1)
                    break
                await times.sleep(LOOK_EVERY_S)
            if took_s is None:
                await handle_chat_command(bot, "scenario", "!stop", Operator("python"))
            said = saying.result() if saying.done() else ""
        finally:
            saying.cancel()
            await asyncio.gather(saying, return_exceptions=True)
        died = _deaths(await bot.snapshot()) - _deaths(start)
        outcome = TaskOutcome(
            place + 1, task.who, task.goal, task.ask, given_ms, took_s, died, said
        )
        self._recorder.task(self._at_ms, asdict(outcome))

    async def _give(self, task: Task, bot: Bot) -> str:
        """What the bot says came of it."""
        if task.ask:
            dispatcher = self._daemon.roster.find(bot.name).dispatcher
            await dispatcher.message_from_operator(task.ask, OPERATOR_NAME)
            return ""
        command = f"!goal {task.goal}"
        return message_of(await handle_chat_command(bot, "scenario", command, Operator("python")))

    def _tell(self, event: ScheduledEvent, talk: LiveTalk) -> None:
        """An event that concerns the talk alone, not the world."""
        match event.do:
            case "join":
                roster = self._scenario.roster
                talk.join(next(one for one in roster if one.name == event.who))
            case "leave":
                talk.leave(event.who, event.why or "left")
            case _:
                talk.tell(talk_event(event))


# --- what bots are given to do ------------------------------------------------------------

# Judged by what the server shows of a bot and of the blocks around it, never by what the bot says:
# whoever helped, a task is done at the first moment at which its goal holds.

LOOK_EVERY_S = 0.5
ARRIVES_WITHIN_S = 5.0  # what was given into a bag


async def hand_out(scenario: Scenario, daemon: Daemon) -> None:
    """Give the bots what they carry on the embedded server; see that they have it on another.
    Raises ExperimentFailed."""
    host = daemon.server_host
    if isinstance(host, EmbeddedServerHost):
        gifts = [(one.name, *gift) for one in scenario.cast for gift in one.carries.items()]
        for name, item, count in gifts:
            try:
                await host.server.admin("give", player=name, item=item, count=count)
            except ServerFailed as failure:
                raise ExperimentFailed(f"cast.{name}.carries.{item}: {failure}") from failure
    for member in scenario.cast:
        bot = daemon.bot(member.name)
        with suppress(TimeoutError):
            async with asyncio.timeout(ARRIVES_WITHIN_S):
                while _missing(member.carries, await bot.snapshot()):
                    await daemon.times.sleep(LOOK_EVERY_S)
        if lacks := _missing(member.carries, await bot.snapshot()):
            raise ExperimentFailed(f"{member.name} has not got {lacks}: give it before the run")


def _missing(wanted: Mapping[str, int], world: WorldSnapshot) -> str:
    lacks = {item: count - world.count(item) for item, count in wanted.items()}
    return ", ".join(f"{count} {item}" for item, count in lacks.items() if count > 0)


async def goals_of(scenario: Scenario, daemon: Daemon) -> list[tuple[Goal, ...]]:
    """The goals of each task. Raises ExperimentFailed for what cannot be asked, or not be seen."""
    found: list[tuple[Goal, ...]] = []
    for number, task in enumerate(scenario.tasks, 1):
        planner = await planner_for(daemon.bot(task.who))
        try:
            goals = parse_goals(task.goal, planner.domain)
        except CommandError as refused:
            raise ExperimentFailed(f"tasks.{number}.goal: {refused}") from refused
        if any(isinstance(goal, PlacedGoal) for goal in goals):
            raise ExperimentFailed(
                f"tasks.{number}.goal: write placed.BLOCK@x,y,z: others cannot be seen from outside"
            )
        found.append(goals)
    return found


async def _hold(goals: Sequence[Goal], bot: Bot) -> bool:
    try:
        world = await bot.snapshot()
        stands = dict.fromkeys(goals, 0)
        for goal in goals:
            if isinstance(goal, PlacedAtGoal):
                there = await bot.query(BlockAt(goal.at))
                stands[goal] = sum(block.name == goal.block for block in there)
    except (BridgeError, ActionFailed):  # it is away, and comes back
        return False
    return all(meets(goal, world, stands) for goal in goals)


def _total(goal: Goal, world: WorldSnapshot) -> Goal:
    if isinstance(goal, ItemGoal) and goal.more:
        return replace(goal, count=goal.count + carried(world).get(goal.item, 0), more=False)
    return goal


def _deaths(world: WorldSnapshot) -> int:
    return world.died.number if world.died else 0


# --- from the start of a daemon to its end -------------------------------------------------

STAND_WITHIN_S = 60.0


async def play_live(prepared: PreparedRun, out: Path, means: Means, tell: Tell) -> None:
    """Raises ExperimentFailed, LogError, ScenarioError, BotError, SettingsError."""
    scenario, folder = prepared.scenario, prepared.folder
    # Bots without an actor find their words as they always do.
    actors = {m.name: scripted_actor(m, folder, means.seats) for m in scenario.cast}
    rules = ScenarioRules.of(scenario, folder)
    if scenario.server is not None:
        found = await ping(*scenario.server)
        names = ", ".join(member.name for member in scenario.cast)
        tell(f"{names} join {scenario.world} (Minecraft {found.version})")
    async with AsyncExitStack() as stack:
        asked = None
        if paid_models.needs_model(scenario):
            script = scripted_model(means.fake_llm, means.settings(scenario))
            own = await stack.enter_async_context(script)
            async with paid_models.paid_models(
                scenario, own, Times.real(), allow_rules=means.allow_rules
            ) as paid:
                asked = AskedModels(own, paid.checks, paid.charged_usd, paid.used)
        settings = settings_of(scenario, out / DATA_FOLDER, asked, means.server(scenario))
        with recording(prepared, out, asked.used if asked else None) as recorder:
            recorder.checked(asked.checks if asked else ())
            for member in scenario.cast:
                home = settings.data_dir / PERSONA_FOLDER / member.name
                make_private_folder(home)
                for name, text in ((PERSONA_FILE, member.persona), (MEMORY_FILE, member.memory)):
                    if text:
                        write_private(home / name, text)
            with logging_to(settings.data_dir, settings.log, settings.secrets):
                run = LiveRun(scenario, actors, recorder, tell, rules)
                left, charged_usd = await run.play(settings)
            recorder.end(left, asked.charged_usd + charged_usd if asked else None)


@dataclass(frozen=True, slots=True)
class AskedModels:
    """What asking the models before the first turn came to."""

    settings: Settings
    """The user's, who pays."""
    checks: tuple[Check, ...]
    charged_usd: float
    used: ModelsUsed | None = None

    @property
    def llm(self) -> dict[str, Any]:
        """Settings of the run's own daemon: it pays from the user's budget what is left for it."""
        llm = self.settings.llm
        # Its world is another one, where nobody owns anything: what owners keep is not for it.
        kept = llm.reserve_owner if self.settings.permissions.owners else 0.0
        limit = llm.cost_limit_run_usd or 0.0
        return {
            **llm.model_dump(),
            "budget_dir": llm.budget_dir or self.settings.data_dir,
            "cost_limit_usd": llm.cost_limit_usd * (1 - kept),
            "cost_limit_run_usd": max(0.0, limit - self.charged_usd),
            "briefing": False,
        }


@dataclass(frozen=True, slots=True)
class LiveRun:
    scenario: Scenario
    actors: dict[str, Actor | None]
    recorder: LogRecorder
    tell: Tell
    rules: ScenarioRules

    async def play(self, settings: Settings) -> tuple[int, float]:
        """From the start of the daemon to its end: how many of the scenario's events never became
        due, and what its models cost in US dollars."""
        scenario = self.scenario
        async with Daemon(settings, progress=self.tell) as daemon:
            if not await daemon.all_joined():
                no_word = "the server has not let it in"
                absent = "; ".join(
                    f"{session.name}: {session.connection.diagnosis or no_word}"
                    for session in daemon.roster.sessions
                    if not session.online
                )
                raise ExperimentFailed(f"not all bots joined the world: {absent}")
            for member in scenario.cast:
                if member.player:  # it says what they say, and answers nobody by itself
                    bot = await daemon.spawn(member.name, answers=False)
                    self.actors[member.name] = by_person(member, InGame(bot, member.player))
            people = [person.name for person in scenario.people if not person.live]
            scripted = {name: ScriptedPerson(name, daemon.bridge) for name in people}
            director = Director(scenario, daemon, scripted, self.recorder)
            for name in people:
                await daemon.bridge.spawn(BotName(name), daemon.address)
            try:
                await self._live_persons(daemon)
                await self._talk(daemon, director)
            finally:
                await director.aclose()
                for name in people:
                    await daemon.bridge.despawn(BotName(name))
            spent = daemon.responders.engine.budget.spent("run")
            return director.schedule.left, spent / DOLLAR

    async def _live_persons(self, daemon: Daemon) -> None:
        """Wait until all live persons have joined."""
        missing = {one.name for one in self.scenario.people if one.live and one.present}
        missing |= {member.player for member in self.scenario.cast if member.player}
        names = ", ".join(sorted(missing))
        if missing:
            at = daemon.address
            waiting = f"waiting {JOIN_WITHIN_S:g} s for {names} to join {at}"
            self.tell(f"{waiting} (Minecraft {at.version})")
        bot = daemon.bot(self.scenario.cast[0].name)
        try:
            async with asyncio.timeout(JOIN_WITHIN_S):
                while missing - {player.name for player in (await bot.snapshot()).players}:
                    await daemon.times.sleep(LOOK_EVERY_S)
        except TimeoutError:
            raise ExperimentFailed(f"nobody called {names} joined") from None

    async def _talk(self, daemon: Daemon, director: Director) -> None:
        scenario = self.scenario
        live = {person.name for person in scenario.people if person.live}
        walkers = [who for who in scenario.players if who.name not in live]
        try:
            async with asyncio.timeout(STAND_WITHIN_S):
                whys = await asyncio.gather(*(director.walk(who.name, who.at) for who in walkers))
        except TimeoutError:
            raise ExperimentFailed("not everybody reached their place") from None
        for who, why in zip(walkers, whys, strict=True):
            if why:
                at = list(scenario.point(who.at))
                raise ExperimentFailed(
                    f"{who.name} cannot get to {at}: {why} `offset` moves all points"
                )
        await hand_out(scenario, daemon)
        director.goals = await goals_of(scenario, daemon)
        # For a film of the run, around its first bot.
        found = await terrain_of(daemon.bot(scenario.cast[0].name))
        kept = {"west": found.west, "north": found.north, "png": found.picture.base64}
        file = daemon.settings.data_dir.parent / GROUND_NAME
        await asyncio.to_thread(write_private, file, json.dumps(kept))
        responders, llm = daemon.responders, daemon.settings.llm
        usual = responders.talk_thinker(frozenset(member.name for member in scenario.cast))
        budget, stopwatch = usual.engine.budget, daemon.times.stopwatch
        own = paid_models.own_engines(scenario, llm, responders.models, budget, stopwatch)
        planned = paid_models.as_planned(usual, scenario, own)
        talk = await daemon.talk(
            *scenario.beginners,
            policy=scenario.policy,
            observer=director,
            thinker=ScenarioThinker(scenario, self.actors, planned, daemon.bot),
            brakes_machines=False,
            rules=self.rules.asked,
        )
        try:
            await director.direct(talk, self.rules)
        finally:
            for engine in own.values():
                await engine.aclose()


def settings_of(
    scenario: Scenario,
    data_dir: Path,
    asked: AskedModels | None,
    server: ServerSettings,
) -> Settings:
    """Settings from the environment, with everything off that could disturb the talk. A server
    that is not ours keeps its limit on chat."""
    return load_settings(
        None,
        {
            "data_dir": data_dir,
            "server": server.model_dump(),
            "bots": {"names": tuple(one.name for one in scenario.cast if not one.player)},
            "chat": {"hearing_range": scenario.talk.hearing_range, "pace": bool(server.host)},
            "talk": {"small_talk": False},
            "idle": {"enabled": False},
            "survival": {"enabled": scenario.survival},
            "group_talk": {"by_words": False},
            "history": {"view": 10_000},
            "dashboard": {"enabled": False},
            "log": {"level": "warning", "talk": False},
            "llm": asked.llm if asked else {"briefing": False, "enabled": "off"},
        },
    )
