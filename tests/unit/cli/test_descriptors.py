"""A lack of file descriptors is reported in a sentence, at the start and when they run out."""

import asyncio
import errno
import resource

import pytest
from structlog.testing import capture_logs

from bots.cli.process import allow_descriptors, tell_when_exhausted


class Limits:
    """The limits of a process, in place of ours."""

    def __init__(self, soft: int, hard: int) -> None:
        self.now = (soft, hard)

    def get(self, _what: int) -> tuple[int, int]:
        return self.now

    def set(self, _what: int, limits: tuple[int, int]) -> None:
        self.now = limits


@pytest.mark.parametrize(
    ("soft", "hard", "allowed", "told"),
    [
        (256, 256, 256, ["descriptors.few"]),
        (256, 8_192, 4_096, []),
        (1_024, resource.RLIM_INFINITY, 4_096, []),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY, []),
    ],
)
def test_it_takes_what_it_may_and_says_when_that_is_little(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, allowed: int, told: list[str]
) -> None:
    limits = Limits(soft, hard)
    monkeypatch.setattr(resource, "getrlimit", limits.get)
    monkeypatch.setattr(resource, "setrlimit", limits.set)
    with capture_logs() as logged:
        allow_descriptors()
    assert limits.now[0] == allowed
    assert [entry["event"] for entry in logged] == told


def test_a_loop_without_descriptors_says_so_in_a_sentence() -> None:
    loop = asyncio.new_event_loop()
    tell_when_exhausted(loop)
    with capture_logs() as logged:
        loop.call_exception_handler({"message": "", "exception": OSError(errno.EMFILE, "many")})
    loop.close()
    assert [entry["event"] for entry in logged] == ["descriptors.exhausted"]
