"""How the bot is: health and hunger."""

from __future__ import annotations

import re
from re import Match

from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bridge.world import WorldSnapshot

WELL = 15  # half-hearts or food points from which a bot calls itself well


def _condition(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    numbers = f"{world.health:.0f}/20", f"{world.food:.0f}/20"
    mood = _mood(scene, world)
    return scene.say(
        f"{mood} My health is {numbers[0]} and my food {numbers[1]}.",
        f"{mood}体力は{numbers[0]}、満腹度は{numbers[1]}です。",
    )


def _mood(scene: Scene, world: WorldSnapshot) -> str:
    if world.health < WELL:
        return scene.say("I am hurt.", "けがをしています。")
    if world.food < WELL:
        return scene.say("I am getting hungry.", "お腹がすいてきました。")
    return scene.pick(("I am fine.", "I am well."), ("元気です。", "調子はいいです。"))


_CONDITION = re.compile(
    r"\bhow (?:are|r) (?:you|u|ya|things)\b|\bhow(?:'s| is|s) (?:it going|life|your (?:health|hp))"
    r"|\bhow (?:do|are) you (?:feel|do|doing)|\bhow (?:hungry|healthy)\b|\bwhat(?:'s|s| is) up\b"
    r"|\byour (?:health|hp|hunger|food|hearts)\b|^(?:health|hp|hunger)$"
    r"|\bare you (?:hurt|ok|okay|alright|all right|well|fine|injured|hungry|dying|starving|good)\b"
    r"|元気|げんき|体力|調子|大丈夫|(?:お腹|おなか|腹)|空腹|満腹|ハート|けが|怪我"
)

TOPICS = (Topic("condition", _CONDITION, in_world(_condition)),)
