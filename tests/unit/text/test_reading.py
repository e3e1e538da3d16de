"""Text files as editors on any system write them."""

import pytest

from bots.text.reading import NotText, text_of


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_text_is_the_same_however_it_was_saved(encoding: str, end: str) -> None:
    assert text_of(f"a = 1{end}b = 'ä蜂'{end}".encode(encoding)) == "a = 1\nb = 'ä蜂'\n"


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"ok\r\ncaf\xe9", "byte e9 in line 2, column 4"),
        ("蜂".encode() + b"\x82", "byte 82 in line 1, column 2"),
        (b"\xff\xfea\0b", "UTF-16 text: byte 62 in line 1, column 2"),
    ],
)
def test_bytes_that_are_no_text_are_named_with_their_place(content: bytes, where: str) -> None:
    with pytest.raises(NotText, match=where):
        text_of(content)
