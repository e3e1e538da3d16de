"""The command line. Commands import heavy modules themselves, so that `--help` is quick.

stdout carries results only (for `up`: the ready line); everything else goes to stderr.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from bots.cli import bots as bots_cli
from bots.cli import experiment as experiment_cli
from bots.cli import vis as vis_cli
from bots.cli.output import (
    AsJson,
    BotName,
    Config,
    DataDir,
    ask_daemon,
    bot_names,
    complain,
    folder_of,
    plain_errors,
    print_line,
    print_styled,
    refuse,
    remark,
)
from bots.cli.plan import plan
from bots.text.program import as_typed

EXIT_CODES = (
    "Exit codes: 0 success, 1 the answer is no or something failed, 2 wrong usage or settings."
)

UP_EXIT_CODES = (
    "Exit codes: 0 it was told to end, 1 it failed and may be started anew, 2 wrong usage or"
    " settings: a new start does not help."
)
"""docs/running.md tells them too."""

app = typer.Typer(
    name="townsfolk",
    help="Real Minecraft bots that hear, remember, answer and act.",
    epilog=EXIT_CODES,
    no_args_is_help=True,
    rich_markup_mode=None,  # boxes around the help would cost as much as all the rest of it
    pretty_exceptions_enable=False,
)

TOLD_ALREADY = frozenset({"no_daemon", "daemon_silent"})
"""Reasons of results whose sentence is on stderr."""


def main() -> None:
    """The console script."""
    forbid_core_dumps()
    app()


def _show_version(wanted: bool) -> None:
    from importlib.metadata import version

    if wanted:
        print_line(f"townsfolk {version('townsfolk')}")
        raise typer.Exit


@app.callback()
def _townsfolk(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", is_eager=True, callback=_show_version),
    ] = False,
) -> None:
    pass


@app.command(epilog=UP_EXIT_CODES)
def up(
    server: Annotated[
        str | None,
        typer.Option(
            metavar="HOST:PORT",
            help="Join this server instead of the embedded one; lan: a world opened to LAN.",
        ),
    ] = None,
    minecraft_port: Annotated[
        int | None, typer.Option(metavar="N", help="Port of the embedded server.")
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let your network join the embedded server.")
    ] = False,
    difficulty: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="peaceful, easy, normal or hard: of the embedded one."),
    ] = None,
    dashboard_port: Annotated[
        int | None, typer.Option(metavar="N", help="Port of HTTP on this machine.")
    ] = None,
    data_dir: DataDir = None,
    config: Config = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="nats://HOST:4222", help="Be one of several daemons: their broker."),
    ] = None,
    keep_file: Annotated[
        bool,
        typer.Option("--keep-file", help="Go on with the folder where the cluster differs."),
    ] = False,
    run_for: Annotated[
        float | None, typer.Option("--for", metavar="SECONDS", help="End by itself.", min=0.0)
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="No model, no downloads.")] = False,
    bots: Annotated[str | None, typer.Option(metavar="A,B", help="The bots' names.")] = None,
    owner: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who may command everything, as the game spells it."),
    ] = None,
    fake_llm: Annotated[
        Path | None, typer.Option(metavar="SCRIPT", help="Answer by this script, not by a model.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print all events with their facts.")
    ] = False,
) -> None:
    """Start the daemon: a world, and bots to talk to."""
    flags = _flags(
        server=_server_flags(server),
        embedded={
            "port": minecraft_port,
            "host": "0.0.0.0" if lan else None,
            "difficulty": difficulty,
        },
        dashboard={"port": dashboard_port},
        bots={"names": bots},
        cluster={"bus": cluster, "keep_file": keep_file or None},
        permissions={"owners": owner},
        data_dir=data_dir,
        offline=offline or None,
        run_for_s=run_for,
        log={"format": "console" if verbose else None},
    )
    if server is not None and minecraft_port is not None:
        refuse("--minecraft-port is the embedded server's; with --server there is none")
    if server is not None and difficulty is not None:
        refuse("--difficulty is the embedded server's; another has its own")
    if server is not None and lan:
        refuse("--lan opens the embedded server; to join a world opened to LAN: --server lan")
    if fake_llm is not None and offline:
        refuse("--fake-llm stands in for a model; with --offline none is asked")
    with plain_errors():
        from bots.cli.up import serve

        raise typer.Exit(serve(config, flags, _announce, fake_llm))


@app.command()
def init(
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Your server; it is asked what it is.")
    ] = None,
    owner: Annotated[
        str | None, typer.Option(metavar="NAME", help="Your name, as the game spells it.")
    ] = None,
    bots: Annotated[
        str | None, typer.Option(metavar="A,B:CHARACTER", help="The bots, with characters.")
    ] = None,
    brain: Annotated[
        str | None, typer.Option(metavar="NAME", help="claude, none, or a model of Ollama.")
    ] = None,
    public: Annotated[
        str | None, typer.Option(metavar="off|addressed", help="Which public chat they answer.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is written.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Set up for your own server. Asks five questions, or takes these options."""
    from bots.cli.init import Answers
    from bots.cli.init import init as set_up

    def ask(question: str, default: str) -> str:
        return str(typer.prompt(question, default=default, show_default=bool(default), err=True))

    folder = folder_of(data_dir)
    answers = Answers(server, owner, bots, brain, public)
    with plain_errors():
        file = set_up(folder, answers, ask if sys.stdin.isatty() else None, complain, force=force)
        print_line(f"Written: {file}")
        print_line(as_typed("Now start: townsfolk up; townsfolk doctor checks it before."))


@app.command("exec")
def execute(
    bot: BotName,
    command: Annotated[
        list[str], typer.Argument(metavar="COMMAND", help="As '!info all'; mind the quotes.")
    ],
    data_dir: DataDir = None,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Do not wait for its end.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a command on a bot. Its result is told in words; as JSON with --json, or in a pipe."""
    from bots.cli.output import told

    text = " ".join(command).strip()
    if not text.startswith("!"):
        refuse(f"a command starts with !: did you mean '!{text}'? (words: townsfolk say)")
    plain = _is_plain(as_json)
    result = ask_daemon(data_dir, lambda one: one.command(bot, text, not no_wait, plain=plain))
    _print_result(result, told(result) if plain else None)


@app.command()
def say(
    bot: BotName,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What to say.")],
    data_dir: DataDir = None,
    name: Annotated[
        str | None, typer.Option("--as", metavar="NAME", help="What the bot calls you.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say something to a bot, without being in the game. In a pipe, or with --json: JSON."""
    from bots.cli.output import answer_of

    words = " ".join(text).strip()
    if not words:
        refuse("say something: townsfolk say Alice 'Hello!'")
    if words.startswith("!"):
        refuse(f"{words!r} is a command: use townsfolk exec {bot} {words!r}")
    _check_operator(name)
    result = ask_daemon(data_dir, lambda daemon: daemon.message(bot, words, name))
    _print_result(result, answer_of(result, bot) if _is_plain(as_json) else None)


@app.command()
def chat(
    bot: Annotated[
        str | None,
        typer.Argument(metavar="BOT", help="Which bot; else the first.", autocompletion=bot_names),
    ] = None,
    data_dir: DataDir = None,
    name: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="What the bot calls you; else your login name."),
    ] = None,
) -> None:
    """Talk with a bot, line by line. !help lists its commands; Ctrl-D leaves."""
    from bots.cli.chat import converse

    _check_operator(name)
    with plain_errors():
        raise typer.Exit(converse(folder_of(data_dir), bot, name))


@app.command()
def prompt(
    bot: BotName,
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="What would be said.")],
    data_dir: DataDir = None,
    name: Annotated[
        str | None, typer.Option("--from", metavar="NAME", help="The player who would say it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The request as JSON.")] = False,
) -> None:
    """Print what a model would be asked. Nobody is asked."""
    from bots.cli.output import readable

    words = " ".join(text).strip()
    if not words:
        refuse("say something: townsfolk prompt Alice 'Hello!'")
    result = ask_daemon(data_dir, lambda daemon: daemon.prompt(bot, words, name))
    is_text = result.get("success") is True and not as_json
    print_line(readable(result) if is_text else json.dumps(result, ensure_ascii=False))
    raise typer.Exit(0 if result.get("success") is True else 1)


app.command()(plan)
app.add_typer(bots_cli.app, name="bots")
app.add_typer(experiment_cli.app, name="experiment")
app.add_typer(vis_cli.app, name="vis")


@app.command()
def doctor(
    data_dir: DataDir = None,
    config: Config = None,
    server: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Also join this server for a moment.")
    ] = None,
) -> None:
    """Check the installation. Says what to do about what is wrong."""
    from bots.cli.doctor import check_server, examine, report
    from bots.settings.loading import load_settings

    flags = _flags(data_dir=data_dir, server=_server_flags(server))
    findings = examine(config, flags)
    if server is not None:
        with plain_errors():
            findings.append(check_server(load_settings(config, flags)))
    for line in report(findings):
        print_line(as_typed(line))
    raise typer.Exit(0 if all(finding.well for finding in findings) else 1)


@app.command()
def backup(
    to: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, outside of the data.")],
    data_dir: DataDir = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Settings that lie elsewhere.")
    ] = None,
) -> None:
    """Copy all that the bots remember into a new folder; the daemon may run meanwhile."""
    from bots.cli.backup import back_up

    with plain_errors():
        print_line(back_up(folder_of(data_dir), to, config, complain))


@app.command()
def restore(
    source: Annotated[Path, typer.Argument(metavar="DIR", help="What `backup` made.")],
    data_dir: DataDir = None,
    settings: Annotated[
        bool | None,
        typer.Option(
            help="Put its settings and accounts back, too; unset: asked.", show_default=False
        ),
    ] = None,
) -> None:
    """Put a backup into a data folder that holds nothing yet."""
    from bots.cli.backup import put_back

    def ask(question: str) -> bool:
        return typer.confirm(question, err=True)

    asked = ask if sys.stdin.isatty() else None
    with plain_errors():
        print_line(put_back(source, folder_of(data_dir), settings, asked, complain))


@app.command()
def login(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's and the player's name.")],
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Sign a bot in with its Microsoft account."""
    from bots.cli.init import login as sign_in
    from bots.settings.loading import load_settings

    with plain_errors():
        settings = load_settings(config, _flags(data_dir=data_dir))
        print_line(sign_in(settings, name, complain))


@app.command("logs", hidden=True)
@app.command("log")
def show_log(
    follow: Annotated[bool, typer.Option("-f", "--follow", help="Go on as it happens.")] = False,
    bot: Annotated[str | None, typer.Option(metavar="BOT", help="This bot alone.")] = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="All events, with their facts.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="All events, as JSON lines.")] = False,
    data_dir: DataDir = None,
) -> None:
    """Show what happened, as `up` tells it."""
    from bots.cli.log import rendered, story

    folder = folder_of(data_dir)
    with plain_errors():
        if verbose or as_json:
            events = _events(folder, follow)
            colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
            lines = rendered(events, bot=bot, as_json=as_json, colours=colours)
        else:
            lines = story(folder, bot, _daemon_runs(folder) if follow else None)
        for line in lines:
            _announce(line)


@app.command()
def status(
    as_json: AsJson = False,
    link: Annotated[
        bool, typer.Option("--link", help="A link that opens the page in a browser, once.")
    ] = False,
    live: Annotated[
        bool, typer.Option("--live", help="Only whether it should be left alone.")
    ] = False,
    ready: Annotated[
        bool, typer.Option("--ready", help="Only whether its bots can be talked with now.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Show how the daemon, its database and its bots are."""
    from bots.cli.status import show, show_link, show_whether

    folder = folder_of(data_dir)
    with plain_errors():
        if link:
            return show_link(folder)
        if live or ready:
            is_well = show_whether(folder, "live" if live else "ready")
        else:
            is_well = show(folder, as_json)
    raise typer.Exit(0 if is_well else 1)


@app.command()
def top(
    once: Annotated[
        bool, typer.Option("--once", help="Print how things are now, and end.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="The same as one JSON object, and end.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Watch the running daemon: bots, work, talk, cost and load. ? shows the keys."""
    with plain_errors():
        from bots.cli.top.run import watch

        raise typer.Exit(watch(folder_of(data_dir), once=once, as_json=as_json))


@app.command()
def stop(data_dir: DataDir = None) -> None:
    """End the running daemon; its bots leave the world."""
    from bots.cli.process import stop as end

    with plain_errors():
        print_line(end(folder_of(data_dir)))


@app.command("help")
def show_help(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="Of which command.")
    ] = None,
) -> None:
    """Show help, for all commands or for one."""
    from bots.cli.output import help_on

    print_line(help_on(context, command or ()))


@app.command()
def stats(
    as_json: AsJson = False,
    data_dir: DataDir = None,
) -> None:
    """Show how well the bots decide, and the targets."""
    from bots.cli.status import show_stats

    with plain_errors():
        show_stats(folder_of(data_dir), as_json)


@app.command()
def mcp(
    http: Annotated[
        bool, typer.Option("--http", help="Serve HTTP on this machine, not stdin and stdout.")
    ] = False,
    port: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, max=65535, help="Of HTTP; 8931 unless given, 0: any."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Serve the bots to clients of MCP, such as Claude Code."""
    from bots.cli.mcp import serve

    if port is not None and not http:
        refuse("--port is of HTTP; write --http too")
    with plain_errors():
        serve(folder_of(data_dir), http, port, _announce)


def _server_flags(address: str | None) -> dict[str, Any]:
    from bots.cli.init import lan_address
    from bots.settings.loading import parse_address

    if address is None:
        return {}
    with plain_errors():
        host, port = lan_address() if address == "lan" else parse_address(address)
    return {"host": host, "port": port}


def _daemon_runs(data_dir: Path) -> Callable[[], bool]:
    """Tells whether the daemon still runs. Raises NoDaemon where none does."""
    from bots.daemon.daemon_file import NoDaemon, read

    read(data_dir)

    def runs() -> bool:
        try:
            read(data_dir)
        except NoDaemon:
            return False
        return True

    return runs


def _events(data_dir: Path, follow: bool) -> Iterator[dict[str, Any]]:
    """From the running daemon, else from the log file of the last one."""
    from bots.cli.client import DaemonClient
    from bots.cli.log import from_file
    from bots.daemon.daemon_file import NoDaemon

    try:
        daemon = DaemonClient.of(data_dir)
    except NoDaemon as none:
        if follow:
            raise
        remark(f"{none}; showing what was logged")
        yield from from_file(data_dir)
        return
    with daemon:
        yield from daemon.traces(follow)


def _print_result(result: dict[str, Any], lines: list[str] | None) -> NoReturn:
    """Print the result, by these lines or as JSON, and exit by it."""
    from bots.cli.terminal import broken_at_words

    if lines is None:
        print_line(json.dumps(result, ensure_ascii=False))
    elif result.get("reason") not in TOLD_ALREADY:
        print_line("\n".join(broken_at_words(lines)))
    raise typer.Exit(0 if result.get("success") is True else 1)


def _is_plain(as_json: bool) -> bool:
    """Whether a person reads the result."""
    return sys.stdout.isatty() and not as_json


def _check_operator(name: str | None) -> None:
    from bots.access.origin import NAME_OF_OPERATOR

    if name is not None and not NAME_OF_OPERATOR.fullmatch(name):
        refuse("--as: write 1 to 32 letters, digits or _.-")


def _flags(**given: Any) -> dict[str, Any]:
    """The flags that were given, nested like the settings they override."""
    kept = {name: _flags(**v) if isinstance(v, dict) else v for name, v in given.items()}
    return {name: value for name, value in kept.items() if value is not None and value != {}}


def _announce(line: str) -> None:
    print_styled(line)
    sys.stdout.flush()


NO_FILE_NOR_PIPE = 1
"""Bytes. No core fits them, and Linux hands none to a program either; 0 would not keep it from
that. Child processes inherit the limit."""


def forbid_core_dumps() -> None:
    """Leave no core when this process or one of its children crashes."""
    try:
        import resource
    except ImportError:  # Windows
        return
    _soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    most = NO_FILE_NOR_PIPE if hard == resource.RLIM_INFINITY else min(hard, NO_FILE_NOR_PIPE)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
