"""Reads from a line that somebody corrects what was believed: “no, the mine is in the north”,
「違うよ、鉱山は北にある」. Whatever does not plainly say what is so is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bots.bot.knowing import LONGEST, Entry
from bots.text.excerpt import excerpt
from bots.text.language import normal

LONGEST_LINE = 160
LONGEST_SUBJECT = 40


def corrections_in(line: str) -> Iterator[str]:
    """What is so, by a line that says that something else was believed."""
    found = _LEAD.match(line.strip())
    if found is None or len(line) > LONGEST_LINE or _ASKS.search(line):
        return
    words = line.strip()[found.end() :].strip(" 　.!。！")
    if subject_of(words):
        yield excerpt(words, LONGEST)


def subject_of(words: str) -> str:
    """What a sentence is about that says how something is; '' where it says nothing like that."""
    found = _STATES.match(normal(words))
    if found is None:
        return ""
    subject = _ARTICLE.sub("", next(filter(None, found.groups())))
    is_named = subject not in _NO_SUBJECTS and len(subject) <= LONGEST_SUBJECT
    return subject if is_named else ""


def same_subject(subject: str, entry: Entry) -> bool:
    """Whether an entry says of the same thing how it is."""
    topic = _ARTICLE.sub("", normal(entry.topic))
    return bool(subject) and subject in (topic, subject_of(entry.insight))


_LEAD = re.compile(
    r"(?:(?:no|nope|wrong|actually|in fact|(?:that|it)(?:'s| is| was) (?:wrong|not (?:true|right))"
    r"|you(?:'re| are) wrong|correction)\b[\s,.:;!—-]+)+"
    r"|(?:いや|いいえ|違う(?:よ|って)?|違います|ちがう(?:よ)?|実は|間違い(?:です|だよ?)?|訂正)[、。,!！\s]+",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"((?:[\w'-]+ ){0,4}[\w'-]+?)(?:'s| (?:is|are|was|were|lies|stands|lives)(?:n't| not)?) \S"
    r"|([^\s、。はがも]{1,20})(?:は|が).*(?:です|だよ?|ある|あります|いる|います|ない|ません)よ?$"
)
_ASKS = re.compile(r"[?？]\s*$|(?:です|ます|した)か。?$")
_ARTICLE = re.compile(r"^(?:the|our|my|a|an|that|this) ")
_NO_SUBJECTS = frozenset(
    {
        *("it", "that", "this", "he", "she", "they", "i", "we", "you", "there", "here", "what"),
        *("who", "where", "which", "these", "those", "everything", "nothing", "and", "but"),
        *("それ", "これ", "あれ", "ここ", "そこ", "私", "僕", "俺", "君", "あなた", "誰", "何"),
    }
)
