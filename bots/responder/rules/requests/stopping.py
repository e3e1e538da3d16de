"""A wish to stop is heard however it is spelled: `STOOOP`, `sotp`, `stop it pls`, `やめろー`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bots.text.language import language_of
from bots.words.heard import heard


def means_stop(bot: str, said: str) -> bool:
    """Whether a line, normal already, asks to stop and for nothing else."""
    if language_of([said]) == "ja":
        cry = _folded_kana(said.replace(bot.casefold(), ""))
        return heard("stop.whole").fullmatch(cry) is not None
    return _is_english_stop(bot, said)


# --- English ------------------------------------------------------------------------

_REPEATED = re.compile(r"(.)\1+")
_NEIGHBOURS = {
    letter: set(row[max(0, at - 1) : at + 2]) | set(below[max(0, at - 1) : at + 1])
    for row, below in (("qwertyuiop", "asdfghjkl"), ("asdfghjkl", "zxcvbnm"), ("zxcvbnm", ""))
    for at, letter in enumerate(row)
}
"""A key, and those beside and below it."""


def _is_english_stop(bot: str, said: str) -> bool:
    left = said.replace("0", "o").replace(bot.casefold(), " ").strip(" ,.!?:;~-…@")
    left = " ".join(heard("stop.told_to").sub("", heard("stop.means").sub("stop", left)).split())
    words = re.findall(r"[^\W_]+(?:'[a-z]+)?", left)
    if heard("stop.noes").fullmatch(left) or (len(words) < 6 and _is_stop(_folded("".join(words)))):
        return True
    at = next((at for at, word in enumerate(words) if _is_stop(_folded(word))), None)
    if at is None:
        return False
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    is_rare = heard("stop.rare").fullmatch(_folded(words[at]))
    if is_rare and not _changes_nothing(after) and not heard("stop.after_rare").fullmatch(after):
        return False
    return _may_precede(before) and _may_follow(after)


def _may_precede(words: str) -> bool:
    """Whether what is said before the word leaves it a wish: `ur breaking it`, `please just`."""
    if heard("stop.asks_why").match(words):
        return heard("stop.cries").fullmatch(words) is not None
    if heard("stop.not_to").search(f"{words} ") and not heard("stop.no").fullmatch(words):
        is_others = heard("stop.of_others").search(words)
        return not words or (not is_others and bool(heard("stop.allowed").search(words)))
    if heard("stop.asks").match(_folded(f"{words} ")):
        return False
    return bool(heard("stop.cause").match(words)) or _changes_nothing(words)


def _may_follow(words: str) -> bool:
    """Whether what is said after the word is what stops, why, or nothing else."""
    if _changes_nothing(words):
        return True
    if (doing := heard("stop.doing").fullmatch(words)) is not None:
        is_other = heard("stop.other_doing").fullmatch(doing["what"])
        return not is_other and not heard("stop.but").search(words)
    if heard("stop.is_told").search(words):
        return False
    if heard("stop.cause").match(words):
        return True
    is_no_work = " " not in words and not heard("stop.work").fullmatch(words)
    return not is_no_work and not heard("stop.other").match(words)


def _changes_nothing(words: str) -> bool:
    folded = map(_folded, words.split())
    return all(heard("stop.beside").fullmatch(word) or _is_stop(word) for word in folded)


def _folded(word: str) -> str:
    return _REPEATED.sub(r"\1", word)


def _is_stop(word: str) -> bool:
    is_slip = word in _SLIPS and not heard("stop.no_slip").fullmatch(word)
    return is_slip or heard("stop.word").fullmatch(word) is not None


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


_SLIPS = frozenset(map(_folded, _slips("stop")))


# --- Japanese -----------------------------------------------------------------------

_KATAKANA = {code: code - 0x60 for code in range(ord("ァ"), ord("ヶ") + 1)}


def _folded_kana(said: str) -> str:
    """In hiragana, without what lengthens a cry."""
    cry = heard("stop.lengthened").sub("", heard("stop.called").sub("", said))
    kana = heard("stop.drawn_out").sub("", cry.translate(_KATAKANA))
    return _REPEATED.sub(r"\1", kana) if not re.fullmatch(r"(..)\1+", kana) else kana
