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
_STOPS = re.compile(
    r"stop|stahp|stawp|stap|staph|halt|hault|freze|cancel|abort|cease|stopit|stopnow|hlat|hatl|frez"
)
"""Each word with its repeated letters folded."""
_OTHERS = re.compile(r"halt|freze|frez|hlat|hatl|cancel|abort|cease")
_MEANS_STOP = re.compile(
    r"\b(?:hold (?:it|up)|cut (?:it|that) out|knock (?:it|that) off|give it a rest|stop+it"
    r"|quit (?:it|that|this)|you can quit|that(?: wi|'|)ll do|that'?s enough|enough is enough)\b"
    r"|^(?:ok(?:ay)?,? )?enough\b"
)
_TOLD_TO = re.compile(
    r"\bi (?:said|told (?:you|u) to|(?:want|need) (?:you|u) to)\b"
    r"|^(?:can|could|shall) we\b|^let'?s\b"
)
_BESIDE = re.compile(
    r"ah|al|already|alright|and|are|argh|asap|bot|bots|bro|bruh|can|cmon|come|could|do|doing|dude"
    r"|everybody|everyone|everything|fs|for|god|gods|gota|guys|have|hey|hold|imediately|instantly|it"
    r"|just|lol|make|man|mate|moving|must|my|ned|(?:no)+|nope|now|of|oh|oi|ok|okay|okok|omg|on|once|please|pleas|ples"
    r"|plese|plis|pls|plz|quick|quickly|r|really|realy|right|sake|seriously|should|sir|so|sory|stupid"
    r"|swear|that|there|this|to|u|ugh|ur|wait|what|what're|whatever|whoa|wil|woah|working|would"
    r"|wtf|y|ya|yo|you|your|you're|youre"
)
"""Words that change nothing about it, folded."""
_NOES = re.compile(r"(?:no+[\s,.!…]*){3,}")
_ASKS = re.compile(r"(?:wil|would|can|could|do|are|have|must) (?!you\b|u\b|ya\b)")
_NOT_TO = re.compile(r"\b(?:don'?t|do not|never|not|to|you|u|ya|without) (?:ever )?$")
_ALLOWED = re.compile(r"\b(?:can|could|would|will|must|should|have|need|got|gotta|hey)\b")
_CAUSE = re.compile(
    r"(?:no+ )?(?:(?:that|it|this|there)'?s|you(?:'re|re| are)|ur|u r|u are|i'?m"
    r"|i (?:don'?t|do not)|don'?t do (?:that|this|it)|or)\b"
)
_OTHER = re.compile(
    r"(?:by|on|over|near|in|into|off|signs?|lights?|watch|motion|to|and|then|until|when|if|unless"
    r"|before|after|while|me|him|her|them|a|an|these|those|any|some|every|\d+)\b"
    r"|at (?!once)|with (?!it|that|this)|the (?!work|job|task|\w+ing\b)"
    r"|for (?!(?:a )?(?:now|moment|sec|second|minute|bit|gods?)\b)"
    r"|(?:this|that) (?!instant|minute|second|nonsense|now|right|at|please|pls|plz|it|stupid)"
    r"|.*\bfrom\b"
)
"""What follows the word where it means something else: `stop at the mill`, `stop the zombie`."""
_WORK = re.compile(r"work|here|xd|rn|mission|pls|\w+in'?g?")
_BUT = re.compile(
    r"\b(?:and|then|until|when|if|unless|before|after|but|not|never|kidding|joking|sa(?:id|ys?))\b|\d"
)
_DOING = re.compile(r"(?P<what>[a-z]+in'?g?)\b.*")
_OTHER_DOINGS = re.compile(
    r"following|talking|saying|speaking|chatting|whispering|telling|asking|answering|thinking"
    r"|calling|listening|worrying|crying|laughing|being|raining|snowing|thundering"
    r"|fighting|attacking|guarding|protecting"
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
    left = " ".join(_TOLD_TO.sub("", _MEANS_STOP.sub("stop", left)).split())
    words = re.findall(r"[^\W_]+(?:'[a-z]+)?", left)
    if _NOES.fullmatch(left) or (len(words) < 6 and _is_stop(_folded("".join(words)))):
        return True
    at = next((at for at, word in enumerate(words) if _is_stop(_folded(word))), None)
    if at is None:
        return False
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    is_other = _OTHERS.fullmatch(_folded(words[at]))
    if is_other and not _changes_nothing(after) and after != "mission":
        return False
    return _may_precede(before) and _may_follow(after)


def _may_precede(words: str) -> bool:
    """Whether what is said before the word leaves it a wish: `ur breaking it`, `please just`."""
    if re.match(r"(?:when|why|how|where|who|if|what)\b", words):
        return words in ("what", "what the")
    if _NOT_TO.search(f"{words} ") and words != "no":
        return words in ("", "hey you") or bool(_ALLOWED.search(words))
    if _ASKS.match(_folded(f"{words} ")):
        return False
    return bool(_CAUSE.match(words)) or _changes_nothing(words)


def _may_follow(words: str) -> bool:
    """Whether what is said after the word is what stops, why, or nothing else."""
    if _changes_nothing(words):
        return True
    if (doing := _DOING.fullmatch(words)) is not None:
        return not _OTHER_DOINGS.fullmatch(doing["what"]) and not _BUT.search(words)
    if re.search(r"^(?:is|are|was|means)\b|\b(?:but|kidding|joking|or not)\b", words):
        return False
    if _CAUSE.match(words):
        return True
    is_one_word = " " not in words
    return not _OTHER.match(words) and (not is_one_word or bool(_WORK.fullmatch(words)))


def _changes_nothing(words: str) -> bool:
    folded = map(_folded, words.split())
    return all(_BESIDE.fullmatch(word) or _is_stop(word) for word in folded)


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


_OTHER_WORDS = re.compile(r"top|atop|shop|step|stow|strop|stoop")
_SLIPS = frozenset(
    slip for slip in map(_folded, _slips("stop")) if not _OTHER_WORDS.fullmatch(slip)
)


# --- Japanese -----------------------------------------------------------------------

_CALLED = re.compile(
    r"^(?!スト|キャンセル|フォロー)[ァ-ヶー]{2,8}(?:さん|ちゃん|くん)?(?:[、,!！]|(?=[とや止]))"
)
_LENGTHENED = re.compile(r"[ー〜~っッ!?。、…・\s「」笑w]|@|さん|ちゃん|くん")
_DRAWN_OUT = re.compile(
    r"(?<=[えけせてねめれげぜで])[えぇ]+$|(?<=[おとのもよろ])[おぉ]+$|(?<=[いきちりし])[いぃ]+$"
)
_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}
_JAPANESE = re.compile(
    r"(?>(?:もういいから|もう|だから|から|今すぐ|今|いますぐ|いま|すぐ|ちょと|とにかく|はやく|早く|おい|ねえ|待て|まて|いや|だめ|駄目|違う"
    r"|ちがう|うわ|わあ|あ|お願い|おねがい|頼む|たのむ|作業|全部|それ|を|は)*+"
    r"(?:すとぷして|すとぷ|[とど止]まて|[とど止]まれ|[とど止]まりなさい|やめてくれ|やめて|やめろ|やめなさい|やめるんだ|やめたまえ|やめよう"
    r"|やめい|やめな|やめ|[とど止]めて|[とど止]めろ|停止して|停止|中止して|中止|中断して|中断|もう十分|十分|動くな|うごくな|そこまで"
    r"|もういい|きゃんせるして|きゃんせる)"
    r"(?:よ|ね|てば|ば|ください|下さい|くれ|お願い|おねがい|今すぐ|いますぐ|すぐ|はやく|早く|て|から|です|んだ|て言てる"
    r"|頼む|たのむ)*+)++|(?:いや|だめ|やだ){3,}"
)


def _folded_kana(said: str) -> str:
    """In hiragana, without what lengthens a cry."""
    kana = _LENGTHENED.sub("", _CALLED.sub("", said)).translate(_KATAKANA)
    kana = _DRAWN_OUT.sub("", kana)
    return _REPEATED.sub(r"\1", kana) if not re.fullmatch(r"(..)\1+", kana) else kana
