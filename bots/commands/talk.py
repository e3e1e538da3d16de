"""`!talk start | add | remove | join | leave | say | pause | resume | end | status`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, Field

from bots.access.origin import OPERATOR_NAME, Level, speaker_of
from bots.access.sources import Audience, Sources, joined
from bots.access.visibility import hearers_of
from bots.bot.result import Facts, Number, Result
from bots.errors import CommandError, NotPermitted
from bots.registry.args import Args, NoArgs, PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.talks.live.start_phrases import LONGEST_TOPIC
from bots.talks.live.talk import LiveTalk
from bots.talks.live.talks import Talks
from bots.talks.machine.events import Participant
from bots.talks.machine.system_lines import REMOVED
from bots.text.spelling import spelt

MOST_NAMES = 20
_NAMES_FIRST = re.compile(r"\s*((?:[^\s,、]+\s*[,、]\s*)*[^\s,、]+)\s*(.*)", re.DOTALL)


def _split_names(value: object) -> object:
    if not isinstance(value, str):
        return value
    return tuple(name.strip() for name in re.split("[,、]", value) if name.strip())


Names: TypeAlias = Annotated[
    tuple[PlayerWord, ...],
    BeforeValidator(_split_names),
    Field(min_length=1, max_length=MOST_NAMES),
]


class StartArgs(Args):
    participants: Names
    """Bots and people, as Alice,Bob,Steve."""
    topic: Annotated[str, Field(max_length=LONGEST_TOPIC)] = ""
    """What to talk about."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        """Blanks are allowed around the commas of the names."""
        found = _NAMES_FIRST.fullmatch(rest)
        if found is None:
            return {}
        names, topic = found[1], found[2].strip()
        return {"participants": names, "topic": topic} if topic else {"participants": names}


class NamesArgs(Args):
    participants: Names
    """Bots and people, as Cara,Steve."""


class SayArgs(Args):
    text: str = Field(min_length=1)
    """What to say in the talk."""


class Seat(Facts):
    name: str
    kind: str


class TalkResult(Result):
    """How the talk stood when the command was given."""

    talk: int
    topic: str
    participants: tuple[Seat, ...]
    speaking: str | None
    paused: bool
    turns: int
    said: int
    """Lines so far."""
    tokens: int
    cost_usd: Number
    done: str
    """What the command did, in words; empty for `!talk status`."""

    @classmethod
    def of(cls, talk: LiveTalk, done: str = "") -> TalkResult:
        machine = talk.machine
        return cls(
            talk=talk.number,
            topic=talk.topic,
            participants=tuple(Seat(name=p.name, kind=p.kind) for p in machine.participants),
            speaking=machine.speaking,
            paused=machine.is_paused,
            turns=machine.turns,
            said=len(machine.lines),
            tokens=machine.spending.tokens,
            cost_usd=machine.spending.cost_usd,
            done=done,
        )

    def lines(self) -> list[str]:
        if self.done:
            return [self.done]
        names = ", ".join(seat.name for seat in self.participants)
        about = f" about {self.topic}" if self.topic else ""
        stands = "paused" if self.paused else f"{self.speaking or 'nobody'} has the floor"
        return [f"Talk {self.talk}{about}: {names}. {stands}; {self.said} lines so far."]


class AskedToJoin(Result):
    """Somebody in the talk has to say yes first; the talk is not described until then."""

    talk: int
    asked: bool
    done: str

    def lines(self) -> list[str]:
        return [self.done]


class TalksResult(Result):
    """All talks under way; the answer of a bot that is in none."""

    talks: tuple[TalkResult, ...]

    def lines(self) -> list[str]:
        if not self.talks:
            return ["Nobody is in a talk. Begin one with: talk start Alice,Bob"]
        return [line for talk in self.talks for line in talk.lines()][:4]


def _topic_heard_by(context: CommandContext, args: StartArgs) -> Audience:
    """Who learns the topic: the people in the talk, and the asker in a talk of bots."""
    if not args.topic:
        return frozenset()
    level_of = context.bot.permissions.level_of
    return hearers_of(map(context.bot.origin_of, _named(context, args)), level_of)


def _said_heard_by(context: CommandContext, _args: Args) -> Audience:
    talk = _talk(context)
    names = [one.name for one in talk.machine.participants if one.name != OPERATOR_NAME]
    return hearers_of(map(context.bot.origin_of, names), context.bot.permissions.level_of)


def _topics(context: CommandContext) -> Sources:
    """Where the topics come from that a result may show."""
    talks = context.bot.services.get(Talks)
    topics = (talk.topic_sources for talk in (talks.under_way if talks else ()))
    return joined(topic for topic in topics if context.may_know(topic))


@commands.command(
    "talk start",
    StartArgs,
    level=Level.TRUSTED,
    heard_by=_topic_heard_by,
    example="!talk start Alice,Bob,me where to build",
)
async def start(context: CommandContext, args: StartArgs) -> TalkResult:
    """Begin a talk of several bots and people, about something or nothing."""
    talks, own = _talks(context), speaker_of(context.origin)
    names = _named(context, args)
    people = any(name == own for name in names)
    policy = replace(talks.policy, topic=args.topic)
    if people and not args.topic:
        policy = replace(policy, opening="person")
    talk = await talks.start(names, started_by=context.origin, policy=policy)
    listed = ", ".join(one.name for one in talk.machine.participants)
    return TalkResult.of(talk, f"Talk {talk.number} begins: {listed}.")


@commands.command("talk join", NoArgs, example="!talk join", personal=True, tells=_topics)
async def join(context: CommandContext, _args: NoArgs) -> Result:
    """Ask to take part in the talk this bot is in; your whispers then belong to it."""
    talk = _talk(context)
    if not _enter(context, talk):
        return _asked_to_join(talk)
    return TalkResult.of(talk, f"You are in talk {talk.number}.")


@commands.command(
    "talk add",
    NamesArgs,
    level=Level.TRUSTED,
    heard_by=_said_heard_by,
    example="!talk add Cara,Dan",
    personal=True,
    tells=_topics,
)
async def add(context: CommandContext, args: NamesArgs) -> TalkResult:
    """Bring bots and people into the talk this bot is in; from outside, those in it are asked."""
    talk, talks, own = _talk(context), _talks(context), speaker_of(context.origin)
    found = [await talks.participant(name) for name in _named(context, args)]
    if taken := [one.name for one in found if talks.is_taken(one.name)]:
        raise CommandError("in_a_talk", f"{', '.join(taken)}: in a talk already.")
    is_inside = talks.of(own) is talk
    seated = [one for one in found if talk.bring(one, by_participant=is_inside)]
    asked = [one.name for one in found if one not in seated]
    names = ", ".join(one.name for one in seated)
    done = [f"{names} in talk {talk.number} now."] if seated else []
    done += [f"I have asked those in the talk about {', '.join(asked)}."] if asked else []
    return TalkResult.of(talk, " ".join(done))


@commands.command(
    "talk remove",
    NamesArgs,
    level=Level.TRUSTED,
    heard_by=_said_heard_by,
    example="!talk remove Cara",
    personal=True,
    tells=_topics,
)
async def remove(context: CommandContext, args: NamesArgs) -> TalkResult:
    """Take bots and people out of the talk this bot is in."""
    talk = _talk(context)
    there = [one.name for one in talk.machine.participants]
    found = {name: spelt(name, there) for name in _named(context, args)}
    if strangers := [name for name, known in found.items() if known is None]:
        raise CommandError("player_not_found", f"{', '.join(strangers)}: not in this talk.")
    gone = [name for name in found.values() if name is not None]
    for name in gone:
        talk.leave(name, REMOVED)
    return TalkResult.of(talk, f"{', '.join(gone)} out of talk {talk.number} now.")


@commands.command("talk leave", NoArgs, example="!talk leave", personal=True, tells=_topics)
async def leave(context: CommandContext, _args: NoArgs) -> TalkResult:
    """Take part in your talk no longer."""
    own = speaker_of(context.origin)
    talk = _talks(context).of(own)
    if talk is None:
        raise CommandError("no_talk", "You are in no talk.")
    talk.leave(own)
    return TalkResult.of(talk, f"You left talk {talk.number}.")


@commands.command(
    "talk say",
    SayArgs,
    example="!talk say What about a bridge?",
    personal=True,
    heard_by=_said_heard_by,
    tells=_topics,
)
async def say(context: CommandContext, args: SayArgs) -> Result:
    """Say something in the talk this bot is in; whoever is not in it asks to join it."""
    talk = _talk(context)
    if not _enter(context, talk):
        return _asked_to_join(talk)
    talk.say(context.origin, args.text, context.bot.name)
    return TalkResult.of(talk, f"Said in talk {talk.number}.")


@commands.command("talk pause", NoArgs, example="!talk pause", personal=True, tells=_topics)
async def pause(context: CommandContext, _args: NoArgs) -> TalkResult:
    """Let the bots of this talk be silent until it is resumed."""
    talk = _own_talk(context)
    talk.pause(speaker_of(context.origin))
    return TalkResult.of(talk, f"Talk {talk.number} pauses.")


@commands.command("talk resume", NoArgs, example="!talk resume", personal=True, tells=_topics)
async def resume(context: CommandContext, _args: NoArgs) -> TalkResult:
    """Go on with a talk that was paused."""
    talk = _own_talk(context)
    talk.resume(speaker_of(context.origin))
    return TalkResult.of(talk, f"Talk {talk.number} goes on.")


@commands.command("talk end", NoArgs, example="!talk end", personal=True, tells=_topics)
async def end(context: CommandContext, _args: NoArgs) -> TalkResult:
    """End the talk this bot is in; players end what they began."""
    talk = _own_talk(context)
    talk.end(speaker_of(context.origin))
    return TalkResult.of(talk, f"Talk {talk.number} ends.")


@commands.command("talk status", NoArgs, tells=_topics, example="!talk status", allow_bots=True)
async def status(context: CommandContext, _args: NoArgs) -> Result:
    """Tell who is in the talk this bot is in, or which talks there are."""
    talks = _talks(context)
    talk = talks.of(context.bot.name)
    if talk is not None:
        return _told(context, talk)
    return TalksResult(talks=tuple(_told(context, one) for one in talks.under_way))


def _told(context: CommandContext, talk: LiveTalk) -> TalkResult:
    """How a talk stands, without its topic for those who may not know it."""
    result = TalkResult.of(talk)
    known = context.may_know(talk.topic_sources)
    return result if known else result.model_copy(update={"topic": ""})


def _asked_to_join(talk: LiveTalk) -> AskedToJoin:
    sentence = "I have asked those in the talk whether you may join; they have a minute."
    return AskedToJoin(talk=talk.number, asked=True, done=sentence)


def _named(context: CommandContext, args: StartArgs | NamesArgs) -> list[str]:
    """The names in the command; an operator of any name takes part as the operator."""
    own = speaker_of(context.origin)
    return [own if name == context.speaker else name for name in args.participants]


def _talks(context: CommandContext) -> Talks:
    if (talks := context.bot.services.get(Talks)) is None:
        raise CommandError("no_talk", "Group talks are not available here.")
    return talks


def _talk(context: CommandContext) -> LiveTalk:
    talk = _talks(context).of(context.bot.name)
    if talk is None:
        raise CommandError("no_talk", "I am in no talk right now.")
    return talk


def _own_talk(context: CommandContext) -> LiveTalk:
    """The talk this bot is in. Raises NotPermitted unless the asker began it or is trusted."""
    talk = _talk(context)
    if context.level < Level.TRUSTED and talk.beginning.started_by != context.origin:
        raise NotPermitted("not_permitted", "Somebody else began this talk.", level="trusted")
    return talk


def _enter(context: CommandContext, talk: LiveTalk) -> bool:
    """Whether the asker takes part now; if not, the people in the talk are asked."""
    own = speaker_of(context.origin)
    former = _talks(context).of(own)
    if former is talk:
        return True
    if former is not None:
        raise CommandError("in_a_talk", f"You are in talk {former.number} already.")
    is_ours = own in context.bot.fellows
    return talk.join(Participant(own, "bot") if is_ours else _talks(context).outsider(own))
