"""Words that stand for whoever speaks, is spoken to or is spoken of. A player may be called so."""

from __future__ import annotations

import re

from bots.text.language import normal

ASKER = frozenset({"me", "i", "myself", "私", "僕", "俺", "わたし", "ぼく", "おれ", "自分"})
ADDRESSEE = frozenset({"you", "u", "yourself", "君", "きみ", "あなた", "お前", "おまえ"})
OTHERS = frozenset(
    re.findall(
        r"\w+",
        """
        he him himself she her herself it itself they them themselves we us ourselves
        all both each everybody everyone anybody anyone somebody someone nobody none
        彼 彼女 彼ら かれ かのじょ 私たち 僕たち 僕ら 俺たち
        みんな 皆 みな 全員 誰か 誰も だれか だれも
        """,
    )
)

_PLAIN = re.compile(r"[.*~]?[A-Za-z0-9_]+")  # as the game has it, or Geyser and EssentialsX
_QUOTES = str.maketrans("“”„«»「」『』", "'''''''''")
_ALIKE = str.maketrans("01l|аеоуісмѕтнкυοιεμ", "oiiiaeoyicmstnkuoiem", "_.*~-")


def is_asker(word: str) -> bool:
    """Whether a word stands for whoever says it."""
    return normal(word) in ASKER


def is_addressee(word: str) -> bool:
    """Whether a word stands for whoever it is said to."""
    return normal(word) in ADDRESSEE


def is_of_others(word: str) -> bool:
    """Whether a word stands for whoever it is said to, or somebody spoken of."""
    return normal(word) in ADDRESSEE | OTHERS


def as_told(name: str, *, begins: bool = False) -> str:
    """A player's name in a sentence of a bot, marked where it would be read as another word;
    `begins`: the sentence begins with it."""
    if _PLAIN.fullmatch(name) and _look(name) not in _WORDS:
        return name
    return f"{'The' if begins else 'the'} player “{name.translate(_QUOTES)}”"


def _look(word: str) -> str:
    """What a word looks like at a glance: `Y0U_` like `you`."""
    return normal(word).translate(_ALIKE)


_WORDS = frozenset(map(_look, ASKER | ADDRESSEE | OTHERS))
