"""Small talk by rules: a greeting, a true remark, a question, and a goodbye in time."""

from __future__ import annotations

from collections.abc import Sequence

from bots.responder.case.wording import clock_time, item_counts, items, part_of_day, place
from bots.responder.rules.answers import MOST_FACTS, understand
from bots.responder.rules.dialogue import Talk
from bots.responder.rules.topics.manners import farewell, greeting
from bots.responder.rules.topics.scene import Scene
from bots.text.language import questions

TALKED_ENOUGH = 3  # lines after which the next, or the one after it, says goodbye

_QUESTIONS: dict[str, tuple[str, str]] = {
    "inventory": ("What do you have with you?", "何を持っていますか？"),
    "position": ("Where are you?", "どこにいますか？"),
    "condition": ("How are you?", "元気ですか？"),
    "company": ("Who is near you?", "近くに誰がいますか？"),
}
"""By the topic whose rules can answer it."""


def chat(scene: Scene, lines: Sequence[str], talk: Talk) -> str:
    """The answer to another bot's pending lines; '' when the talk is over."""
    if talk.is_over(scene.bot, scene.speaker):
        return ""
    if talk.parted(scene.speaker):
        return farewell(scene)
    asked = [question for line in lines for question in questions(line)]
    facts = list(understand(scene, asked).facts.values())[-MOST_FACTS:]
    began = [greeting(scene)] if talk.turns <= 1 else []
    told = [*began, *(facts or [remark(scene)])]
    if talk.turns >= TALKED_ENOUGH + scene.rng.randint(0, 1):
        return scene.join([*told, _excuse(scene), farewell(scene)])
    return scene.join([*told, question(scene, [words for _, words in talk.lines])])


def remark(scene: Scene) -> str:
    """A true remark about this moment."""
    world = scene.world
    if world is None:
        return scene.say("I cannot see much just now.", "今はまわりがよく見えません。")
    part, clock = part_of_day(world.time_of_day, scene.language), clock_time(world.time_of_day)
    at, carried = place(world.position), item_counts(world)
    have = items(carried, scene.language) if carried else scene.say("nothing yet", "まだ何も")
    return scene.pick(
        (f"It is {part}, {clock}.", f"I am over at {at}.", f"I carry {have}."),
        (
            f"今は{part}、{clock}ですね。",
            f"私は {at} にいます。",
            f"持ち物は{have}{'です' if carried else 'ありません'}。",
        ),
    )


def question(scene: Scene, said: Sequence[str]) -> str:
    """A question that was not asked in this talk."""
    words = " ".join(said).casefold()
    fresh = [q for q in _QUESTIONS.values() if q[0].casefold() not in words and q[1] not in words]
    return scene.say(*scene.rng.choice(fresh or list(_QUESTIONS.values())))


def _excuse(scene: Scene) -> str:
    return scene.pick(
        ("I should get on.", "I will look around a little.", "Good to talk."),
        ("そろそろ行きますね。", "少し見てまわります。", "話せてよかったです。"),
    )
