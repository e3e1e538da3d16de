"""Topics about the world: who is near, where we are, time and weather, animals and monsters."""

from __future__ import annotations

from collections import Counter
from re import Match

from bots.catalogue.counted import few, listed, mob_name
from bots.catalogue.japanese import mob_in
from bots.responder.case.wording import (
    MOST_PLAYERS,
    clock_time,
    dimension,
    part_of_day,
    place,
    seen_players,
)
from bots.responder.rules.scene import Scene, Topic, in_world
from bots.text.spelling import meant, twins
from bots.words.heard import heard
from bridge.world import MobSighting, PlayerSighting, WorldSnapshot


def _near(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    seen = seen_players(world)
    if not seen:
        return _nobody_in_sight(scene, world)
    names = [
        scene.tell("world.person", who=scene.who(player.name), away=scene.in_blocks(distance))
        for player, distance in seen[:MOST_PLAYERS]
    ]
    more = len(seen) - len(names)
    if more:
        names.append(scene.tell("world.more_people", n=more))
    return scene.tell("world.see", what=listed(names, scene.speaks))


def _nobody_in_sight(scene: Scene, world: WorldSnapshot) -> str:
    absent = len(world.players)
    if not absent:
        return scene.tell("world.nobody_here")
    return scene.tell("world.nobody_in_sight", n=absent)


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


COMPANY = (
    Topic("kana", heard("world.kana"), in_world(_in_kana)),
    Topic("whereabouts", heard("world.whereabouts"), in_world(_whereabouts)),
    Topic("company", heard("world.company"), in_world(_near)),
)


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


PLACE = (
    Topic("spawn", heard("world.spawn"), in_world(_spawn)),
    Topic("speaker", heard("world.speaker"), in_world(_speaker)),
    Topic("position", heard("world.position"), in_world(_position)),
)


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


SURROUNDINGS = (
    Topic("weather", heard("world.weather"), in_world(_weather)),
    Topic("time", heard("world.time"), in_world(_time)),
    Topic("world", heard("world.world"), in_world(_world)),
)


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


CREATURES = (Topic("creatures", heard("world.creatures"), in_world(_seen)),)
