"""Recognises a line that calls several bots: "hey Alice, Bob, what shall we do?" begins a talk."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from bots.access.origin import Level, Person
from bots.access.permissions import Permissions
from bots.chat.attendance import GiveBack
from bots.chat.natural_message import NaturalMessage
from bots.talks.live.talks import Talks
from bots.text.language import normal

_GREETING = (
    r"(?:(?:hey|hi|hello|yo|ok|okay|so|listen|ねえ|ねぇ|やあ|おい|おーい|こんにちは)[\s,、!！]*)"
)
_HONORIFIC = r"(?:さん|ちゃん|くん|君|様)?"
_BETWEEN = r"(?:\s*(?:,|、|&|\+|/|\band\b|と|や)\s*(?:and\b\s*|と)?|\s+)"
_AFTER = r"\s*(?:[,、:;.!?…。]|\Z)"


@dataclass(frozen=True, slots=True)
class ByWords:
    """Begins such talks, for people who may also begin one by command."""

    talks: Talks
    permissions: Permissions

    def begins(self, message: NaturalMessage, give_back: GiveBack) -> bool:
        """Begin a talk if the line calls several free bots; returns whether it does."""
        if not isinstance(message.origin, Person):
            return False
        if self.permissions.level_of(message.origin) < Level.TRUSTED:
            return False
        called = called_together(message.content, self.talks.free_bots)
        if len(called) < 2 or self.talks.is_taken(message.from_):
            return False
        policy = replace(self.talks.policy, opening="person")
        self.talks.start_from(message, give_back, called, policy)
        return True


def called_together(line: str, bots: Sequence[str]) -> tuple[str, ...]:
    """The bots that a line calls by name at its beginning, if there are two or more.

    After a greeting the sentence may continue directly; without one, a comma or another mark must
    follow the names: "Alice and Bob are far away" calls nobody."""
    if len(bots) < 2:
        return ()
    text = normal(line)
    found = _pattern(tuple(bots)).match(text)
    if found is None or not (found["greeting"] or found["end"] is not None):
        return ()
    folded = {normal(bot): bot for bot in bots}
    named = re.findall("|".join(_longest_first(folded)), found["names"])
    called = tuple(dict.fromkeys(folded[name] for name in named))
    return called if len(called) > 1 else ()


@lru_cache(maxsize=64)
def _pattern(bots: tuple[str, ...]) -> re.Pattern[str]:
    name = f"(?:{'|'.join(_longest_first([normal(bot) for bot in bots]))}){_HONORIFIC}"
    names = f"(?P<names>{name}(?:{_BETWEEN}{name})+)(?![a-z0-9_])"
    return re.compile(rf"\W*(?P<greeting>{_GREETING}+)?{names}(?P<end>{_AFTER})?")


def _longest_first(names: Sequence[str] | dict[str, str]) -> list[str]:
    return [re.escape(name) for name in sorted(names, key=len, reverse=True)]
