"""Whatever a command prints, on whichever stream, a terminal reads words."""

from collections.abc import Callable

import pytest

from bots.cli import output

HOSTILE = "\x1b]0;x\x07 \x9b2J \u202e \u2066 \r\x00 \u2028"
SHOWN = r"\u001b]0;x\u0007 \u009b2J \u202e \u2066 \r\u0000 \u2028"


@pytest.mark.parametrize(
    ("tell", "shown"),
    [
        (output.print_line, SHOWN),
        (output.print_styled, SHOWN),
        (output.remark, SHOWN),
        (output.complain, f"townsfolk: {SHOWN}"),
    ],
)
def test_every_way_to_print_escapes_what_a_terminal_would_obey(
    capsys: pytest.CaptureFixture[str], tell: Callable[[str], None], shown: str
) -> None:
    tell(HOSTILE)
    printed = capsys.readouterr()
    assert printed.out + printed.err == f"{shown}\n"


@pytest.mark.parametrize("end", [output.fail, output.refuse])
def test_an_error_is_told_the_same_way(
    capsys: pytest.CaptureFixture[str], end: Callable[[str], object]
) -> None:
    with pytest.raises(BaseException, match=r"^\d?$"):
        end(HOSTILE)
    assert capsys.readouterr().err == f"townsfolk: {SHOWN}\n"
