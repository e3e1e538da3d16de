"""Whether a line says some words as whole words, in languages with and without spaces."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Literal

from bots.text.language import normal

Script = Literal["none", "hiragana", "katakana", "kanji", "hangul", "other"]

_SCRIPTS: tuple[tuple[Script, re.Pattern[str]], ...] = (
    ("hiragana", re.compile("[\u3041-\u3096\u309d\u309e]")),
    ("katakana", re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")),
    ("kanji", re.compile("[\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")),
    ("hangul", re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb]")),
    ("other", re.compile(r"\w")),
)


def says(line: str, words: str) -> bool:
    """Whether `words` stand in the line as whole words, one after another.

    Compared as NFKC and case-blind. A word ends where letters end or the script changes, as in
    Aliceさん; hiragana runs on without borders, so that a word in it may be a part of a longer one.
    """
    text, wanted = normal(line), normal(words)
    if not wanted:
        return False
    at = text.find(wanted)
    while at >= 0:
        end = at + len(wanted)
        before, after = text[max(0, at - 1) : at + 1], text[end - 1 : end + 1]
        if all(_is_border(*pair) for edge in (before, after) for pair in pairwise(edge)):
            return True
        at = text.find(wanted, at + 1)
    return False


def _is_border(before: str, after: str) -> bool:
    scripts = (_script(before), _script(after))
    if "none" in scripts:
        return True
    return scripts[0] != scripts[1] or scripts[0] == "hiragana"


def _script(character: str) -> Script:
    return next((name for name, letters in _SCRIPTS if letters.match(character)), "none")
