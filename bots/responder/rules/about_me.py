"""Topics about the bot: who it is, how it is, what it carries and can do, and its manners."""

from __future__ import annotations

from collections import Counter
from re import Match

from bots.catalogue.counted import item, thing
from bots.responder.case.wording import is_group, item_counts, items, meant_by
from bots.responder.rules.scene import Scene, Topic, in_world, plainly
from bots.text.language import language_of
from bots.words.heard import heard
from bridge.world import WorldSnapshot


def _identity(scene: Scene, asked: Match[str]) -> str:
    name = scene.tell("me.identity", bot=scene.bot)
    fits = scene.about and language_of([scene.about]) == scene.language
    return f"{name} {scene.about}" if fits else name


def _speaker(scene: Scene, asked: Match[str]) -> str:
    return scene.tell("me.speaker", who=scene.called)


IDENTITY = (
    Topic("speaker_name", heard("me.speaker_name"), _speaker),
    Topic("identity", heard("me.identity"), _identity),
)


WELL = 15  # half-hearts or food points from which a bot calls itself well


def _condition(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    mood = "hurt" if world.health < WELL else "hungry" if world.food < WELL else "fine"
    health, food = f"{world.health:.0f}", f"{world.food:.0f}"
    return scene.tell("me.condition", mood=scene.tell(f"me.mood.{mood}"), health=health, food=food)


CONDITION = (Topic("condition", heard("me.condition"), in_world(_condition)),)


def _inventory(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    carried = item_counts(world)
    if not carried:
        return scene.tell("me.carry_nothing")
    return scene.tell("me.have", things=items(carried, scene.speaks))


def _held(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.held is None:
        return scene.tell("me.hands_empty")
    held = item(world.held.name, world.held.count, scene.speaks)
    return scene.tell("me.hold", things=held)


def _thing(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    words = next(filter(None, asked.groupdict().values()), "").strip()
    carried = item_counts(world)
    found = Counter({name: carried[name] for name in meant_by(words, carried)})
    if found:
        return scene.tell("me.have", things=items(found, scene.speaks))
    if scene.things and not (scene.things.meant(words) or is_group(words)):
        return None
    return scene.tell(
        "me.have_none", what=thing(words, scene.speaks), rest=_inventory(scene, world, asked)
    )


BELONGINGS = (
    Topic("held", heard("me.held"), in_world(_held)),
    Topic("inventory", heard("me.inventory"), in_world(_inventory)),
    Topic("thing", heard("me.thing"), in_world(_thing)),
)


COMMANDING = (
    Topic("help", heard("me.help"), plainly("closing.help")),
    Topic("stop", heard("me.stop"), plainly("closing.how_to_stop")),
    Topic("request", heard("me.request"), plainly("closing.how_to_ask")),
)


def greeting(scene: Scene) -> str:
    """A hello to the speaker that fits the time of day when it is known."""
    name, day = scene.called, scene.world.is_day if scene.world else None
    if scene.away:
        return scene.tell("manners.back", away=scene.away, who=name)
    morning = scene.world is not None and scene.world.time_of_day < 5_000
    if morning and scene.rng.random() < 0.5:
        return scene.tell("manners.good_morning", who=name)
    if day is False and scene.rng.random() < 0.5:
        return scene.tell("manners.good_evening", who=name)
    return scene.tell("manners.greeting", who=name)


def farewell(scene: Scene) -> str:
    return scene.tell("manners.farewell", who=scene.called)


def is_farewell(normalised: str) -> bool:
    return heard("me.farewell").search(normalised) is not None


MANNERS = (
    Topic("farewell", heard("me.farewell"), lambda scene, _asked: farewell(scene), kind="manners"),
    Topic("greeting", heard("me.greeting"), lambda scene, _asked: greeting(scene), kind="manners"),
    Topic("thanks", heard("me.thanks"), plainly("manners.thanks"), kind="manners"),
    Topic("sorry", heard("me.sorry"), plainly("manners.sorry"), kind="manners"),
    Topic("praise", heard("me.praise"), plainly("manners.praise"), kind="manners"),
    Topic("nod", heard("me.nod"), plainly("manners.nod"), kind="manners"),
)
