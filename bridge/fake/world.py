"""The simulated world: who is in it, what they carry, what reaches whom."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Protocol

from bridge.causes import Cause
from bridge.events import Refusal
from bridge.fake.body import BODY_SLOTS, FULL, Body, Condition, Dimension, Inventory, Person
from bridge.fake.clock import VirtualClock
from bridge.fake.rules import VANILLA, Rules
from bridge.fake.terrain import SURFACE_Y, Drop, Terrain
from bridge.port import ServerAddress
from bridge.vanilla import HUNTERS
from bridge.world import DAY_TICKS, Death, Difficulty, MobSighting, PlayerName, Position, Weather

SPAWN = Position(8.5, SURFACE_Y + 1, 8.5)  # as in the embedded server
TICKS_PER_SECOND = 20
VIEW_DISTANCE = 64.0  # blocks; players farther away are listed but unseen
DUPLICATE_TEXT = "You logged in from another location"
DUPLICATE_KEY = "multiplayer.disconnect.duplicate_login"
LAY_S = 450.0  # between two eggs of a hen, on average in vanilla
PICKUP_REACH = 1.5  # blocks around the feet
TOSS_BLOCKS = 2.0  # how far thrown items land: out of the thrower's pickup reach
HANDED, ASIDE, THEIRS_S = 6.0, 0.6, 60.0  # as in gifts.cjs
ROOM = 4.0
NOBODY_THERE = Refusal("not_found", "No player was found", "argument.entity.notfound.player")


class Watcher(Protocol):
    """Whoever is told what happens in the world; a bridge is one."""

    def joined(self, player: PlayerName) -> None: ...
    def left(self, player: PlayerName) -> None: ...
    def whispered(self, sender: PlayerName, to: PlayerName, text: str) -> None: ...
    def chatted(self, sender: PlayerName, text: str) -> None: ...
    def changed_health(self, player: PlayerName) -> None: ...
    def looked_around(self) -> None:
        """A body moved, or what is around bodies changed."""
        ...

    def hurt(self, player: PlayerName, lost: float, cause: Cause | None) -> None: ...
    def given(self, player: PlayerName, drop: Drop, count: int) -> None: ...
    def handed(self, giver: PlayerName, taker: PlayerName) -> None: ...
    def placed(self, player: PlayerName, block: str, position: Position) -> None: ...
    def died(self, player: PlayerName, death: Death, cause: Cause | None) -> None:
        """Told before the player's things fall and it is back."""
        ...

    def removed(self, player: PlayerName, text: str, key: str) -> None:
        """The server closed this player's connection, saying `text`."""
        ...


class FakeWorld:
    """A flat Minecraft world in memory, to be arranged and asked by tests.

    `bodies` holds every player in it by name. With an `address`, a bridge that calls
    another one finds nobody there; without, every address leads here."""

    def __init__(
        self,
        clock: VirtualClock | None = None,
        *,
        rules: Rules = VANILLA,
        version: str = "1.16.5",
        address: ServerAddress | None = None,
    ) -> None:
        self.clock = clock or VirtualClock()
        self.rules, self.version, self.address = rules, version, address
        self.spawn_point = SPAWN
        self.is_up = True
        self.tells_items = True
        """Whether bots recognise items on the ground."""
        self.held: set[PlayerName] = set()
        """Players whom the server puts back after each walk."""
        self.weather: Weather = "clear"
        self.difficulty: Difficulty = "peaceful"
        """Unless it is peaceful, monsters come at night."""
        self.is_dangerous = False
        """Whether it does harm by itself: see `endanger`."""
        self.mobs: list[MobSighting] = []
        """Mobs of the overworld; they stand still, but for those that hunt."""
        self.hunting: dict[int, float] = {}
        """The mobs that hunt, and from what second on each may strike again."""
        self.wounds: Counter[int] = Counter()
        """Half-hearts that blows and arrows took, by mob."""
        self.refused: dict[str, Refusal] = {}
        """What the server says to bots of a command, as `tell`; '' of public chat."""
        self.protected: dict[Position, str] = {}
        """Blocks that the server lets nobody change, and what it says then."""
        self.caught = 0
        """How many fish all rods caught."""
        self._laid_until_s = 0.0
        self.bodies: dict[PlayerName, Body] = {}
        self.people: dict[PlayerName, Person] = {}
        self.watchers: list[Watcher] = []
        self._terrains: defaultdict[Dimension, Terrain] = defaultdict(lambda: Terrain(rules))
        self._time_set, self._time_set_at_s = 0, self.clock.monotonic()

    # --- arranging ---------------------------------------------------------------

    def person(self, name: str, position: Position | None = None) -> Person:
        """The scripted player of this name; joins at `position` when not in the world."""
        known = self.people.get(PlayerName(name))
        if known is not None and known.is_online:
            return known
        body = self.enter(PlayerName(name), position)
        self.people[body.name] = Person(self, body)
        return self.people[body.name]

    def body(self, name: str) -> Body:
        """The body of a player in the world. Raises KeyError."""
        return self.bodies[PlayerName(name)]

    def terrain(self, dimension: Dimension = "overworld") -> Terrain:
        return self._terrains[dimension]

    def set_block(self, position: Position, name: str) -> None:
        self.terrain().set_block(position, name)
        self.tell_surroundings()

    def block(self, position: Position) -> str:
        return self.terrain().block(position)

    def summon(
        self,
        kind: str,
        position: Position,
        *,
        hostile: bool = True,
        young: bool = False,
        is_somebodys: bool = False,
        hunts: bool = False,
    ) -> MobSighting:
        """A mob comes to stand there; in a dangerous world one that `hunts` goes on to who is
        nearest and strikes. Raises ValueError for a kind that cannot."""
        if hunts and kind not in HUNTERS:
            raise ValueError(f"{kind} does not hunt here: {', '.join(HUNTERS)}")
        number = max((mob.id for mob in self.mobs), default=0) + 1
        mob = MobSighting(kind, position, hostile, number, young, is_somebodys=is_somebodys)
        self.mobs.append(mob)
        if hunts:
            self.hunting[mob.id] = 0.0
        self.tell_surroundings()
        return mob

    def walk(self, mob: MobSighting, to: Position) -> MobSighting:
        """A mob goes elsewhere; what it is from there on."""
        there = replace(mob, position=to)
        self.mobs[self.mobs.index(mob)] = there
        self.tell_surroundings()
        return there

    def banish(self, mob: MobSighting) -> None:
        """A mob dies, or goes."""
        self.mobs.remove(mob)
        self.hunting.pop(mob.id, None)
        self.tell_surroundings()

    def protect(self, position: Position, said: str) -> None:
        """The server lets nobody break or place this block, and says so in these words."""
        self.protected[position.block] = said

    def give(self, player: str, item: str, count: int = 1) -> int:
        """Hand items over; how many did not fit."""
        return self.body(player).inventory.add(item, count)

    def teleport(self, player: str, position: Position, dimension: Dimension | None = None) -> None:
        body = self.body(player)
        body.dimension = dimension or body.dimension
        self.move(body, position)

    def set_health(
        self, player: str, health: float, food: float | None = None, *, cause: Cause | None = None
    ) -> None:
        """Hurt, heal or starve a player; at 0 they die and come back at the spawn point. `cause`
        is what they know of a hurt: None of one that nobody knows."""
        body = self.body(player)
        before, body.health = body.health, min(FULL, max(0.0, health))
        body.food = body.food if food is None else min(FULL, food)
        self._tell_health(body)
        if body.health < before:
            for watcher in tuple(self.watchers):
                watcher.hurt(body.name, before - body.health, cause)
        if body.health <= 0:
            self._die(body, cause)

    def kill(self, player: str) -> None:
        """As `/kill` does."""
        self.set_health(player, 0, cause=Cause("thing", "command", "told"))

    def set_time_of_day(self, ticks: int) -> None:
        """Ticks since sunrise; time goes on from there."""
        self._time_set, self._time_set_at_s = ticks, self.clock.monotonic()
        self.tell_surroundings()

    @property
    def time_of_day(self) -> int:
        passed_s = self.clock.monotonic() - self._time_set_at_s
        return int(self._time_set + passed_s * TICKS_PER_SECOND) % DAY_TICKS

    def kick(self, player: str, text: str, key: str = "") -> None:
        """Throw a player out; `text` and `key` as in `BotDisconnected`."""
        name = PlayerName(player)
        for watcher in tuple(self.watchers):
            watcher.removed(name, text, key)
        self.leave(name)

    def stop_server(self, text: str = "Server closed") -> None:
        """Everybody is thrown out and nobody can join until `start_server`."""
        self.is_up = False
        for name in tuple(self.bodies):
            self.kick(name, text)

    def start_server(self) -> None:
        self.is_up = True

    # --- what players do ---------------------------------------------------------

    def enter(self, name: PlayerName, position: Position | None = None) -> Body:
        """Join; a player of the same name is thrown out first, as by the real server."""
        if name in self.bodies:
            self.kick(name, DUPLICATE_TEXT, DUPLICATE_KEY)
        inventory = Inventory(BODY_SLOTS, self.rules.stack_size)
        body = Body(name, position or self.spawn_point, inventory)
        self.bodies[name] = body
        for watcher in tuple(self.watchers):
            watcher.joined(name)
        return body

    def leave(self, name: PlayerName) -> None:
        """Leave; nothing happens when not there."""
        if self.bodies.pop(name, None) is None:
            return
        for watcher in tuple(self.watchers):
            watcher.left(name)

    def whisper(self, sender: PlayerName, to: PlayerName, text: str) -> None:
        """Carry a private line, at any distance; to somebody absent nothing arrives."""
        if sender not in self.bodies or to not in self.bodies:
            return
        if to in self.people:
            self.people[to].take_whisper(sender, text)
        for watcher in tuple(self.watchers):
            watcher.whispered(sender, to, text)

    def refusal_of(self, command: str, to: PlayerName | None) -> Refusal | None:
        """Why a bot's line would not be carried."""
        if refusal := self.refused.get(command):
            return refusal
        return NOBODY_THERE if to is not None and to not in self.bodies else None

    def chat(self, sender: PlayerName, text: str) -> None:
        """Carry a public line to everybody else."""
        if sender not in self.bodies:
            return
        for name, person in self.people.items():
            if name != sender and person.is_online:
                person.take_chat(sender, text)
        for watcher in tuple(self.watchers):
            watcher.chatted(sender, text)

    def move(self, body: Body, position: Position) -> None:
        """Put a body somewhere; it picks up what lies there."""
        body.position = position
        self.pick_up(body)
        self.tell_surroundings()

    def place(self, body: Body, block: str, position: Position) -> None:
        """Put a block down, which those who see the body notice."""
        self.terrain(body.dimension).set_block(position, block)
        for watcher in tuple(self.watchers):
            watcher.placed(body.name, block, position.block)

    def throw(self, body: Body, item: str, count: int) -> None:
        """Let a body throw items ahead, for whoever it looks at."""
        yaw, feet = math.radians(body.yaw), body.position
        dx, dz = -math.sin(yaw), -math.cos(yaw)
        lands = Position(feet.x + dx * TOSS_BLOCKS, feet.y, feet.z + dz * TOSS_BLOCKS)
        others = [one for one in self.bodies.values() if one is not body]
        taker = min(others, key=lambda one: _off(body, one), default=None)
        if taker is not None and _off(body, taker) > HANDED:
            taker = None
        to = "" if taker is None else taker.name
        until_s = self.clock.monotonic() + THEIRS_S
        self.terrain(body.dimension).drop(item, count, lands, body.name, to, until_s)
        for watcher in tuple(self.watchers):
            if taker is not None:
                watcher.handed(body.name, taker.name)

    def drops_for(self, body: Body, radius: float) -> tuple[Drop, ...]:
        """What lies around and was not just thrown for somebody else, nearest first."""
        now = self.clock.monotonic()
        lying = self.terrain(body.dimension).drops_within(body.position, radius)
        return tuple(drop for drop in lying if drop.is_for(body.name, now))

    def pick_up(self, body: Body) -> dict[str, int]:
        """Take the drops within reach, as far as they fit; what was taken."""
        ground, taken = self.terrain(body.dimension), defaultdict[str, int](int)
        for drop in ground.drops_within(body.position, PICKUP_REACH):
            left = body.inventory.add(drop.item, drop.count)
            taken[drop.item] += drop.count - left
            if drop.count > left and drop.thrown_by not in ("", body.name):
                for watcher in tuple(self.watchers):
                    watcher.given(body.name, drop, drop.count - left)
            drop.count = left
        ground.drops[:] = [drop for drop in ground.drops if drop.count]
        return {item: count for item, count in taken.items() if count}

    def lay(self) -> None:
        """Let each hen lay an egg if one was due since the last time; nothing calls it but those
        who wait."""
        before, self._laid_until_s = self._laid_until_s, self.clock.monotonic()
        if before // LAY_S < self._laid_until_s // LAY_S:
            for mob in self.mobs:
                if mob.name == "chicken" and not mob.young:
                    self.terrain().drop("egg", 1, mob.position)

    def sees(self, viewer: Body, other: Body) -> bool:
        near = viewer.position.distance_to(other.position) <= VIEW_DISTANCE
        return near and viewer.dimension == other.dimension

    def tell_surroundings(self) -> None:
        """What is around bodies may have changed."""
        for watcher in tuple(self.watchers):
            watcher.looked_around()

    def _die(self, body: Body, cause: Cause | None) -> None:
        deaths = body.died.number if body.died else 0
        body.died = Death(deaths + 1, body.position)
        for watcher in tuple(self.watchers):
            watcher.died(body.name, body.died, cause)
        for stack in body.inventory.stacks:
            self.terrain(body.dimension).drop(stack.name, stack.count, body.position)
        body.inventory.clear()
        body.window, body.dimension, body.position = None, "overworld", self.spawn_point
        body.health = body.food = FULL
        body.condition = Condition()
        self._tell_health(body)
        self.tell_surroundings()

    def _tell_health(self, body: Body) -> None:
        for watcher in tuple(self.watchers):
            watcher.changed_health(body.name)


def _off(body: Body, other: Body) -> float:
    """How far another is from where a body looks, in blocks, of which those beside the line of
    sight count three times."""
    yaw = math.radians(body.yaw)
    dx, dz = other.position.x - body.position.x, other.position.z - body.position.z
    along, aside = -dx * math.sin(yaw) - dz * math.cos(yaw), dx * math.cos(yaw) - dz * math.sin(yaw)
    is_ahead = other.dimension == body.dimension and along > 0 and abs(aside) <= along * ASIDE
    return along + 3 * abs(aside) if is_ahead else math.inf
