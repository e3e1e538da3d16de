"""The files of the page; all endpoints for people (`/api`) and, as OpenAPI, for programs."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter
from starlette.responses import HTMLResponse, Response

from bots.daemon.shapes import Html
from bots.http.responses import HEADERS

OPENAPI = "3.1.0"
MEDIA_TYPES: Mapping[object, str] = {bytes: "image/png", str: "text/plain", Html: "text/html"}
_PARAMETER = re.compile(r"{(\w+)}")
_REFERENCE = "#/components/schemas/{model}"


class Endpoint(NamedTuple):
    method: str
    path: str
    meaning: str
    answer: Any


@cache
def openapi(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    """The document. The WebSocket stands in it as a GET, which it begins with."""
    mode: Literal["serialization"] = "serialization"
    adapters = [(one, mode, TypeAdapter[Any](one.answer)) for one in endpoints]
    schemas, shared = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        method = "get" if one.method == "WS" else one.method.lower()
        paths.setdefault(one.path, {})[method] = _operation(one, schemas[one, mode])
    return {
        "openapi": OPENAPI,
        "info": {"title": "townsfolk", "version": version("townsfolk")},
        "paths": paths,
        "components": {
            "schemas": shared.get("$defs", {}),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(one: Endpoint, schema: Any) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in _PARAMETER.findall(one.path)
    ]
    media_type = MEDIA_TYPES.get(one.answer, "application/json")
    answered = {"description": "the answer", "content": {media_type: {"schema": schema}}}
    return {"summary": one.meaning, "parameters": parameters, "responses": {"200": answered}}


_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8886; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #8886; }
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
PAGE_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; img-src 'self'; "
    f"style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
}
FAVICON = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">\
<rect width="16" height="16" rx="3" fill="#3a7d34"/>\
<path d="M4 5h3v3H4zm5 0h3v3H9zM5 10h6v3H5z" fill="#fff"/></svg>"""
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
REPORT_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of a report: words of players and models are in it, so it runs nothing, loads nothing, and its
origin is not ours."""


def endpoints_page(bots: Sequence[str], endpoints: Iterable[Endpoint]) -> Response:
    """The page for a browser with the token."""
    names = ", ".join(map(escape, bots)) or "none yet"
    rows = "".join(
        f"<tr><td>{one.method}</td><td><code>{escape(one.path)}</code></td>"
        f"<td>{escape(one.meaning)}</td></tr>"
        for one in endpoints
    )
    body = (
        f"<p>Bots here: {names}.</p>{_HOW_TO}"
        '<h2 id="asks">What can be asked</h2><table aria-labelledby="asks"><thead><tr>'
        '<th scope="col">Method</th><th scope="col">Path</th><th scope="col">Meaning</th>'
        f"</tr></thead><tbody>{rows}</tbody></table>"
    )
    return HTMLResponse(_page(body), headers=PAGE_HEADERS)


def unauthorised_page() -> Response:
    """The page for a browser without the token."""
    body = (
        "<p>This page opens with a link that <code>townsfolk up</code> prints. A link opens it "
        f"once; <code>townsfolk status --link</code> gives a new one.</p>{_HOW_TO}"
    )
    return HTMLResponse(_page(body), 401, PAGE_HEADERS)


_HOW_TO = """<h2>The token</h2>
<p>The file <code>daemon.json</code> in the data folder holds it, as <code>dashboard.token</code>.
Send it with every request, or add <code>?token=TOKEN</code> to the address of this page and
of the WebSocket. It changes with every start.</p>
<pre>curl -H "Authorization: Bearer TOKEN" -d '{"text": "!info all"}' \\
  http://127.0.0.1:PORT/api/bots/Alice/commands</pre>
<p>On the command line: <code>townsfolk exec Alice '!info all'</code> and
<code>townsfolk say Alice 'Hello!'</code> find the token themselves.</p>"""


def _page(body: str) -> str:
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>townsfolk</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="/favicon.svg" type="image/svg+xml"><style>{_STYLE}</style>'
        f"</head><body><main><h1>townsfolk</h1>{body}</main></body></html>"
    )


def page_file(name: str, known_tag: str | None = None) -> Response | None:
    """A file of the page; None when there is none of this name. A browser that has it already
    shows its tag, and gets no more than that it may keep it."""
    if name not in _files():
        return None
    content, media_type, tag = _files()[name]
    headers = {**HEADERS, "Cache-Control": "no-cache", "ETag": tag}
    headers["Content-Security-Policy"] = POLICY
    if known_tag == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=media_type)


@cache
def _files() -> dict[str, tuple[bytes, str, str]]:
    """Content, type and tag of each."""
    found: dict[str, tuple[bytes, str, str]] = {}
    for path in FOLDER.rglob("*"):
        if path.suffix in TYPES:
            content = path.read_bytes()
            tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
            found[path.relative_to(FOLDER).as_posix()] = content, TYPES[path.suffix], tag
    return found
