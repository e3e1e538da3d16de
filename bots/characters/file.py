"""Reads a character from a file that somebody made: a persona in plain text, or a card.

Such a file comes from anywhere: its size is bounded, and what it cannot be is refused in words.
"""

from __future__ import annotations

import base64
import binascii
import io
import zlib
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from bots.characters import gallery
from bots.characters.card import NoCard, card_of, written
from bots.characters.foreign import card_of_another
from bots.characters.png_text import SIGNATURE, NotPng, text_chunks
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
    known = gallery.find(source)
    if known is not None and not path.exists():
        return Character(gallery.renamed(known, bot))
    content = _read(path)
    try:
        return _character(content, bot, path.stem)
    except (NoCard, NotPng) as error:
        raise CharacterRefused(f"{path}: {error}") from error


def _character(content: bytes, bot: str, file_name: str) -> Character:
    if content.startswith(SIGNATURE):
        return _from_card(_card_in_image(content), bot, file_name)
    if content.startswith(_ZIP):
        return _from_card(_card_in_zip(content), bot, file_name)
    text = _text_of(content)
    if text.lstrip().startswith("{"):
        return _from_card(content, bot, file_name)
    return _from_text(text.strip(), bot)


def _text_of(content: bytes) -> str:
    try:
        return text_of(content)
    except NotText as error:
        raise NoCard(
            f"it is neither text in UTF-8 nor a card (PNG, JSON or charx): {error}"
        ) from None


def _from_text(text: str, bot: str) -> Character:
    if not text or "\0" in text:
        raise NoCard("it is empty" if not text else "it is no text")
    if len(text) > MOST_CHARACTERS:
        raise NoCard(f"it has {len(text):,} characters; a bot takes {MOST_CHARACTERS:,}")
    return Character(gallery.renamed(text, bot))


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
        raise CharacterRefused(_missing(path)) from None
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        why = getattr(error, "strerror", None) or error
        raise CharacterRefused(f"cannot read {path}: {why}") from error
    if len(content) > MOST_BYTES:
        raise CharacterRefused(f"{path}: has over {MOST_BYTES:,} bytes; no character is so large")
    return content


def _missing(path: Path) -> str:
    names = [*gallery.gallery()]
    listed = ", ".join(names)
    hint = suggest.as_sentence(suggest.similar(str(path).capitalize(), names))
    return f"there is no file {path}.{hint or f' The gallery has {listed}.'}"
