"""What all commands share: results go to stdout, everything else to stderr, errors are sentences.

Everything that is printed passes here and loses what a terminal would obey: servers, players and
files have had a word in much of it. Heavy modules are imported where they are used, so that
`--help` is quick."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from bots.text import suggest
from bots.text.printable import printable, printable_lines, styled_lines
from bots.text.program import as_typed

if TYPE_CHECKING:
    from bots.cli.client import DaemonClient


def print_line(line: str) -> None:
    """Print a line of the result, or several; what the terminal cannot encode is escaped."""
    _echo(printable_lines(line))


def print_styled(line: str) -> None:
    """Print a line that has colours."""
    _echo(styled_lines(line))


def remark(line: str) -> None:
    """Tell on stderr what is going on."""
    typer.echo(printable_lines(line), err=True)


def complain(why: object) -> None:
    """Say on stderr what is wrong, or what is going on; secrets are redacted."""
    from bots.observability.redaction import Redactor

    remark(Redactor().text(as_typed(f"townsfolk: {why}")))


def fail(why: object) -> NoReturn:
    """End with exit code 1: something failed."""
    complain(why)
    raise typer.Exit(1)


def refuse(why: object) -> NoReturn:
    """End with exit code 2: wrong usage or settings."""
    complain(why)
    raise typer.Exit(2)


@contextmanager
def plain_errors() -> Iterator[None]:
    """Errors of ours end the program with a sentence, not a traceback."""
    from bots.errors import SettingsError
    from bridge.errors import BotError

    try:
        yield
    except SettingsError as error:
        refuse(error)
    except BotError as error:
        fail(error)
    except ExceptionGroup as group:
        ours, others = group.split(BotError)
        if ours is None or others is not None:
            raise
        for fault in ours.exceptions:
            complain(fault)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        raise typer.Exit(0) from None


def help_on(context: typer.Context, words: Sequence[str]) -> str:
    """What a command's `--help` prints. Ends the program where there is no such command."""
    at = context.find_root()
    for word in words:
        commands = getattr(at.command, "commands", {})
        if word not in commands:
            shown = [name for name, one in commands.items() if not one.hidden]
            near = suggest.as_clause(suggest.similar(word, shown))
            refuse(f"there is no command {word!r}{near or '; townsfolk help lists them'}")
        at = typer.Context(commands[word], parent=at, info_name=word)
    return at.get_help().rstrip()


def _echo(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    typer.echo(text.encode(encoding, "backslashreplace").decode(encoding))


def folder_of(data_dir: Path | None) -> Path:
    """The data folder by flag, environment or default."""
    from bots.settings.loading import data_folder

    return data_folder(data_dir)


def told(result: Mapping[str, Any]) -> list[str]:
    """The lines of a result: those the daemon made of it, else its sentence."""
    plain, message = result.get("plain"), result.get("message")
    if isinstance(plain, list) and plain:
        return [printable(str(line)) for line in plain]
    if message:
        return [printable(str(message))]
    if result.get("started"):
        return [as_typed("It has begun; townsfolk log -f tells its end.")]
    return [printable(json.dumps(result, ensure_ascii=False))]


def answer_of(result: Mapping[str, Any], bot: str) -> list[str]:
    """What a bot said to words, as lines."""
    if result.get("success") is not True:
        return told(result)
    if answer := result.get("answer"):
        return [printable(f"{bot}: {answer}")]
    said_nothing = "says nothing to that" if result.get("source") else "has not answered"
    return [f"({bot} heard you, but {said_nothing}.)"]


def readable(result: Mapping[str, Any]) -> str:
    """The answer of `POST /api/bots/{bot}/prompt` as text, in the order a model reads it."""
    asked, parts = result["request"], list[str]()
    if tools := asked.get("tools", []):
        parts.append(f"=== {len(tools)} tools")
        parts.append("\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools))
    shared, *own = [block["text"] for block in asked["system"]]
    parts.append(f"=== instructions, the same for all bots\n\n{shared}")
    parts += [f"=== instructions of {result['bot']}\n\n{text}" for text in own]
    parts += [f"=== {one['role']}\n\n{one['content']}" for one in asked["messages"]]
    return "\n\n".join([*parts, f"=== about {result['tokens']} tokens"])


def bot_names(context: typer.Context, incomplete: str) -> list[str]:
    """The bots of the daemon of the folder that is named, or of the default one; those of its
    whole cluster too."""
    from bots.daemon.daemon_file import DaemonSilent, NoDaemon, read

    try:
        file = read(folder_of(context.params.get("data_dir")))
    except NoDaemon:
        return []
    names = file.bots
    if file.member is not None:
        from bots.cli.client import DaemonClient

        with suppress(DaemonSilent), DaemonClient(file) as daemon:
            names = tuple(str(bot["name"]) for bot in daemon.bots())
    return [name for name in names if name.startswith(incomplete)]


BotName = Annotated[str, typer.Argument(metavar="BOT", help="Which bot.", autocompletion=bot_names)]


def ask_daemon(
    data_dir: Path | None, ask: Callable[[DaemonClient], dict[str, Any]]
) -> dict[str, Any]:
    """What the daemon answers; that none runs is a result too."""
    from bots.cli.client import DaemonClient
    from bots.daemon.daemon_file import DaemonSilent, NoDaemon

    try:
        with DaemonClient.of(folder_of(data_dir)) as daemon:
            return ask(daemon)
    except (NoDaemon, DaemonSilent) as error:
        reason = "no_daemon" if isinstance(error, NoDaemon) else "daemon_silent"
        remark(str(error))
        return {"success": False, "reason": reason, "message": str(error)}


DataDir = Annotated[
    Path | None, typer.Option("--data-dir", metavar="DIR", help="The daemon's data folder.")
]
Config = Annotated[Path | None, typer.Option(metavar="FILE", help="TOML file with settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object.")]
