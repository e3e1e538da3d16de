"""`!history [names] [number]`: what the bot heard and said, newest last."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from bots.access.origin import Level, Person, speaker_of
from bots.bot.result import Result
from bots.chat.message import Message
from bots.errors import NotPermitted
from bots.registry.args import Args
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands

SHOWN = 8  # lines, unless another number is given
_ENDS_WITH_NUMBER = re.compile(r"(?:(.*)\s)?([0-9]{1,9})", re.DOTALL)
BETWEEN = " ‖ "


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
        """Whose words are wanted; empty means everybody's."""
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
        chosen = _of_player(context, names, chosen)
    newest = chosen if args.limit is None else chosen[-args.limit :]
    return HistoryResult(
        usernames=names,
        latest_sequence=context.bot.latest_sequence(),
        history=tuple(message.as_json() for message in newest),
        shown=args.limit or SHOWN,
    )


def _of_player(
    context: CommandContext, names: Collection[str], messages: Collection[Message]
) -> list[Message]:
    """What a player said, and what the bot said to that player."""
    permissions = context.bot.permissions
    if isinstance(context.origin, Person) and permissions.is_unproven(context.origin.name):
        raise NotPermitted("not_permitted", permissions.advice_to(context.origin.name))
    player = speaker_of(context.origin)
    if set(names) - {player, context.bot.name}:
        sentence = "Sorry, you may read only your own talk with me."
        raise NotPermitted("not_permitted", sentence)
    return [message for message in messages if _concerns(message, player)]


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
