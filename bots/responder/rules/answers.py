"""Answers without a model: true facts from the world, or an honest "I cannot tell".

These answers do not act and do not guess: if no topic understands a line, they say so. Requests
to do something are read by `bots.responder.rules.requests`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from bots.bot.jobs import Job
from bots.bot.result import Failure, Result, message_of
from bots.chat.message import Message
from bots.responder.case.case import Case
from bots.responder.case.wording import clock_time, item_counts, items, part_of_day, place
from bots.responder.main_tools import meant
from bots.responder.rules import phrases
from bots.responder.rules.outcomes import ended, failure, what_came_of_it
from bots.responder.rules.phrases import as_spelt
from bots.responder.rules.scene import Scene, Topic
from bots.responder.rules.topics import COMMANDING, MANNERS, TOPICS, farewell, greeting, is_farewell
from bots.text.language import clauses, in_hiragana, language_of, normal
from bots.text.language import questions as questions_in
from bots.text.spelling import expanded, nearest
from bots.words import variants
from bots.words.heard import Question, questions
from llm.engine.decision import Used, shortened
from llm.model import ToolCall

PAUSE_ENDS = timedelta(seconds=90)  # after a longer silence, the next line begins a new talk


@dataclass(frozen=True, slots=True)
class Talk:
    """Lines between a bot and another bot, oldest first."""

    lines: tuple[tuple[str, str], ...]
    """(speaker, words)"""

    @property
    def turns(self) -> int:
        return len(self.lines)

    def parted(self, speaker: str) -> bool:
        """Whether the last line of this speaker was a goodbye."""
        last = next((words for who, words in reversed(self.lines) if who == speaker), "")
        return is_farewell(normal(last))

    def is_over(self, bot: str, fellow: str) -> bool:
        """Both said goodbye: nothing is left to answer."""
        return self.parted(bot) and self.parted(fellow)


def talk_with(history: Sequence[Message], bot: str, fellow: str) -> Talk:
    """The talk of the newest lines; it began after a long silence or a person's line."""
    lines: list[tuple[str, str]] = []
    later: Message | None = None
    for message in reversed(history):
        if later is not None and later.heard_at - message.heard_at > PAUSE_ENDS:
            break
        if message.utterance.speaker not in (bot, fellow):
            break
        if message.text is not None and _between(message, bot, fellow):
            lines.append((message.utterance.speaker, message.text))
            later = message
    return Talk(tuple(reversed(lines)))


PLANNED_WITHIN = timedelta(minutes=10)


def lines_between(history: Sequence[Message], bot: str, person: str) -> list[tuple[str, str]]:
    """(speaker, words) of the last minutes between a bot and a person, oldest first."""
    since = history[-1].heard_at - PLANNED_WITHIN if history else None
    lines: list[tuple[str, str]] = []
    for message in history:
        said = message.utterance
        to_person = said.delivery is not None and said.delivery.meant_for(person)
        is_theirs = said.speaker == person or (said.speaker == bot and to_person)
        if message.text is not None and is_theirs and since and message.heard_at >= since:
            lines.append((said.speaker, message.text))
    return lines


def _between(message: Message, bot: str, fellow: str) -> bool:
    if message.utterance.kind != "conversation":
        return False
    if message.utterance.speaker == fellow:
        return True
    delivery = message.utterance.delivery
    return delivery is not None and delivery.meant_for(fellow)


MOST_FACTS = 3  # in one answer
SMALL_REST = 14  # characters beside a greeting that need no answer: a name, "my friend"


@dataclass(frozen=True, slots=True)
class Understood:
    """The topics' answers to some lines; each topic answers once."""

    facts: dict[str, str]
    manners: dict[str, str]
    rest: bool
    """Whether something was asked that no topic understood."""


def answer(scene: Scene, lines: Sequence[str]) -> str:
    """One answer to all pending lines of one speaker."""
    heard = understand(scene, lines)
    facts = list(heard.facts.values())[-MOST_FACTS:]
    if facts:
        return scene.join([*opening(heard), *facts])
    if is_unsure(heard):
        phrase = phrases.found(lines[-1], scene.bot, nearly=True)
        if phrase is None or not phrase.says:
            return scene.join([*opening(heard), unsure(scene)])
        said = scene.say_one_of(phrase.says, said=phrase.said, thing=phrase.thing)
        return scene.join([*opening(heard), said])
    return list(heard.manners.values())[-1]


def understand(scene: Scene, lines: Sequence[str]) -> Understood:
    facts, manners, rest = dict[str, str](), dict[str, str](), False
    players = scene.world.players if scene.world else ()
    names = {str(one.name).casefold() for one in players}
    for line in (expanded(line, names) for line in lines):
        known, unread = len(facts), 0
        for clause in clauses(line):
            found = _first_topic(scene, clause)
            if found is None:
                unread += len(clause)
                continue
            topic, said, beside = found
            (facts if topic.kind == "fact" else manners)[topic.name] = said
            unread += beside if topic.kind == "manners" else 0
        asks = "?" in normal(line) and not len(facts) > known
        rest = rest or asks or unread > SMALL_REST
    return Understood(facts, manners, rest)


def is_unsure(heard: Understood) -> bool:
    """Whether the answer is that nothing was understood."""
    return not heard.facts and (heard.rest or not heard.manners)


def is_plain(scene: Scene, line: str) -> bool:
    """Whether a line asks for a fact, or is good manners and nothing else."""
    heard = understand(scene, [line])
    if heard.facts:
        return knows(heard)
    words = re.sub(r"\W+", " ", normal(line)).strip()
    found = (topic.pattern.search(words) for topic in MANNERS)
    return any(one and one[0] == words for one in found)


def knows(heard: Understood) -> bool:
    """Whether there is a fact to tell, besides that a request was not understood."""
    return not {topic.name for topic in COMMANDING} >= set(heard.facts)


def unsure(scene: Scene) -> str:
    """What a friend says to a line of its kind; else why there is no better answer, and what can be
    asked; shorter the next times."""
    if scene.why == "no_model":
        at_last = questions("last_kinds", scene.speaks)
        kind = kind_of(scene, scene.said) or kind_of(scene, scene.said, at_last)
        if kind is not None:
            return kind.says(scene)
    if scene.is_again:
        return scene.tell("closing.unsure_again")
    is_off = scene.why == "no_model"
    why = scene.tell("closing.not_understood" if is_off else "closing.not_answering")
    return scene.join([why, scene.tell("closing.can")])


def opening(heard: Understood) -> list[str]:
    return [heard.manners["greeting"]] if "greeting" in heard.manners else []


def _first_topic(scene: Scene, clause: str) -> tuple[Topic, str, int] | None:
    """The topic that takes a clause, what it says, and how much of the clause it left."""
    for topic in TOPICS:
        asked = topic.pattern.search(clause)
        said = None if asked is None else topic.answer(scene, asked)
        if asked is not None and said is not None:
            return topic, said, len(clause) - len(asked[0])
    return None


TALKED_ENOUGH = 3  # lines after which the next, or the one after it, says goodbye


def chat(scene: Scene, lines: Sequence[str], talk: Talk) -> str:
    """The answer to another bot's pending lines; '' when the talk is over."""
    if talk.is_over(scene.bot, scene.speaker):
        return ""
    if talk.parted(scene.speaker):
        return farewell(scene)
    asked = [question for line in lines for question in questions_in(line)]
    facts = list(understand(scene, asked).facts.values())[-MOST_FACTS:]
    began = [greeting(scene)] if talk.turns <= 1 else []
    told = [*began, *(facts or [remark(scene)])]
    if talk.turns >= TALKED_ENOUGH + scene.rng.randint(0, 1):
        return scene.join([*told, scene.tell("chat.excuse"), farewell(scene)])
    return scene.join([*told, question(scene, [words for _, words in talk.lines])])


def remark(scene: Scene) -> str:
    """A true remark about this moment."""
    world = scene.world
    if world is None:
        return scene.tell("chat.blind")
    things = scene.tell("chat.nothing_yet")
    if carried := item_counts(world):
        things = scene.tell("chat.carried", things=items(carried, scene.language))
    return scene.tell(
        "chat.remark",
        part=part_of_day(world.time_of_day, scene.language),
        clock=clock_time(world.time_of_day),
        at=place(world.position),
        things=things,
    )


def question(scene: Scene, said: Sequence[str]) -> str:
    """A question that was not asked in this talk, of those that rules can answer."""
    words, asks = " ".join(said).casefold(), variants("chat.question", scene.speaks)
    return scene.rng.choice([one for one in asks if one.casefold() not in words] or asks)


LONGEST = 800  # characters of a report; a few chat lines of a new version


class PlainRules:
    """Answers without a model; never acts."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        turn, scene = case.turn, scene_of(case, why, self._rng)
        if turn.is_small_talk:
            talk = talk_with(case.history, case.bot, turn.speaker)
            return chat(scene, turn.lines, talk)
        told = [ended(scene, event) for event in turn.events]
        told += [said for one in used if (said := told_of(scene, one))]
        if not told:
            return answer(scene, turn.lines)
        return scene.join(_shortly(scene, told))


def _shortly(scene: Scene, told: Sequence[str]) -> Iterator[str]:
    """Each sentence once, as many as fit an answer, and how many more there are."""
    each, length = [shortened(one, LONGEST) for one in dict.fromkeys(told)], 0
    for number, sentence in enumerate(each):
        length += len(sentence) + 1
        if number and length > LONGEST:
            more = len(each) - number
            yield scene.tell("chat.more", n=more)
            return
        yield sentence


def scene_of(case: Case, why: str, rng: random.Random) -> Scene:
    """The scene of a case."""
    turn = case.turn
    # A decision without lines is in the language of the speaker's newest one.
    own = [m.text for m in case.history if m.utterance.speaker == turn.speaker and m.text]
    language = language_of(turn.lines or own[-1:])
    said, about = " ".join(turn.lines), case.persona.about
    return Scene(case.bot, turn.speaker, language, case.world, rng, about, why, said=said)


def told_of(scene: Scene, used: Used) -> str:
    """What came of a tool call, for people."""
    call = meant(ToolCall("", used.name, used.arguments))
    result, shown = used.outcome.result, call.name.replace("_", " ")
    if isinstance(result, Job):
        return scene.tell("chat.at_it", what=shown)
    if isinstance(result, Failure):
        return failure(scene, result.reason, result.message, result.episodes(), result.lacking)
    if scene.speaks != "en" and isinstance(result, Result):
        return what_came_of_it(scene, result.outcome, result.episodes()) or scene.tell(
            "outcome.ended"
        )
    if message := message_of(result):
        return message
    if used.outcome.failed or used.outcome.illegal:
        return scene.tell("chat.not_done", what=shown)
    return scene.tell("chat.done", what=shown)


# --- Lines of which no more is understood than their kind ----------------------------------------
# Somebody is sad, tells of a brother, makes plans, asks what nobody here knows. The kinds stand in
# `bots/words/`, the most urgent first.

_WORD = re.compile(r"[a-z]{6,}")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is known of a line."""

    name: str
    answers: tuple[str, ...]
    slots: Mapping[str, str]
    """What stood in the line, for the answers."""
    means: str
    """The request that is carried out instead where the bot may; '' for none."""

    def says(self, scene: Scene) -> str:
        return scene.say_one_of(self.answers, **self.slots)


def kind_of(scene: Scene, line: str, kinds: Sequence[Question] | None = None) -> Kind | None:
    """The kind of a line, of these or else of `heard.kinds`; None where not even that is plain."""
    said = in_hiragana(normal(line))
    if scene.speaks == "ja":
        said = said.replace(scene.bot.casefold(), "きみ")
    if scene.speaks == "en":
        words, asks = _words_of_kinds(), " ?" if said.endswith("?") else ""
        spelt = as_spelt(line, scene.bot, "en")
        said = _WORD.sub(lambda found: _mended(found[0], words), spelt) + asks
    for ways, row in questions("kinds", scene.speaks) if kinds is None else kinds:
        if found := ways.search(said):
            slots = found.groupdict("")
            return Kind(row["name"], tuple(row["says"]), slots, row.get("means", ""))
    return None


def _mended(word: str, known: frozenset[str]) -> str:
    if word in known or word in phrases.words("en"):
        return word
    return nearest(word, known) or word


@cache
def _words_of_kinds() -> frozenset[str]:
    """The words that kinds are known by."""
    ways = (way.pattern for way, _ in questions("kinds", "en"))
    return frozenset(word for way in ways for word in _WORD.findall(way))
