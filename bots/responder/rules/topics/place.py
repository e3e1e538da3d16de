"""Where the bot and the speaker are, the distance between them, and the spawn point."""

from __future__ import annotations

import re
from re import Match

from bots.responder.case.wording import dimension, place
from bots.responder.rules.topics.company import whereabouts_of
from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bots.text.numbers import blocks, in_blocks
from bridge.world import WorldSnapshot


def _position(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    at, where = place(world.position), dimension(world.dimension, scene.language)
    speaker = world.player(scene.speaker)
    distance = None if speaker is None else world.distance_to(speaker)
    if distance is None:
        return scene.say(f"I am at {at} in {where}.", f"私は{where}の {at} にいます。")
    return scene.say(
        f"I am at {at} in {where}, {in_blocks(blocks(distance))} from you.",
        f"私は{where}の {at} にいます。あなたから{blocks(distance)}ブロックです。",
    )


def _speaker(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    speaker = world.player(scene.speaker)
    if speaker is None:
        return scene.say(
            "You are not on this server, as far as I know.",
            "あなたはこのサーバーの一覧にいません。",
        )
    return whereabouts_of(scene, world, speaker)


def _spawn(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    at = place(world.spawn_point)
    distance = blocks(world.position.distance_to(world.spawn_point))
    return scene.say(
        f"The spawn point is at {at}, {in_blocks(distance)} from me.",
        f"スポーン地点は {at} です。私から{distance}ブロックです。",
    )


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

TOPICS = (
    Topic("spawn", _SPAWN, in_world(_spawn)),
    Topic("speaker", _SPEAKER, in_world(_speaker)),
    Topic("position", _POSITION, in_world(_position)),
)
