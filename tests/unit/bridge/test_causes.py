"""What hurt a bot, by the signs of each version; a hint is no more than a guess."""

import pytest

from bridge.causes import Being, Cause, Sign, cause_of, parse_sign, read_cause

ZOMBIE, STEVE = Being("creature", "zombie"), Being("player", "Steve")
EAST, WEST, SOUTH = (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0)
SWING, PUSH = Sign("swing", by=ZOMBIE, way=EAST), Sign("push", way=EAST)
NEAR = Sign("near", by=ZOMBIE, way=EAST)


def line(key: str, by: Being | None = None) -> Sign:
    return Sign("line", f"death.{key}", by)


def damage(name: str, by: Being | None = None) -> Sign:
    return Sign("damage", f"minecraft:{name}", by)


def inside(what: str) -> Sign:
    return Sign("inside", what)


TOLD = [
    # since, signs, what it was
    ("any", [line("attack.mob", ZOMBIE)], "creature zombie"),
    ("any", [line("attack.mob.item", ZOMBIE)], "creature zombie"),
    ("any", [line("attack.player", STEVE)], "player Steve"),
    ("any", [line("attack.arrow", Being("creature", "skeleton"))], "creature skeleton"),
    ("any", [line("attack.arrow")], "thing arrow"),  # of a dispenser
    ("any", [line("attack.explosion.player", Being("creature", "creeper"))], "creature creeper"),
    ("any", [line("attack.explosion")], "thing explosion"),
    ("any", [line("attack.fall")], "thing fall"),
    ("any", [line("attack.fall.player", ZOMBIE)], "thing fall"),  # it fled
    ("any", [line("fell.accident.ladder")], "thing fall"),
    ("any", [line("fell.finish.item", ZOMBIE)], "thing fall"),
    ("any", [line("attack.inFire")], "thing fire"),
    ("any", [line("attack.onFire.player", ZOMBIE)], "thing fire"),
    ("any", [line("attack.lava")], "thing lava"),
    ("any", [line("attack.drown")], "thing drowning"),
    ("any", [line("attack.starve")], "thing hunger"),
    ("any", [line("attack.inWall")], "thing suffocation"),
    ("any", [line("attack.magic")], "thing magic"),
    ("any", [line("attack.indirectMagic", Being("creature", "witch"))], "creature witch"),
    ("any", [line("attack.wither")], "thing withering"),
    ("any", [line("attack.outOfWorld"), NEAR], "thing command"),  # /kill
    ("any", [line("attack.outOfWorld"), inside("void")], "thing void"),
    ("1.20", [line("attack.genericKill"), NEAR], "thing command"),
    ("1.17", [line("attack.freeze")], "thing freezing"),
    ("1.12", [Sign("status", size=36)], "thing drowning"),
    ("1.12", [Sign("status", size=37)], "thing fire"),
    ("1.12", [Sign("status", size=37), inside("lava")], "thing lava"),
    ("1.14", [Sign("status", size=44)], "thing sweet_berry_bush"),
    ("1.19.4", [damage("mob_attack", ZOMBIE)], "creature zombie"),
    ("1.19.4", [damage("player_attack", STEVE)], "player Steve"),
    ("1.19.4", [damage("arrow", Being("creature", "stray"))], "creature stray"),
    ("1.19.4", [damage("out_of_world"), NEAR], "thing command"),
    ("1.19.4", [damage("out_of_world"), inside("void")], "thing void"),
    ("1.20", [damage("generic_kill"), NEAR], "thing command"),
    ("1.20", [damage("cramming"), SWING, PUSH], "thing crowding"),
    ("1.21", [damage("player_explosion", STEVE)], "player Steve"),
    ("1.20", [damage("some_mods_damage", ZOMBIE)], "creature zombie"),
    ("1.20", [line("attack.lava"), damage("on_fire")], "thing lava"),  # the line has the last word
]


@pytest.mark.parametrize(("since", "signs", "what"), TOLD)
def test_what_the_server_names_is_told(since: str, signs: list[Sign], what: str) -> None:
    assert cause_of(signs, 20) == _cause(f"{what} told"), since


NAMELESS = [
    [line("attack.generic"), SWING, PUSH, NEAR],
    [line("attack.someModsDamage"), NEAR],
    [line("attack.mob"), NEAR],  # by whom is not told
    [damage("generic"), NEAR, inside("burning")],
    [damage("mob_attack")],  # by one that is out of sight
    [damage(""), NEAR],
]


@pytest.mark.parametrize("signs", NAMELESS)
def test_where_the_server_tells_a_death_and_no_cause_nobody_is_blamed(signs: list[Sign]) -> None:
    assert cause_of(signs, 20) is None


SENSED = [
    # half-hearts lost, signs, what it was and how that is known
    (3, [SWING, PUSH, NEAR], "creature zombie seen"),
    (3, [Sign("swing", by=STEVE, way=EAST), PUSH], "player Steve seen"),
    (3, [SWING, PUSH, inside("burning")], "creature zombie seen"),
    (3, [Sign("status", size=2), SWING, PUSH], "creature zombie seen"),
    (3, [PUSH, NEAR], "creature zombie guessed"),
    (3, [SWING, NEAR], "creature zombie guessed"),
    (3, [SWING, Sign("push", way=WEST), NEAR], "creature zombie guessed"),
    (3, [SWING, Sign("swing", by=STEVE, way=EAST), PUSH], "creature zombie guessed"),  # which?
    (3, [Sign("push", way=SOUTH), NEAR], None),
    (3, [NEAR], None),
    (20, [NEAR], None),
    (3, [PUSH], None),
    (3, [Sign("swing", by=STEVE, way=EAST)], None),  # who digs beside it
    (3, [], None),
    (9, [Sign("explosion", size=0.8)], "thing explosion seen"),
    (9, [Sign("explosion")], "thing explosion guessed"),
    (2, [Sign("fall", size=5.0)], "thing fall seen"),
    (1, [Sign("fall", size=5.0)], "thing fall seen"),  # onto hay
    (20, [Sign("fall", size=5.0), NEAR], None),
    (2, [inside("drowning")], "thing drowning seen"),
    (20, [inside("drowning")], None),
    (1, [inside("hunger")], "thing hunger seen"),
    (5, [inside("hunger"), NEAR], None),
    (4, [inside("lava"), inside("burning")], "thing lava seen"),
    (1, [inside("burning")], "thing fire seen"),
    (3, [inside("burning")], None),
    (1, [inside("fire"), PUSH, NEAR], "creature zombie guessed"),
    (4, [inside("void")], "thing void seen"),
]


@pytest.mark.parametrize(("lost", "signs", "cause"), SENSED)
def test_what_the_bot_senses_is_seen_or_a_guess(
    lost: float, signs: list[Sign], cause: str | None
) -> None:
    assert cause_of(signs, lost) == (None if cause is None else _cause(cause))


def test_signs_come_through_as_the_host_tells_them() -> None:
    wire = {"kind": "swing", "by": ["player", "Steve"], "way": [1, 0]}
    assert parse_sign(wire) == Sign("swing", by=STEVE, way=EAST)
    assert parse_sign({"kind": "damage", "what": "fall", "by": None}) == Sign("damage", "fall")


@pytest.mark.parametrize("how", ["told", "seen", "guessed"])
def test_a_cause_keeps_its_certainty_in_json(how: str) -> None:
    cause = _cause(f"player Steve {how}")
    assert read_cause(cause.as_json()) == cause


@pytest.mark.parametrize(
    "row", [None, {}, {"by": "x", "kind": "ghost", "how": "seen"}, {"by": "x", "kind": "thing"}]
)
def test_what_is_no_cause_is_read_as_none(row: object) -> None:
    assert read_cause(row) is None


def _cause(words: str) -> Cause:
    kind, name, how = words.split()
    return Cause(kind, name, how)  # type: ignore[arg-type]
