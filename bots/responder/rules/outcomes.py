"""Sentences about the outcome of commands, in the speaker's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bots.bot.areas import Named, Rule
from bots.bot.episode import Episode
from bots.bot.stage import StageInfo
from bots.catalogue.counted import thing
from bots.knowledge.episodes import EpisodeWords
from bots.responder.case.inbox import EventReport
from bots.responder.rules.requests import Request
from bots.responder.rules.scene import Scene
from bots.text.numbers import duration
from bots.words import Saying, filled, saying, table

AREAS_NAMED = 6
_RULES: tuple[Rule, ...] = ("forbid", "ask")
GOAL = "!goal"


def _stage(scene: Scene, stage: StageInfo) -> str:
    if scene.speaks == "en":
        return f"{stage}"
    steps, units = (table(f"own.{one}", scene.speaks) for one in ("steps", "unit"))
    number, unit = duration(stage.left_s or 0).split()
    left = scene.tell("own.left", n=number, unit=units[unit]) if stage.left_s else ""
    left = scene.tell("own.until_day") if stage.waits_for_day else left
    return scene.tell(
        "own.stage",
        of=stage.of,
        step=stage.step,
        what=thing(stage.target, scene.speaks),
        does=steps.get(stage.action, steps["other"]),
        left=left or scene.tell("own.soon"),
    )


def failure(
    scene: Scene,
    reason: str,
    message: str,
    done: Sequence[Episode] = (),
    lacking: Mapping[str, int] = MappingProxyType({}),
) -> str:
    """Why something was not done, what was missing, and what was done of it; English has the
    message."""
    if scene.speaks == "en":
        return message
    reasons = table("own.failure", scene.speaks)
    lacks = scene.say(saying("own.lacks", items=lacking)) if lacking else ""
    return scene.join([what_was_done(scene, done), reasons.get(reason, reasons["other"]), lacks])


def ended(scene: Scene, event: EventReport) -> str:
    """An event: of a job that ended, what it did, where its own words are for whoever typed the
    command."""
    if event.kind == "danger":
        return danger(scene, event)
    if event.kind == "proposal":
        return event.text
    if not event.success:
        return failure(scene, event.reason, event.text, event.done, event.lacking)
    done = what_came_of_it(scene, event.outcome, event.done)
    if event.about == GOAL or scene.speaks != "en":
        return done or scene.tell("outcome.ended")
    return event.text


def what_came_of_it(scene: Scene, outcome: Saying | None, done: Sequence[Episode]) -> str:
    return scene.say(outcome) or what_was_done(scene, done)


def what_was_done(scene: Scene, done: Sequence[Episode]) -> str:
    words = EpisodeWords(scene.speaks, scene.speaker)
    return scene.join(words.sentence(one) for one in done if one.count)


def danger(scene: Scene, event: EventReport) -> str:
    """That the bot was hurt while it worked for the speaker, and what they can say to that."""
    return scene.tell("outcome.danger", message=harm(scene, event))


def harm(scene: Scene, event: EventReport) -> str:
    """That the bot was hurt, or died."""
    if scene.speaks == "en":
        return event.text
    return what_came_of_it(scene, event.outcome, event.done)


def refusal(scene: Scene, advice: str) -> str:
    """For speakers who may not ask for this, with what would change that, if anything."""
    if advice:
        return scene.tell("outcome.refused_with_advice", who=scene.speaker, advice=advice)
    return scene.tell("outcome.refused", who=scene.speaker)


def stopped(scene: Scene) -> str:
    return scene.tell("order.stop.done")


def nothing_stopped(scene: Scene, others: bool) -> str:
    """`others`: something goes on that the speaker may not stop."""
    return scene.tell("closing.not_yours" if others else "closing.was_idle")


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
    places = scene.tell("list.quoted").join(named)
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
        return scene.tell("outcome.stage", stage=_stage(scene, stage))
    if own is not None and f"!{own.command}" == doing[0]:
        if own.doing is not None and (items := own.doing.slots.get("items")):
            return scene.say(saying("outcome.at_items", items=items))
        return scene.tell("outcome.asked", doing=scene.say(own.doing))
    known = table("outcome.doing", scene.speaks)
    at = doing[0].removeprefix("!").replace(" ", "_")
    return filled(known.get(at, known["other"]), {"what": doing[0]})
