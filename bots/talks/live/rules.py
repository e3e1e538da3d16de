"""What a bot says in a talk without a model: what it was asked, something true, a question.

People come first: what one of them said is answered as it is outside of talks, and while people
are there bots do not make conversation of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from bots.responder.rules import answers as rules
from bots.responder.rules import small_talk as chatter
from bots.responder.rules.topics.manners import farewell, greeting
from bots.responder.rules.topics.scene import Scene
from bots.text.language import questions
from bots.text.word_match import says


@dataclass(frozen=True, slots=True)
class Lines:
    """What a bot heard and said of the talk so far, oldest first: (speaker, words)."""

    all: tuple[tuple[str, str], ...]

    @property
    def last_speaker(self) -> str | None:
        return self.all[-1][0] if self.all else None

    def last_of(self, speaker: str | None) -> list[str]:
        """What this one said at the very end, in a row."""
        row = takewhile(lambda line: line[0] == speaker, reversed(self.all))
        return [words for _speaker, words in row][::-1]

    def since(self, bot: str) -> list[str]:
        """What others said after this bot's last line."""
        heard = takewhile(lambda line: line[0] != bot, reversed(self.all))
        return [words for _speaker, words in heard][::-1]

    def quietest(self, names: Sequence[str]) -> str | None:
        """Of these the one whose last line is longest ago; who said nothing comes first."""
        last = {speaker: place for place, (speaker, _words) in enumerate(self.all)}
        return min(names, key=lambda name: last.get(name, -1), default=None)


def say(
    scene: Scene, lines: Lines, bots: Sequence[str], people: Sequence[str] = (), *, goodbye: bool
) -> str:
    """The bot's words, with the tag of whom it asked; '' when it has nothing to say.

    `scene.speaker` spoke last; `bots` and `people` are the others of the talk."""
    if goodbye:
        return scene.join([chatter.remark(scene), farewell(scene)])
    if lines.last_speaker in people:
        return rules.answer(scene, lines.last_of(lines.last_speaker))
    facts = _answers(scene, lines, [*bots, *people])
    if people:
        return scene.join(facts)
    began = [] if any(speaker == scene.bot for speaker, _ in lines.all) else [greeting(scene)]
    told = [*began, *(facts or [chatter.remark(scene)])]
    return _asking(scene, told, lines, lines.quietest(bots))


def _answers(scene: Scene, lines: Lines, others: Sequence[str]) -> list[str]:
    """To what this bot was asked by name, or what the last line asks of nobody by name."""
    heard = lines.since(scene.bot)
    named = [q for line in heard for q in questions(line) if says(q, scene.bot)]
    last = [q for line in heard[-1:] for q in questions(line)]
    open_ = [q for q in last if not any(says(q, name) for name in (scene.bot, *others))]
    return list(rules.understand(scene, [*named, *open_]).facts.values())[-rules.MOST_FACTS :]


def _asking(scene: Scene, told: list[str], lines: Lines, following: str | None) -> str:
    if following is None:
        return scene.join(told)
    asks = chatter.question(scene, [words for _, words in lines.all])
    called = scene.say(f"{following}, {asks[0].lower()}{asks[1:]}", f"{following}さん、{asks}")
    return f"{scene.join([*told, called])} [Next: {following}]"
