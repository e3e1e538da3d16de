"""Names that may be written in other ways: an exact one wins, and twins are never mixed up.

And what people type and mean, from typed.toml: short forms, words by ear, words drawn out."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files


def spelt(name: str, names: Iterable[str]) -> str | None:
    """The name as it is spelt, else the only one that differs in case alone."""
    known = tuple(names)
    return name if name in known else only_alike(name, known)


def only_alike(name: str, names: Iterable[str]) -> str | None:
    """The only name that is the same but for its case: for words whose own case is lost."""
    alike = twins(name, names)
    return alike[0] if len(alike) == 1 else None


def meant(name: str, names: Iterable[str], said: str) -> str | None:
    """The same, and of several the only one that stands as it is spelt in what was said."""
    alike = twins(name, names)
    if len(alike) == 1:
        return alike[0]
    words = re.findall(r"\w+", said)
    spelt_so = [one for one in alike if one in words]
    return spelt_so[0] if len(spelt_so) == 1 else None


def twins(name: str, names: Iterable[str]) -> list[str]:
    """All names that are the same but for their case."""
    return [one for one in names if one.casefold() == name.casefold()]


def plain(word: str) -> str:
    """A word spelt like a name: `Oak Log` becomes `oak_log`."""
    folded = unicodedata.normalize("NFKC", word).strip().lower().removeprefix("minecraft:")
    return re.sub(r"[\s-]+", "_", folded)


_SLIPS = ((4, 0), (7, 1))
"""Below so many letters, so many slips are forgiven; in longer words, two."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was meant, if one is plainly nearer than all others: letters swapped,
    left out, doubled or hit beside the key."""
    allowed = next((slips for letters, slips in _SLIPS if len(word) < letters), 2)
    if not allowed:
        return None
    near = [one for one in known if abs(len(one) - len(word)) <= allowed and one[:1] == word[:1]]
    counted = sorted(
        (slips(word, one), sorted(one) != sorted(word), abs(len(one) - len(word)), one)
        for one in near
    )
    if not counted or counted[0][0] > allowed:
        return None
    is_plain = len(counted) == 1 or counted[0][:3] < counted[1][:3]
    return counted[0][3] if is_plain else None


def slips(one: str, other: str) -> int:
    """How many letters were swapped with the next, left out, added or replaced."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != wanted)))
            if i > 1 and j > 1 and one[i - 2 : i] == other[j - 2 : j][::-1]:
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]


_AGAIN = re.compile(
    r"^([\x21-\x7e]+(?: [\x21-\x7e]+)+?|[^\x00-\x7f]{3,20}?)"
    r"(?:[\s,!、！。ー〜~]*\1)+[\s,.!、！。ー〜~]*$",
    re.IGNORECASE,
)


def once(line: str, name: str = "") -> str:
    """What says the same again and again, said once: “come here come here”; a name may stand before
    it."""
    start = len(name) if name and line.casefold().startswith(name.casefold()) else 0
    found = _AGAIN.match(line[start:].lstrip(" ,:、"))
    return line if found is None else found[1]


_TYPED = re.compile(r"(?<![a-z0-9_])[a-z0-9']*[a-z][a-z0-9']*(?![a-z0-9_])", re.IGNORECASE)
_DRAWN = re.compile(r"([a-z])\1{2,}", re.IGNORECASE)
_LAST_TWICE = re.compile(r"(.)\1$")
_NO_AXIS = re.compile(r"\by\b(?=\s*[=:]?\s*-?\d)", re.IGNORECASE)


def expanded(said: str, keep: Collection[str] = ()) -> str:
    """The line with short forms, long-drawn words (`plzzz`) and what only sounds so written out,
    but those in `keep`; the case of all others stays."""
    short, as_axis = _short(), {"y"} if _NO_AXIS.search(said) else set()

    def written_out(word: re.Match[str]) -> str:
        typed = word[0].casefold()
        if typed in keep or typed in as_axis:
            return word[0]
        plain = _DRAWN.sub(r"\1", word[0])
        once = _LAST_TWICE.sub(r"\1", plain.casefold())
        return short.get(plain.casefold()) or short.get(once) or plain

    said = _TYPED.sub(written_out, said)
    for pattern, meant in _written("alike"):
        said = pattern.sub(meant, said)
    return said


def written(said: str) -> str:
    """A Japanese line as it is written, without laughs, dialect and what is drawn out."""
    for pattern, meant in _written("spoken"):
        said = pattern.sub(meant, said)
    return said


@cache
def _short() -> Mapping[str, str]:
    """What is meant, by what is typed."""
    written = _file()["short"].items()
    return {typed: meant for meant, forms in written for typed in forms.split()}


@cache
def _written(table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """What is meant by what is heard, in the order of the table."""
    told = _file()[table].items()
    return tuple((re.compile(heard, re.IGNORECASE), meant) for heard, meant in told)


@cache
def foreign_words() -> frozenset[str]:
    """Single words that are known to be of another language."""
    return frozenset(word for words in _file()["foreign"].values() for word in words.split())


@cache
def _file() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files(__package__) / "typed.toml").read_text("utf-8"))
