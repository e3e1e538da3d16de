"""Requests to move and look: come, follow, go, stop, look; and what the bot is doing."""

from __future__ import annotations

from collections.abc import Mapping

from bots.access.origin import is_operator
from bots.responder.rules.requests.ask import Ask, Request, Unclear, Words
from bridge.world import Position

BESIDE = 2  # blocks from the player it comes to
FARTHEST_STEP = 1_000  # blocks in one direction

YAWS: Mapping[str, int] = {
    **{"north": 0, "west": 90, "south": 180, "east": 270},
    **{"北": 0, "西": 90, "南": 180, "東": 270},
}
"""Degrees; any other direction is relative to where the bot looks."""

NO_BODY = Unclear(
    Words(
        "You are not in this world yourself: name a player or a place, as in “go to Bob”.",
        "あなたはこのワールドの中にいないので、プレイヤーか場所の名前を教えてください。",
    )
)

Asked = tuple[Request, ...] | Unclear


def come(ask: Ask) -> Asked:
    """Come to the speaker."""
    doing = Words("I am coming.", "今行きます。")
    return _to_player(ask, ask.speaker, doing, Words("Here I am.", "着きました。"))


def follow(ask: Ask, name: str = "") -> Asked:
    """Follow the speaker, unless another player is named."""
    if not name and is_operator(ask.speaker):
        return nobody(ask.speaker)
    if not name or name == ask.speaker:
        doing = Words("I follow you. Say “stop” when it is enough.", "ついていきます。")
        return (Request("navigation follow", {"username": ask.speaker}, doing),)
    player = ask.player(name)
    if player is None:
        return nobody(name)
    doing = Words(f"I follow {player.name}.", f"{player.name}さんについていきます。")
    return (Request("navigation follow", {"username": player.name}, doing),)


def stop_following(ask: Ask) -> Asked:
    doing = Words("I stay here.", "ここにいます。")
    return (Request("navigation stopFollow", {}, doing, doing, is_lasting=False),)


def stop(ask: Ask) -> Asked:
    doing = Words("I have stopped.", "やめました。")
    return (Request("stop", {}, doing, doing, is_lasting=False),)


def tell_doing(ask: Ask) -> Asked:
    return (Request("status", {}, Words("", ""), is_lasting=False),)


def go(ask: Ask, name: str) -> Asked:
    """Go to a player or to a registered place."""
    if name == ask.bot.casefold():
        return ()
    player = ask.player(name)
    if player is not None:
        doing = Words(f"I go to {player.name}.", f"{player.name}さんのところへ行きます。")
        there = Words(f"I am with {player.name}.", f"{player.name}さんのところに着きました。")
        return _to_player(ask, player.name, doing, there)
    doing = Words(f"I go to {name}.", f"{name}へ行きます。")
    there = Words(f"I am at {name}.", f"{name}に着きました。")
    return (Request("navigation goto", {"name": name}, doing, there),)


def go_home(ask: Ask) -> Asked:
    doing, there = Words("I go home.", "家に帰ります。"), Words("I am home.", "家に着きました。")
    return (Request("navigation goto", {"name": "home"}, doing, there),)


def go_to_point(ask: Ask, axes: tuple[float, float, float]) -> Asked:
    shown = " ".join(f"{axis:g}" for axis in axes)
    doing = Words(f"I go to {shown}.", f"{shown} へ行きます。")
    there = Words(f"I am at {shown}.", f"{shown} に着きました。")
    return (Request("navigation gotoCoords", {"coords": list(axes)}, doing, there),)


def step(ask: Ask, distance: int, direction: str) -> Asked:
    if not 1 <= distance <= FARTHEST_STEP:
        return Unclear(
            Words(
                f"I walk 1 to {FARTHEST_STEP} blocks.",
                f"歩けるのは1から{FARTHEST_STEP}ブロックです。",
            )
        )
    yaw = {"yaw": YAWS[direction]} if direction in YAWS else {}
    doing = Words("On my way.", "わかりました、行きます。")
    there = Words("There I am.", "着きました。")
    return (Request("navigation moveInDirection", {"distance": distance, **yaw}, doing, there),)


def look(ask: Ask, name: str = "") -> Asked:
    """Look at the speaker, unless another player is named."""
    player = ask.player(name or ask.speaker)
    if player is None:
        return nobody(name or ask.speaker)
    whom = "you" if player.name == ask.speaker else player.name
    doing = Words(f"I look at {whom}.", f"{player.name}さんを見ています。")
    return (Request("look player", {"username": player.name}, doing, doing, is_lasting=False),)


def remember_place(ask: Ask, name: str) -> Asked:
    doing = Words(f"I remember this place as {name}.", f"ここを「{name}」として覚えました。")
    fields = {"name": name}
    return (Request("navigation register", fields, doing, doing, is_lasting=False),)


def remember_where_speaker_is(ask: Ask, name: str) -> Asked:
    """Remember the speaker's place: who says `here` means their own."""
    player = ask.player(ask.speaker)
    if player is None or player.position is None:
        return Unclear(
            Words(
                f"I do not see you from here, so I do not know where your {name} is.",
                f"あなたが見えないので、{name}の場所がわかりません。",
            )
        )
    doing = Words(f"I will remember your {name} here.", f"ここを「{name}」として覚えました。")
    fields = {"name": name, "coords": block_of(player.position)}
    return (Request("navigation register", fields, doing, doing, is_lasting=False),)


def pick_up(ask: Ask) -> Asked:
    doing = Words("I pick it up.", "拾います。")
    return (Request("skill collectDrops", {}, doing),)


def _to_player(ask: Ask, name: str, doing: Words, there: Words) -> Asked:
    player = ask.player(name)
    if player is None and ask.world is not None:
        return nobody(name)
    if player is None or player.position is None:
        return Unclear(
            Words(
                f"I do not see {name} from here, so I stay where I am.",
                f"{name}さんがここからは見えないので、行けません。",
            )
        )
    fields = {"coords": block_of(player.position), "range": BESIDE}
    return (Request("navigation gotoCoords", fields, doing, there, towards=player.name),)


def block_of(position: Position) -> list[float]:
    """The block of a position, as the command's coordinates."""
    at = position.block
    return [at.x, at.y, at.z]


def nobody(name: str) -> Unclear:
    """That no player has this name; an operator has none, being in no world."""
    if is_operator(name):
        return NO_BODY
    return Unclear(
        Words(
            f"Nobody called {name[:16]} is on this server, so I did nothing.",
            f"{name[:16]}さんはこのサーバーにいないので、何もしていません。",
        )
    )
