"""Reads a character from a file that somebody made: a persona in plain text, or a card.

Such a file comes from anywhere: its size is bounded, and what it cannot be is refused in words.
"""

from __future__ import annotations

import base64
import binascii
import io
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from bots.characters.card import NoCard, card_of, card_of_another, with_name, written
from bots.text import suggest
from bots.text.reading import NotText, read_bytes, text_of
from bridge.errors import UserError
from bridge.foreign_json import read_json

MOST_CHARACTERS = 8_000  # of a character that reach a model
MOST_BYTES = 16_000_000  # of a file; cards are pictures of one to three megabytes
MOST_CARD_BYTES = 2_000_000  # of the JSON in it
_KEYWORDS = ("ccv3", "chara")
"""Of the chunk that holds a card; where both are, the newer version counts."""
_ZIP = b"PK\x03\x04"
_CARD_IN_ZIP = "card.json"  # of a .charx


class CharacterRefused(UserError):
    """The file is no character for a bot; the text says why, and what would be."""


@dataclass(frozen=True, slots=True)
class Character:
    text: str
    """As it stands in a `persona.md`."""
    left_out: tuple[str, ...] = ()
    """What of a card has no place in it, in words."""


def character_from(source: str, bot: str) -> Character:
    """The character of a file, or of the gallery by its name, for a bot of this name.

    Raises CharacterRefused. Blocks on the disk."""
    path = Path(source)
    known = gallery().get(source.capitalize())
    if known is not None and not path.exists():
        return Character(renamed(known, bot))
    content = _read(path)
    try:
        if content.startswith(SIGNATURE):
            return _from_card(_card_in_image(content), bot, path.stem)
        if content.startswith(_ZIP):
            return _from_card(_card_in_zip(content), bot, path.stem)
        text = text_of(content)
        if text.lstrip().startswith("{"):
            return _from_card(content, bot, path.stem)
        text = text.strip()
        if not text or "\0" in text:
            raise NoCard("it is empty" if not text else "it is no text")
        if len(text) > MOST_CHARACTERS:
            raise NoCard(f"it has {len(text):,} characters; a bot takes {MOST_CHARACTERS:,}")
        return Character(renamed(text, bot))
    except NotText as error:
        raise CharacterRefused(
            f"{path}: it is neither text in UTF-8 nor a card (PNG, JSON or charx): {error}"
        ) from error
    except (NoCard, NotPng) as error:
        raise CharacterRefused(f"{path}: {error}") from error


def _from_card(content: bytes, bot: str, file_name: str) -> Character:
    if len(content) > MOST_CARD_BYTES:
        raise NoCard(f"the card has {len(content):,} bytes; at most {MOST_CARD_BYTES:,} are read")
    try:
        value = read_json(text_of(content))
    except ValueError:  # NotText, NotJson
        raise NoCard("the card is no JSON") from None
    card = card_of_another(value, file_name) or card_of(value, file_name)
    return Character(*written(card, bot, MOST_CHARACTERS))


def _card_in_image(image: bytes) -> bytes:
    texts = {keyword.lower(): text for keyword, text in text_chunks(image) if text}
    found = next((texts[keyword] for keyword in _KEYWORDS if keyword in texts), None)
    if found is None:
        raise NoCard("this picture holds no character: it has no “chara” text; was it resaved?")
    try:
        return base64.b64decode(b"".join(found.split()), validate=True)
    except binascii.Error:
        raise NoCard("the character in this picture is damaged: it is no base64") from None


def _card_in_zip(content: bytes) -> bytes:
    try:
        with ZipFile(io.BytesIO(content)) as packed, packed.open(_CARD_IN_ZIP) as card:
            return card.read(MOST_CARD_BYTES + 1)
    except KeyError:
        raise NoCard(f"this archive holds no character: it has no {_CARD_IN_ZIP}") from None
    except (BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, zlib.error):
        raise NoCard("this archive is damaged or locked") from None


def _read(path: Path) -> bytes:
    try:
        content = read_bytes(path, MOST_BYTES + 1)
    except FileNotFoundError:
        names = [*gallery()]
        hint = suggest.as_sentence(suggest.similar(str(path).capitalize(), names))
        hint = hint or f" The gallery has {', '.join(names)}."
        raise CharacterRefused(f"there is no file {path}.{hint}") from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        why = getattr(error, "strerror", None) or error
        raise CharacterRefused(f"cannot read {path}: {why}") from error
    if len(content) > MOST_BYTES:
        raise CharacterRefused(f"{path}: has over {MOST_BYTES:,} bytes; no character is so large")
    return content


# --- Texts inside a PNG image --------------------------------------------------------------------

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_TEXT_BYTES = 4_000_000  # of one text, unpacked
_LENGTH, _TYPE, _CHECK = 4, 4, 4  # bytes of a chunk around its data


class NotPng(ValueError):
    """The bytes are no whole PNG; the text says what is wrong."""


def text_chunks(image: bytes) -> Iterator[tuple[str, bytes]]:
    """Keyword and text of each text chunk, in order. Raises NotPng."""
    for kind, data in _chunks(image):
        keyword, found, rest = data.partition(b"\0")
        if kind in _TEXTS and found:
            yield keyword.decode("latin-1"), _TEXTS[kind](rest)


def _international(rest: bytes) -> bytes:
    """The text of an iTXt chunk: a flag, a method, a language, a translated keyword, the text."""
    text = rest[2:].split(b"\0", 2)[-1]
    return _unpacked(text) if rest[:1] == b"\1" else text


def _unpacked(packed: bytes) -> bytes:
    inflate = zlib.decompressobj()
    try:
        text = inflate.decompress(packed, MOST_TEXT_BYTES)
    except zlib.error:
        raise NotPng("a text in the image is damaged: it does not unpack") from None
    if not inflate.eof:
        raise NotPng(f"a text in the image is cut off or has over {MOST_TEXT_BYTES:,} bytes")
    return text


_TEXTS: dict[bytes, Callable[[bytes], bytes]] = {
    b"tEXt": bytes,
    b"zTXt": lambda rest: _unpacked(rest[1:]),  # the first byte names the method, 0
    b"iTXt": _international,
}


def _chunks(image: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Type and data of each chunk up to the image's end."""
    if not image.startswith(SIGNATURE):
        raise NotPng("it is no PNG image")
    at, kind = len(SIGNATURE), b""
    while kind != b"IEND":
        length = int.from_bytes(image[at : at + _LENGTH])
        kind = image[at + _LENGTH : at + _LENGTH + _TYPE]
        begin = at + _LENGTH + _TYPE
        at = begin + length + _CHECK
        if at > len(image):
            raise NotPng("the image is cut off")
        data = image[begin : begin + length]
        if zlib.crc32(kind + data) != int.from_bytes(image[begin + length : at]):
            raise NotPng("the image is damaged: a checksum is wrong")
        yield kind, data


# --- The gallery ---------------------------------------------------------------------------------

_NAME = re.compile(r"^# (\w+)$", re.MULTILINE | re.ASCII)


@cache
def gallery() -> Mapping[str, str]:
    """Each character's text by its name, in the order of names.

    They are read when the program starts, so a daemon that runs out of files still knows them."""
    home = Path(__file__).parent
    installed, checkout = home / "texts", home.parents[1] / "examples" / "characters"
    found = sorted((installed if installed.exists() else checkout).glob("*.md"))
    return {file.stem.capitalize(): file.read_text(encoding="utf-8").strip() for file in found}


def renamed(text: str, name: str) -> str:
    """A character's text for a bot of this name; one without a heading stays as it is."""
    found = _NAME.search(text)
    return text if found is None else with_name(text, found[1], name)
