"""What a bot says in a talk without a model: an answer, a remark, a question on its topic.

People come first: their lines are answered as outside of talks, and while people take part, bots
do not make conversation of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile

from bots.responder.rules import answers
from bots.responder.rules.about_me import farewell, greeting
from bots.responder.rules.scene import Scene
from bots.talks.live.topic_words import TopicWords
from bots.text.language import questions
from bots.text.word_match import says


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the talk that a bot heard or said, oldest first: (speaker, words)."""

    all: tuple[tuple[str, str], ...]

    @property
    def last_speaker(self) -> str | None:
        return self.all[-1][0] if self.all else None

    def last_of(self, speaker: str | None) -> list[str]:
        """The last lines, if this speaker said them, oldest first."""
        row = takewhile(lambda line: line[0] == speaker, reversed(self.all))
        return [words for _speaker, words in row][::-1]

    def since(self, bot: str) -> list[str]:
        """The lines of others since this bot's last one."""
        heard = takewhile(lambda line: line[0] != bot, reversed(self.all))
        return [words for _speaker, words in heard][::-1]

    def quietest(self, names: Sequence[str]) -> str | None:
        """The one who has been silent longest; whoever said nothing yet comes first."""
        last = {speaker: place for place, (speaker, _words) in enumerate(self.all)}
        return min(names, key=lambda name: last.get(name, -1), default=None)


def say(
    scene: Scene,
    lines: Lines,
    bots: Sequence[str],
    people: Sequence[str] = (),
    *,
    topic: str | None,
    goodbye: bool,
) -> str:
    """The bot's words, with a tag naming the bot it asks; '' when it has nothing to say.

    `scene.speaker` spoke last; `bots` and `people` are the other participants. Without a topic
    ('') one of their own is found; None: they ask each other how they are."""
    if goodbye:
        return scene.join([answers.remark(scene), farewell(scene)])
    if lines.last_speaker in people:
        return answers.answer(scene, lines.last_of(lines.last_speaker))
    facts = _answers(scene, lines, [*bots, *people])
    if people:
        return scene.join(facts)
    began = [] if any(speaker == scene.bot for speaker, _ in lines.all) else [greeting(scene)]
    said = [words for _, words in lines.all]
    if topic is None:
        asks: str | None = answers.question(scene, said)
        told = [*began, *(facts or [answers.remark(scene)])]
    else:
        of_topic = TopicWords(scene, topic, said)
        asks = of_topic.question()
        told = [*began, *(facts or [of_topic.statement()])]
    return _asking(scene, told, asks, lines.quietest(bots))


def _answers(scene: Scene, lines: Lines, others: Sequence[str]) -> list[str]:
    """Answers to questions that name this bot, and to those of the last line that name nobody."""
    heard = lines.since(scene.bot)
    named = [q for line in heard for q in questions(line) if says(q, scene.bot)]
    last = [q for line in heard[-1:] for q in questions(line)]
    open_ = [q for q in last if not any(says(q, name) for name in (scene.bot, *others))]
    return list(answers.understand(scene, [*named, *open_]).facts.values())[-answers.MOST_FACTS :]


def _asking(scene: Scene, told: list[str], asks: str | None, following: str | None) -> str:
    if following is None or asks is None:
        return scene.join(told)
    called = scene.say(f"{following}, {asks[0].lower()}{asks[1:]}", f"{following}さん、{asks}")
    return f"{scene.join([*told, called])} [Next: {following}]"
