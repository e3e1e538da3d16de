"""Answers without a model: true facts from the world, or an honest "I cannot tell".

These answers do not act and do not guess: if no topic understands a line, they say so. Requests
to do something are read by `bots.responder.rules.requests`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bots.responder.rules.topics import TOPICS
from bots.responder.rules.topics.scene import Scene, Topic
from bots.text.language import clauses, normal

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
        return scene.join([*_opening(heard), *facts])
    if is_unsure(heard):
        return scene.join([*_opening(heard), unsure(scene)])
    return list(heard.manners.values())[-1]


def understand(scene: Scene, lines: Sequence[str]) -> Understood:
    heard = Understood({}, {}, rest=False)
    for line in lines:
        heard = _with_line(scene, heard, line)
    return heard


def is_unsure(heard: Understood) -> bool:
    """Whether the answer is that nothing was understood."""
    return not heard.facts and (heard.rest or not heard.manners)


def unsure(scene: Scene) -> str:
    """Says why there is no better answer, and what can be asked; shorter the next times."""
    if scene.is_again:
        return scene.pick(_UNSURE_AGAIN, _UNSURE_AGAIN_JA)
    off = scene.why == "no_model"
    why = scene.say(
        "My language model is off" if off else "My language model is not answering right now",
        "言語モデルがオフなので" if off else "今は言語モデルが応答していないので",
    )
    return scene.say(
        f"{why}, so I did not understand that. You can say “follow me”, “get 10 oak logs” or "
        "“stop”, and ask where I am, what I carry, who is near or what time it is; "
        "whisper !help for commands.",
        f"{why}、それはわかりません。「ついてきて」「オークの原木を10個取って」「止まって」と頼めます。"
        "居場所、持ち物、近くの人、時刻も答えられます。コマンドは !help で見られます。",
    )


_UNSURE_AGAIN = (
    "I did not understand that. Try “where are you?” or “get 3 oak logs”.",
    "Sorry, that is beyond me. !help tells what I can do.",
    "I have no answer to that. You can ask what I see or carry, or say “follow me”.",
)
_UNSURE_AGAIN_JA = (
    "それはわかりません。「どこにいるの？」や「オークの原木を3個取って」ならわかります。",
    "ごめんなさい、わかりません。できることは !help で見られます。",
    "それには答えられません。見えるものや持ち物を聞くか、「ついてきて」と言ってください。",
)


def _opening(heard: Understood) -> list[str]:
    return [heard.manners["greeting"]] if "greeting" in heard.manners else []


def _with_line(scene: Scene, heard: Understood, line: str) -> Understood:
    facts, manners, unread = dict(heard.facts), dict(heard.manners), 0
    for clause in clauses(line):
        found = _first_topic(scene, clause)
        if found is None:
            unread += len(clause)
            continue
        topic, said, beside = found
        (facts if topic.kind == "fact" else manners)[topic.name] = said
        unread += beside if topic.kind == "manners" else 0
    asks = "?" in normal(line) and not len(facts) > len(heard.facts)
    return Understood(facts, manners, heard.rest or asks or unread > SMALL_REST)


def _first_topic(scene: Scene, clause: str) -> tuple[Topic, str, int] | None:
    """The topic that takes a clause, what it says, and how much of the clause it left."""
    for topic in TOPICS:
        asked = topic.pattern.search(clause)
        said = None if asked is None else topic.answer(scene, asked)
        if asked is not None and said is not None:
            return topic, said, len(clause) - len(asked[0])
    return None
