"""Sets up: `townsfolk init` for your own server, `townsfolk login` for a Microsoft account, and
`--server lan` for a world opened to LAN."""

from __future__ import annotations

import asyncio
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from bots.characters.file import character_from
from bots.cli.bots import given
from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError
from bots.private_files import for_owner_alone, free_name, make_private, make_private_folder
from bots.settings.fields import check_name, check_player
from bots.settings.loading import FILE_NAME, load_settings, parse_address
from bots.settings.settings import Settings
from bots.text.printable import printable
from bots.text.reading import NotText, read_text
from bridge.accounts import SignInCode, sign_in
from bridge.diagnosis import WAY_TO_NEWER
from bridge.errors import BotError, UserError
from bridge.node import ready
from bridge.server_ping import LISTEN_S, LanWorld, NoAnswer, lan_worlds, ping
from bridge.versions import VERSIONS

CLAUDE, NONE = "claude", "none"
OLLAMA = "http://127.0.0.1:11434"
PUBLIC = ("off", "addressed", "all")
Ask: TypeAlias = Callable[[str, str], str]
"""A question and what an empty answer means; the answer."""
Say: TypeAlias = Callable[[str], None]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bot:
    name: str
    character: str = ""
    """A file, or a name of the gallery; empty for one of its own."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What is asked; None for what no flag has answered yet."""

    server: str | None = None
    owner: str | None = None
    bots: str | None = None
    """`NAME` or `NAME:CHARACTER`, with commas between."""
    brain: str | None = None
    """`claude`, `none`, or the model of a local server."""
    public: str | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The answers, checked."""

    host: str
    port: int
    owner: str
    bots: tuple[Bot, ...]
    model: str
    """Of a local server; empty where there is none."""
    has_model: bool
    public: str


def init(data_dir: Path, answers: Answers, ask: Ask | None, say: Say, *, force: bool) -> Path:
    """Write the configuration; its path. Without `ask`, what is not answered is as by default.

    Raises SettingsError where there is one already, unless forced or told to replace it, and
    CharacterRefused. Then nothing has changed."""
    refuse_foreign(data_dir)
    file = data_dir / FILE_NAME
    if file.exists() and not force:
        if ask is None:
            raise SettingsError(f"{file} is there already; --force replaces it")
        if ask(f"{file} is there already. Replace it? y/n", "n") != "y":
            raise SettingsError(f"{file} is there already; it stays as it is")
    plan = _plan(answers, ask, say)
    text = written(plan)
    _check(text)
    if file.exists():
        kept = free_name(file.with_suffix(".toml.before"))
        file.replace(kept)
        say(f"The one before is kept: {kept}")
    write(file, text)
    for bot in plan.bots:
        if bot.character:
            for line in given(data_dir, bot.name, bot.character):
                say(line)
    return file


def _check(text: str) -> None:
    """Raises SettingsError for answers that do not go together, before anything is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE_NAME
        file.write_text(text, encoding="utf-8")
        load_settings(file, {"data_dir": Path(folder)})


def written(plan: Plan) -> str:
    """The configuration, with comments for whoever changes it."""
    names = [bot.name for bot in plan.bots]
    return f"""# Settings of townsfolk; docs/settings.md has all of them.

[server]
host = {json.dumps(plan.host)}
port = {plan.port}
# Left out, the server is asked for its version. It must run with online-mode=false, unless the
# bots have accounts: townsfolk login NAME.

[bots]
names = {json.dumps(names)}

[permissions]
# Who may command everything, exactly as the game spells it.
{"" if plan.owner else "# "}owners = {json.dumps([plan.owner])}
# A name alone proves nothing where the server checks none: set TOWNSFOLK_PERMISSIONS__PIN too.

[chat]
# Public chat that bots heed: off, addressed (lines that name them), all.
public = {json.dumps(plan.public)}

[llm]
{_brain(plan)}
"""


def _brain(plan: Plan) -> str:
    if plan.model:
        return f"base_url = {json.dumps(OLLAMA)}\nmodel = {json.dumps(plan.model)}"
    if plan.has_model:
        return "# The key is best given as the variable ANTHROPIC_API_KEY.\ncost_limit_usd = 2.0"
    return 'enabled = "off"  # bots answer by rules'


def _plan(answers: Answers, ask: Ask | None, say: Say) -> Plan:
    host, port = _server(answers.server, ask, say)
    questions = _Questions(ask, say)
    name = "Your name in the game, exactly as it is spelt"
    owner = questions.answer(
        answers.owner, name, "", lambda text: _checked(check_player, text) if text else ""
    )
    bots = "The bots, as Alice,Bob or Alice:otto,Bob:iris"
    named = questions.answer(answers.bots, bots, "Alice,Bob", _bots)
    brain = "What answers: claude, none, or the name of an Ollama model"
    model = questions.answer(answers.brain, brain, "none", str)
    heeded = "Public chat they heed: off, addressed (lines that name them), all"
    return Plan(
        host,
        port,
        owner,
        named,
        model="" if model in (CLAUDE, NONE) else model,
        has_model=model != NONE,
        public=questions.answer(answers.public, heeded, "addressed", _public),
    )


@dataclass(frozen=True, slots=True)
class _Questions:
    """Each is asked until its answer can be used."""

    ask: Ask | None
    say: Say

    def answer(self, given: str | None, question: str, default: str, read: Callable[[str], T]) -> T:
        """The answer as `read` makes it. Raises SettingsError for one that was given before."""
        while True:
            try:
                return read(_answer(given, self.ask, question, default))
            except BotError as error:
                if self.ask is None or given is not None:
                    raise
                self.say(str(error))


def _server(given: str | None, ask: Ask | None, say: Say) -> tuple[str, int]:
    """Asked until somebody answers there, or whoever is asked keeps it all the same."""
    while True:
        text = _answer(given, ask, "Your server's address, as HOST:PORT", "localhost:25565")
        try:
            host, port = parse_address(text)
        except SettingsError as error:
            if ask is None or given is not None:
                raise
            say(str(error))
            continue
        try:
            found = asyncio.run(ping(host, port))
        except NoAnswer as none:
            say(f"{printable(str(none))}.")
            if ask is None or given is not None or ask("Keep it all the same? y/n", "y") == "y":
                return host, port
        else:
            there = f"{found.players} of {found.room} players are there"
            say(f"{host}:{port} is Minecraft {printable(found.version)}; {there}.")
            if VERSIONS.is_too_new(found.protocol, found.version):
                say(f"townsfolk speaks {VERSIONS}. {WAY_TO_NEWER}")
            return host, port


def _answer(given: str | None, ask: Ask | None, question: str, default: str) -> str:
    if given is not None:
        return given.strip()
    return default if ask is None else ask(question, default).strip() or default


def _bots(text: str) -> tuple[Bot, ...]:
    """Raises SettingsError and CharacterRefused."""
    found: list[Bot] = []
    for written in filter(None, (part.strip() for part in text.split(","))):
        name, _, character = (part.strip() for part in written.partition(":"))
        found.append(Bot(_checked(check_name, name), character))
        if character:
            character_from(character, name)
    return tuple(found)


def _public(text: str) -> str:
    if text not in PUBLIC:
        raise SettingsError(f"{text!r} is none of {', '.join(PUBLIC)}")
    return text


def _checked(check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except ValueError as error:
        raise SettingsError(str(error)) from error


_SECTION = re.compile(r"^[ \t]*\[bots\][ \t]*(#.*)?$", re.M)
_ANY_SECTION = re.compile(r"^[ \t]*\[", re.M)
_NAMES = re.compile(r"^(\s*names\s*=\s*)\[[^\]]*\]", re.M)


def write(file: Path, text: str) -> None:
    """Put a configuration in place in one step, for its owner alone. Raises SettingsError."""
    draft = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        make_private_folder(file.parent)
        with open(draft, "x", encoding="utf-8", opener=for_owner_alone) as out:
            out.write(text)
        draft.replace(file)
    except OSError as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise SettingsError(f"cannot write {file}: {error.strerror}") from error


def keep_names(file: Path, names: Sequence[str]) -> None:
    """Write these names of bots into the file, made if missing. Raises SettingsError."""
    try:
        text = read_text(file) if file.exists() else ""
        changed = with_names(text, names)
    except OSError as error:
        raise SettingsError(f"cannot read {file}: {error.strerror}") from error
    except NotText as error:
        raise SettingsError(f"{file}: {error}") from error
    write(file.resolve(), changed)


def with_names(text: str, names: Sequence[str]) -> str:
    """The configuration with these names of bots.

    Raises SettingsError where it is written in a way that only a person should change."""
    wanted, written = tomllib.loads(text), json.dumps(list(names))
    wanted.setdefault("bots", {})["names"] = list(names)
    changed = _with_names(text, written)
    with suppress(tomllib.TOMLDecodeError):
        if tomllib.loads(changed) == wanted:
            return changed
    raise SettingsError(f"write it yourself: names = {written} below [bots]")


def _with_names(text: str, names: str) -> str:
    section = _SECTION.search(text)
    if section is None:
        before = f"{text.rstrip()}\n\n" if text.strip() else ""
        return f"{before}[bots]\nnames = {names}\n"
    end = _ANY_SECTION.search(text, section.end())
    at, to = section.end(), end.start() if end else len(text)
    body, count = _NAMES.subn(lambda found: f"{found[1]}{names}", text[at:to], count=1)
    return text[:at] + (body if count else f"\nnames = {names}{text[at:to]}") + text[to:]


def lan_address() -> tuple[str, int]:
    """Its host and port, after some seconds of listening. Raises SettingsError when there is
    none, or more than one to choose from."""
    try:
        worlds = asyncio.run(lan_worlds())
    except OSError as error:
        raise UserError(f"this network cannot be listened to: {error.strerror}") from error
    return the_only(worlds)


def the_only(worlds: list[LanWorld]) -> tuple[str, int]:
    """Raises SettingsError unless there is one."""
    if not worlds:
        raise SettingsError(
            f"no world was announced within {LISTEN_S:g} s; open one with Esc, Open to LAN, "
            "or write the address: --server HOST:PORT"
        )
    if len(worlds) > 1:
        choices = (f"  --server {w.host}:{w.port}   {w.name}" for w in worlds)
        raise SettingsError("\n".join(["several worlds are open; choose one:", *choices]))
    (world,) = worlds
    return world.host, world.port


SECONDS_PER_MINUTE = 60


def login(settings: Settings, name: str, tell: Callable[[str], None]) -> str:
    """Sign the bot of this name in; a line for its owner. `tell` gets what to do.

    Raises SettingsError, SignInFailed, BotError subclasses."""
    try:
        check_name(name)
    except ValueError as error:
        raise SettingsError(str(error)) from error
    refuse_foreign(settings.data_dir)
    folder = settings.accounts_dir
    try:
        make_private_folder(folder)
        make_private(folder)
        named = asyncio.run(_sign_in(settings, folder, name, tell))
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}") from error
    done = f"{named} is signed in"
    if name in settings.bots.accounts:
        return f"{done}; a running daemon joins with it at its next try"
    return f"{done}; now set bots.accounts = {[*settings.bots.accounts, name]!r}".replace("'", '"')


async def _sign_in(settings: Settings, folder: Path, name: str, tell: Callable[[str], None]) -> str:
    """Tokens of a sign-in that fails, or of another player, replace none that are there."""

    def ask(code: SignInCode) -> None:
        minutes = code.seconds // SECONDS_PER_MINUTE
        tell(f"open {code.uri} within {minutes} minutes and type {code.code}")

    runtime = await ready(tell, offline=settings.offline)
    fresh = folder / f".{name}.new"
    fresh.unlink(missing_ok=True)
    try:
        named = await sign_in(runtime, fresh, name, ask)
        if named != name:
            raise UserError(
                f"that account is called {named} in the game, and a bot has its account's name: "
                f"run `townsfolk login {named}`, and put {named} into bots.names and bots.accounts"
            )
        fresh.replace(folder / f"{name}.json")
    finally:
        fresh.unlink(missing_ok=True)
    return named
