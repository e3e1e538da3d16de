"""`!go`: one command for places, players, kinds of blocks and points."""

from support.acting import Scene, play, scenes
from support.rig import Rig, rig_with_alice

from bridge.world import PlayerName, Position

rig = rig_with_alice(Position(0.5, 64, 0.5))
LOG = {"oak_log": [(10, 64, 10)]}


@scenes(
    *(Scene(text, text, {"success": False, "reason": "unconfirmed"}, blocks=LOG,
            says="server put me back to 0 64 0")
      for text in ("!go 20 64 -5", "!go oak_log", "!skill moveTo 20 64 -5")),
)  # fmt: skip
async def test_a_bot_that_the_server_puts_back_says_so(rig: Rig, scene: Scene) -> None:
    rig.world.held.add(PlayerName("Alice"))
    await play(rig, scene)


HOME = '!navigation register {"name": "home", "coords": [20, 64, 5]}'
AT_HOME = {"success": True, "message": "I am at home."}


@scenes(
    Scene("to a place it knows", "!go home", AT_HOME, before=[HOME], near=(20.5, 64, 5.5)),
    Scene("rather than to a player of its name", "!go home", AT_HOME, before=[HOME],
          people={"home": (12.5, 64, 8.5)}, near=(20.5, 64, 5.5)),
    *(Scene(f"to a player in view: {name}", f"!go {name}", {"success": True},
            people={"Steve": (12.5, 64, 8.5)}, near=(12.5, 64, 8.5))
      for name in ("Steve", "steve")),
    *(Scene(f"to a point: {point}", f"!go {point}", {"success": True}, near=(20.5, 64, -4.5))
      for point in ("20 64 -5", "20, 64, -5")),
    *(Scene(f"to the nearest block of a kind: {kind}", f"!go {kind}",
            {"success": True, "where": "oak_log"}, blocks=LOG, near=(10, 64, 10))
      for kind in ("oak_log", "Oak Log", "wood")),
    *(Scene(f"not to {where}", f"!go {where}", {"reason": reason}, stays=True)
      for where, reason in (("nowhere-land", "unknown_location"), ("diamond_ore", "not_found"),
                            ("nan 64 0", "invalid_format"), ("1e9 64 0", "invalid_format"))),
)  # fmt: skip
async def test_a_bot_goes_where_it_is_told_or_says_why_not(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)
