"""`!history [names] [number]` tells what the bot heard and said, newest last.
`!recall <words>` finds lines again in all that it ever heard, said and did.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import BeforeValidator, Field

from bots.access.origin import Level, Person, called, speaker_of
from bots.access.sources import Sources, joined
from bots.bot.result import Result
from bots.chat.message import Message
from bots.chat.recall import MOST, USUAL, Recalled
from bots.clock import read_moment
from bots.errors import NotPermitted
from bots.registry.args import Args, PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.text.printable import excerpt

SHOWN = 8  # lines, unless another number is given
_ENDS_WITH_NUMBER = re.compile(r"(?:(.*)\s)?([0-9]{1,9})", re.DOTALL)
BETWEEN = " ‖ "
WHISPERED = 4  # lines
LONGEST = 160  # characters of one, in a whisper
Moment: TypeAlias = Annotated[datetime, BeforeValidator(read_moment)]


def _names(value: object) -> object:
    """`Steve,Alex` as a list of names."""
    if not isinstance(value, str):
        return value
    return [name for part in value.split(",") if (name := part.strip())]


class HistoryArgs(Args):
    json_only: ClassVar = frozenset({"username", "type", "since", "limit"})

    usernames: Annotated[tuple[PlayerWord, ...], BeforeValidator(_names)] = ()
    """Only what these said, with commas between them."""
    username: PlayerWord | None = None
    """Only what this one said."""
    type: str | None = None
    """conversation, small_talk, system_info, episode, by_rules, natural_language or
    bot_response."""
    since: int | None = Field(None, ge=0, strict=True)
    """Only messages after this sequence number."""
    limit: int | None = Field(None, ge=1, strict=True)
    """Only so many, the newest."""

    @classmethod
    def from_words(cls, rest: str) -> dict[str, Any]:
        """`Steve`, `12` or `Steve 12`: a number is how many. Who is called so is named in JSON."""
        ends = _ENDS_WITH_NUMBER.fullmatch(rest)
        if ends is None:
            return super().from_words(rest)
        return {**super().from_words(ends[1] or ""), "limit": int(ends[2])}

    @classmethod
    def in_words(cls) -> list[str]:
        return [*super().in_words(), "[limit]"]

    @property
    def asked_for(self) -> tuple[str, ...]:
        """Whose lines are wanted; empty means everybody's."""
        return self.usernames if self.username is None else (*self.usernames, self.username)


class HistoryResult(Result):
    between_lines: ClassVar = BETWEEN
    newest_last: ClassVar = True

    usernames: tuple[str, ...]
    latest_sequence: int
    history: tuple[dict[str, Any], ...]
    """Messages, oldest first."""
    shown: int = SHOWN
    """How many lines of chat or of a terminal it makes at most; JSON has all."""

    def as_json(self) -> dict[str, Any]:
        named = {"usernames": list(self.usernames)} if self.usernames else {}
        counts = {"count": len(self.history), "latestSequence": self.latest_sequence}
        return {"success": True, **named, **counts, "history": list(self.history)}

    def lines(self) -> list[str]:
        return [_line(message) for message in self.history[-self.shown :]] or ["No messages yet."]


@commands.command("history", HistoryArgs, example="!history Steve")
async def history(context: CommandContext, args: HistoryArgs) -> HistoryResult:
    """Show what was said; players see their own talk with the bot, and what was public."""
    names = args.asked_for
    chosen = context.bot.get_conversation_history(
        usernames=names or None, type=args.type, since=args.since
    )
    if context.level < Level.TRUSTED:
        # What a player said, and what the bot said to that player.
        permissions = context.bot.permissions
        if isinstance(context.origin, Person) and permissions.is_unproven(context.origin.name):
            raise NotPermitted("not_permitted", permissions.advice_to(context.origin.name))
        player = speaker_of(context.origin)
        if set(names) - {player, context.bot.name}:
            sentence = "Sorry, you may read only your own talk with me."
            raise NotPermitted("not_permitted", sentence)
        chosen = [message for message in chosen if _concerns(message, player)]
    else:
        own = speaker_of(context.origin)  # a trusted player reads no whispers of others
        chosen = [m for m in chosen if context.may_know(m.utterance.sources) or _concerns(m, own)]
    newest = chosen if args.limit is None else chosen[-args.limit :]
    return HistoryResult(
        usernames=names,
        latest_sequence=context.bot.latest_sequence(),
        history=tuple(message.as_json() for message in newest),
        shown=args.limit or SHOWN,
    )


def _concerns(message: Message, player: str) -> bool:
    said = message.utterance
    meant = said.delivery is not None and said.delivery.meant_for(player)
    return said.speaker == player or message.public or meant


def _line(message: dict[str, Any]) -> str:
    content = message["content"]
    text = content
    if isinstance(content, dict):  # sent, or done
        text = content.get("message") or content.get("en") or content
    words = str(text).replace(BETWEEN.strip(), "|")  # nobody's words pose as another's line
    return f"#{message['sequence']} {message['speaker']}: {words}"


class RecallArgs(Args):
    json_only: ClassVar = frozenset({"limit", "offset", "speaker", "since", "until", "episodes"})

    words: str = ""
    """What it was about; without words, the newest lines."""
    limit: int = Field(USUAL, ge=1, le=MOST, strict=True)
    """How many lines."""
    offset: int = Field(0, ge=0, le=10**6, strict=True)
    """How many of the best to leave out: those of earlier pages."""
    speaker: PlayerWord | None = None
    """Only what this one said."""
    since: Moment | None = None
    """Only from this day or time on: 2026-11-21, 2026-11-21T18:30, or milliseconds since 1970."""
    until: Moment | None = None
    """Only before this day or time."""
    episodes: bool = False
    """Only what I did, and saw happen."""


class RecallResult(Result):
    between_lines: ClassVar = BETWEEN

    found: tuple[Recalled, ...]
    """Best first."""
    now: datetime
    """When it was asked for."""

    @property
    def sources(self) -> Sources:
        """The sources of all these words."""
        return joined(one.sources for one in self.found)

    def as_json(self) -> dict[str, Any]:
        lines = [one.as_json() for one in self.found]
        return {"success": True, "count": len(lines), "lines": lines}

    def as_shown(self) -> dict[str, Any]:
        found = []
        for one in self.found:
            told = "says" if one.episode is None else "notes"
            words = excerpt(one.text, LONGEST)
            found.append({"from": one.speaker, told: words, "when": _day(one)})
        return {"found": found}

    def lines(self) -> list[str]:
        lines = []
        for one in self.found[:WHISPERED]:
            words = one.text.replace(BETWEEN.strip(), "|")  # nobody's words pose as another's line
            lines.append(f"{_day(one)} {called(one.speaker)}: {excerpt(words, LONGEST)}")
        return lines or ["I recall nothing like that."]


@commands.command("recall", RecallArgs, example="!recall bridge at the lake")
async def recall(context: CommandContext, args: RecallArgs) -> RecallResult:
    """Find what I once heard, said or did, best first; only what you may know."""
    context.check_proven()
    found = await context.bot.recall(
        args.words,
        args.limit,
        args.speaker,
        args.since,
        until=args.until,
        offset=args.offset,
        asker=context.speaker,
        episodes=args.episodes,
        may_know=context.may_know,
    )
    return RecallResult(found=tuple(found), now=context.bot.times.clock().astimezone())


def _day(one: Recalled) -> str:
    return one.message.heard_at.astimezone().strftime("%Y-%m-%d %H:%M")
