"""JSON text <-> values, for both directions of the bridge; the only place that validates
what Node sends. `docs` of the format:

command   {"id": 7, "op": "whisper", "bot": "Alice", "args": {...}}   lists of these cross
reply     {"t": "reply", "id": 7, "ok": <value>}
          {"t": "reply", "id": 7, "error": {"code": "not_connected", "message": "…", "data": {}}}
push      {"seq": 1, "messages": [<reply, event or heartbeat>, ...]}
event     {"t": "whisper", "bot": "Alice", "at": <ms since 1970>, ...}   see `_EVENTS`
heartbeat {"t": "heartbeat", "rss": bytes, "queued": n, "lag_ms": n}

Positions are [x, y, z]; counts of items and blocks are [[name, count], ...].
"""

from __future__ import annotations

import dataclasses
import json
import operator
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

from bridge.actions import Action, Gaze, Query
from bridge.catalogue import parse_catalogue, parse_recipes
from bridge.causes import Cause, cause_of, parse_sign
from bridge.errors import BridgeError, HostError, LineTooLong, NotConnected, SpawnFailed
from bridge.events import (
    ActionFinished,
    ActionId,
    ActionProgress,
    BlockPlaced,
    BotDied,
    BotDisconnected,
    BotEndangered,
    BotHurt,
    BotSpawned,
    BridgeEvent,
    ChatHeard,
    HandOverSeen,
    HealthChanged,
    ItemGiven,
    LineAnswered,
    LineUnheard,
    MonstersNear,
    PlayerDied,
    PlayerHurt,
    PlayerJoined,
    PlayerLeft,
    Refusal,
    WhisperReceived,
)
from bridge.looking import parse_region, parse_scan, parse_view, parse_whereabouts
from bridge.world import (
    BlockCount,
    BlockSighting,
    BotName,
    Container,
    Death,
    Gear,
    ItemStack,
    LyingItem,
    MobSighting,
    PlayerSighting,
    Position,
    WorldSnapshot,
    Zone,
    player_name,
    world_name,
)

Wire = Mapping[str, Any]
T = TypeVar("T")

BROKEN = (
    *(LookupError, TypeError, ValueError, AttributeError, ArithmeticError),
    *(OSError, RecursionError),  # of a moment no calendar knows; of lists in lists in lists
)
"""What reading a message may raise when the host broke the format."""


def command(number: int, operation: str, bot: str | None, args: Wire) -> str:
    """One command as the host reads it, numbers of any library taken for what they are. Raises
    ValueError for NaN and infinity, which JSON does not know, and TypeError for what is no value
    of JSON."""
    parts = {"id": number, "op": operation, "bot": bot, "args": args}
    return json.dumps(
        parts, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_as_number
    )


def _as_number(value: Any) -> int | float:
    """A number of numpy, a Decimal or a Fraction."""
    for read in (operator.index, float):
        with suppress(TypeError):
            return read(value)
    raise TypeError(f"{type(value).__name__} is no value that can be sent: {value!r}")


def encode(sent: Action | Query[Any] | Gaze) -> dict[str, Any]:
    """An action, a query or a gaze as the host reads it: its kind and its fields, places only where
    there are some."""
    fields = {f.name: _plain(getattr(sent, f.name)) for f in dataclasses.fields(sent)}
    if not fields.get("spared"):
        fields.pop("spared", None)
    return {"kind": sent.kind, **fields}


def _plain(value: Any) -> Any:
    if isinstance(value, Position):
        return [value.x, value.y, value.z]
    if isinstance(value, Zone):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    is_of_places = isinstance(value, tuple) and any(
        isinstance(one, Zone | Position) for one in value
    )
    return [_plain(one) for one in value] if is_of_places else value


def parse_event(wire: Wire) -> BridgeEvent:
    """One event message. Raises one of `BROKEN`."""
    return _EVENTS[wire["t"]](BotName(wire["bot"]), moment(wire["at"]), wire)


def parse_spawned(wire: Wire) -> BotSpawned:
    return _spawned(BotName(wire["bot"]), moment(wire["at"]), wire)


def parse_snapshot(wire: Wire) -> WorldSnapshot:
    """The answer of the host's `snapshot`; see host/snapshot.cjs for where fields come from."""
    held = wire["held"]
    return WorldSnapshot(
        bot=BotName(wire["bot"]),
        version=wire["version"],
        position=position(wire["position"]),
        yaw=wire["yaw"],
        pitch=wire["pitch"],
        dimension=world_name(wire["dimension"]),
        game_mode=wire["game_mode"],
        health=wire["health"],
        food=wire["food"],
        time_of_day=wire["time_of_day"],
        spawn_point=position(wire["spawn_point"]),
        held=None if held is None else ItemStack(*held),
        items=tuple(ItemStack(name, count) for name, count in wire["items"]),
        free_slots=wire["free_slots"],
        players=tuple(_sighting(row) for row in wire["players"]),
        blocks=tuple(BlockCount(name, count) for name, count in wire["blocks"]),
        taken_at=moment(wire["at"]),
        weather=wire["weather"],
        worn=tuple(wire["worn"]),
        mobs=tuple(_mob(*row) for row in wire["mobs"]),
        effects=tuple(wire["effects"]),
        difficulty=wire.get("difficulty"),
        world=world_name(wire.get("world", "")),
        died=_death(wire.get("died")),
    )


def parse_answer(query: Query[T], wire: Any) -> T:
    """The answer of a query as its own type. Raises one of `BROKEN`."""
    answer: T = _ANSWERS[query.kind](wire)
    return answer


def _death(wire: list[Any] | None) -> Death | None:
    """[number, [x, y, z]]"""
    return None if wire is None else Death(wire[0], position(wire[1]))


def _blocks(wire: list[Any]) -> tuple[BlockSighting, ...]:
    """[[name, [x, y, z]], ...]"""
    return tuple(BlockSighting(name, position(where)) for name, where in wire)


def _mob(name: str, where: list[float], *others: Any) -> MobSighting:
    """[name, [x, y, z], hostile, id, young, coat, is_somebodys]"""
    return MobSighting(name, position(where), *others)


def _container(wire: Wire | None) -> Container | None:
    if wire is None:
        return None
    items = tuple(ItemStack(name, count) for name, count in wire["items"])
    return Container(position(wire["position"]), items, wire["slots"])


def parse_error(operation: str, wire: Wire) -> BridgeError:
    """The error reply of a command as the exception its caller gets."""
    code, message, data = wire["code"], wire["message"], wire.get("data", {})
    match code:
        case "not_connected":
            return NotConnected(data["bot"])
        case "spawn_failed":
            return SpawnFailed(data["bot"], data["ending"], data["text"], data.get("key", ""))
        case "line_too_long":
            return LineTooLong(data["length"], data["limit"])
        case _:
            return HostError(operation, message)


def position(wire: list[float]) -> Position:
    x, y, z = wire
    return Position(x, y, z)


def moment(ms: float) -> datetime:
    """Milliseconds since 1970 as an aware UTC time."""
    return datetime.fromtimestamp(ms / 1000, UTC)


def _sighting(row: list[Any]) -> PlayerSighting:
    name, where, health = row
    return PlayerSighting(player_name(name), where and Position(*where), health)


def _spawned(bot: BotName, at: datetime, wire: Wire) -> BotSpawned:
    return BotSpawned(bot, wire["version"], position(wire["position"]), at)


def _whisper(bot: BotName, at: datetime, wire: Wire) -> WhisperReceived:
    sender, dialect = player_name(wire["from"]), wire.get("dialect", "vanilla")
    return WhisperReceived(bot, sender, wire["text"], at, dialect)


def _unheard(bot: BotName, at: datetime, wire: Wire) -> LineUnheard:
    speaker = wire["from"]
    return LineUnheard(bot, wire["text"], at, wire["looks"], speaker and player_name(speaker))


def _answered(bot: BotName, at: datetime, wire: Wire) -> LineAnswered:
    why = wire["refusal"]
    refusal = None if why is None else Refusal(why["kind"], why["words"], why["key"])
    return LineAnswered(bot, wire["to"], wire["text"], refusal, at)


def _hurt(bot: BotName, at: datetime, wire: Wire) -> BotHurt:
    where, lost, health = position(wire["where"]), wire["lost"], wire["health"]
    return BotHurt(bot, lost, health, _cause(wire), where, world_name(wire["dimension"]), at)


def _died(bot: BotName, at: datetime, wire: Wire) -> BotDied:
    return BotDied(
        bot,
        Death(wire["number"], position(wire["where"])),
        _cause(wire),
        world_name(wire["dimension"]),
        world_name(wire["world"]),
        tuple(ItemStack(name, count) for name, count in wire["carried"]),
        at,
    )


def _cause(wire: Wire) -> Cause | None:
    return cause_of(map(parse_sign, wire["signs"]), wire["lost"])


def _given(bot: BotName, at: datetime, wire: Wire) -> ItemGiven:
    meant_for = wire.get("meant_for")
    other = None if meant_for is None else player_name(meant_for)
    return ItemGiven(bot, player_name(wire["from"]), wire["item"], wire["count"], at, other)


def _placing(bot: BotName, at: datetime, wire: Wire) -> BlockPlaced:
    who, where = player_name(wire["from"]), position(wire["where"])
    return BlockPlaced(bot, who, wire["block"], where, world_name(wire["dimension"]), at)


def _befell(
    what: type[PlayerHurt] | type[PlayerDied], bot: BotName, at: datetime, wire: Wire
) -> PlayerHurt | PlayerDied:
    who, where = player_name(wire["from"]), position(wire["where"])
    return what(bot, who, where, world_name(wire["dimension"]), at)


def _finished(bot: BotName, at: datetime, wire: Wire) -> ActionFinished:
    return ActionFinished(
        bot,
        ActionId(wire["action"]),
        wire["outcome"],
        wire.get("reason"),
        wire["message"],
        wire.get("result", {}),
        at=at,
    )


_ANSWERS: dict[str, Callable[[Any], Any]] = {
    "find_blocks": _blocks,
    "block_at": _blocks,
    "scan_blocks": parse_scan,
    "behold": parse_view,
    "read_recipes": parse_recipes,
    "read_region": parse_region,
    "footholds": lambda wire: None if wire is None else tuple(map(position, wire)),
    "lying_items": lambda wire: tuple(LyingItem(name, n, position(at)) for name, n, at in wire),
    "player_gear": lambda wire: None if wire is None else Gear(wire["held"], tuple(wire["worn"])),
    "opened_container": _container,
    "read_catalogue": parse_catalogue,
    "whereabouts": parse_whereabouts,
}

_EVENTS: dict[str, Callable[[BotName, datetime, Wire], BridgeEvent]] = {
    "whisper": _whisper,
    "chat": lambda bot, at, it: ChatHeard(bot, player_name(it["from"]), it["text"], at),
    "unheard": _unheard,
    "answered": _answered,
    "spawned": _spawned,
    "disconnected": lambda bot, at, it: BotDisconnected(
        bot, it["ending"], it["text"], at, it.get("key", "")
    ),
    "health": lambda bot, at, it: HealthChanged(bot, it["health"], it["food"], at),
    "hurt": _hurt,
    "near": lambda bot, at, it: MonstersNear(bot, tuple(_mob(*row) for row in it["monsters"]), at),
    "endangered": lambda bot, at, it: BotEndangered(bot, frozenset(it["by"]), at),
    "died": _died,
    "given": _given,
    "handing": lambda bot, at, it: HandOverSeen(
        bot, player_name(it["from"]), player_name(it["to"]), at
    ),
    "placing": _placing,
    "wounded": partial(_befell, PlayerHurt),
    "fallen": partial(_befell, PlayerDied),
    "joined": lambda bot, at, it: PlayerJoined(bot, player_name(it["player"]), at),
    "left": lambda bot, at, it: PlayerLeft(bot, player_name(it["player"]), at),
    "progress": lambda bot, at, it: ActionProgress(
        bot, ActionId(it["action"]), it["done"], it["total"], at
    ),
    "finished": _finished,
}
