"""Words that stand for whoever speaks or is spoken to. A player may be called so all the same."""

from __future__ import annotations

from bots.text.language import normal

ASKER = frozenset({"me", "i", "myself", "私", "僕", "俺", "わたし", "ぼく", "おれ", "自分"})
ADDRESSEE = frozenset({"you", "u", "yourself", "君", "きみ", "あなた", "お前", "おまえ"})


def is_asker(word: str) -> bool:
    """Whether a word stands for whoever says it."""
    return normal(word) in ASKER


def is_addressee(word: str) -> bool:
    """Whether a word stands for whoever it is said to."""
    return normal(word) in ADDRESSEE


def as_told(name: str, *, begins: bool = False) -> str:
    """A player's name in a sentence of a bot, marked where it would be read as another word;
    `begins`: the sentence begins with it."""
    if not (is_asker(name) or is_addressee(name)):
        return name
    return f"{'The' if begins else 'the'} player “{name}”"
