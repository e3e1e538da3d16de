"""Answers “do you remember …?” and “what did Steve say about …?” from what the bot recalls."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Protocol, runtime_checkable

from bots.access.origin import called
from bots.chat.recall import Recalled
from bots.responder.rules.topics.scene import Scene
from bots.text.excerpt import excerpt
from bots.text.language import normal

RECALL = "recall"


@runtime_checkable
class TellsRecalled(Protocol):
    """The result of `!recall`."""

    @property
    def found(self) -> Sequence[Recalled]: ...


LOOKED_AT = 8  # lines that were found, of which the best is told
LONGEST = 120  # characters of a line that is told

_ASKS = re.compile(
    r"\b(?:do|can|did) (?:you|u) (?:still )?(?:remember|recall)\b"
    r"|\bwhat (?:did|has|have|had) \w{1,32} (?:(?:just|ever|once) )?"
    r"(?:say|said|tell|told|mention|mentioned|promise|promised|ask|asked|write|written)\b"
    r"|覚えて(?:い?る|い?ます)|(?:って|と)(?:言|い)って(?:い?た|い?ました)(?:っけ|か|の|\?|$)"
    r"|(?:何|なん)(?:て|と)(?:言|い)(?:った|いました|ってた|っていた)|(?:話|約束)(?:して)?(?:い?た|した)(?:っけ|か)"
)
_OF_SOMEBODY = re.compile(
    r"\b(?:what|who|where|when|which)(?:'s| is| was| are| were) (?:(?:the )?\w+ of )?"
    r"(?:my|our|\w+'s)\b|(?:私|僕|俺|うち)の.{1,20}(?:は|って)"
)


def asked_to_recall(lines: Sequence[str]) -> str | None:
    """The newest line that asks what was said before."""
    return _newest(_ASKS, lines)


def may_ask_to_recall(lines: Sequence[str]) -> str | None:
    """The newest line that asks for what only somebody can have told, such as a name."""
    return _newest(_OF_SOMEBODY, lines)


def nothing_recalled(scene: Scene) -> str:
    return scene.say("I recall nothing like that.", "そういう話は覚えていません。")


def told_from(scene: Scene, found: Sequence[Recalled], pending: Collection[int]) -> str | None:
    """The best of these lines, with who said it and when; questions, and notes, are none."""
    lines = [one for one in found if one.sequence not in pending and _tells(one)]
    if not lines:
        return None
    best = lines[0]
    day, words = best.message.heard_at.astimezone(), excerpt(best.text, LONGEST)
    who, who_ja = _who(scene, best)
    return scene.say(
        f"On {day.day} {day:%B}, {who} said: “{words}”",
        f"{day.month}月{day.day}日に{who_ja}が「{words}」と言いました。",
    )


def _newest(pattern: re.Pattern[str], lines: Sequence[str]) -> str | None:
    fitting = (line for line in reversed(lines) if pattern.search(normal(line)))
    return next(fitting, None)


def _tells(one: Recalled) -> bool:
    return one.message.was_said and not normal(one.text).endswith(("?", "か。"))


def _who(scene: Scene, one: Recalled) -> tuple[str, str]:
    if one.speaker == scene.speaker:
        return "you", "あなた"
    if one.speaker == scene.bot:
        return "I", "私"
    return called(one.speaker), f"{called(one.speaker)}さん"
