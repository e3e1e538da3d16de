"""`!chat <username> <message>`: whisper to a player near enough to hear it.

Its JSON form also whispers to everyone in range (`target`) or speaks in public (`public`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from bots.access.origin import Level, Operator, Person
from bots.access.sources import Audience
from bots.access.visibility import anybody, hearers_of
from bots.bot.bot import HEARING_RANGE
from bots.bot.result import Facts, Number, Result
from bots.chat.broadcast import Missed
from bots.chat.message import Volume
from bots.errors import CommandError, InvalidArguments, NotPermitted
from bots.registry.args import Args, PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.responder.limits import LineLimit
from bots.text.language import language_of
from bots.text.numbers import blocks, in_blocks, whole
from bots.text.pronouns import as_told
from bots.words import sentence

DEADLINE_S = 20.0  # waiting for a turn to speak, up to four paced lines, and a receipt
WHISPER_REACH = 4.0  # blocks, like LOUD_REACH
LOUD_REACH = 32.0
MISSED_SHOWN = 5  # names in a whispered answer


class ChatArgs(Args):
    json_only: ClassVar = frozenset({"max_distance", "target", "volume", "public"})

    username: PlayerWord | None = Field(None, min_length=1)
    """Whom to tell."""
    message: str = Field(min_length=1)
    """What to say."""
    max_distance: float = Field(HEARING_RANGE, gt=0, strict=True, allow_inf_nan=False)
    """Blocks, at most 100. Unless given, what the volume reaches."""
    target: Literal["all"] | None = None
    """Instead of a username: everyone in range."""
    volume: Volume = "normal"
    """whisper: 4 blocks, normal: the bot's hearing range, loud: 32."""
    public: bool = Field(False, strict=True)
    """Instead of a username: public chat, which reaches the whole server."""

    @classmethod
    def failure_facts(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        if fields.get("public") is True:
            return {"public": True}
        if fields.get("target") == "all":
            return {"target": "all"}
        username = fields.get("username")
        return {"targetUsername": username if isinstance(username, str) else None}

    @classmethod
    def _word(cls, name: str) -> str:
        return f"<{cls.json_key(name)}>"  # as words, both are required


class ChatResult(Result):
    target_username: str
    distance: int
    max_distance: Number
    message: str
    """The words as they were given."""

    def lines(self) -> list[str]:
        return [f"Told {as_told(self.target_username)}, {in_blocks(self.distance)} away."]


class Reached(Facts):
    username: str
    distance: int


class NotReached(Facts):
    username: str
    distance: int | None
    reason: str

    @classmethod
    def of(cls, missed: Missed) -> NotReached:
        distance = None if missed.distance is None else blocks(missed.distance)
        return cls(username=missed.name, distance=distance, reason=missed.reason)


class ChatAllResult(Result):
    target: Literal["all"] = "all"
    volume: Volume
    max_distance: Number
    message: str
    delivered: tuple[Reached, ...]
    """Nearest first."""
    missed: tuple[NotReached, ...]
    """Everyone else on the server, and why."""

    def lines(self) -> list[str]:
        told = ", ".join(
            f"{as_told(one.username)} ({in_blocks(one.distance)})" for one in self.delivered
        )
        in_range = [one for one in self.missed if one.reason not in _OUT_OF_RANGE]
        names = ", ".join(as_told(one.username) for one in in_range[:MISSED_SHOWN])
        return [f"Told {told}." + (f" It did not reach {names}." if names else "")]


class PublicResult(Result):
    public: Literal[True] = True
    message: str
    heard_by: tuple[str, ...]
    """Our bots that heard it; who else did is not known."""

    def lines(self) -> list[str]:
        return ["Said in public."]


_OUT_OF_RANGE = frozenset({"out_of_range", "entity_not_available"})


def _heard_by(context: CommandContext, args: ChatArgs) -> Audience:
    level_of = context.bot.permissions.level_of
    if args.public or args.username is None:
        return anybody(level_of)
    return hearers_of([context.bot.origin_of(args.username)], level_of)


@commands.command(
    "chat",
    ChatArgs,
    deadline_s=DEADLINE_S,
    heard_by=_heard_by,
    example="!chat Steve Hello! Are you well?",
)
async def chat(context: CommandContext, args: ChatArgs) -> Result:
    """Whisper to a player within hearing range (15 blocks, at most 100), to all, or in public."""
    if args.public:
        _only("Public chat reaches the whole server", args, {"public"})
        if context.level < Level.TRUSTED:
            sentence = "Sorry, to make me speak in public is for level trusted and above."
            raise NotPermitted("not_permitted", sentence, level="trusted")
        said = await context.bot.say_publicly(
            args.message,
            sources=context.sources,
            asked_by=context.asked_by,
            may_order=_may_order(context),
        )
        if said.reason is not None:
            raise CommandError(said.reason, said.sentence)
        return PublicResult(message=said.text, heard_by=said.heard_by)
    if args.target == "all":
        return await _tell_all(context, args)
    return await _tell(context, args)


async def _tell(context: CommandContext, args: ChatArgs) -> ChatResult:
    if args.username is None:
        raise InvalidArguments("invalid_format", "username is missing.")
    # Words to another bot, which answers them, count as the asker's.
    limit = context.bot.services.get(LineLimit)
    if (
        limit is not None
        and args.username in context.bot.known_bots
        and not limit.admits_words_of(context.origin, context.bot.name)
    ):
        raise CommandError("rate_limited", limit.sentence)
    told = await context.bot.tell(
        args.username,
        _words(context, args.message),
        _reach(context, args),
        sources=context.sources,
        asked_by=context.asked_by,
        may_order=_may_order(context),
    )
    if told.reason is not None:
        facts: dict[str, Any] = {}
        if told.distance is not None and told.max_distance is not None:
            facts = {"distance": blocks(told.distance), "maxDistance": whole(told.max_distance)}
        raise CommandError(told.reason, told.sentence, **facts)
    assert told.distance is not None
    assert told.max_distance is not None
    return ChatResult(
        target_username=told.target,
        distance=blocks(told.distance),
        max_distance=told.max_distance,
        message=args.message,
    )


async def _tell_all(context: CommandContext, args: ChatArgs) -> ChatAllResult:
    _only("Everyone is addressed", args, {"target", "volume", "max_distance"})
    reach, heard = _reach(context, args), context.bot.hearing_range
    # The lowest volume that reaches so far.
    volume: Volume = "normal" if reach <= heard else "loud"
    volume = "whisper" if reach <= WHISPER_REACH else volume
    told = await context.bot.tell_all(
        _words(context, args.message),
        volume,
        reach,
        sources=context.sources,
        asked_by=context.asked_by,
        may_order=_may_order(context),
    )
    if told.reason is not None:
        raise CommandError(
            told.reason,
            told.sentence,
            volume=told.volume,
            maxDistance=whole(told.max_distance),
            delivered=[],
            missed=[
                NotReached.of(one).model_dump(mode="json", by_alias=True) for one in told.missed
            ],
        )
    return ChatAllResult(
        volume=told.volume,
        max_distance=told.max_distance,
        message=args.message,
        delivered=tuple(
            Reached(username=hearer.name, distance=blocks(hearer.distance or 0.0))
            for hearer in told.delivered
        ),
        missed=tuple(map(NotReached.of, told.missed)),
    )


def _words(context: CommandContext, message: str) -> str:
    """The words that arrive: a bot says nothing in its own name that a stranger made up."""
    if not isinstance(context.origin, Person) or context.asker_level >= Level.TRUSTED:
        return message
    asker = context.origin.name
    return sentence("notice.asked_to_say", language_of([message]), who=asker, words=message)


def _only(why: str, args: ChatArgs, allowed: set[str]) -> None:
    """Refuse arguments that do not go with this way of speaking."""
    wrong = [args.json_key(name) for name in args.model_fields_set - allowed - {"message"}]
    if wrong:
        raise InvalidArguments("invalid_format", f"{why}: leave out {', '.join(sorted(wrong))}.")


def _reach(context: CommandContext, args: ChatArgs) -> float:
    """Blocks: `maxDistance` where given. Raises InvalidArguments when the volume reaches less."""
    reaches = {"whisper": WHISPER_REACH, "normal": context.bot.hearing_range, "loud": LOUD_REACH}
    reach = reaches[args.volume]
    if "max_distance" not in args.model_fields_set:
        return reach
    if "volume" in args.model_fields_set and args.max_distance > reach:
        sentence = f"{args.volume} reaches {reach:g} blocks, not {args.max_distance:g}."
        raise InvalidArguments("invalid_format", sentence)
    return args.max_distance


def _may_order(context: CommandContext) -> bool:
    return isinstance(context.origin, Operator) and context.view is None
