"""Texts inside a PNG image: chunks tEXt, zTXt and iTXt, in which tools keep what belongs to it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_BYTES = 4_000_000  # of one text, unpacked
_LENGTH, _TYPE, _CHECK = 4, 4, 4  # bytes of a chunk around its data


class NotPng(ValueError):
    """The bytes are no whole PNG; the text says what is wrong."""


def text_chunks(image: bytes) -> Iterator[tuple[str, bytes]]:
    """Keyword and text of each text chunk, in order. Raises NotPng."""
    for kind, data in _chunks(image):
        keyword, found, rest = data.partition(b"\0")
        if kind in _TEXTS and found:
            yield keyword.decode("latin-1"), _TEXTS[kind](rest)


def _compressed(rest: bytes) -> bytes:
    """The text of a zTXt chunk: one byte names the method, 0."""
    return _unpacked(rest[1:])


def _international(rest: bytes) -> bytes:
    """The text of an iTXt chunk: a flag, a method, a language, a translated keyword, the text."""
    text = rest[2:].split(b"\0", 2)[-1]
    return _unpacked(text) if rest[:1] == b"\1" else text


def _unpacked(packed: bytes) -> bytes:
    inflate = zlib.decompressobj()
    try:
        text = inflate.decompress(packed, MOST_BYTES)
    except zlib.error:
        raise NotPng("a text in the image is damaged: it does not unpack") from None
    if not inflate.eof:
        raise NotPng(f"a text in the image is cut off or has over {MOST_BYTES:,} bytes")
    return text


_TEXTS: dict[bytes, Callable[[bytes], bytes]] = {
    b"tEXt": bytes,
    b"zTXt": _compressed,
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
