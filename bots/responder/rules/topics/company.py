"""Who is near, and where somebody is."""

from __future__ import annotations

import re
from re import Match

from bots.catalogue.counted import listed
from bots.responder.case.wording import MOST_PLAYERS, place, seen_players
from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bots.text.numbers import blocks, in_blocks
from bots.text.spelling import only_alike
from bridge.world import PlayerSighting, WorldSnapshot


def _near(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    seen = seen_players(world)
    if not seen:
        return _nobody_in_sight(scene, world)
    names = [_at_distance(scene, player, d) for player, d in seen[:MOST_PLAYERS]]
    more = len(seen) - len(names)
    if more:
        names.append(scene.say(f"{more} more", f"ほか{more}人"))
    near = listed(names, scene.language)
    return scene.say(f"I see {near}.", f"見えるのは{near}です。")


def _at_distance(scene: Scene, player: PlayerSighting, distance: float) -> str:
    away = blocks(distance)
    who = "you" if player.name == scene.speaker else player.name
    return scene.say(f"{who} ({in_blocks(away)} away)", f"{player.name}さん（{away}ブロック）")


def _nobody_in_sight(scene: Scene, world: WorldSnapshot) -> str:
    absent = len(world.players)
    if not absent:
        return scene.say("Nobody else is on this server.", "このサーバーにはほかに誰もいません。")
    return scene.say(
        f"I see nobody; {absent} on the server, but out of my sight.",
        f"見える範囲には誰もいません。サーバーには{absent}人います。",
    )


def _whereabouts(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str | None:
    name = next(filter(None, asked.groupdict().values()), "")
    if name == scene.bot.casefold():
        return None
    found = only_alike(name, [player.name for player in world.players])
    player = next((p for p in world.players if p.name == found), None)
    if player is not None:
        return whereabouts_of(scene, world, player)
    english = asked["a"] or asked["d"]
    asks_where = english or (asked["e"] and "どこ" in asked.string)
    if not asks_where or name in _NO_NAMES or (asked.end() < len(asked.string) and english):
        return None
    return scene.say(
        f"I know nobody called {name} on this server.",
        f"{name}という人はこのサーバーにいません。",
    )


def _in_kana(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    """A name in kana may be anybody's, even the bot's own, so tell of everybody."""
    at = place(world.position)
    return f"私は {at} にいます。{_near(scene, world, asked)}"


def whereabouts_of(scene: Scene, world: WorldSnapshot, player: PlayerSighting) -> str:
    """Where a listed player is, as far as the bot sees."""
    you = player.name == scene.speaker
    who, who_ja = ("You are", "あなた") if you else (f"{player.name} is", f"{player.name}さん")
    distance = world.distance_to(player)
    if player.position is None or distance is None:
        return scene.say(
            f"{who} on the server, but out of my sight.",
            f"{who_ja}はサーバーにいますが、ここからは見えません。",
        )
    at = place(player.position)
    return scene.say(
        f"{who} at {at}, {in_blocks(blocks(distance))} from me.",
        f"{who_ja}は {at} にいます。私から{blocks(distance)}ブロックです。",
    )


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
_NO_NAMES = {
    "you",
    "u",
    "it",
    "he",
    "she",
    "that",
    "this",
    "the",
    "my",
    "your",
    "everyone",
    "spawn",
}

TOPICS = (
    Topic("kana", _IN_KANA, in_world(_in_kana)),
    Topic("whereabouts", _WHEREABOUTS, in_world(_whereabouts)),
    Topic("company", _NEAR, in_world(_near)),
)
