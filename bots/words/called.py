"""Names as people write them who do not write in Latin letters: ありす, 爱丽丝."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from bots.text.language import tongue_of
from bots.text.word_match import says
from bots.words import languages, table

_HAN = re.compile("[\u4e00-\u9fff]{2,}")
SHORTEST_IN_HIRAGANA = 3
"""Shorter ones are parts of common words: だん of かいだん."""


def with_names(line: str, names: Iterable[str]) -> str:
    """The line with each of these names as it is spelt; one that is nothing else stays."""
    said = line
    for name in names:
        for called in _called().get(str(name).casefold(), ()):
            if _stands(called, said):
                said = re.sub(f"{called}ー*", str(name), said)
    return said if tongue_of(said) == tongue_of(line) else line


def calls(line: str, name: str) -> bool:
    """Whether a line says a name, in whatever letters."""
    written = _called().get(name.casefold(), ())
    return says(line, name) or any(_stands(one, line) for one in written)


def _stands(called: str, line: str) -> bool:
    """Whether it stands there as a name; where all is Han, no border shows."""
    return called in line if _HAN.fullmatch(called) else says(line, called)


@cache
def _called() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for language in languages():
        for name, written in table("names.person", language).items():
            for one in written.split():
                found.setdefault(name, []).extend(_scripts(one))
    return found


def _scripts(written: str) -> list[str]:
    """In katakana, and in hiragana where that is long enough to be no other word."""
    hiragana = "".join(chr(ord(one) - 0x60) if "ァ" <= one <= "ヶ" else one for one in written)
    is_long = hiragana != written and len(hiragana) >= SHORTEST_IN_HIRAGANA
    return [written, hiragana] if is_long else [written]
