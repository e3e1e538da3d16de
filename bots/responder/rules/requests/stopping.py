"""A wish to stop is heard however it is spelled: `STOOOP`, `sotp`, `stop it pls`, `やめろー`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bots.text.language import language_of


def means_stop(bot: str, said: str) -> bool:
    """Whether a line, normal already, asks to stop and for nothing else."""
    if language_of([said]) == "ja":
        return _JAPANESE.fullmatch(_folded_kana(said.replace(bot.casefold(), ""))) is not None
    return _is_english_stop(bot, said)


# --- English ------------------------------------------------------------------------

_REPEATED = re.compile(r"(.)\1+")
_STOPS = re.compile(r"stop|stahp|stawp|stap|halt|freze|cancel|abort")
"""Each word with its repeated letters folded."""
_MEANS_STOP = re.compile(
    r"\b(?:hold (?:it|up)|cut (?:it|that) out|knock (?:it|that) off|give it a rest"
    r"|quit (?:it|that|this)|that(?: wi|'|)ll do|that'?s enough)\b|^(?:ok(?:ay)?,? )?enough\b"
)
_TOLD_TO = re.compile(r"\bi (?:said|told (?:you|u) to|(?:want|need) (?:you|u) to)\b")
_BESIDE = re.compile(
    r"ah|al|already|alright|and|are|argh|asap|bot|bots|bro|bruh|can|could|do|doing|dude|everybody"
    r"|everyone|everything|for|god|guys|have|hey|hold|imediately|instantly|it|just|lol|man|mate"
    r"|moving|must|ned|no|nope|now|of|oh|on|oi|ok|okay|omg|once|please|pleas|plese|plis|pls|plz"
    r"|quick|quickly|r|really|realy|right|seriously|sir|so|sory|swear|the|that|this|to|u"
    r"|ugh|ur|wait|what|what're|whatever|whoa|wil|woah|working|would|wtf|y|ya|yo|you|your|you're|youre"
)
"""Words that change nothing about it, folded."""
_SAID_OF = re.compile(r"(?:you|u|ya) stop")
_NOES = re.compile(r"(?:no+[\s,.!…]*){3,}")
_CAUSE = r"(?:(?:that|it|this|there)'?s|you(?:'re|re| are)|ur|u r|u are|i'?m|i (?:do not|don'?t))"
_WITH_CAUSE = re.compile(rf"(?P<stop>\S+),? {_CAUSE}\b.*")
_DOING = re.compile(
    r"(?P<stop>\S+) (?P<what>[a-z]+in'?g?)\b(?: (?!and |then |until |when |if )\S+){0,6}"
)
_OTHER_DOINGS = re.compile(
    r"following|talking|saying|speaking|chatting|whispering|telling|asking|answering"
    r"|calling|listening|worrying|crying|laughing|being|raining|snowing|thundering"
)
"""A command of their own, or nothing that a job does."""
_NEIGHBOURS = {
    letter: set(row[max(0, at - 1) : at + 2]) | set(below[max(0, at - 1) : at + 1])
    for row, below in (("qwertyuiop", "asdfghjkl"), ("asdfghjkl", "zxcvbnm"), ("zxcvbnm", ""))
    for at, letter in enumerate(row)
}
"""A key, and those beside and below it."""


def _is_english_stop(bot: str, said: str) -> bool:
    left = said.replace("0", "o").replace(bot.casefold(), " ").strip(" ,.!?:;~-…@")
    left = _TOLD_TO.sub("", _MEANS_STOP.sub("stop", left)).strip()
    if _SAID_OF.fullmatch(left):
        return False
    if _NOES.fullmatch(left):
        return True
    for pattern in (_WITH_CAUSE, _DOING):
        found = pattern.fullmatch(left)
        if found and _is_stop(_folded(found["stop"].strip(",.!"))):
            return not _OTHER_DOINGS.fullmatch(found.groupdict().get("what") or "")
    words = [_folded(word) for word in re.findall(r"[^\W_]+(?:'[a-z]+)?", left)]
    if all(len(word) == 1 for word in words):
        words = ["".join(words)]
    told = [word for word in words if not _BESIDE.fullmatch(word)]
    return bool(told) and all(map(_is_stop, told))


def _folded(word: str) -> str:
    return _REPEATED.sub(r"\1", word)


def _is_stop(word: str) -> bool:
    return bool(_STOPS.fullmatch(word)) or word in _SLIPS


def _slips(word: str) -> Iterator[str]:
    """A word typed with two letters swapped, one left out, or a key beside one."""
    for at in range(len(word)):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        yield before + after
        yield before + after[:1] + letter + after[1:]
        for key in _near(letter):
            yield before + key + after
            yield before + letter + key + after
            yield before + key + letter + after


def _near(letter: str) -> set[str]:
    return {
        key for key, keys in _NEIGHBOURS.items() if letter in keys or key in _NEIGHBOURS[letter]
    }


_OTHER_WORDS = re.compile(r"top|sop|atop|shop|step|stow|strop|stoop")
_SLIPS = frozenset(
    slip for slip in map(_folded, _slips("stop")) if not _OTHER_WORDS.fullmatch(slip)
)


# --- Japanese -----------------------------------------------------------------------

_CALLED = re.compile(r"^[ァ-ヶー]{2,8}[、,!！]")
_LENGTHENED = re.compile(r"[ー〜~っッ!?。、…・\s「」笑w]|@|さん|ちゃん|くん")
_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_JAPANESE = re.compile(
    r"(?>(?:もう|今すぐ|今|いますぐ|いま|すぐ|ちょと|とにかく|はやく|早く|おい|ねえ|待て|まて|いや|だめ|駄目|違う"
    r"|ちがう|うわ|わあ|あ|お願い|おねがい|頼む|たのむ|作業|全部|それ|を|は)*+"
    r"(?:すとぷして|すとぷ|[とど止]まて|[とど止]まれ|[とど止]まりなさい|やめてくれ|やめて|やめろ|やめなさい"
    r"|やめい|やめな|やめ|[とど止]めて|[とど止]めろ|停止して|停止|中止して|中止|動くな|うごくな|そこまで"
    r"|もういい|きゃんせるして|きゃんせる)"
    r"(?:よ|ね|てば|ば|ください|下さい|くれ|お願い|おねがい|今すぐ|いますぐ|すぐ|はやく|早く|て|から|です|んだ"
    r"|頼む|たのむ)*+)++|(?:いや|だめ|やだ){3,}"
)


def _folded_kana(said: str) -> str:
    """In hiragana, without what lengthens a cry."""
    kana = _LENGTHENED.sub("", _CALLED.sub("", said)).translate(_KATAKANA)
    return _REPEATED.sub(r"\1", kana) if not re.fullmatch(r"(..)\1+", kana) else kana
