"""The files of the page, read once and served from memory."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.responses import Response

from bots.http.responses import HEADERS

FOLDER = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Of the page: nothing from elsewhere, no script in the page itself."""


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    type: str
    tag: str


def page_file(name: str, known_tag: str | None = None) -> Response | None:
    """A file of the page; None when there is none of this name. A browser that has it already
    shows its tag, and gets no more than that it may keep it."""
    file = _files().get(name)
    if file is None:
        return None
    headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": file.tag}
    headers["Content-Security-Policy"] = POLICY
    if known_tag == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.content, headers=headers, media_type=file.type)


@cache
def _files() -> dict[str, _File]:
    paths = [path for path in FOLDER.rglob("*") if path.suffix in TYPES]
    return {path.relative_to(FOLDER).as_posix(): _read(path) for path in paths}


def _read(path: Path) -> _File:
    content = path.read_bytes()
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return _File(content, TYPES[path.suffix], tag)
