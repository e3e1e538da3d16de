"""Names of commands: one to four words, aliases, families.

Case and underscores do not matter: `moveTo` and `move_to` are one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from bots.errors import UnknownCommand
from bots.registry.args import PREFIX, quoted
from bots.text import suggest

LONGEST_NAME = 4  # words
FAMILY_SHOWN = 12  # names of a family that a sentence lists
ALIKE = 0.55  # least similarity (0 to 1) of a mistyped name; a wrong guess costs one whisper

SURELY_ALIKE = 0.8  # the same for a single word of a name, because there are many
SHORTEST = 4  # letters of the beginning of a word
_CALLED = {
    "bag": "info all",
    "build": "skill place",
    "cancel": "stop",
    "come": "go",
    "cook": "skill smelt",
    "dig": "skill gather",
    "fetch": "goal",
    "get": "goal",
    "give": "navigation dropItem",
    "halt": "stop",
    "inv": "info all",
    "inventory": "info all",
    "make": "goal",
    "mine": "skill gather",
    "pos": "status",
    "say": "chat",
    "teleport": "go",
    "tell": "chat",
    "tp": "go",
    "wear": "skill equip",
    "where": "status",
    "whereami": "status",
}
"""What people call some commands."""

Key: TypeAlias = tuple[str, ...]

_WORD = re.compile(r"\s*([^\s{]+)")


class Named(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...


N = TypeVar("N", bound=Named)


class Names(Generic[N]):
    """Declared things by name or alias."""

    def __init__(self) -> None:
        self._declared: dict[Key, N] = {}
        self._spellings: dict[Key, str] = {}
        self._in_order: tuple[N, ...] = ()

    def add(self, named: N) -> None:
        """Raises ValueError when a name or an alias is taken."""
        spellings = {_key(spelling): spelling for spelling in (named.name, *named.aliases)}
        for key, spelling in spellings.items():
            if key in self._declared:
                raise ValueError(f"command {spelling!r} is declared twice")
            if not 1 <= len(key) <= LONGEST_NAME:
                raise ValueError(f"command {spelling!r} has no or too many words")
        self._declared.update(dict.fromkeys(spellings, named))
        self._spellings.update(spellings)
        self._in_order = tuple(sorted((*self._in_order, named), key=lambda one: one.name))

    def __iter__(self) -> Iterator[N]:
        """Yield each thing once, sorted by name."""
        return iter(self._in_order)

    def match(self, body: str) -> tuple[N, str]:
        """Find the longest name at the start of the text; returns its thing and the rest.

        Raises UnknownCommand with the nearest name and, within a family, its actions."""
        words = list(_leading_words(body))
        for number in range(len(words), 0, -1):
            named = self._declared.get(_key(" ".join(word for word, _ in words[:number])))
            if named is not None:
                return named, body[words[number - 1][1] :].strip()
        raise self._unknown([word for word, _ in words])

    def find(self, name: str) -> N:
        """The one of exactly this name or alias. Raises UnknownCommand."""
        named = self._declared.get(_key(name))
        if named is None:
            raise self._unknown(name.split()[:LONGEST_NAME])
        return named

    def family(self, beginning: str) -> list[str]:
        """All names that continue these words, as they are spelt."""
        key = _key(beginning)
        longer = (k for k in self._spellings if len(k) > len(key) and k[: len(key)] == key)
        return sorted(self._spellings[k] for k in longer)

    def _unknown(self, words: list[str]) -> UnknownCommand:
        asked = " ".join(words)
        for length in range(len(words), 0, -1):
            family = self.family(" ".join(words[:length]))
            if family:
                return _no_such_action(asked, " ".join(words[:length]).lower(), family)
        names = list(self._spellings.values())
        first, *rest = words or [""]
        usual = _CALLED.get(_folded(first), "")
        if usual.partition(" ")[0] in {name.partition(" ")[0] for name in names} - {""}:
            near, hint = [usual], _hint([usual])
        else:
            near = _by_last_word(first, names) or _alike(asked, first, names)
            own = " ".join(near).lower().split()
            may_follow = bool(near and rest) and not any(word.lower() in own for word in rest)
            whole = [" ".join([*near, quoted(" ".join(rest))])]
            hint = _hint(whole if may_follow else near)
        sentence = f"There is no command {PREFIX}{quoted(first)}."
        if not near:
            hint = f" {PREFIX}help lists them."
        return UnknownCommand("unknown_command", sentence + hint, **suggest.as_fact(near))


def _key(name: str) -> Key:
    return tuple(word.replace("_", "").lower() or word for word in name.split())


def _leading_words(body: str) -> Iterable[tuple[str, int]]:
    """The first words, each with the index of its end."""
    end = 0
    for _ in range(LONGEST_NAME):
        found = _WORD.match(body, end)
        if found is None:
            return
        end = found.end()
        yield found[1], end


def _no_such_action(asked: str, family: str, names: list[str]) -> UnknownCommand:
    actions = [name[len(family) :].strip() for name in names]
    near = _nearest(asked, names)
    listed = ", ".join(actions[:FAMILY_SHOWN]) + (", …" if len(actions) > FAMILY_SHOWN else "")
    sentence = f"There is no {PREFIX}{quoted(asked)}.{_hint(near)} {PREFIX}{family} has: {listed}."
    return UnknownCommand("unknown_command", sentence, actions=actions, **suggest.as_fact(near))


def _by_last_word(word: str, names: list[str]) -> list[str]:
    """The command whose last word this is, or begins with: `follow`, `drop`."""
    wanted = _folded(word)
    joined = [name for name in names if _folded(name) == wanted]
    exact = [name for name in names if _last(name) == wanted]
    longer = [name for name in names if len(wanted) >= SHORTEST and _last(name).startswith(wanted)]
    return sorted(joined or exact or longer, key=_commonest_first)[:1]


def _alike(asked: str, first: str, names: list[str]) -> list[str]:
    """The command whose whole name or last word is most similar to the text."""
    commonest_last = sorted(names, key=_commonest_first, reverse=True)
    ends = {**{word: name for word, name in _CALLED.items() if name in names}}
    ends |= {_last(name): name for name in commonest_last}
    near = suggest.similar(first, ends, alike=SURELY_ALIKE)
    whole = {word: _nearest(word, names) for word in (asked, first)}
    best = suggest.most_alike({**whole, **({first: [*near, *whole[first]]} if near else {})})
    return [ends.get(name, name) if name in near else name for name in best[:1]]


def _last(name: str) -> str:
    return name.rpartition(" ")[2].lower()


def _folded(word: str) -> str:
    return word.replace("_", "").replace(" ", "").lower()


def _commonest_first(name: str) -> tuple[bool, int, str]:
    return name.startswith("primitive "), len(name), name


def _nearest(asked: str, names: list[str]) -> list[str]:
    return suggest.similar(asked, names, alike=ALIKE)


def _hint(near: Sequence[str]) -> str:
    return suggest.as_sentence([PREFIX + name for name in near])
