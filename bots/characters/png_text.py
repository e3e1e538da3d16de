"""Texts inside a PNG image: the tEXt chunks in which tools keep what belongs to the picture."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_LENGTH, _TYPE, _CHECK = 4, 4, 4  # bytes of a chunk around its data


class NotPng(ValueError):
    """The bytes are no whole PNG; the text says what is wrong."""


def text_chunks(image: bytes) -> Iterator[tuple[str, bytes]]:
    """Keyword and text of each tEXt chunk, in order. Raises NotPng."""
    for kind, data in _chunks(image):
        keyword, found, text = data.partition(b"\0")
        if kind == b"tEXt" and found:
            yield keyword.decode("latin-1"), text


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
