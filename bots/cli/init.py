"""`townsfolk init`: five questions for a server of one's own, and a townsfolk.toml of them."""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, TypeVar

from bots.characters.file import character_from
from bots.cli.bots import given
from bots.cli.config_file import write
from bots.daemon.data_folder import refuse_foreign
from bots.errors import SettingsError
from bots.private_files import free_name
from bots.settings.fields import check_name, check_player
from bots.settings.loading import FILE_NAME, load_settings, parse_address
from bots.text.printable import printable
from bridge.diagnosis import WAY_TO_NEWER
from bridge.errors import BotError
from bridge.server_ping import NoAnswer, ping
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
    if file.exists() and not force and not _may_replace(file, ask):
        left = "it stays as it is" if ask is not None else "--force replaces it"
        raise SettingsError(f"{file} is there already; {left}")
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
{_or_comment(f"owners = {json.dumps([plan.owner])}", given=bool(plan.owner))}
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


def _or_comment(line: str, *, given: bool) -> str:
    return line if given else f"# {line}"


def _plan(answers: Answers, ask: Ask | None, say: Say) -> Plan:
    host, port = _server(answers.server, ask, say)
    questions = _Questions(ask, say)
    name = "Your name in the game, exactly as it is spelt"
    owner = questions.answer(answers.owner, name, "", _owner)
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


def _owner(text: str) -> str:
    return _checked(check_player, text) if text else ""


def _bots(text: str) -> tuple[Bot, ...]:
    """Raises SettingsError and CharacterRefused."""
    return tuple(map(_bot, filter(None, (part.strip() for part in text.split(",")))))


def _bot(text: str) -> Bot:
    name, _, character = (part.strip() for part in text.partition(":"))
    bot = Bot(_checked(check_name, name), character)
    if character:
        character_from(character, name)
    return bot


def _public(text: str) -> str:
    if text not in PUBLIC:
        raise SettingsError(f"{text!r} is none of {', '.join(PUBLIC)}")
    return text


def _checked(check: Callable[[str], str], text: str) -> str:
    try:
        return check(text)
    except ValueError as error:
        raise SettingsError(str(error)) from error


def _may_replace(file: Path, ask: Ask | None) -> bool:
    return ask is not None and ask(f"{file} is there already. Replace it? y/n", "n") == "y"
