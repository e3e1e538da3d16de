"""Topics that rules can answer about: the world, who is near, the bot itself, and its manners."""

from __future__ import annotations

from collections import Counter
from re import Match

from bots.catalogue.counted import few, item, listed, mob_name, thing
from bots.catalogue.japanese import mob_in
from bots.responder.case.wording import (
    MOST_PLAYERS,
    clock_time,
    dimension,
    is_group,
    item_counts,
    items,
    meant_by,
    part_of_day,
    place,
    seen_players,
)
from bots.responder.rules.scene import Scene, Topic, in_world, plainly
from bots.text.language import language_of
from bots.text.spelling import meant, twins
from bots.words.heard import heard
from bridge.world import MobSighting, PlayerSighting, WorldSnapshot


def _near(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    seen = seen_players(world)
    if not seen:
        absent = len(world.players)
        if not absent:
            return scene.tell("world.nobody_here")
        return scene.tell("world.nobody_in_sight", n=absent)
    names = [
        scene.tell("world.person", who=scene.who(player.name), away=scene.in_blocks(distance))
        for player, distance in seen[:MOST_PLAYERS]
    ]
    more = len(seen) - len(names)
    if more:
        names.append(scene.tell("world.more_people", n=more))
    return scene.tell("world.see", what=listed(names, scene.speaks))


def _whereabouts(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    name = next(filter(None, asked.groupdict().values()), "")
    names = list(dict.fromkeys((scene.bot, *(str(player.name) for player in world.players))))
    found = meant(name, names, scene.said)
    if found == scene.bot:
        return None
    player = next((p for p in world.players if p.name == found), None)
    if player is not None:
        return whereabouts_of(scene, world, player)
    english = asked["a"] or asked["d"]
    asks_where = english or (asked["e"] and "どこ" in asked.string)
    is_name = not heard("world.no_name").fullmatch(name)
    if not asks_where or not is_name or (asked.end() < len(asked.string) and english):
        return None
    if alike := twins(name, names):
        return scene.tell("world.twins", both=listed(alike, scene.speaks))
    return scene.tell("world.no_such_person", who=name)


def _in_kana(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    """A name in kana may be anybody's, even the bot's own, so tell of everybody."""
    near = _near(scene, world, asked)
    return scene.tell("own.said.at", at=place(world.position), near=near)


def whereabouts_of(scene: Scene, world: WorldSnapshot, player: PlayerSighting) -> str:
    """Where a listed player is, as far as the bot sees."""
    is_you, distance = player.name == scene.speaker, world.distance_to(player)
    if player.position is None or distance is None:
        if is_you:
            return scene.tell("world.you_out_of_sight")
        return scene.tell("world.out_of_sight", who=player.name)
    at, away = place(player.position), scene.in_blocks(distance)
    if is_you:
        return scene.tell("world.you_at", at=at, away=away)
    return scene.tell("world.person_at", who=player.name, at=at, away=away)


def _position(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    at, where = place(world.position), dimension(world.dimension, scene.speaks)
    speaker = world.player(scene.speaker)
    distance = None if speaker is None else world.distance_to(speaker)
    if distance is None:
        return scene.tell("world.here", at=at, where=where)
    return scene.tell("world.here_from_you", at=at, where=where, away=scene.in_blocks(distance))


def _speaker(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    speaker = world.player(scene.speaker)
    if speaker is None:
        return scene.tell("world.you_not_here")
    return whereabouts_of(scene, world, speaker)


def _spawn(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    away = scene.in_blocks(world.position.distance_to(world.spawn_point))
    return scene.tell("world.spawn", at=place(world.spawn_point), away=away)


_WITHOUT_SKY = ("the_nether", "the_end")


def _time(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    part, clock = part_of_day(world.time_of_day, scene.speaks), clock_time(world.time_of_day)
    return scene.tell("world.time", part=part, clock=clock)


def _weather(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.dimension.removeprefix("minecraft:") in _WITHOUT_SKY:
        where = dimension(world.dimension, scene.speaks)
        return scene.tell("world.no_weather", where=where)
    return scene.tell(f"world.weather.{world.weather}")


def _world(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    where = dimension(world.dimension, scene.speaks)
    return scene.tell("world.version", where=where, version=world.version)


def _seen(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    kind = next(filter(None, asked.groupdict().values()))
    found = Counter(mob.name for mob in world.mobs if _is_of(mob, kind))
    if not found:
        return scene.tell("world.see_none", what=mob_name(kind, scene.speaks))
    counts = [
        scene.tell("world.mobs", n=count, thing=mob_name(name, scene.speaks))
        for name, count in found.most_common()
    ]
    return scene.tell("world.see", what=few(counts, scene.speaks))


def _is_of(mob: MobSighting, kind: str) -> bool:
    if heard("world.monster").fullmatch(kind):
        return mob.hostile
    if heard("world.animal").fullmatch(kind):
        return not mob.hostile
    is_any = heard("world.any_kind").fullmatch(kind) is not None
    return is_any or kind in (mob.name, mob_in("ja", mob.name))


WELL = 15  # half-hearts or food points from which a bot calls itself well


def _condition(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    mood = "hurt" if world.health < WELL else "hungry" if world.food < WELL else "fine"
    health, food = f"{world.health:.0f}", f"{world.food:.0f}"
    return scene.tell("me.condition", mood=scene.tell(f"me.mood.{mood}"), health=health, food=food)


def _identity(scene: Scene, asked: Match[str]) -> str:
    name = scene.tell("me.identity", bot=scene.bot)
    fits = scene.about and language_of([scene.about]) == scene.language
    return f"{name} {scene.about}" if fits else name


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


COMMANDING = (
    Topic("help", heard("me.help"), plainly("closing.help")),
    Topic("stop", heard("me.stop"), plainly("closing.how_to_stop")),
    Topic("request", heard("me.request"), plainly("closing.how_to_ask")),
)
MANNERS = (
    Topic("farewell", heard("me.farewell"), lambda scene, _asked: farewell(scene), kind="manners"),
    Topic("greeting", heard("me.greeting"), lambda scene, _asked: greeting(scene), kind="manners"),
    Topic("thanks", heard("me.thanks"), plainly("manners.thanks"), kind="manners"),
    Topic("sorry", heard("me.sorry"), plainly("manners.sorry"), kind="manners"),
    Topic("praise", heard("me.praise"), plainly("manners.praise"), kind="manners"),
    Topic("nod", heard("me.nod"), plainly("manners.nod"), kind="manners"),
)
TOPICS: tuple[Topic, ...] = (
    Topic("kana", heard("world.kana"), in_world(_in_kana)),
    Topic("whereabouts", heard("world.whereabouts"), in_world(_whereabouts)),
    Topic("company", heard("world.company"), in_world(_near)),
    Topic("spawn", heard("world.spawn"), in_world(_spawn)),
    Topic("speaker", heard("world.speaker"), in_world(_speaker)),
    Topic("position", heard("world.position"), in_world(_position)),
    Topic("held", heard("me.held"), in_world(_held)),
    Topic("inventory", heard("me.inventory"), in_world(_inventory)),
    Topic("thing", heard("me.thing"), in_world(_thing)),
    Topic("condition", heard("me.condition"), in_world(_condition)),
    Topic("weather", heard("world.weather"), in_world(_weather)),
    Topic("time", heard("world.time"), in_world(_time)),
    Topic("world", heard("world.world"), in_world(_world)),
    Topic("creatures", heard("world.creatures"), in_world(_seen)),
    Topic(
        "speaker_name",
        heard("me.speaker_name"),
        lambda scene, _asked: scene.tell("me.speaker", who=scene.called),
    ),
    Topic("identity", heard("me.identity"), _identity),
    *COMMANDING,
    *MANNERS,
)
