"""`townsfolk plan`: plan goals without a bot. stdout carries plans only.

Exit codes: 0 a plan was found (batch: every line was answered), 1 there is none, 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bots.cli.output import complain, print_line

if TYPE_CHECKING:
    from bots.goals.offline import OfflinePlanner


def plan(
    goal: Annotated[
        list[str] | None,
        typer.Argument(metavar="GOAL…", help="As inventory.stick:4 or placed.torch:2; several."),
    ] = None,
    world: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="JSON of what is held and near; none: nothing is."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
    batch: Annotated[
        bool, typer.Option("--batch", help="A question a line on stdin: {id, goal, world}.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each step.")] = False,
    offline: Annotated[bool, typer.Option("--offline", help="No downloads.")] = False,
) -> None:
    """Plan how to get things, or say what is missing; needs no bot and no server."""
    if batch == bool(goal):
        _refuse("give goals, or --batch and none", as_json)
    told = _read(world, as_json)
    planner = _offline_planner(offline, as_json)
    if batch:
        from bots.goals.offline import answer_line

        planner.warm_up()
        for line in sys.stdin.buffer:
            if (answered := answer_line(line, planner, told, explain=explain)) is not None:
                print_line(answered)
        return
    from bots.goals.explain.tree import tree

    answer = planner.answer(goal, told)
    reasons = planner.reasons(answer, told) if explain else None
    if as_json:
        more = {} if reasons is None else {"explanation": reasons}
        print_line(json.dumps({**answer.as_json(), **more}))
    else:
        for line in (*tree(answer, costs=reasons is not None), *(reasons or ())):
            print_line(line)
    raise typer.Exit(0 if answer.found else 1)


def _read(path: Path | None, as_json: bool) -> Any:
    """The JSON of the world file, checked for its shape."""
    from bots.goals.offline import read_world
    from bots.goals.parsing import WorldRefused
    from bots.text.reading import NotText, read_text
    from bridge.foreign_json import NotJson, read_json

    if path is None:
        return None
    try:
        told = read_json(read_text(path))
        read_world(told)
    except OSError as error:
        _refuse(f"cannot read {path}: {error.strerror}", as_json)
    except WorldRefused as error:
        _refuse(f"{path}: {error.message}", as_json)
    except NotText as error:
        _refuse(f"{path}: {error}", as_json)
    except NotJson as error:
        _refuse(f"{path} is not JSON: {error}", as_json)
    return told


def _offline_planner(offline: bool, as_json: bool) -> OfflinePlanner:
    """A planner with the data of the Node packages, which the first start installs."""
    import asyncio

    from bots.goals.offline import OfflinePlanner
    from bridge.errors import NodeSetupError
    from bridge.node import ready

    try:
        runtime = asyncio.run(ready(complain, offline=offline))
    except NodeSetupError as error:
        _end(f"the data of Minecraft's items and recipes is missing: {error}", as_json, 1)
    return OfflinePlanner.with_packages(runtime.packages_dir)


def _refuse(why: str, as_json: bool) -> NoReturn:
    _end(why, as_json, 2)


def _end(why: str, as_json: bool, code: int) -> NoReturn:
    """Say why on stderr, with `--json` on stdout too, and exit."""
    from bots.goals.plan import Plan

    complain(why)
    if as_json:
        print_line(json.dumps(Plan(goal="", found=False, message=why).as_json()))
    raise typer.Exit(code)
