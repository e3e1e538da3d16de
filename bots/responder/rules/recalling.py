"""Answers “do you remember …?” and “what did Steve say about …?” from what the bot recalls."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from bots.access.origin import called
from bots.chat.recall import Recalled
from bots.responder.rules.topics.scene import Scene
from bots.text.excerpt import excerpt
from bots.text.language import normal
from bots.text.numbers import ago
from bots.text.when import told_ago

RECALL = "recall"


@runtime_checkable
class TellsRecalled(Protocol):
    """The result of `!recall`."""

    @property
    def found(self) -> Sequence[Recalled]: ...

    @property
    def now(self) -> datetime: ...


LOOKED_AT = 8  # lines that were found, of which the best is told
LONGEST = 120  # characters of a line that is told

_ASKS = re.compile(
    r"\b(?:do|can|did) (?:you|u) (?:still )?(?:remember|recall)\b"
    r"|\bwhat (?:did|has|have|had) \w{1,32} (?:(?:just|ever|once) )?"
    r"(?:say|said|tell|told|mention|mentioned|promise|promised|ask|asked|write|written)\b"
    r"|覚えて(?:い?る|い?ます)|(?:って|と)(?:言|い)って(?:い?た|い?ました)(?:っけ|か|の|\?|$)"
    r"|(?:何|なん)(?:て|と)(?:言|い)(?:った|いました|ってた|っていた)|(?:話|約束)(?:して)?(?:い?た|した)(?:っけ|か)"
)
_OF_QUESTIONS = re.compile(r"\bask(?:ed)?\b|(?:聞|尋ね|たずね)")
_OF_SOMEBODY = re.compile(
    r"\b(?:what|who|where|when|which)(?:'s| is| was| are| were) (?:(?:the )?\w+ of )?"
    r"(?:my|our|\w+'s)\b|(?:私|僕|俺|うち)の.{1,20}(?:は|って)"
)
_OF_A_NAME = re.compile(
    r"\b(?:what|who)(?:'s| is| are| was| were|s)? (?:the names? of )?(?:my|our|\w+'s) "
    r"(?:.{1,40} )?(?:called|named|names?)\b|\bthe names? of (?:my|our|\w+'s)\b"
    r"|(?:私|僕|俺|うち)の.{1,20}の名前"
)


def asked_to_recall(lines: Sequence[str]) -> str | None:
    """The newest line that asks what was said before."""
    return _newest(_ASKS, lines)


def may_ask_to_recall(lines: Sequence[str]) -> str | None:
    """The newest line that asks for what only somebody can have told, such as a name."""
    return _newest(_OF_SOMEBODY, lines)


def asks_for_a_name(line: str) -> bool:
    """Whether it asks what somebody calls something of theirs, as `what is my cat called?`."""
    return _OF_A_NAME.search(normal(line)) is not None


def nothing_recalled(scene: Scene) -> str:
    return scene.say("I recall nothing like that.", "そういう話は覚えていません。")


def told_from(
    scene: Scene, asked: str, found: Sequence[Recalled], now: datetime, pending: Collection[int]
) -> str | None:
    """The best of these lines, with who said it and when; notes are none.

    Others' questions come behind what was told, unless the line asks for what somebody asked."""
    said = [one for one in found if one.sequence not in pending and _was_said(one)]
    told = [one for one in said if not _is_question(one)]
    questions = [
        one for one in said if _is_question(one) and one.speaker not in (scene.speaker, scene.bot)
    ]
    wants_questions = _OF_QUESTIONS.search(normal(asked)) is not None
    lines = [*questions, *told] if wants_questions else [*told, *questions]
    if not lines:
        return None
    best = lines[0]
    words = excerpt(best.text, LONGEST)
    who, who_ja = _who(scene, best)
    verb, verb_ja = ("asked", "聞きました") if _is_question(best) else ("said", "言いました")
    when, when_ja = _when(best, now)
    return scene.say(
        f"{when}, {who} {verb}: “{words}”", f"{when_ja}、{who_ja}が「{words}」と{verb_ja}。"
    )


def _newest(pattern: re.Pattern[str], lines: Sequence[str]) -> str | None:
    fitting = (line for line in reversed(lines) if pattern.search(normal(line)))
    return next(fitting, None)


def _was_said(one: Recalled) -> bool:
    return one.message.was_said or one.message.utterance.kind == "small_talk"


def _is_question(one: Recalled) -> bool:
    return normal(one.text).endswith(("?", "か。"))


def _when(one: Recalled, now: datetime) -> tuple[str, str]:
    then = one.message.heard_at
    day_ja = told_ago(then, now, "ja")
    return ago(then, now).capitalize(), "さっき" if day_ja == "今日" else day_ja


def _who(scene: Scene, one: Recalled) -> tuple[str, str]:
    if one.speaker == scene.speaker:
        return "you", "あなた"
    if one.speaker == scene.bot:
        return "I", "私"
    return called(one.speaker), f"{called(one.speaker)}さん"
