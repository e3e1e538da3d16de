"""Sentences about the outcome of commands, in the speaker's language."""

from __future__ import annotations

from collections.abc import Sequence

from bots.bot.areas import Named, Rule
from bots.bot.episode import Episode
from bots.bot.stage import StageInfo
from bots.catalogue.counted import told
from bots.catalogue.japanese import japanese_name
from bots.knowledge.episodes import EpisodeWords
from bots.responder.case.inbox import EventReport
from bots.responder.rules.phrases.foreign import why_not
from bots.responder.rules.requests import Request
from bots.responder.rules.scene import Scene
from bots.text.closing import Closing
from bots.text.numbers import duration
from bots.words import Saying, filled, sentence, table

AREAS_NAMED = 6
_RULES: tuple[Rule, ...] = ("forbid", "ask")
GOAL = "!goal"


def _stage_ja(stage: StageInfo) -> str:
    does = table("own.steps", "ja").get(stage.action) or sentence("own.step", "ja")
    number, unit = duration(stage.left_s or 0).split()
    time = f"{number}{sentence(f'own.unit.{unit}', 'ja')}"
    left = sentence("own.left", "ja", left=time) if stage.left_s else sentence("own.soon", "ja")
    what = japanese_name(stage.target)
    return sentence(
        "own.stage", "ja", of=stage.of, step=stage.step, what=what, does=does, left=left
    )


def failure(scene: Scene, reason: str, message: str, done: Sequence[Episode] = ()) -> str:
    """Why something was not done, and what was done of it."""
    if scene.tongue:
        return what_was_done(scene, done) + why_not(scene.tongue, reason)
    if scene.language == "en":
        return message
    known: str | None = table("own.failure", scene.language).get(reason)
    why = known or sentence("own.failed", scene.language, message=message)
    return scene.join([what_was_done(scene, done), why])


def ended(scene: Scene, event: EventReport) -> str:
    """The end of a job: what it did, where its own words are for whoever typed the command."""
    if not event.success:
        return failure(scene, event.reason, event.text, event.done)
    done = what_came_of_it(scene, event.outcome, event.done)
    if event.about == GOAL or (done and scene.language != "en"):
        return done or scene.tell("outcome.ended")
    return event.text if scene.language == "en" else scene.tell("outcome.ended")


def what_came_of_it(scene: Scene, outcome: Saying | None, done: Sequence[Episode]) -> str:
    return told(outcome, scene.speaks) if outcome else what_was_done(scene, done)


def what_was_done(scene: Scene, done: Sequence[Episode]) -> str:
    words = EpisodeWords(scene.speaks, scene.speaker)
    return scene.join(words.sentence(one) for one in done if one.count)


def danger(scene: Scene, text: str) -> str:
    """That the bot was hurt while it worked for the speaker, and what they can say to that."""
    if scene.language == "ja" and scene.world is not None:
        text = sentence("own.health", "ja", health=f"{scene.world.health:.0f}")
    elif scene.language == "ja":
        text = ""
    return scene.tell("outcome.danger", message=text)


def refusal(scene: Scene, advice: str) -> str:
    """For speakers who may not ask for this, with what would change that, if anything."""
    if advice:
        return scene.tell("outcome.refused_with_advice", who=scene.speaker, advice=advice)
    return scene.tell("outcome.refused", who=scene.speaker)


def stopped(scene: Scene) -> str:
    return scene.tell("outcome.stopped")


def nothing_stopped(scene: Scene, others: bool) -> str:
    """`others`: something goes on that the speaker may not stop."""
    return scene.say(*(NOT_YOURS if others else WAS_IDLE))


NOT_YOURS: Closing = (
    "Somebody else asked me for that; they or a trusted player may stop it.",
    "ほかの人に頼まれたことなので、その人か信頼された人でないと止められません。",
)
WAS_IDLE: Closing = ("I was doing nothing.", "何もしていませんでした。")


def left_alone(scene: Scene, areas: Sequence[Named]) -> str:
    """What the bot may not touch."""
    told = [_left_by(scene, areas, rule) for rule in _RULES]
    if not any(told):
        told = [scene.tell("outcome.nothing_left_alone")]
    return scene.join([*told, scene.tell("outcome.buildings_left_alone")])


def _left_by(scene: Scene, areas: Sequence[Named], rule: Rule) -> str:
    names = [area.name for area in areas if area.rule == rule]
    if not names:
        return ""
    more = len(names) - AREAS_NAMED
    named = [scene.tell("outcome.place", place=name) for name in names[:AREAS_NAMED]]
    places = (", " if scene.language == "en" else "").join(named)
    if more > 0:
        places = scene.tell("outcome.places", places=places, more=more)
    return scene.tell(f"outcome.left.{rule}", where=places)


def what_it_does(
    scene: Scene,
    doing: Sequence[str],
    own: Request | None,
    stage: StageInfo | None,
    lately: str | None,
) -> str:
    """What the bot is doing; `own` is the request of the speaker that is under way, `stage` the
    step of a goal that it is at, `lately` what it did of its own accord."""
    if not doing and lately is not None:
        return scene.tell("outcome.lately", lately=lately)
    if not doing:
        return scene.tell("outcome.idle")
    if stage is not None:
        told = _stage_ja(stage) if scene.language == "ja" else f"{stage}"
        return scene.tell("outcome.stage", stage=told)
    if own is not None and f"!{own.command}" == doing[0]:
        return scene.tell("outcome.asked", doing=scene.say(*own.doing))
    known = table("outcome.doing", scene.speaks)
    at = doing[0].removeprefix("!").replace(" ", "_")
    return filled(known.get(at, known["other"]), {"what": doing[0]})
