"""Rules that only talk: they answer questions, and tell of events and tool calls."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from bots.bot.jobs import Job
from bots.bot.result import message_of
from bots.responder.case.case import Case
from bots.responder.rules import answers as rules
from bots.responder.rules import small_talk as chatter
from bots.responder.rules.dialogue import talk_with
from bots.responder.rules.topics.scene import Scene
from bots.responder.tools.main_tools import meant
from bots.text.language import language_of
from llm.engine.decision import Used
from llm.engine.sentences import shortened
from llm.model import ToolCall

LONGEST = 800  # characters of a report; a few chat lines of a new version


class PlainRules:
    """Answers without a model; never acts."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    async def decide(self, case: Case, why: str, used: Sequence[Used]) -> str:
        turn, scene = case.turn, scene_of(case, why, self._rng)
        if turn.is_small_talk:
            talk = talk_with(case.history, case.bot, turn.speaker)
            return chatter.chat(scene, turn.lines, talk)
        told = [event.text for event in turn.events]
        told += [said for one in used if (said := told_of(scene, one))]
        if not told:
            return rules.answer(scene, turn.lines)
        return scene.join(_shortly(scene, told))


def _shortly(scene: Scene, told: Sequence[str]) -> Iterator[str]:
    """Each sentence once, as many as fit an answer, and how many more there are."""
    each, length = [shortened(one, LONGEST) for one in dict.fromkeys(told)], 0
    for number, sentence in enumerate(each):
        length += len(sentence) + 1
        if number and length > LONGEST:
            more = len(each) - number
            yield scene.say(f"And {more} more.", f"ほかに{more}件あります。")
            return
        yield sentence


def scene_of(case: Case, why: str, rng: random.Random) -> Scene:
    """The scene of a case."""
    turn = case.turn
    language = language_of(turn.lines or _last_lines(case))
    return Scene(case.bot, turn.speaker, language, case.world, rng, case.persona.about, why)


def told_of(scene: Scene, used: Used) -> str:
    """What came of a tool call, for people."""
    call = meant(ToolCall("", used.name, used.arguments))
    result, shown = used.outcome.result, call.name.replace("_", " ")
    if isinstance(result, Job):
        return scene.say(f"I am at it: {shown}.", f"取りかかっています: {shown}。")
    if message := message_of(result):
        return message
    if used.outcome.failed or used.outcome.illegal:
        return scene.say(f"I could not do that: {shown}.", f"できませんでした: {shown}。")
    return scene.say(f"Done: {shown}.", f"できました: {shown}。")


def _last_lines(case: Case) -> list[str]:
    """The speaker's newest line, for the language of a decision without lines."""
    said = [m.text for m in case.history if m.utterance.speaker == case.turn.speaker and m.text]
    return said[-1:]
