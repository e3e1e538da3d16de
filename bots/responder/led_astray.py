"""Speakers whose words led a model to an action that nobody asked for.

We tell the asker once. From then on, requests that choose tools leave out the words of these
speakers. A question whether to do it would only teach people to say yes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from bots.access.origin import Level, Origin, speaker_of
from bots.access.sources import LevelOf
from bots.access.visibility import InView
from bots.chat.message import Message
from bots.clock import Stopwatch
from bots.responder.asking_back import AskedFor
from bots.text.language import normal
from bots.text.pronouns import is_addressee, is_asker

LEFT_OUT_S = 86_400.0
MOST = 8  # speakers remembered by name; with more, we leave out everybody below trusted
_WORD = re.compile(r"\w{3,}")
_FREE = frozenset({"message", "words", "text", "topic"})
"""Arguments with free text, which do not tell what a call is about."""


class LedAstray:
    """The speakers whose words one bot leaves out when it chooses tools."""

    def __init__(self, level_of: LevelOf, stopwatch: Stopwatch) -> None:
        self._level_of, self._stopwatch = level_of, stopwatch
        self._since: dict[Origin, float] = {}

    def add(self, origins: Iterable[Origin]) -> frozenset[Origin]:
        """Leave these speakers out from now on; returns the new ones."""
        new = frozenset(origins) - self._known
        self._since |= dict.fromkeys(new, self._stopwatch())
        return new

    def for_asker(self, asker: Origin) -> frozenset[Origin]:
        """The speakers to leave out of an answer to this one."""
        known = self._known - {asker}
        return frozenset(one for one in known if self._level_of(one) < Level.TRUSTED)

    @property
    def are_too_many(self) -> bool:
        return len(self._known) > MOST

    @property
    def _known(self) -> frozenset[Origin]:
        oldest = self._stopwatch() - LEFT_OUT_S
        return frozenset(one for one, since in self._since.items() if since > oldest)


def suspects(
    call: AskedFor, asker: Origin, view: InView, history: Iterable[Message], level_of: LevelOf
) -> frozenset[Origin]:
    """Who may have led to the call: of those in view who may not ask for it themselves, the ones
    whose lines are about it; all of them where no line is."""
    needed = min(call.level, Level.TRUSTED)
    others = (one for one in view.sources.origins if one != asker)
    below = frozenset(one for one in others if level_of(one) < needed)
    lines = (one.utterance for one in history if below & one.utterance.sources.origins)
    about = (line.sources.origins for line in lines if is_about(call, [str(line.content)]))
    return below & frozenset[Origin]().union(*about) or below


def is_about(call: AskedFor, lines: Iterable[str]) -> bool:
    """Whether lines name anything that the call is about."""
    said = _words(" ".join(lines))
    about = _words(call.tool)
    for key, value in call.fields.items():
        if key not in _FREE:
            about += [word for text in _strings_in(value) for word in _words(text)]
    return any(word.startswith(one) for one in about for word in said)


def names_any(origins: Collection[Origin], lines: Iterable[str]) -> bool:
    """Whether lines name one of these."""
    said = normal(" ".join(lines))
    names = filter(None, (normal(speaker_of(one)) for one in origins))
    return any(re.search(rf"(?<![a-z0-9_]){re.escape(one)}(?![a-z0-9_])", said) for one in names)


def _words(text: str) -> list[str]:
    return _WORD.findall(normal(text).replace("_", " "))


def _strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str) and not (is_asker(value) or is_addressee(value)):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _strings_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _strings_in(one)
