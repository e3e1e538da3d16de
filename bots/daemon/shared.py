"""What all bots of one daemon share; each daemon has one of these, and so has each test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bots.access.origin import KnownBots, Level
from bots.access.permissions import Permissions
from bots.access.proofs import Proofs
from bots.access.rate_limit import RateLimit
from bots.bot.agenda import AllAgendas
from bots.bot.all_bots import VersionFacts, Vitals
from bots.bot.areas import Areas
from bots.bot.chests import Chests
from bots.bot.locations import AllLocations
from bots.bot.perils import AllPerils
from bots.bot.placements import AllPlacements
from bots.chat.answers import Answers, WhisperCommand
from bots.chat.attendance import Attendance
from bots.chat.conversation import Conversation
from bots.chat.receipts import Receipts
from bots.chat.strangers import Strangers
from bots.chat.turn_taking import PublicRoom, TurnLimit
from bots.clock import Times
from bots.daemon.closings import closings
from bots.daemon.connection import APART_S, DisconnectionLog, Entrance, ServerLines
from bots.daemon.hand_overs import HandedOn
from bots.errors import SettingsError, UnknownCommand
from bots.knowledge.cards.cards import AllCards
from bots.knowledge.store import AllKnowledge
from bots.observability.trace import TraceLog
from bots.registry.registry import CommandRegistry
from bots.settings.settings import Settings
from bots.settings.talk import PublicNotice
from bots.settings.world import SurvivalSettings, WhisperFallback
from bots.store.database import Store
from bots.vision.studio import Studio
from bots.vision.texture_store import ChosenTextures, TextureStore
from bridge.port import Bridge, ServerAddress


@dataclass(frozen=True, slots=True)
class SharedServices:
    """The bridge, the memories, the limits and the times of every bot."""

    bridge: Bridge
    commands: CommandRegistry
    address: Callable[[], ServerAddress]
    """Where the server listens now."""
    conversation: Conversation
    locations: AllLocations
    cards: AllCards
    agendas: AllAgendas
    placements: AllPlacements
    chests: Chests
    areas: Areas
    perils: AllPerils
    knowledge: AllKnowledge
    vitals: Vitals
    version_facts: VersionFacts
    permissions: Permissions
    limit: RateLimit
    turns: TurnLimit
    trace: TraceLog
    times: Times
    pace: bool
    """Whether lines keep below the server's spam limit."""
    hearing_range: float
    """Blocks."""
    public_notice: PublicNotice
    quiet: bool
    """Whether bots report only the end of a long command, until told otherwise."""
    survival: SurvivalSettings
    """Which reflexes bots have."""
    fellows: set[str]
    """The names of all our bots."""
    bots_elsewhere: set[str]
    """The names of the bots of other daemons on the server; whoever learns of one adds it here."""
    known_bots: KnownBots
    """Both of these, for whatever asks who is no person."""
    strangers: Strangers
    present: set[str]
    """Of those in the world. A player who has the name of another one is somebody else."""
    receipts: Receipts
    answers: Answers
    whispers: WhisperCommand
    fallback: WhisperFallback
    server_lines: ServerLines
    room: PublicRoom
    attendance: Attendance
    handed_on: HandedOn
    disconnections: DisconnectionLog
    entrance: Entrance
    studio: Studio

    @classmethod
    async def open(
        cls,
        settings: Settings,
        *,
        bridge: Bridge,
        commands: CommandRegistry,
        address: Callable[[], ServerAddress],
        is_ours_alone: bool,
        store: Store,
        times: Times,
        trace: TraceLog,
    ) -> SharedServices:
        """The services these settings ask for, with what the store remembers.

        `is_ours_alone`: we run the server, and nobody but this machine can join it."""
        attendance, known_bots = Attendance(), KnownBots()
        answers = Answers(times.stopwatch)
        whispers = WhisperCommand(
            bridge, answers, settings.server.whisper_commands, times.stopwatch
        )
        permissions = permissions_of(settings, commands, times, is_ours_alone)
        return cls(
            bridge=bridge,
            commands=commands,
            address=address,
            conversation=await Conversation.load(store, times.clock, settings.history.view),
            locations=await AllLocations.load(store),
            cards=await AllCards.load(store, known_bots, times.clock),
            agendas=await AllAgendas.load(store, times.clock, trace),
            placements=await AllPlacements.load(store, attendance),
            chests=await Chests.load(store, times.clock),
            areas=await Areas.load(store, times.clock),
            perils=await AllPerils.load(store, times.clock),
            knowledge=AllKnowledge(store, times.clock, permissions.level_of),
            vitals=Vitals(),
            version_facts=VersionFacts(),
            permissions=permissions,
            limit=RateLimit(times.stopwatch, count=settings.limits.commands_per_10_s),
            turns=TurnLimit(settings.talk.max_turns_without_person, times.stopwatch),
            trace=trace,
            times=times,
            pace=settings.chat.pace,
            hearing_range=settings.chat.hearing_range,
            public_notice=settings.chat.public,
            quiet=settings.talk.quiet,
            survival=settings.survival,
            fellows=known_bots.ours,
            bots_elsewhere=known_bots.elsewhere,
            known_bots=known_bots,
            strangers=Strangers(known_bots, closings(), times),
            present=set(),
            receipts=Receipts(),
            answers=answers,
            whispers=whispers,
            fallback=settings.server.whisper_fallback,
            server_lines=ServerLines(trace, whispers, settings.named_server.unsaid),
            room=PublicRoom(),
            attendance=attendance,
            handed_on=HandedOn(times.stopwatch),
            disconnections=DisconnectionLog(times.stopwatch),
            entrance=Entrance(0.0 if is_ours_alone else APART_S, times.stopwatch, times.sleep),
            studio=Studio(ChosenTextures(TextureStore() if settings.vision.textures else None)),
        )


def permissions_of(
    settings: Settings, commands: CommandRegistry, times: Times, is_ours_alone: bool
) -> Permissions:
    """Raises SettingsError where there is no such command."""
    named = settings.permissions
    try:
        given = {commands.find(name).name for name in named.player_commands or ()}
    except UnknownCommand as error:
        raise SettingsError(f"permissions.player_commands: {error}") from error
    taken = set[str]()
    if named.player_commands is not None:
        plain = (one for one in commands if one.level is Level.PLAYER and one.is_ours)
        taken = {one.name for one in plain} - {"pin"} - given  # without it nobody proves themselves
    pin = named.pin.get_secret_value() if named.pin else None
    proofs = Proofs(pin, times.stopwatch)
    return named.on_server(proofs, is_ours_alone=is_ours_alone, given=given, taken=taken)
