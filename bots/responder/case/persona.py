"""Who each bot is: files that its owner may edit at any time, checked for every answer."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import structlog

from bots.private_files import for_owner_alone, make_private_folder

log = structlog.get_logger()

PERSONA_FILE = "persona.md"
MEMORY_FILE = "core_memory.md"
MOST_CHARACTERS = 8_000  # of each file that reach the model

Temperament: TypeAlias = Literal["cheerful", "calm", "curious", "practical"]
"""How a bot makes small talk, and what it likes to do."""
TEMPERAMENTS: tuple[Temperament, ...] = get_args(Temperament)

_LANGUAGES = re.compile(r"^languages\s*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)
_TEMPERAMENT = re.compile(
    rf"^temperament\s*:\s*({'|'.join(TEMPERAMENTS)})\s*$", re.IGNORECASE | re.MULTILINE
)
_FIRST_SENTENCE = re.compile(
    r"^(?![#\s])(?!(?:languages|temperament)\s*:).+?(?:[.!?](?=\s|$)|[。！？]|$)", re.I | re.M
)

_DEFAULTS = {
    "Alice": (
        "Alice likes to gather things and always knows what she carries. "
        "She is cheerful and curious, asks short questions, and is glad about company."
    ),
    "Bob": (
        "Bob likes to look around and remembers where things are. "
        "He is calm, speaks little, and has a dry sense of humour."
    ),
}
_ANYBODY: dict[Temperament, str] = {
    "cheerful": "{name} is cheerful, easily delighted, and glad about company.",
    "calm": "{name} is calm, says little, and has a dry sense of humour.",
    "curious": "{name} wants to know how everything works, and asks short questions.",
    "practical": "{name} likes to get things done, counts what there is, and wastes no words.",
}
_KNOWN: dict[str, Temperament] = {
    "Alice": "cheerful",
    "Bob": "calm",
    "Cara": "curious",
    "Dan": "practical",
}
_TEMPLATE = "# {name}\nLanguages: English, 日本語\nTemperament: {temperament}\n\n{text}\n"


@dataclass(frozen=True, slots=True)
class Persona:
    name: str
    text: str
    """The whole file."""
    memory: str = ""
    """What `core_memory.md` holds; '' when there is none."""

    @property
    def languages(self) -> tuple[str, ...]:
        """As in the `Languages:` line; talks begin in the first."""
        found = _LANGUAGES.search(self.text)
        return (
            tuple(word.strip() for word in re.split("[,、]", found[1])) if found else ("English",)
        )

    @property
    def temperament(self) -> Temperament:
        """As in the `Temperament:` line, else by the name."""
        found = _TEMPERAMENT.search(self.text)
        named = found[1].lower() if found else ""
        return next((one for one in TEMPERAMENTS if one == named), _temperament_of(self.name))

    @property
    def about(self) -> str:
        """The first sentence about the bot; '' when there is none."""
        found = _FIRST_SENTENCE.search(self.text)
        return found[0].strip() if found else ""


Stamp: TypeAlias = tuple[int, ...]
"""Changes whenever the file is written."""


class PersonaFiles:
    """Reads `<folder>/<bot name>/persona.md` and `core_memory.md`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[Stamp, ...], Persona]] = {}

    async def current(self, name: str) -> Persona:
        """The bot's persona as its files are now; unchanged files are not read again."""
        home = self._folder / name
        stamps = _stamp(home / PERSONA_FILE), _stamp(home / MEMORY_FILE)
        known = self._known.get(name)
        if known is not None and known[0] == stamps:
            return known[1]
        persona = await asyncio.to_thread(self.read, name)
        self._known[name] = stamps, persona
        return persona

    def read(self, name: str) -> Persona:
        """The bot's persona. A missing file is created; one that cannot be read gives a default.

        Blocks on the disk."""
        home = self._folder / name
        text = _read(home / PERSONA_FILE) or self._create(home, name)
        return Persona(name, text, _read(home / MEMORY_FILE))

    def _create(self, home: Path, name: str) -> str:
        text = _default(name)
        path = home / PERSONA_FILE
        try:
            make_private_folder(home)
            with (
                suppress(FileExistsError),
                open(path, "x", encoding="utf-8", opener=for_owner_alone) as file,
            ):
                file.write(text)
        except OSError as error:
            log.warning("persona.not_created", bot=name, why=str(error))
        return text


def _default(name: str) -> str:
    temperament = _temperament_of(name)
    text = _DEFAULTS.get(name) or _ANYBODY[temperament].format(name=name)
    return _TEMPLATE.format(name=name, temperament=temperament, text=text)


def _temperament_of(name: str) -> Temperament:
    """Always the same for a name; the four are about equally frequent."""
    return _KNOWN.get(name) or TEMPERAMENTS[sum(map(ord, name)) % len(TEMPERAMENTS)]


def _stamp(path: Path) -> Stamp:
    try:
        now = path.stat()
    except OSError:
        return ()
    return now.st_mtime_ns, now.st_ctime_ns, now.st_size, now.st_ino


def _read(path: Path) -> str:
    """The file's text; '' when it is missing, empty or cannot be read."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()[:MOST_CHARACTERS]
    except FileNotFoundError:
        return ""
    except OSError as error:
        log.warning("persona.not_read", path=str(path), why=str(error))
        return ""
