"""What bots say to each other in a talk without a model: an answer, a question on its topic.

While people take part, bots do not make conversation of their own: `with_people` has what they say
then. Nothing is claimed but what the bot senses, and what it would like. Slots:
{topic}, {speaker} who spoke before, {carried} or {bare} hands, {day} or {night} with the time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from bots.responder.case.wording import clock_time, item_counts, items
from bots.responder.rules import answers
from bots.responder.rules.answers import remark
from bots.responder.rules.scene import Scene
from bots.responder.rules.topics import farewell, greeting
from bots.text.language import questions
from bots.text.printable import excerpt
from bots.words import fitting, table, variants
from bots.words.heard import calls, heard

LONGEST = 60  # characters of a topic that are repeated


class TopicWords:
    """One bot's words on the topic of a talk, which was given or is found in its lines."""

    def __init__(self, scene: Scene, topic: str, said: Sequence[str]) -> None:
        self._scene, self._said = scene, " ".join(said).casefold()
        self._last = said[-1].casefold() if said else ""
        self._is_given = bool(topic)
        if topic:
            words = excerpt(topic, LONGEST).strip(" .!?。！？")
            is_question = heard("talk.clause").match(topic.casefold())
            named = scene.tell("among.question" if is_question else "among.topic", words=words)
        else:
            ideas = variants("among.ideas", scene.speaks)
            known = [idea for idea in ideas if idea.casefold() in self._said]
            named = (known or [scene.rng.choice(ideas)])[0]
        self._slots = _slots(scene, named)
        self._asks, self._answers = (
            table(f"among.{one}", scene.speaks) for one in ("asks", "answers")
        )

    def statement(self) -> str:
        """The answer to what the last line asks that was not given yet; else a plain remark."""
        if not self._last:
            return self._scene.tell("among.given" if self._is_given else "among.own", **self._slots)
        asked = [
            one
            for one, asks in self._asks.items()
            if ((fitting(asks, self._slots) or "").casefold() in self._last)
        ]
        answers = (answer for one in asked for answer in self._answers[one])
        return next(self._fresh(answers), "") or remark(self._scene)

    def question(self) -> str | None:
        """A question that nobody has asked yet."""
        fresh = list(self._fresh(self._asks.values()))
        if not self._last:
            return fresh[0]
        return self._scene.rng.choice(fresh) if fresh else None

    def _fresh(self, patterns: Iterable[str]) -> Iterator[str]:
        said = (fitting(pattern, self._slots) for pattern in patterns)
        return (text for text in said if text and text.casefold() not in self._said)


def _slots(scene: Scene, topic: str) -> Mapping[str, str]:
    slots, world = {"topic": topic, "speaker": scene.speaker}, scene.world
    if world is None:
        return slots
    if carried := item_counts(world):
        slots["carried"] = items(carried, scene.language)
    else:
        slots["bare"] = scene.tell("among.bare")
    slots["day" if world.is_day else "night"] = clock_time(world.time_of_day)
    return slots


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the talk that a bot heard or said, oldest first: (speaker, words)."""

    all: tuple[tuple[str, str], ...]

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
    *,
    topic: str | None,
    goodbye: bool,
    taught: str = "",
) -> str:
    """The bot's words, with a tag naming the bot it asks.

    `scene.speaker` spoke last; `bots` are the other participants. Without a topic ('') one of
    their own is found; None: they ask each other how they are. `taught` is what the bot was told of
    what was said last."""
    if goodbye:
        return scene.join([answers.remark(scene), farewell(scene)])
    facts = _answers(scene, lines, bots)
    if taught and not any(taught in words for _, words in lines.all):
        facts = [*facts, taught]
    began = [] if any(speaker == scene.bot for speaker, _ in lines.all) else [greeting(scene)]
    said = [words for _, words in lines.all]
    if topic is None:
        asks: str | None = answers.question(scene, said)
        told = [*began, *(facts or [answers.remark(scene)])]
    else:
        of_topic = TopicWords(scene, topic, said)
        asks = of_topic.question()
        told = [*began, *(facts or [of_topic.statement()])]
    following = lines.quietest(bots)
    if following is None or asks is None:
        return scene.join(told)
    called = scene.tell("among.asking", who=following, asks=asks)
    return f"{scene.join([*told, called])} [Next: {following}]"


def _answers(scene: Scene, lines: Lines, others: Sequence[str]) -> list[str]:
    """Answers to questions that name this bot, and to those of the last line that name nobody."""
    heard = lines.since(scene.bot)
    named = [q for line in heard for q in questions(line) if calls(q, scene.bot)]
    last = [q for line in heard[-1:] for q in questions(line)]
    open_ = [q for q in last if not any(calls(q, name) for name in (scene.bot, *others))]
    return list(answers.understand(scene, [*named, *open_]).facts.values())[-answers.MOST_FACTS :]
