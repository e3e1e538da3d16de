"""Which animals and monsters are in view, and how many."""

from __future__ import annotations

import re
from collections import Counter
from re import Match

from bots.catalogue.counted import few, thing
from bots.catalogue.japanese import japanese_mob
from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bots.text.plurals import counted, plural
from bridge.world import MobSighting, WorldSnapshot

_MONSTERS = ("monster", "モンスター", "敵")
_ANY = ("animal", "creature", "mob", "動物", "生き物", *_MONSTERS)
_COMMON = "pig|cow|sheep|chicken|horse|zombie|skeleton|spider|creeper"


def _seen(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    kind = next(filter(None, asked.groupdict().values()))
    found = Counter(mob.name for mob in world.mobs if _is_of(mob, kind))
    if not found:
        return scene.say(
            f"I see no {plural(kind)} from here.", f"ここから{_in_japanese(kind)}は見えません。"
        )
    counts = [_counted(scene, name, count) for name, count in found.most_common()]
    told = few(counts, scene.language)
    return scene.say(f"I see {told}.", f"見えるのは{told}です。")


def _is_of(mob: MobSighting, kind: str) -> bool:
    if kind in _MONSTERS:
        return mob.hostile
    if kind in ("animal", "動物"):
        return not mob.hostile
    return kind in _ANY or kind in (mob.name, japanese_mob(mob.name))


def _in_japanese(kind: str) -> str:
    return kind if not kind.isascii() else japanese_mob(kind)


def _counted(scene: Scene, name: str, count: int) -> str:
    return scene.say(counted(count, thing(name, "en")), f"{japanese_mob(name)}{count}匹")


_KIND = rf"(?:animal|creature|mob|monster|{_COMMON})"
_CREATURES = re.compile(
    rf"\b(?:is|are) there (?:an? |any |some )?(?P<a>{_KIND})s?\b(?! in\b)"
    rf"|\bhow many (?P<b>{_KIND})s? (?:are|can you see|do you see)\b"
    r"|\b(?:what|which) (?P<c>animal|creature|mob|monster)s? (?:are|can you see|do you see)\b"
    r"|\bwhat(?:'s|s| is) that (?P<d>animal|creature|mob|monster)\b"
    r"|(?P<e>動物|生き物|モンスター|敵)(?:は|が)?(?:何匹|どれくらい)?(?:い(?:る|ます|ない)|見え)"
)

TOPICS = (Topic("creatures", _CREATURES, in_world(_seen)),)
