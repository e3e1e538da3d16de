"""One bot: its speech, history, senses, actions and jobs, as the layers above use them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import Any, TypeVar, cast

import structlog

from bots.access.origin import Fellow, KnownBots, Origin, Person
from bots.access.permissions import Permissions
from bots.access.sources import BY_PROGRAM, UNKNOWN, MayKnow, Sources
from bots.access.sources import anything as any_source
from bots.bot.actions import Actions, RunningAction
from bots.bot.agenda import Agenda
from bots.bot.all_bots import VersionFacts, Vitals
from bots.bot.areas import Areas
from bots.bot.chests import CONTAINERS, Chests
from bots.bot.deaths import Graves, Obituary
from bots.bot.episode import Episode
from bots.bot.events import BotEvents
from bots.bot.gaze import Attention, Head
from bots.bot.hands import Hands, Works
from bots.bot.jobs import Jobs
from bots.bot.knowing import Knowledge
from bots.bot.leisure import Leisure, Pastimes
from bots.bot.locations import Locations
from bots.bot.looking import NARROW, looks_far
from bots.bot.perils import Perils
from bots.bot.placements import Placements
from bots.bot.stage import StageInfo
from bots.bot.stoppables import MayStop, Stoppables, anything
from bots.chat.answers import Answers
from bots.chat.between_daemons import ASKING
from bots.chat.broadcast import Broadcast, BroadcastResult, SaidPublicly
from bots.chat.conversation import Conversation
from bots.chat.direct import SAY_WITHIN_S, Delivering, DirectSpeech, SpeechResult
from bots.chat.governor import Governor
from bots.chat.message import Content, Delivery, Filter, Kind, Message, Volume
from bots.chat.natural_message import NaturalHandler, NaturalMessage, NaturalMessages
from bots.chat.recall import Recalled, Search
from bots.chat.receipts import Receipts
from bots.clock import Times, moment
from bots.observability.trace import TraceLog
from bots.settings.talk import PublicNotice
from bots.settings.world import WhisperFallback
from bots.text.language import Language
from bots.words.heard import calls
from bridge.actions import Action, BlockAt, Query
from bridge.catalogue import Catalogue, RecipeBook
from bridge.events import ActionFinished
from bridge.port import ACTION_DEADLINE_S, Bridge
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

T = TypeVar("T")

log = structlog.get_logger()

HEARING_RANGE = 15.0  # blocks (seed 000)
BESIDE = 8.0  # blocks to whoever draws some of the blows


class Bot:
    """One of our bots. It decides nothing; commands, replies and goals act through it."""

    def __init__(
        self,
        name: BotName,
        bridge: Bridge,
        *,
        conversation: Conversation,
        governor: Governor,
        receipts: Receipts,
        answers: Answers,
        fallback: WhisperFallback,
        permissions: Permissions,
        locations: Locations,
        agenda: Agenda,
        placements: Placements,
        chests: Chests,
        areas: Areas,
        perils: Perils,
        knowledge: Knowledge,
        vitals: Vitals,
        version_facts: VersionFacts,
        times: Times,
        trace: TraceLog,
        known_bots: KnownBots,
        hearing_range: float,
        quiet: bool,
        public_notice: PublicNotice,
    ) -> None:
        self.name = name
        self.quiet = quiet
        """Players who gave a long command hear only of its end."""
        self.hearing_range = hearing_range
        self.public_notice = public_notice
        self.fellows = known_bots.ours
        """The names of all our bots."""
        self.known_bots = known_bots
        """Those, and the bots of other daemons."""
        self.permissions = permissions
        self.locations = locations
        self.agenda = agenda
        self.placements = placements
        self.chests = chests
        self.areas = areas
        self.perils = perils
        self.knowledge = knowledge
        self.times = times
        works = Works(name, bridge, self.catalogue, times.stopwatch)
        hands = Hands(name, bridge, areas, placements, works, perils)
        self.actions = Actions(name, bridge, times.clock, hands)
        self.events = BotEvents()
        self.graves = Graves(times.stopwatch, self.events)
        self.obituary = Obituary(times.stopwatch, self.events)
        note = partial(trace.note, bot=name)
        self.leisure = Leisure(times.stopwatch)
        self.jobs = Jobs(
            name, bridge, self.actions, self.events, note, self._placed, self.leisure, times
        )
        self._vitals, self._version_facts = vitals, version_facts
        self._bridge, self._governor, self._conversation = bridge, governor, conversation
        delivering = Delivering(
            name, governor, conversation, receipts, answers, self.fellows, fallback
        )
        self._direct_speech = DirectSpeech(bridge, delivering)
        self._broadcast = Broadcast(bridge, delivering, known_bots, trace)
        self._stoppables = Stoppables(
            lambda: self.jobs.under_way,
            lambda: self.actions.under_way,
            held=lambda: agenda.held,
        )
        self.head = Head(name, bridge, lambda: self.is_at_work, self._leave_pleasure)
        self.attention = Attention(self.head, times.stopwatch, times.sleep)
        self.pastimes = Pastimes(self._stoppables.running)
        self._natural_messages = NaturalMessages()
        self.services = Services()
        """What is built on top of the bot: its talks, its reflection."""

    def stands_by(self, name: str) -> bool:
        """Whether this is a fellow bot, or somebody whom it serves: they fight for one another."""
        may = self.permissions
        return name in self.known_bots or may.open_house or may.is_named(name)

    def beside(self, world: WorldSnapshot) -> int:
        """How many of those it stands by are beside it."""
        far = (world.distance_to(one) for one in world.players if self.stands_by(one.name))
        return sum(1 for away in far if away is not None and away <= BESIDE)

    async def _placed(self, item: str, block: str, position: Position, dimension: str) -> None:
        """Remember a block that the bot placed; a chest is one of ours."""
        await self.placements.add(item, block, position, dimension)
        if block in CONTAINERS:
            await self.chests.placed(dimension, position)

    def area_at(self, world: WorldSnapshot) -> str:
        """What holds where it stands, or close by, in a few words; '' for nothing."""
        return self.areas.told_at(world.dimension, world.position)

    def origin_of(self, name: str) -> Origin:
        """Somebody in the world, by exact name: a bot or a person."""
        is_bot = name in self.known_bots or name == self.name
        return Fellow(BotName(name)) if is_bot else Person(PlayerName(name))

    def system_log(self, message: str) -> None:
        """Write to the program's log, and nowhere else."""
        log.info("bot.noted", bot=self.name, message=message)

    async def speak(
        self,
        username: str,
        message: str,
        *,
        max_wait_s: float | None = None,
        gives_way: bool = False,
    ) -> tuple[str, ...]:
        """Whisper without recording it; the lines as they were sent. Raises `SpeechRefused`.

        With `gives_way` it waits until no reply is queued."""
        return await self._governor.say(
            PlayerName(username), message, max_wait_s=max_wait_s, gives_way=gives_way
        )

    async def ask_whether_bot(self, username: str) -> None:
        """Whisper what bots of other daemons answer by saying what they are."""
        await self._governor.say(
            PlayerName(username), ASKING, max_wait_s=SAY_WITHIN_S, may_order=True
        )

    async def add_message(
        self,
        speaker: str,
        content: Content,
        type: str = "conversation",
        *,
        sources: Sources = UNKNOWN,
    ) -> Message:
        """Record a message in this bot's history without saying it.

        Without `sources` the words may be anybody's: only trusted players get to hear of them,
        and they permit no tools."""
        return await self._conversation.add(self.name, speaker, content, type, sources=sources)

    async def note_episode(
        self, episode: Episode, told: Mapping[Language, str], sources: Sources, at: datetime
    ) -> Message:
        """Record what this bot did, or saw happen, in the words of each language."""
        content: Content = {"episode": episode.as_json(), "en": told["en"], "ja": told["ja"]}
        whose = episode.person or episode.asked_by or None
        return await self._conversation.note_episode(
            self.name, content, sources, asked_by=whose, at=at
        )

    async def note_answer(
        self, operator: str, text: str, *, sources: Sources, kind: Kind
    ) -> Message:
        """Record words to an operator, who is not in the world and reads the history."""
        aim = Delivery(operator, None, None, delivered=True)
        return await self._conversation.say(self.name, text, aim, sources=sources, kind=kind)

    def get_conversation_history(
        self,
        *,
        username: str | None = None,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        since: int | None = None,
        talk: int | None = None,
        limit: int | None = None,
    ) -> list[Message]:
        """The newest messages that match all filters, oldest first."""
        chosen = Filter(username, usernames, type, since, talk)
        return self._conversation.history(self.name, chosen, limit)

    async def read_history(
        self,
        before: int | None = None,
        limit: int = 100,
        *,
        usernames: Collection[str] | None = None,
        type: str | None = None,
        talk: int | None = None,
    ) -> list[Message]:
        """Messages before a sequence, or the newest, however old they are; oldest first.

        Give the sequence of the first one as `before` to read what came earlier."""
        chosen = Filter(None, usernames, type, talk=talk)
        end = self.latest_sequence() + 1 if before is None else before
        return await self._conversation.history_before(self.name, end, chosen, limit)

    async def recall(
        self,
        words: str,
        limit: int = 10,
        speaker: str | None = None,
        since: datetime | int | None = None,
        *,
        until: datetime | int | None = None,
        offset: int = 0,
        asker: str | None = None,
        episodes: bool = False,
        may_know: MayKnow = any_source,
    ) -> list[Recalled]:
        """Lines of all that this bot ever heard, said or noted which fit the words, best first.

        Without words, the newest first. `since` and `until` are moments, or milliseconds since
        1970 as in the `timestamp_ms` of a line; `offset` leaves out the lines of earlier pages.
        “My” in the words is the `asker`'s. With `episodes`, only what the bot did, and saw happen.
        Only lines that `may_know` permits count."""
        search = Search(
            words,
            limit,
            offset,
            speaker,
            _moment(since),
            _moment(until),
            asker=asker,
            episodes=episodes,
            may_know=may_know,
        )
        return await self._conversation.recall(self.name, search)

    def attended_history(self) -> list[Message]:
        """The newest messages without the public chat that is none of the bot's business."""
        said = self.get_conversation_history()
        if self.public_notice == "all":
            return said
        own = "assistant"
        return [m for m in said if not m.public or m.role == own or self.heeds(m.text or "")]

    def heeds(self, text: str) -> bool:
        """Whether a line of public chat is the bot's business."""
        if self.public_notice == "off":
            return False
        return self.public_notice == "all" or calls(text, self.name)

    def latest_sequence(self) -> int:
        """The sequence number of the newest message, 0 when there is none."""
        return self._conversation.latest_sequence(self.name)

    async def tell(
        self,
        username: str,
        text: str,
        max_distance: float,
        *,
        sources: Sources = BY_PROGRAM,
        asked_by: str | None = None,
        may_order: bool = False,
    ) -> SpeechResult:
        """Whisper to a player within range and record the outcome.

        `asked_by` names the author of words that are not the bot's own. `may_order` allows a
        leading `!` or `/`: only for what an operator typed."""
        return await self._direct_speech.tell(
            username, text, max_distance, sources, asked_by=asked_by, may_order=may_order
        )

    async def reply(
        self,
        username: str,
        text: str,
        *,
        sources: Sources = BY_PROGRAM,
        kind: Kind = "conversation",
    ) -> SpeechResult:
        """Whisper back to a player, in range or not, and record it."""
        return await self._direct_speech.reply(username, text, sources, kind)

    def fits(self, username: str | None, text: str) -> bool:
        """Whether a text is no longer than what is said at once to a player, or in public."""
        return self._governor.fits(None if username is None else PlayerName(username), text)

    def last_said_s(self, username: str | None) -> float:
        """When the last line to a player, or in public, left; now, when none is known."""
        return self._governor.last_said_s(None if username is None else PlayerName(username))

    def spoke_s(self, username: str | None) -> float | None:
        """When the last line to a player, or in public, left; None when none is known."""
        return self._governor.spoke_s(None if username is None else PlayerName(username))

    async def tell_all(
        self,
        text: str,
        volume: Volume,
        max_distance: float,
        *,
        among: Collection[str] | None = None,
        within_s: float = SAY_WITHIN_S,
        sources: Sources = BY_PROGRAM,
        asked_by: str | None = None,
        may_order: bool = False,
        talk: int | None = None,
        kind: Kind = "conversation",
        topic: str = "",
        asks: str | None = None,
    ) -> BroadcastResult:
        """Whisper to everyone (or those `among`) within range and record the outcome.

        `talk` is the number of the group talk that it belongs to. Nobody answers small talk, but
        a bot of another daemon replies that it `asks` on its topic."""
        return await self._broadcast.tell_all(
            text,
            volume,
            max_distance,
            sources,
            among=among,
            within_s=within_s,
            asked_by=asked_by,
            may_order=may_order,
            talk=talk,
            kind=kind,
            topic=topic,
            asks=asks,
        )

    async def say_publicly(
        self,
        text: str,
        *,
        among: Collection[str] | None = None,
        within_s: float | None = SAY_WITHIN_S,
        sources: Sources = BY_PROGRAM,
        asked_by: str | None = None,
        may_order: bool = False,
        talk: int | None = None,
        kind: Kind = "conversation",
    ) -> SaidPublicly:
        """Say something in public chat, to the whole server, and record it.

        With `among`, only these of our bots take it in. It is refused when the rate limit
        would hold it back for longer than `within_s`."""
        return await self._broadcast.say_publicly(
            text,
            sources,
            among=among,
            within_s=within_s,
            asked_by=asked_by,
            may_order=may_order,
            talk=talk,
            kind=kind,
        )

    def on_natural_message(self, handler: NaturalHandler) -> Callable[[], None]:
        """Call `handler`, sync or async, for each natural message; returns its unsubscribe."""
        return self._natural_messages.subscribe(handler)

    def fire(self, message: NaturalMessage) -> None:
        """Hand a recorded natural message to the handlers; returns at once."""
        self.leisure.turned_to()
        self._natural_messages.fire(message)

    async def snapshot(self, *, blocks_within: int = 0) -> WorldSnapshot:
        """All this bot senses, in one crossing, and how its fellows are."""
        if blocks_within > NARROW:
            await self._see_far()
        world = await self._bridge.snapshot(self.name, blocks_within=blocks_within)
        return self._vitals.completed(world)

    async def query(self, query: Query[T]) -> T:
        """Answer a question about the world around; returns at once."""
        if looks_far(query):
            await self._see_far()
        return await self._bridge.query(self.name, query)

    async def block(self, where: Position) -> str | None:
        """The name of the block at a position; None where it is not loaded."""
        found = await self.query(BlockAt(where))
        return found[0].name if found else None

    async def catalogue(self) -> Catalogue:
        """Blocks and items of the server's version; read once for all bots."""
        return await self._version_facts.catalogue.read(self.query)

    async def recipes(self) -> RecipeBook:
        """Recipes of the server's version; read once for all bots."""
        return await self._version_facts.recipes.read(self.query)

    async def begin(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
    ) -> RunningAction:
        """Start an action and return at once; the one under way ends as `replaced`."""
        await self._see_far()
        return await self.actions.begin(action, deadline_s=deadline_s, started_by=started_by)

    async def act(
        self,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        started_by: Origin | None = None,
    ) -> ActionFinished:
        """Do an action and return how it ended."""
        return await self.actions.wait(
            await self.begin(action, deadline_s=deadline_s, started_by=started_by)
        )

    def running(
        self, name: str, stop: Callable[[], object], started_by: Origin | None = None
    ) -> AbstractContextManager[None]:
        """Let `!stop` call `stop` for as long as the block lasts."""
        return self._stoppables.running(name, stop, started_by)

    @property
    def is_at_work(self) -> bool:
        """Whether a job or an action is under way."""
        return bool(self._stoppables.at_work)

    @property
    def is_busy(self) -> bool:
        """Whether it is, or is going to be, at something that somebody wants."""
        only_pleasure = self.jobs.is_free and not self.jobs.all_over
        return bool(self.agenda.goals) or (self.is_at_work and not only_pleasure)

    @property
    def stage(self) -> StageInfo | None:
        """Where the job under way is; None when it is no matter of steps."""
        job = self.jobs.current
        if job is None or job.stage is None:
            return None
        return StageInfo.of_stage(job.stage, job.worked_s(), waits_for_day=job.waits_for_day)

    @property
    def job_in_words(self) -> str:
        """The job under way and its progress, or what the bot did of its own accord; '' without
        either. No words that a player chose."""
        job, stage = self.jobs.current, self.stage
        if job is None and (lately := self.leisure.lately) is not None:
            return f"nothing; a moment ago {lately}"
        if job is not None and stage is not None:
            return f"{job.name}, {stage}"
        far = job.latest if job else None
        shares = [f"{far.done:g} of {far.total:g}"] if far else []
        return ", ".join([job.name, *shares]) if job else ""

    @property
    def doing(self) -> list[str]:
        """What runs now: the jobs, or else the action, then what registered as running."""
        return self.doing_for(anything)

    def doing_for(self, whose: MayStop) -> list[str]:
        """What runs now and was started by such an origin (None: the bot itself)."""
        return self._stoppables.names(whose)

    def waiting_for(self, whose: MayStop) -> list[str]:
        """The goals that wait or rest and were given by such an origin."""
        return self._stoppables.waiting(whose)

    def addressed_by(self, speaker: str) -> None:
        """Somebody speaks to the bot: it looks at them, unless it is at something."""
        if self.jobs.idle is None:
            self.attention.addressed_by(speaker)

    def disturbed(self) -> None:
        """Somebody wants something: what the bot does of its own accord ends at once."""
        self.leisure.disturbed()
        self.jobs.end_idle()

    async def stop(self, may_stop: MayStop = anything) -> list[str]:
        """End everything that runs and may be ended; its names, the job or action first. The bot
        then stays where it is until it is given something to do.

        Works when the bridge does not answer."""
        self.leisure.told_to_stay()
        was_at_work = self.is_at_work
        stopped = await self._stoppables.stop(may_stop)
        if not was_at_work and may_stop(None):
            await self.actions.clear()  # a container may be open
        return stopped

    async def _see_far(self) -> None:
        """Have the view widened if it is narrow; what is asked next comes after that."""
        self.leisure.turned_to()
        await asyncio.sleep(0)

    async def _leave_pleasure(self) -> None:
        self.jobs.end_idle()
        await self.jobs.idle_ended()

    async def aclose(self) -> None:
        """End everything that still runs."""
        await self.pastimes.aclose()
        await self.attention.aclose()
        await self.jobs.aclose()
        await self._natural_messages.aclose()


def _moment(given: datetime | int | None) -> datetime | None:
    """Of milliseconds since 1970; a time without a zone is the machine's."""
    if isinstance(given, int):
        return moment(given * 1_000)
    return None if given is None else given.astimezone()


class Services:
    """What is built on top of a bot, one part of each type: a bot cannot import its talks or its
    reflection. The wiring provides them, and commands ask for them.

        bot.services.provide(Talks, talks)
        bot.services.get(Talks)
    """

    def __init__(self) -> None:
        self._parts: dict[type[Any], Any] = {}

    def provide(self, kind: type[T], part: T) -> None:
        """Provide a part. Raises ValueError if there is one of its type already."""
        if kind in self._parts:
            raise ValueError(f"there is a {kind.__name__} already")
        self._parts[kind] = part

    def get(self, kind: type[T]) -> T | None:
        """The part of this type, or None if nothing provides one."""
        return cast("T | None", self._parts.get(kind))
