"""Who each bot is: files that its owner may edit at any time, checked for every answer."""

from __future__ import annotations

import asyncio
import errno
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import structlog

from bots.characters.file import MOST_CHARACTERS, gallery, renamed
from bots.private_files import for_owner_alone, free_name, make_private_folder
from bots.text import reading

log = structlog.get_logger()

PERSONA_FILE = "persona.md"
MEMORY_FILE = "core_memory.md"
PERSONA_FOLDER = "bots"
"""Of the data folder: in it each bot has a folder of its name."""

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
_KNOWN: dict[str, Temperament] = {
    "Alice": "cheerful",
    "Bob": "calm",
    "Cara": "curious",
    "Dan": "practical",
}
_TEMPLATE = "# {name}\nLanguages: English, 日本語\nTemperament: {temperament}\n\n{text}"


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
        return _about(self.text)


Stamp: TypeAlias = tuple[int, ...]
"""Changes whenever the file is written."""


class PersonaFiles:
    """Reads `<folder>/<bot name>/persona.md` and `core_memory.md`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known: dict[str, tuple[tuple[Stamp, ...], Persona]] = {}
        self._gallery = gallery()
        self._creating = threading.Lock()

    @classmethod
    def of(cls, data_dir: Path) -> PersonaFiles:
        """The files of a data folder."""
        return cls(data_dir / PERSONA_FOLDER)

    def path(self, name: str) -> Path:
        """Where the bot's character lies."""
        return self._folder / name / PERSONA_FILE

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
        text = _read(self.path(name)) or self._create(name)
        return Persona(name, text, _read(home / MEMORY_FILE))

    def replace(self, name: str, text: str) -> Path | None:
        """Give the bot this character; where the one before is kept, if there was one.

        It holds from the next answer on, also in a running daemon. Raises OSError."""
        path = self.path(name)
        make_private_folder(path.parent)
        draft, kept = free_name(path.with_suffix(".new")), free_name(path.with_suffix(".md.old"))
        _write_new(draft, text)
        had_one = path.exists()
        if had_one:
            path.replace(kept)
        draft.replace(path)
        return kept if had_one else None

    def _create(self, name: str) -> str:
        path = self.path(name)
        with self._creating:  # two at once would choose the same character
            text = _read(path) or self._default(name)
            try:
                make_private_folder(path.parent)
                with suppress(FileExistsError):
                    _write_new(path, text)
            except OSError as error:
                log.warning("persona.not_created", bot=name, why=str(error))
        return text

    def _default(self, name: str) -> str:
        """The character of that name, else one that no other bot has."""
        if own := _DEFAULTS.get(name):
            return _TEMPLATE.format(name=name, temperament=_temperament_of(name), text=own)
        taken = self._taken(name)
        free = [one for one in self._gallery if one not in taken] or [*self._gallery]
        chosen = name if name in self._gallery else free[_number_of(name) % len(free)]
        return renamed(self._gallery[chosen], name)

    def _taken(self, name: str) -> set[str]:
        """The characters of the gallery that other bots have, or will have by their name."""
        try:
            others = {home.name for home in self._folder.iterdir()} - {name}
        except OSError:  # no bot has a folder yet
            return set()
        alike = {
            character
            for other in others
            for character, text in self._gallery.items()
            if _about(renamed(text, other)) in _read(self.path(other))
        }
        return alike | others


def _number_of(name: str) -> int:
    """Always the same for a name."""
    return sum(map(ord, name))


def _about(text: str) -> str:
    found = _FIRST_SENTENCE.search(text)
    return found[0].strip() if found else ""


def _write_new(path: Path, text: str) -> None:
    with open(path, "x", encoding="utf-8", opener=for_owner_alone) as file:
        file.write(f"{text}\n")


def _temperament_of(name: str) -> Temperament:
    """Always the same for a name; the four are about equally frequent."""
    return _KNOWN.get(name) or TEMPERAMENTS[_number_of(name) % len(TEMPERAMENTS)]


def _stamp(path: Path) -> Stamp:
    try:
        now = path.stat()
    except OSError:
        return ()
    return now.st_mtime_ns, now.st_ctime_ns, now.st_size, now.st_ino


def _read(path: Path) -> str:
    """The file's text; '' when it is missing, empty, no text, or cannot be read."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise OSError(errno.EINVAL, "it is no file")
        return reading.read_text(path).strip()[:MOST_CHARACTERS]
    except FileNotFoundError:
        return ""
    except reading.NotText as error:
        log.warning("persona.damaged", path=str(path), why=str(error))
        text = reading.read_bytes(path).decode("utf-8", "replace").strip()[:MOST_CHARACTERS]
        return "" if "\0" in text else text
    except OSError as error:
        log.warning("persona.not_read", path=str(path), why=str(error))
        return ""
