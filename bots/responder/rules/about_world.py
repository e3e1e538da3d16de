"""Topics about the world: who is near, where we are, time and weather, animals and monsters."""

from __future__ import annotations

import re
from collections import Counter
from re import Match

from bots.catalogue.counted import few, listed, mob_name
from bots.catalogue.japanese import japanese_mob
from bots.responder.case.wording import (
    MOST_PLAYERS,
    clock_time,
    dimension,
    part_of_day,
    place,
    seen_players,
)
from bots.responder.rules.scene import Scene, Topic, in_world
from bots.text.spelling import meant
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
    return scene.tell("world.see", what=listed(names, scene.language))


def _nobody_in_sight(scene: Scene, world: WorldSnapshot) -> str:
    absent = len(world.players)
    if not absent:
        return scene.tell("world.nobody_here")
    return scene.tell("world.nobody_in_sight", n=absent)


def _whereabouts(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    name = next(filter(None, asked.groupdict().values()), "")
    if name == scene.bot.casefold():
        return None
    found = meant(name, [player.name for player in world.players], scene.said)
    player = next((p for p in world.players if p.name == found), None)
    if player is not None:
        return whereabouts_of(scene, world, player)
    english = asked["a"] or asked["d"]
    asks_where = english or (asked["e"] and "どこ" in asked.string)
    if not asks_where or name in _NO_NAMES or (asked.end() < len(asked.string) and english):
        return None
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


_NEAR = re.compile(
    r"\bwho(?:'s|s| is| are|'re| else is)? (?:near|nearby|around|here|close|with you|there|online)"
    r"|\b(?:anyone|anybody|someone|somebody) (?:else )?(?:near|nearby|around|here|there|online)"
    r"|\b(?:how many|any|which) (?:other )?(?:players|people|bots|friends)\b"
    r"|\b(?:who|what) (?:can|do) you see\b|\bnearby players\b|\bare you alone\b"
    r"|\bwhat(?:'s| is) (?:around|near) you"
    r"|(?:誰|だれ).{0,6}(?:いる|いま|居|近く|そば|見え)"
    r"|(?:近く|そば|まわり|周り|周囲).{0,8}(?:誰|だれ|人|プレイヤー|何が)"
    r"|何人|(?:ひとり|一人|1人)(?:です|なの|か|$)|何が見え"
)
_WHEREABOUTS = re.compile(
    r"\bwhere(?:'s|s| is) (?P<a>\w{1,16})\b|\b(?:do|can) you see (?P<b>\w{1,16})\b"
    r"|\bis (?P<c>\w{1,16}) (?:near|nearby|here|around|online|there|close)\b"
    r"|\bhow far(?: away)? is (?P<d>\w{1,16})\b"
    r"|(?P<e>[a-z0-9_]{2,16})\s?(?:さん|くん|君|ちゃん)?(?:って|は|が)?\s?(?:今|いま)?(?:どこ|いる|いま|居|見え|近く)"
)

_IN_KANA = re.compile(
    r"[ァ-ヶー]{2,}\s?(?:さん|くん|君|ちゃん)?(?:って|は)\s?(?:今|いま)?(?:どこ|ドコ)"
)
_NO_NAMES = frozenset(
    ["you", "u", "it", "he", "she", "that", "this", "the", "my", "your", "everyone", "spawn"]
)

COMPANY = (
    Topic("kana", _IN_KANA, in_world(_in_kana)),
    Topic("whereabouts", _WHEREABOUTS, in_world(_whereabouts)),
    Topic("company", _NEAR, in_world(_near)),
)


def _position(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    at, where = place(world.position), dimension(world.dimension, scene.language)
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


_POSITION = re.compile(
    r"\bwhere(?:'re| are| r|re)? (?:you|u|ya|we)\b|\byour (?:position|location|coord\w*|place)\b"
    r"|^(?:coords?|coordinates|position|location|where)$|\bwhere (?:do|did) you (?:live|stand)\b"
    r"|どこ|ドコ|何処|座標|位置|現在地|居場所|場所"
)
_SPEAKER = re.compile(
    r"\bwhere(?:'m| am|m) i\b|\bwhere i am\b|\bmy (?:position|location|coord\w*)\b"
    r"|\bhow (?:far|close|near)\b|\bdistance\b|\b(?:do|can) you see me\b"
    r"|(?:私|僕|俺|わたし|ぼく|おれ|自分).{0,3}(?:どこ|位置|場所|座標|見え)"
    r"|距離|何ブロック|離れて|遠い"
)
_SPAWN = re.compile(r"\bspawn\b|スポーン|初期地点|開始地点")

PLACE = (
    Topic("spawn", _SPAWN, in_world(_spawn)),
    Topic("speaker", _SPEAKER, in_world(_speaker)),
    Topic("position", _POSITION, in_world(_position)),
)


_WITHOUT_SKY = ("the_nether", "the_end")


def _time(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    part, clock = part_of_day(world.time_of_day, scene.language), clock_time(world.time_of_day)
    return scene.tell("world.time", part=part, clock=clock)


def _weather(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.dimension.removeprefix("minecraft:") in _WITHOUT_SKY:
        where = dimension(world.dimension, scene.language)
        return scene.tell("world.no_weather", where=where)
    return scene.tell(f"world.weather.{world.weather}")


def _world(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    where = dimension(world.dimension, scene.language)
    return scene.tell("world.version", where=where, version=world.version)


_TIME = re.compile(
    r"\bwhat time\b|\btime is it\b|\bwhat(?:'s|s| is) the time\b|\btime of (?:the )?day\b"
    r"|\bis it (?:still |already |getting )?(?:day|night|dark|morning|noon|evening|late|light)"
    r"|\bday or night\b|^time$"
    r"|何時|なんじ|時間|時刻|(?:今|いま)は?(?:朝|昼|夜|夕方)|(?:朝|昼|夜|夕方)(?:です|なの|かな|か|$)"
)
_WEATHER = re.compile(
    r"\bweather\b|\b(?:raining|rain|snowing|sunny|stormy|cloudy)\b|天気|雨|晴れ|雪が|雷|曇"
)
_WORLD = re.compile(
    r"\b(?:what|which) (?:world|dimension|version|server)\b|\b(?:dimension|version)\b"
    r"|ディメンション|バージョン|どの世界|何の世界"
)

SURROUNDINGS = (
    Topic("weather", _WEATHER, in_world(_weather)),
    Topic("time", _TIME, in_world(_time)),
    Topic("world", _WORLD, in_world(_world)),
)


_MONSTERS = ("monster", "モンスター", "敵")
_ANY = ("animal", "creature", "mob", "動物", "生き物", *_MONSTERS)
_COMMON = "pig|cow|sheep|chicken|horse|zombie|skeleton|spider|creeper"


def _seen(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    kind = next(filter(None, asked.groupdict().values()))
    found = Counter(mob.name for mob in world.mobs if _is_of(mob, kind))
    if not found:
        return scene.tell("world.see_none", what=mob_name(kind, scene.language))
    counts = [
        scene.tell("world.mobs", n=count, thing=mob_name(name, scene.language))
        for name, count in found.most_common()
    ]
    return scene.tell("world.see", what=few(counts, scene.language))


def _is_of(mob: MobSighting, kind: str) -> bool:
    if kind in _MONSTERS:
        return mob.hostile
    if kind in ("animal", "動物"):
        return not mob.hostile
    return kind in _ANY or kind in (mob.name, japanese_mob(mob.name))


_KIND = rf"(?:animal|creature|mob|monster|{_COMMON})"
_CREATURES = re.compile(
    rf"\b(?:is|are) there (?:an? |any |some )?(?P<a>{_KIND})s?\b(?! in\b)"
    rf"|\bhow many (?P<b>{_KIND})s? (?:are|can you see|do you see)\b"
    r"|\b(?:what|which) (?P<c>animal|creature|mob|monster)s? (?:are|can you see|do you see)\b"
    r"|\bwhat(?:'s|s| is) that (?P<d>animal|creature|mob|monster)\b"
    r"|(?P<e>動物|生き物|モンスター|敵)(?:は|が)?(?:何匹|どれくらい)?(?:い(?:る|ます|ない)|見え)"
)

CREATURES = (Topic("creatures", _CREATURES, in_world(_seen)),)
