"""`townsfolk vis`: pictures of what a bot sees."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from bots.cli.output import (
    BotName,
    Config,
    DataDir,
    ask_daemon,
    complain,
    folder_of,
    plain_errors,
    print_line,
)

FILM, PICTURE = b"GIF8", b"\x89PNG"
LONGEST_SHOWN_S = 0.5  # of a picture in a film, which may show more in less time

app = typer.Typer(help="Pictures of what a bot sees.", no_args_is_help=True, rich_markup_mode=None)

textures = typer.Typer(
    help="The game's own pictures of blocks, in place of our colours.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
app.add_typer(textures, name="textures")

OWNER = "The pictures are Mojang's: they stay on this machine, and are no part of townsfolk."

Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE", help="Write the PNG there; else it is in the JSON."),
]


@app.command()
def capture(
    bot: BotName,
    yaw: Annotated[
        float | None, typer.Option(metavar="DEGREES", help="0 = north, counter-clockwise.")
    ] = None,
    pitch: Annotated[
        float | None, typer.Option(metavar="DEGREES", help="Positive = up.", min=-90, max=90)
    ] = None,
    panorama: Annotated[bool, typer.Option("--panorama", help="All around.")] = False,
    out: Out = None,
    data_dir: DataDir = None,
) -> None:
    """Draw what a bot sees, and tell it in words; where it looks unless told otherwise."""
    asked = {"yaw": yaw, "pitch": pitch, "panorama": panorama or None, "picture": True}
    given = {key: value for key, value in asked.items() if value is not None}
    text = f"!info vision {json.dumps(given)}"
    _show(ask_daemon(data_dir, lambda daemon: daemon.command(bot, text, True)), out)


@app.command("map")
def draw_map(bot: BotName, out: Out = None, data_dir: DataDir = None) -> None:
    """Draw the country around a bot from above."""
    text = '!info vision {"map": true, "picture": true}'
    _show(ask_daemon(data_dir, lambda daemon: daemon.command(bot, text, True)), out)


@app.command()
def film(
    bot: BotName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the GIF there.")],
    seconds: Annotated[
        float, typer.Option(metavar="S", help="How long it is watched.", min=1, max=3600)
    ] = 30.0,
    every: Annotated[
        float, typer.Option(metavar="S", help="From picture to picture.", min=0.25, max=60)
    ] = 1.0,
    from_above: Annotated[bool, typer.Option("--map", help="The map, not what it sees.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Watch a bot for a while, as while it pursues a goal; Ctrl-C ends it sooner."""
    from bridge.errors import UserError

    with plain_errors():
        _refuse_other(out, FILM)
        frames = _watched(folder_of(data_dir), bot, seconds, every, is_map=from_above)
        if not frames:
            raise UserError(f"{bot} saw nothing: there is no such bot, or it is in no world")
        from bots.vision.picture import write_film

        with _writing(out):
            write_film(frames, out, min(every, LONGEST_SHOWN_S))
    print_line(json.dumps({"success": True, "filepath": str(out.resolve()), "frames": len(frames)}))


@app.command()
def course(
    bot: BotName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the GIF there.")],
    seconds: Annotated[
        float, typer.Option(metavar="S", help="The longest it is watched.", min=1, max=3600)
    ] = 600.0,
    data_dir: DataDir = None,
) -> None:
    """Film a bot's way from above until its goals are reached; Ctrl-C ends it sooner."""
    from bots.cli.course import film_course
    from bridge.errors import UserError

    with plain_errors():
        _refuse_other(out, FILM)
        with _writing(out):
            frames = film_course(folder_of(data_dir), bot, seconds, out)
        if not frames:
            raise UserError(f"{bot} was nowhere: there is no such bot, or it is in no world")
    print_line(json.dumps({"success": True, "filepath": str(out.resolve()), "frames": frames}))


@textures.command()
def install(
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Fetch the game's pictures of blocks; they are Mojang's, and stay on this machine."""
    import asyncio

    from bots.settings.loading import load_settings
    from bots.vision.texture_store import TextureStore, package_and_release

    with plain_errors():
        settings = load_settings(config, {"data_dir": data_dir} if data_dir else {})
        complain(f"{OWNER} npm fetches 50 MB, as {package_and_release()}, of which 130 MB stay")
        asyncio.run(TextureStore().install(complain, offline=settings.offline))
        for line in _about_textures():
            print_line(line)
        if not settings.vision.textures:
            print_line("They are used once the setting vision.textures is true.")


@textures.command()
def remove() -> None:
    """Delete the pictures from this machine."""
    from bots.vision.texture_store import TextureStore

    with plain_errors():
        is_gone = TextureStore().remove()
    print_line("The textures are removed." if is_gone else "No textures are installed.")


@textures.command()
def status() -> None:
    """Tell whether the pictures are there, where, and of which versions."""
    for line in _about_textures():
        print_line(line)


def _about_textures() -> list[str]:
    from bots.vision.texture_store import (
        HOW_TO_INSTALL,
        TextureStore,
        package_and_release,
        versions_in,
    )

    root = TextureStore().installed
    if root is None:
        return [f"No textures are installed; `{HOW_TO_INSTALL}` fetches them."]
    return [
        f"Textures are installed: {package_and_release()}, in {root}.",
        f"Versions: {', '.join(versions_in(root))}; others use the nearest.",
        OWNER,
    ]


def _watched(
    data_dir: Path, bot: str, seconds: float, every: float, *, is_map: bool
) -> list[bytes]:
    """Pictures, as many as the time has room for."""
    from bots.cli.client import DaemonClient

    frames: list[bytes] = []
    began_s = time.monotonic()
    with DaemonClient.of(data_dir) as daemon, suppress(KeyboardInterrupt):
        for number in count():
            rest_s = began_s + number * every - time.monotonic()
            if number * every >= seconds:
                break
            time.sleep(max(0.0, rest_s))
            picture = daemon.picture(bot, is_map=is_map)
            frames += [picture] if picture else []
    return frames


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    """Raises UserError where the file cannot be written."""
    from bridge.errors import UserError

    try:
        yield
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}") from error


def _refuse_other(out: Path, start: bytes) -> None:
    """Before anything is watched or drawn. Raises UserError."""
    from bots.private_files import refuse_other

    with _writing(out):
        refuse_other(out, start)


def _show(result: dict[str, Any], out: Path | None) -> NoReturn:
    """Print the result, with a file's path instead of its picture; exit by it."""
    is_well = result.get("success") is True
    if is_well and out is not None:
        with plain_errors():
            _refuse_other(out, PICTURE)
            with _writing(out):
                out.write_bytes(base64.b64decode(result["data"]["image"]))
            result["data"] |= {"image": None, "filepath": str(out.resolve())}
    print_line(json.dumps(result, ensure_ascii=False))
    raise typer.Exit(0 if is_well else 1)
