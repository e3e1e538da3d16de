"""Parses requests; one that does not fit is refused with what would."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import QueryParams
from starlette.requests import ClientDisconnect, Request

from bots.access.origin import NAME_OF_OPERATOR
from bots.chat.message import TYPE_NAMES
from bots.chat.recall import MOST, USUAL
from bots.clock import read_moment
from bots.daemon.shapes import Body, HistoryQuery, RecallQuery
from bots.http.responses import Refused
from bots.text import suggest
from bots.text.faults import faults_of
from bots.vision.studio import Wanted

BODY_BYTES = 64 * 1024
BODY_WITHIN_S = 10.0  # no client of ours sends slower
MOST_MESSAGES = 10_000
_DEGREES = re.compile(r"-?[0-9]{1,3}(\.[0-9]{1,6})?")
_WHOLE_NUMBER = re.compile(r"[0-9]{1,15}")
_HISTORY_KEYS = ("username", "type", "talk", "limit", "since", "before")
_RECALL_KEYS = ("words", "speaker", "since", "until", "limit", "offset", "episodes")
_PICTURE_KEYS = ("yaw", "pitch", "panorama", "width", "height")
SMALLEST_SIDE, LARGEST_SIDE = 64, 1280  # pixels of a picture
FARTHEST_ON_MAP = 96  # blocks


class CommandBody(Body):
    text: str
    wait: bool = True
    attached: bool = False
    """Whether it ends when whoever waits for it hangs up."""
    plain: bool = False
    """Whether the result is also told as lines for a person."""


class MessageBody(Body):
    text: str
    name: str | None = None
    """What the bot calls whoever says it."""


AnyBody = TypeVar("AnyBody", bound=BaseModel)


async def left(request: Request) -> None:
    """Return when whoever asked has hung up; the body must have been read."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def read_body(request: Request, shape: type[AnyBody]) -> AnyBody:
    raw = await read_bytes(request)
    try:
        return shape.model_validate_json(raw)
    except ValidationError as error:
        fault = faults_of(error)[0]
        complaint = str(fault) if fault.path else f"the body must be JSON: {fault.complaint}"
        if fault.is_unknown:
            complaint = f"unknown key {fault.name!r}; known: {', '.join(shape.model_fields)}"
        raise Refused(400, "invalid_format", complaint) from None


def command_text(text: str) -> str:
    """The command without surrounding blanks."""
    command = text.strip()
    if not command.startswith("!"):
        message = "a command starts with !, as !help; plain words go to …/messages"
        raise Refused(400, "not_a_command", message)
    return command


def message_text(text: str) -> str:
    words = text.strip()
    if not words:
        raise Refused(400, "empty", "text: say something")
    if words.startswith("!"):
        raise Refused(400, "is_a_command", "text that starts with ! goes to …/commands")
    return words


def name_of_operator(name: str | None) -> str | None:
    if name is not None and not NAME_OF_OPERATOR.fullmatch(name):
        message = "name: write 1 to 32 letters, digits or _.-"
        raise Refused(400, "invalid_format", message)
    return name


def history_query(query: QueryParams) -> HistoryQuery:
    _check_keys(query, _HISTORY_KEYS)
    since = whole_number(_single(query, "since"), "since", 0, 10**15)
    before = whole_number(_single(query, "before"), "before", 1, 10**15)
    if since is not None and before is not None:
        raise Refused(400, "invalid_format", "before: goes without since")
    names, kind = _names(query.getlist("username")), _single(query, "type")
    if kind is not None and kind not in TYPE_NAMES:
        message = f"type: {kind!r} is none of {', '.join(TYPE_NAMES)}"
        raise Refused(400, "invalid_format", message)
    return HistoryQuery(
        usernames=names,
        type=kind,
        since=since,
        before=before,
        talk=whole_number(_single(query, "talk"), "talk", 1, 10**15),
        limit=whole_number(_single(query, "limit"), "limit", 1, MOST_MESSAGES),
    )


def recall_query(query: QueryParams) -> RecallQuery:
    _check_keys(query, _RECALL_KEYS)
    return RecallQuery(
        words=_single(query, "words") or "",
        speaker=_single(query, "speaker"),
        since=_moment(query, "since"),
        until=_moment(query, "until"),
        limit=whole_number(_single(query, "limit"), "limit", 1, MOST) or USUAL,
        offset=whole_number(_single(query, "offset"), "offset", 0, 10**6) or 0,
        episodes=_flag(query, "episodes"),
    )


def _flag(query: QueryParams, key: str) -> bool:
    given = _single(query, key)
    if given not in (None, "true", "false"):
        raise Refused(400, "invalid_format", f"{key}: write true or false")
    return given == "true"


def picture_query(query: QueryParams) -> Wanted:
    _check_keys(query, _PICTURE_KEYS)
    width, height = (
        whole_number(_single(query, side), side, SMALLEST_SIDE, LARGEST_SIDE)
        for side in ("width", "height")
    )
    return Wanted(
        yaw=_degrees(query, "yaw", 360),
        pitch=_degrees(query, "pitch", 90),
        is_panorama=_flag(query, "panorama"),
        width=width,
        height=height,
    )


def map_reach(query: QueryParams) -> int | None:
    _check_keys(query, ("reach",))
    return whole_number(_single(query, "reach"), "reach", 8, FARTHEST_ON_MAP)


def texts(query: QueryParams, names: Sequence[str]) -> dict[str, str | None]:
    """Each of these once or not at all, and nothing else."""
    _check_keys(query, names)
    return {name: _single(query, name) for name in names}


def whole_number(text: str | None, name: str, least: int, most: int) -> int | None:
    if text is None:
        return None
    if not _WHOLE_NUMBER.fullmatch(text) or not least <= int(text) <= most:
        message = f"{name}: write a whole number from {least} to {most}"
        raise Refused(400, "invalid_format", message)
    return int(text)


def known_bot(name: str, bots: Sequence[str], elsewhere: Sequence[str] = ()) -> str:
    """The name of a bot of ours; those elsewhere may have been meant too."""
    if name in bots:
        return name
    known = [*bots, *elsewhere]
    here = f"; bots here: {', '.join(known) or 'none'}"
    hint = suggest.as_clause(suggest.similar(name, known)) or here
    raise Refused(404, "unknown_bot", f"no bot is called {name!r}{hint}")


def decision_number(request: Request) -> int:
    text = str(request.path_params["id"])
    if not _WHOLE_NUMBER.fullmatch(text):
        raise Refused(404, "unknown_decision", f"there is no decision {text!r}")
    return int(text)


async def read_bytes(request: Request, most: int = BODY_BYTES) -> bytes:
    """The body. Raises Refused when it is too large, or too slow."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_WITHIN_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > most:
                    message = f"a body may have {most} bytes at most"
                    raise Refused(413, "too_large", message)
    except TimeoutError:
        raise Refused(408, "too_slow", f"the body took over {BODY_WITHIN_S:g} s") from None
    except ClientDisconnect:
        raise Refused(400, "incomplete", "the body ended early") from None
    return bytes(body)


def _check_keys(query: QueryParams, known: Sequence[str]) -> None:
    for key in query:
        if key not in known:
            names = ", ".join(known)
            raise Refused(400, "invalid_format", f"unknown parameter {key!r}; known: {names}")


def _degrees(query: QueryParams, key: str, most: int) -> float | None:
    text = _single(query, key)
    if text is None:
        return None
    if not _DEGREES.fullmatch(text) or abs(float(text)) > most:
        raise Refused(400, "invalid_format", f"{key}: write degrees from -{most} to {most}")
    return float(text)


def _moment(query: QueryParams, key: str) -> datetime | None:
    try:
        return read_moment(_single(query, key))
    except ValueError as wrong:
        raise Refused(400, "invalid_format", f"{key}: {wrong}") from None


def _single(query: QueryParams, key: str) -> str | None:
    values = query.getlist(key)
    if len(values) > 1:
        raise Refused(400, "invalid_format", f"{key}: give it once")
    return values[0] if values else None


def _names(written: Sequence[str]) -> tuple[str, ...] | None:
    """Repeated or comma-separated names."""
    if not written:
        return None
    names = tuple(name.strip() for part in written for name in part.split(","))
    if not all(names):
        raise Refused(400, "invalid_format", "username: a name is empty")
    return names
