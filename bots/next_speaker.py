"""Reads from a bot's answer who speaks next: `[Next: NAME]`, else a fallback.

Everything that nominates a speaker goes through here. Thinking is ignored, the last tag wins, and
the result is always a member of the registry or nobody, whatever the text says.
"""

from __future__ import annotations

import difflib
import random
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, TypedDict

import structlog

Fallback = Literal["round_robin", "random"]
NextReason = Literal["tag", "fuzzy", "round_robin", "random", "none"]

log = structlog.get_logger()

_NAMES = ("internal_id", "display_name", "short_name")  # in the order they are compared
_THINKING = re.compile(r"<think>.*?</think>|<think>.*\Z", re.DOTALL | re.IGNORECASE)
_LOST_BEGINNING = re.compile(r"\A.*</think>", re.DOTALL | re.IGNORECASE)
_PAIRS = ("[]", "()", "【】", "「」", "『』", "〔〕", "<>", "{}")  # as they are in NFKC
_OPEN = "".join(re.escape(pair[0]) for pair in _PAIRS)
_CLOSE = "".join(re.escape(pair[1]) for pair in _PAIRS)
_WORDS = r"next(?:[ _-]?speaker)?"
_TAG = re.compile(
    "|".join(
        rf"[*`]{{0,3}}{o}{{1,2}}\s*{_WORDS}\s*:\s*([^{c}]{{0,500}}){c}{{1,2}}[*`]{{0,3}}"
        for o, c in (map(re.escape, pair) for pair in _PAIRS)
    ),
    re.IGNORECASE,
)
_UNCLOSED_TAG = re.compile(rf"[{_OPEN}][^\S\n]*{_WORDS}[^\S\n]*:[^\n]*", re.IGNORECASE)
_BRACKETS = re.compile(rf"[{_OPEN}{_CLOSE}]")
_TITLE = re.compile(r"^[^:]{1,30}:\s*(?=\S)")  # as in “Role: Claris”
_PASSES = 3
"""How often tags are removed: without one tag, the text around it may form another."""
_HONORIFICS = re.compile("さん|様|ちゃん")
_LAST_HONORIFICS = re.compile(r"(?:\s*(?:さん|様|ちゃん))+\Z")
_SYMBOL_QUOTES = frozenset("`´\u02b9\u02bb\u02bc<>")  # quotes and brackets Unicode has elsewhere
_CAPITALS = str.maketrans({chr(small): chr(small - 32) for small in range(ord("a"), ord("z") + 1)})


@dataclass(frozen=True, slots=True)
class NextPolicy:
    allow_self_nomination: bool = False
    fallback: Fallback = "round_robin"
    fuzzy_threshold: float = 0.85
    """How similar a misspelt name must be to a known one, 0–1."""
    rng: random.Random = field(default_factory=lambda: random.Random(0), repr=False, compare=False)
    """Draws for the fallback `random`."""


@dataclass(frozen=True, slots=True)
class CharacterRegistry:
    members: Sequence[Mapping[str, str]]
    """In the order of the round; keys `internal_id`, `display_name`, `short_name`."""


class Resolved(TypedDict):
    next_id: str | None
    """None: there is nobody else to speak."""
    reason: NextReason
    extracted: str
    """The text inside the tag."""
    normalized: str


def resolve_next_speaker(
    response_text: str,
    current_id: str,
    registry: CharacterRegistry,
    policy: NextPolicy,
    *,
    nominated: str | None = None,
) -> Resolved:
    """Decide who follows `current_id`, and log it.

    Args:
        response_text: the whole answer as the model gave it, before any shortening.
        nominated: the `next` field of a structured answer; if it names nobody, the tag is read.
    """
    try:
        resolved = _resolve(response_text, current_id, registry, policy, nominated)
    except (AttributeError, LookupError, TypeError, ValueError):
        log.exception("next_speaker.failed", current_id=current_id)
        resolved = _fallen_back(current_id, registry, policy, "", "")
    tell = log.info if resolved["next_id"] is not None else log.warning
    tell(
        "next_speaker.resolved",
        extracted_raw=resolved["extracted"],
        normalized=resolved["normalized"],
        matched_id=resolved["next_id"],
        reason=resolved["reason"],
    )
    return resolved


def spoken_words(response_text: str) -> str:
    """The part of an answer that is said aloud: no thinking, no tags."""
    said = _Folded(response_text).without_thinking()
    for _ in range(_PASSES):
        if not (tags := said.tags()):
            break
        said = said.without(match.span() for match in tags)
    else:
        said = said.without(match.span() for match in _BRACKETS.finditer(said.text))
    return _tidy(said.without_unclosed_tags().original)


def last_tag(response_text: str) -> str | None:
    """The text inside the last tag outside thinking; None without a tag."""
    return next(_nominations(response_text, None), None)


def normalised(name: str) -> str:
    """A name for comparing: without width, case, quotes, brackets, punctuation, honorifics."""
    return _forms(name)[-1]


class _Folded:
    """A text in NFKC that knows which original character each of its characters came from."""

    def __init__(self, original: str) -> None:
        self.original = original
        if unicodedata.is_normalized("NFKC", original):
            self.text = original
            self._origins: Sequence[int] = range(len(original))
            return
        pieces = [unicodedata.normalize("NFKC", character) for character in original]
        self.text = "".join(pieces)
        self._origins = [at for at, piece in enumerate(pieces) for _ in piece]

    def raw(self, start: int, end: int) -> str:
        """The original characters of a stretch of the folded text."""
        if start == end:
            return ""
        return self.original[self._origins[start] : self._origins[end - 1] + 1]

    def without(self, spans: Iterable[tuple[int, int]]) -> _Folded:
        inner = [at for span in spans for at in span]
        if not inner:
            return self
        borders = [0, *inner, len(self.text)]
        kept = zip(borders[::2], borders[1::2], strict=True)
        return _Folded("".join(self.raw(start, end) for start, end in kept))

    def without_thinking(self) -> _Folded:
        closed = self.without(match.span() for match in _THINKING.finditer(self.text))
        lost = _LOST_BEGINNING.match(closed.text)
        return closed.without([lost.span()]) if lost else closed

    def tags(self) -> list[re.Match[str]]:
        """Every tag. The search ends at the last bracket: a long text without one costs nothing."""
        return list(_TAG.finditer(self.text[: self._last_bracket() + 4]))

    def _last_bracket(self) -> int:
        return max(self.text.rfind(pair[1]) for pair in _PAIRS)

    def without_unclosed_tags(self) -> _Folded:
        """Without the unclosed tag, to the end of its line, that a cut answer may end with."""
        unclosed = _UNCLOSED_TAG.finditer(self.text, self._last_bracket() + 1)
        return self.without(match.span() for match in unclosed)


def _resolve(
    text: str,
    current: str,
    registry: CharacterRegistry,
    policy: NextPolicy,
    nominated: str | None,
) -> Resolved:
    extracted, normalized = "", ""
    for extracted in _nominations(text, nominated):
        reason, found, normalized = _matched(extracted, registry, policy.fuzzy_threshold)
        if found is not None and (found != current or policy.allow_self_nomination):
            return Resolved(
                next_id=found, reason=reason, extracted=extracted, normalized=normalized
            )
    return _fallen_back(current, registry, policy, extracted, normalized)


def _nominations(text: str, nominated: str | None) -> Iterator[str]:
    """The texts that may name the next speaker: the structured field, then the last tag."""
    if nominated:
        yield nominated
    folded = _Folded(text).without_thinking()
    if tags := folded.tags():
        yield folded.raw(*tags[-1].span(tags[-1].lastindex or 0))


def _matched(
    extracted: str, registry: CharacterRegistry, threshold: float
) -> tuple[Literal["tag", "fuzzy"], str | None, str]:
    """How a member was found, its id, and the form of the name that was compared."""
    forms = _forms(extracted)
    names = [(member[key], member["internal_id"]) for key, member in _named(registry)]
    spelt = {_spelt(name): found for name, found in reversed(names)}
    if (literal := _spelt(extracted)) and literal in spelt:  # twins may differ in case alone
        return "tag", spelt[literal], forms[0]
    exact = {_plain(name): found for name, found in reversed(names)}
    synonyms = {form: found for name, found in reversed(names) for form in _forms(name)}
    for known in (exact, synonyms):
        for form in forms:
            if form and form in known:
                return "tag", known[form], form
    likely = {form: found for form, found in synonyms.items() if form}
    alike = difflib.get_close_matches(forms[-1], likely, n=1, cutoff=threshold)
    return "fuzzy", likely[alike[0]] if alike else None, forms[-1]


def _named(registry: CharacterRegistry) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every name of every member: all internal ids first, then display names, then short ones."""
    for key in _NAMES:
        for member in registry.members:
            if member.get(key):
                yield key, member


@lru_cache(maxsize=1024)
def _forms(name: str) -> tuple[str, ...]:
    """The name in ever simpler forms: as it is, its letters alone, without honorifics.

    The first form that is known counts, so a member whose name is an honorific can be named.
    """
    plain = _plain(_TITLE.sub("", name.strip()) if ":" in name else name)
    letters = "".join(filter(_is_of_name, plain)).strip()
    polite = _LAST_HONORIFICS.sub("", letters).strip() or letters
    return plain, letters, polite, _HONORIFICS.sub("", polite).strip() or polite


def _plain(name: str) -> str:
    return _spelt(name).translate(_CAPITALS)


def _spelt(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip()


def _is_of_name(character: str) -> bool:
    """Whether it is no quote, bracket or punctuation; `_` and `-` belong to user names."""
    category = unicodedata.category(character)
    return category in ("Pc", "Pd") or not (category[0] == "P" or character in _SYMBOL_QUOTES)


def _fallen_back(
    current: str, registry: CharacterRegistry, policy: NextPolicy, extracted: str, normalized: str
) -> Resolved:
    ids = _ids(registry.members)
    others = [member for member in ids if member != current]
    reason: NextReason = "none"
    found: str | None = None
    if others and policy.fallback == "random":
        reason, found = "random", policy.rng.choice(others)
    elif others and current in ids:
        reason, found = "round_robin", ids[(ids.index(current) + 1) % len(ids)]
    return Resolved(next_id=found, reason=reason, extracted=extracted, normalized=normalized)


def _ids(members: Iterable[Mapping[str, str]]) -> list[str]:
    """The ids in order, each once. Broken entries are left out: they must not end a talk."""
    found = (member.get("internal_id") for member in members if isinstance(member, Mapping))
    return list(dict.fromkeys(name for name in found if isinstance(name, str) and name))


def _tidy(text: str) -> str:
    """Close the gaps that removed tags left."""
    lines = (re.sub(r"[ \t\u3000]+", " ", line).strip() for line in text.strip().splitlines())
    return "\n".join(line for line in lines if line)
