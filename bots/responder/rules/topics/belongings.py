"""What the bot carries, and whether it has a certain item."""

from __future__ import annotations

import re
from collections import Counter
from re import Match

from bots.catalogue.counted import item
from bots.responder.case.item_names import meant_by
from bots.responder.case.wording import item_counts, items
from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bridge.world import WorldSnapshot


def _inventory(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    carried = item_counts(world)
    if not carried:
        return scene.say("I carry nothing at all.", "何も持っていません。")
    named = items(carried, scene.language)
    return scene.say(f"I have {named}.", f"{named}を持っています。")


def _held(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.held is None:
        return scene.say("My hands are empty.", "手には何も持っていません。")
    held = item(world.held.name, world.held.count, scene.language)
    return scene.say(f"I am holding {held}.", f"手に{held}を持っています。")


def _thing(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    words = next(filter(None, asked.groupdict().values()), "").strip()
    carried = item_counts(world)
    found = Counter({name: carried[name] for name in meant_by(words, carried)})
    if found:
        named = items(found, scene.language)
        return scene.say(f"I have {named}.", f"{named}を持っています。")
    rest = _inventory(scene, world, asked)
    return scene.say(f"I have no {words}. {rest}", f"{words}は持っていません。{rest}")


_HELD = re.compile(
    r"\b(?:in|into) your hands?\b|\bwhat(?:'s| is| are|re)? (?:you )?hold(?:ing)?\b"
    r"|\bare you holding\b|手に(?:何|なに|持)|手元|装備"
)
_INVENTORY = re.compile(
    r"\bwhat (?:do|have|did|can) you (?:have|got|carry|own|hold|collected?)\b|\bwhat have you\b"
    r"|\bwhat(?:'s|s| is| are|'re)? (?:you )?carrying\b"
    r"|\bwhat(?:'s|s| is) in your (?:inventory|bag|pockets?|backpack)\b"
    r"|\binventory\b|\byour (?:items|stuff|things|belongings)\b|\bwhat you (?:got|have)\b"
    r"|\b(?:do you have|have you got|got) (?:anything|something)\b|\bwhat (?:items|things)\b"
    r"|(?:何|なに)[をか]?\s?(?:持|もっ)|持ち物|もちもの|インベントリ|所持品|アイテム|荷物"
)
_OWNING = r"(?:do you (?:have|own|carry)|have you(?: got)?|you got|are you carrying|^got)"
_THING = re.compile(
    rf"(?:\b|^){_OWNING} (?:any|some|a|an|the|enough|more)? ?"
    r"(?P<a>[a-z][a-z_ ]{1,30}?)(?: (?:left|with you|on you|for me|please|there|now))*$"
    rf"|\bhow (?:many|much) (?P<b>[a-z][a-z_ ]{{1,30}}?) {_OWNING}\b"
    r"|(?P<c>[^\sをはがも、]{1,12}?)\s?(?:を|は|が|も|って)?\s?(?:いくつ|何個|どれくらい)?\s?"
    r"(?:(?:持|も)って(?:い?ますか|い?る|る|い?ない)|ある\b|ありますか)"
)

TOPICS = (
    Topic("held", _HELD, in_world(_held)),
    Topic("inventory", _INVENTORY, in_world(_inventory)),
    Topic("thing", _THING, in_world(_thing)),
)
