"""Commands: declared once, always checked, never ending in a traceback."""

import asyncio
import json
import random
from pathlib import Path

import pytest
import structlog
from pydantic import Field
from support.rig import PYTHON, STRANGERS, Rig, asked_by, rig_with_alice, run_json, until

from bots.access.origin import Fellow, Level, Operator, Origin, Person
from bots.access.permissions import Permissions, PlayerReach
from bots.bot.result import Failure, Result
from bots.commands.catalogue import commands, handle_chat_command
from bots.errors import CommandError, StoreError
from bots.registry.args import Args, NoArgs
from bots.registry.registry import CommandContext, CommandRegistry
from bots.registry.render import LINES, render
from bridge.errors import BridgeDown, BridgeTimeout, HostError
from bridge.world import BotName, PlayerName, Position

STEVE, ALEX = Person(PlayerName("Steve")), Person(PlayerName("Alex"))
rig = rig_with_alice(Position(0.5, 64, 0.5), STRANGERS)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("!hlep", "help"), ("!stauts", "status"), ("!CHATT Steve hi", "chat"), ("!echos", "echo")],
)
async def test_an_unknown_command_gets_the_nearest_name(rig: Rig, text: str, nearest: str) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert (result["success"], result["reason"]) == (False, "unknown_command")
    assert result["nearest"] == nearest
    assert f"!{nearest}" in result["message"]


@pytest.mark.parametrize("text", ["!", "!   ", "!{}", "!\n", "!§", "!zzzzzzzzzzzz", "!toString"])
async def test_what_resembles_no_command_is_pointed_to_help(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert result["reason"] == "unknown_command"
    assert "!help" in result["message"]


@pytest.mark.parametrize("text", ["", "hello", " !help", "/help"])
async def test_text_without_the_prefix_is_no_command(rig: Rig, text: str) -> None:
    assert (await run_json(rig.bots["Alice"], text))["reason"] == "invalid_format"


@pytest.mark.parametrize("text", ["!status now", '!status {"a": 1}', "!idle off now"])
async def test_a_command_without_arguments_takes_none(rig: Rig, text: str) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert result["reason"] == "invalid_format"
    assert text.startswith(result["usage"])


async def test_input_that_a_message_repeats_is_short_and_printable(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!" + "\x07§" * 200)
    assert len(result["message"]) < 120
    assert "\x07" not in result["message"]


ANSWERED_WITHIN_S = 0.5  # what waits for the database, or for a time that does not come
TURNS = 100  # of the event loop, in which whatever waits for neither has answered or begun


def _text(rng: random.Random) -> str:
    """Something between a command and noise."""
    names = [command.name for command in commands]
    name = rng.choice([*names, *names, "", "toString", "goal", "ch\x00at", "İnfo"])
    pieces = [
        "Steve", "{", "}", '"username":', '"message":', '"maxDistance":', "NaN", "-1", "1e999",
        "Infinity", "null", "[[[", '"\\ud83d"', "§", "\n", "\t", "🙂", "\ud800", "\x00", ",", " ",
        "all", "9" * 5_000, '{"username":"Steve","message":"hi"}', '{"limit":-1}', '{"since":1.5}',
    ]  # fmt: skip
    return (
        "!"
        + name
        + rng.choice([" ", "", "\n"])
        + "".join(rng.choice(pieces) for _ in range(rng.randrange(6)))
    )


async def _ended(rig: Rig, text: str, origin: Origin) -> Result:
    """What a command answers; one that begins to work is stopped, for no time passes here."""
    alice = rig.bots["Alice"]
    running = asyncio.ensure_future(handle_chat_command(alice, "Steve", text, origin))
    for _ in range(TURNS):
        if running.done() or rig.bridge.running_actions:
            break
        await asyncio.sleep(0)
    else:
        await asyncio.wait({running}, timeout=ANSWERED_WITHIN_S)
    while not running.done():
        await handle_chat_command(alice, "Steve", "!stop")
        await asyncio.wait({running}, timeout=ANSWERED_WITHIN_S)
    return running.result()


@pytest.mark.slow
async def test_ten_thousand_generated_commands_each_end_in_a_result(rig: Rig) -> None:
    rig.world.person("Steve", Position(2, 64, 0.5))
    rng = random.Random(20261121)
    origins: list[Origin] = [PYTHON, STEVE, ALEX, Fellow(BotName("Bob"))]
    for _ in range(10_000):
        text = _text(rng)
        with structlog.testing.capture_logs():  # to print them takes longer than the commands
            result = await _ended(rig, text, rng.choice(origins))
        shown = json.dumps(result.as_json(), allow_nan=False, ensure_ascii=False)
        assert isinstance(json.loads(shown.encode())["success"], bool), text
        lines = render(result)
        assert 1 <= len(lines) <= LINES
        assert text.startswith("!echo") or not lines[0].startswith(("!", "/")), lines
        assert "Traceback" not in shown


class BuildArgs(Args):
    block: str
    how_many: int = Field(1, ge=1)
    note: str = ""


async def _build(_context: CommandContext, args: BuildArgs) -> Result:
    """Build something.

    More words that a list does not show."""
    return Failure(reason="built", message=f"{args.how_many} {args.block} {args.note}")


@pytest.fixture
def registry() -> CommandRegistry:
    registry = CommandRegistry()
    registry.command("build", BuildArgs, level=Level.TRUSTED)(_build)
    return registry


def test_one_declaration_gives_help_usage_and_schema(registry: CommandRegistry) -> None:
    (build,) = registry
    assert (build.summary, build.usage) == ("Build something.", "!build <block> [howMany] [note]")
    assert list(build.schema["properties"]) == ["block", "howMany", "note"]


def test_a_name_is_declared_once(registry: CommandRegistry) -> None:
    with pytest.raises(ValueError, match="twice"):
        registry.command("build", BuildArgs)(_build)


@pytest.mark.parametrize(
    "text",
    [
        "!build oak_planks 3 by the river",
        '!build {"block": "oak_planks", "howMany": 3, "note": "by the river"}',
        '!build{"block": "oak_planks", "how_many": 3, "note": "by the river"}',
    ],
)
async def test_words_and_json_say_the_same(rig: Rig, registry: CommandRegistry, text: str) -> None:
    result = await registry.run(asked_by(rig.bots["Alice"], "Olga", registry), text)
    assert result.as_json()["message"] == "3 oak_planks by the river"


def test_every_command_has_a_summary_and_a_level() -> None:
    assert [command.name for command in commands if not command.summary.endswith(".")] == []
    assert {command.name for command in commands} >= {
        "chat", "echo", "help", "history", "info", "status", "stop",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (CommandError("too_dark", "It is too dark.", light=3), "too_dark"),
        (BridgeDown("dig", "Node died"), "bridge_down"),
        (BridgeTimeout("dig", 3), "timeout"),
        (HostError("dig", "boom"), "bridge_failed"),
        (StoreError("disk full"), "store_failed"),
    ],
)
async def test_an_error_of_the_tree_is_a_result_with_a_sentence(
    rig: Rig, error: Exception, reason: str
) -> None:
    registry = CommandRegistry()

    @registry.command("dig", NoArgs)
    async def dig(_context: CommandContext, _args: NoArgs) -> Result:
        raise error

    result = (await registry.run(asked_by(rig.bots["Alice"], "Steve", registry), "!dig")).as_json()
    assert (result["success"], result["reason"]) == (False, reason)
    assert result["message"].endswith(".")
    assert ("is unknown" in result["message"]) == (reason in {"bridge_down", "timeout"})
    assert result.get("light") == (3 if reason == "too_dark" else None)


@pytest.fixture
def cancelled() -> list[str]:
    """The commands of `endless` that were cancelled."""
    return []


@pytest.fixture
def endless(cancelled: list[str]) -> CommandRegistry:
    """`!dream` never ends; with a deadline of a moment."""
    registry = CommandRegistry()

    async def endure(name: str) -> Result:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(name)
            raise
        raise AssertionError

    @registry.command("dream", NoArgs, deadline_s=0.05)
    async def dream(_context: CommandContext, _args: NoArgs) -> Result:
        return await endure("dream")

    @registry.command("sleep", NoArgs, deadline_s=60)
    async def sleep(_context: CommandContext, _args: NoArgs) -> Result:
        return await endure("sleep")

    return registry


async def test_a_command_past_its_deadline_is_ended(
    rig: Rig, endless: CommandRegistry, cancelled: list[str]
) -> None:
    result = await endless.run(asked_by(rig.bots["Alice"], "Steve", endless), "!dream")
    assert result.as_json()["reason"] == "deadline"
    assert cancelled == ["dream"]
    assert rig.bots["Alice"].doing == []


async def test_a_running_command_is_ended_by_stop(rig: Rig, endless: CommandRegistry) -> None:
    alice = rig.bots["Alice"]
    running = asyncio.create_task(endless.run(asked_by(alice, "Steve", endless), "!sleep"))
    await until(lambda: alice.doing)
    stopped = await run_json(alice, "!stop", STEVE)
    assert stopped == {"success": True, "stoppedActions": ["!sleep"], "message": "Stopped: !sleep."}
    assert (await running).as_json()["reason"] == "stopped"


async def test_a_cancelled_caller_takes_its_command_along(
    rig: Rig, endless: CommandRegistry, cancelled: list[str]
) -> None:
    alice = rig.bots["Alice"]
    running = asyncio.create_task(endless.run(asked_by(alice, "Steve", endless), "!sleep"))
    await until(lambda: alice.doing)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert cancelled == ["sleep"]
    assert alice.doing == []


@pytest.mark.parametrize("name", ["Steve", "system", "operator", "server", "Alice"])
async def test_whoever_may_not_is_told_politely_before_the_arguments_are_read(
    rig: Rig, registry: CommandRegistry, name: str
) -> None:
    """Also a player who is called as if they might."""
    result = await registry.run(asked_by(rig.bots["Alice"], name, registry), "!build {")
    assert result.as_json()["reason"] == "not_permitted"
    assert render(result)[0].startswith("Sorry")


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        (Operator("exec"), True),
        (PYTHON, True),
        (Person(PlayerName("Olga")), True),
        (ALEX, True),
        (STEVE, False),
        (Fellow(BotName("Bob")), False),
        (Fellow(BotName("Olga")), False),
    ],
)
async def test_the_level_is_checked_when_the_command_runs(
    rig: Rig, registry: CommandRegistry, origin: Origin, allowed: bool
) -> None:
    context = CommandContext(rig.bots["Alice"], origin, "Steve", registry)
    reason = (await registry.run(context, "!build stone")).as_json()["reason"]
    assert reason == ("built" if allowed else "not_permitted")


async def test_a_player_called_operator_reads_nothing_the_operator_said(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions())
    alice = await rig.bot("Alice")
    await rig.roster.find("Alice").dispatcher.message_from_operator("the code is 1234")
    result = await run_json(alice, "!history", Person(PlayerName("operator")))
    await rig.aclose()
    assert (result["count"], result["latestSequence"]) == (0, 1)


async def test_a_refused_player_hears_what_they_may_do(rig: Rig) -> None:
    result = await run_json(rig.bots["Alice"], "!goal x", Person(PlayerName("Mallory")))
    refusal, _, allowed = result["message"].partition(", and use ")
    assert refusal == "Sorry, !goal is for level trusted and above. You may talk with me"
    told = allowed.removesuffix(".").split(", ")
    assert {"!chat", "!goal status", "!info", "!navigation list", "!talk"} <= {*told}
    assert {"!area", "!goal", "!navigation", "!pin"}.isdisjoint(told)


async def test_where_nobody_is_named_the_refusal_tells_the_setting(tmp_path: Path) -> None:
    rig = await Rig.found(tmp_path, Permissions())
    alice = await rig.bot("Alice")
    longest, asker = "!navigation moveInDirection", Person(PlayerName("M" * 16))
    result = await handle_chat_command(alice, asker.name, longest, asker)
    await rig.aclose()
    (line,) = render(result)
    assert f'permissions.owners = ["{asker.name}"]' in line
    assert line.endswith("use what !help lists.")  # nothing of it is cut


async def test_the_settings_say_what_players_may_run(tmp_path: Path) -> None:
    reach = PlayerReach(given=frozenset({"navigation stopFollow"}), taken=frozenset({"info"}))
    rig = await Rig.found(tmp_path, Permissions(frozenset({"Olga"}), reach=reach))
    alice, mallory = await rig.bot("Alice"), Person(PlayerName("Mallory"))
    refused = await run_json(alice, "!info all", mallory)
    granted = await run_json(alice, "!navigation stopFollow", mallory)
    await rig.aclose()
    assert (refused["reason"], refused["level"]) == ("not_permitted", "trusted")
    assert granted.get("reason") != "not_permitted"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("!follow Bob", "!navigation follow Bob"),
        ("!folow me", "!navigation follow me"),
        ("!inof all", "!info all"),
        ("!goto home", "!navigation goto home"),
        ("!navgation goto home", "!navigation goto"),
        ("!mine 3", "!skill gather"),
        ("!dig here", "!skill gather"),
        ("!craft torch", "!skill craft torch"),
        ("!skil craft", "!skill craft"),
        ("!smelt iron", "!skill smelt iron"),
        ("!eat", "!skill eat"),
        ("!drop torch", "!navigation dropItem torch"),
        ("!give me bread", "!navigation dropItem"),
        ("!come here", "!go"),
        ("!inventory", "!info all"),
        ("!whereami", "!status"),
        ("!statsu", "!status"),
        ("!hlep", "!help"),
        ("!reacll cake", "!recall cake"),
        ("!knwos Steve", "!knows Steve"),
        ("!forgetme", "!forget me"),
        ("!chests", "!chest list"),
        ("!scan", "!info scanBlocks"),
        ("!gaol x", "!goal x"),
    ],
)
async def test_a_slip_is_answered_with_what_was_meant(rig: Rig, text: str, meant: str) -> None:
    result = await run_json(rig.bots["Alice"], text)
    assert result["message"].endswith(f"Did you mean {meant}?")
