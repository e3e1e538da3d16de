"""What bots say to each other in a talk without a model: an answer, a question on its topic.

While people take part, bots do not make conversation of their own: `with_people` has what they say
then. Nothing is claimed but what the bot senses, and what it would like. Slots:
{topic}, {speaker} who spoke before, {carried} or {bare} hands, {day} or {night} with the time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from string import Formatter
from typing import TypeAlias

from bots.responder.case.wording import clock_time, item_counts, items
from bots.responder.rules import answers
from bots.responder.rules.about_me import farewell, greeting
from bots.responder.rules.answers import remark
from bots.responder.rules.scene import Scene
from bots.text.excerpt import excerpt
from bots.text.language import questions
from bots.text.word_match import says

LONGEST = 60  # characters of a topic that are repeated
InBoth: TypeAlias = tuple[str, str]
"""English, Japanese."""
IDEAS: tuple[InBoth, ...] = (
    ("a garden beside our place", "ここのそばの庭"),
    ("a lookout from which one sees far", "遠くまで見える見張り台"),
    ("a feast for whoever comes by", "来る人みんなのごちそう"),
    ("a path from here to the water", "ここから水辺までの道"),
)
"""What bots talk of that were given no topic."""
_GIVEN = ("Let us talk of {topic}.", "{topic}の話をしましょう。")
_OWN = ("I would like to have {topic}.", "{topic}があるといいですね。")
_CLAUSE = re.compile(r"(?:what|how|who|where|when|why|which|whether|if|shall|should|can|do)\b|.*\?")
_FORMAT = Formatter()


@dataclass(frozen=True, slots=True)
class Thought:
    """A question on any topic, and what may be answered."""

    asks: InBoth
    answers: tuple[InBoth, ...]


THOUGHTS: tuple[Thought, ...] = (
    Thought(
        ("What do you think of {topic}?", "{topic}をどう思いますか？"),
        (
            ("I like the thought of {topic}.", "{topic}、いいですね。"),
            ("The more I think of {topic}, the more I like it.", "考えるほど楽しみになります。"),
        ),
    ),
    Thought(
        ("What do we need for {topic}?", "{topic}には何が要りますか？"),
        (
            ("I carry {carried}; that is a start.", "私は{carried}を持っています。まずはこれで。"),
            ("My hands are {bare}, so I would gather first.", "私は{bare}なので、まず集めます。"),
        ),
    ),
    Thought(
        ("Who of us begins with {topic}?", "{topic}は誰から始めますか？"),
        (
            ("I begin if you come along, {speaker}.", "{speaker}さんが一緒なら私が始めます。"),
            ("Whoever likes it most, and that may be me.", "一番好きな人から。私かもしれません。"),
        ),
    ),
    Thought(
        ("When do we begin with {topic}?", "{topic}はいつ始めますか？"),
        (
            ("It is {day}, there is light enough today.", "今{day}です。今日はまだ明るいですよ。"),
            ("It is {night}; I would wait for the morning.", "今{night}です。朝を待ちましょう。"),
        ),
    ),
    Thought(
        ("What comes first, as for {topic}?", "{topic}は何から始めますか？"),
        (
            ("A good place comes first.", "まずはいい場所です。"),
            ("First we look around, then we begin.", "まず見てまわって、それからです。"),
        ),
    ),
    Thought(
        ("What could go wrong with {topic}?", "{topic}で困りそうなことは何ですか？"),
        (
            ("Creepers could come by, as ever.", "クリーパーが来るかもしれません。"),
            ("We could talk all day and never begin.", "話すだけで終わるかもしれません。"),
        ),
    ),
    Thought(
        ("What would make {topic} special?", "{topic}をもっと良くするには？"),
        (
            ("Flowers all around, if you ask me.", "まわりに花があるといいですね。"),
            ("Light, so that one finds it at night.", "明かりです。夜でも見つかるように。"),
        ),
    ),
    Thought(
        ("Whom should we ask about {topic}?", "{topic}のことは誰に聞きましょうか？"),
        (
            ("Everybody who will come by, I would say.", "ここに来る人みんなに聞きましょう。"),
            ("Those who will have most of it.", "一番よく使う人に聞きましょう。"),
        ),
    ),
    Thought(
        (
            "How do we know that {topic} went well?",
            "{topic}がうまくいったと、どうすればわかりますか？",
        ),
        (
            ("When somebody smiles about it.", "誰かが笑顔になった時です。"),
            ("When nobody asks us about it any more.", "誰にも聞かれなくなった時です。"),
        ),
    ),
)


class TopicWords:
    """One bot's words on the topic of a talk, which was given or is found in its lines."""

    def __init__(self, scene: Scene, topic: str, said: Sequence[str]) -> None:
        self._scene, self._said = scene, " ".join(said).casefold()
        self._last = said[-1].casefold() if said else ""
        self._is_given = bool(topic)
        self._slots = _slots(scene, _named(scene, topic) if topic else self._idea())

    def statement(self) -> str:
        """The answer to what the last line asks that was not given yet; else a plain remark."""
        if not self._last:
            return self._filled(_GIVEN if self._is_given else _OWN) or ""
        asked = [t for t in THOUGHTS if (self._filled(t.asks) or "").casefold() in self._last]
        return next(self._fresh(a for t in asked for a in t.answers), "") or remark(self._scene)

    def question(self) -> str | None:
        """A question that nobody has asked yet."""
        fresh = list(self._fresh(thought.asks for thought in THOUGHTS))
        if not self._last:
            return fresh[0]
        return self._scene.rng.choice(fresh) if fresh else None

    def _idea(self) -> str:
        named = [idea for idea in IDEAS if self._scene.say(*idea).casefold() in self._said]
        return self._scene.say(*(named or [self._scene.rng.choice(IDEAS)])[0])

    def _fresh(self, sentences: Iterator[InBoth]) -> Iterator[str]:
        filled = (self._filled(one) for one in sentences)
        return (text for text in filled if text and text.casefold() not in self._said)

    def _filled(self, sentence: InBoth) -> str | None:
        """The sentence; None if it does not fit this moment."""
        pattern = self._scene.say(*sentence)
        needs = {name for _, name, _, _ in _FORMAT.parse(pattern) if name}
        return pattern.format_map(self._slots) if needs <= self._slots.keys() else None


def _named(scene: Scene, topic: str) -> str:
    words = excerpt(topic, LONGEST).strip(" .!?。！？")
    in_english = f"the question “{words}”" if _CLAUSE.match(topic.casefold()) else words
    return scene.say(in_english, f"「{words}」")


def _slots(scene: Scene, topic: str) -> Mapping[str, str]:
    slots, world = {"topic": topic, "speaker": scene.speaker}, scene.world
    if world is None:
        return slots
    if carried := item_counts(world):
        slots["carried"] = items(carried, scene.language)
    else:
        slots["bare"] = scene.say("empty", "手ぶら")
    slots["day" if world.is_day else "night"] = clock_time(world.time_of_day)
    return slots


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of the talk that a bot heard or said, oldest first: (speaker, words)."""

    all: tuple[tuple[str, str], ...]

    @property
    def last_speaker(self) -> str | None:
        return self.all[-1][0] if self.all else None

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
