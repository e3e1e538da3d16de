"""Lets in requests to our own address, from our own pages, with our token.

The Host check keeps out pages that point a foreign name at this machine (DNS rebinding); the
Origin check keeps out pages that send requests here; the token keeps out other local users.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers, QueryParams
from starlette.types import ASGIApp, Receive, Scope, Send

from bots.http.keys import LINK_PARAMETER, TOKEN_PARAMETER, Keys
from bots.http.page import unauthorised_page
from bots.http.responses import Refused
from bots.settings.fields import LOOPBACK_NAMES

HTTP_PORT = 80
OPEN_PATHS = frozenset(
    {"/healthz", "/healthz/live", "/healthz/ready", "/favicon.svg", "/favicon.ico"}
)
READING = frozenset({"GET", "HEAD"})
TOKEN_IN_ADDRESS = frozenset({"/", "/ws"})
"""Paths where a browser cannot set a header."""


@dataclass(frozen=True, slots=True)
class OwnAddresses:
    """The host names under which requests may reach us."""

    port: int
    further: frozenset[str] = frozenset()
    """Lower-case `name` (at any port) or `name:port`."""

    def include(self, authority: str) -> bool:
        split = _split(authority.lower())
        if split is None:
            return False
        name, port = split
        if name in LOOPBACK_NAMES and (port or HTTP_PORT) == self.port:
            return True
        return bool({name, f"{name}:{port}"} & self.further)

    def include_origin(self, origin: str) -> bool:
        scheme, mark, authority = origin.lower().partition("://")
        return mark != "" and scheme in {"http", "https"} and self.include(authority)


class Guard:
    """Lets a request through to `app`, or answers with the reason why not."""

    def __init__(
        self,
        app: ASGIApp,
        addresses: OwnAddresses,
        keys: Keys,
        holder: str = "daemon.json",
    ) -> None:
        """`holder` is the file where users find the token."""
        self._app, self._addresses, self._keys = app, addresses, keys
        self._holder = holder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in {"http", "websocket"}:
            try:
                self._check(scope)
            except Refused as refused:
                await _turn_away(refused, scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._addresses.include(hosts[0]):
            raise Refused(403, "foreign_host", "the Host header names another machine")
        if not all(map(self._addresses.include_origin, headers.getlist("origin"))):
            raise Refused(403, "foreign_origin", "requests from other sites are refused")
        if scope["path"] not in OPEN_PATHS and not self._may_enter(scope, headers):
            message = f"send `Authorization: Bearer TOKEN`; {self._holder} holds the token"
            raise Refused(401, "unauthorised", message)

    def _may_enter(self, scope: Scope, headers: Headers) -> bool:
        return self._holds_token(scope, headers) or self._is_let_in(scope, headers)

    def _is_let_in(self, scope: Scope, headers: Headers) -> bool:
        """Whether it comes from a browser with our cookie, or with a link that works once.

        Browsers name the page that sends anything but a mere reading; one of ours must."""
        if self._keys.knows(headers.get("cookie", "")):
            reads = scope["type"] == "http" and scope["method"] in READING
            return reads or "origin" in headers
        key = QueryParams(scope["query_string"]).get(LINK_PARAMETER, "")
        return scope["path"] == "/" and self._keys.use_link(key)

    def _holds_token(self, scope: Scope, headers: Headers) -> bool:
        scheme, _, shown = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self._keys.is_token(shown.strip()):
            return True
        if scope["path"] not in TOKEN_IN_ADDRESS:
            return False
        return self._keys.is_token(QueryParams(scope["query_string"]).get(TOKEN_PARAMETER, ""))


async def _turn_away(refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
    response = refused.as_response()
    if refused.status == 401:
        if scope["path"] == "/" and "text/html" in Headers(scope=scope).get("accept", ""):
            response = unauthorised_page()
        response.headers["WWW-Authenticate"] = "Bearer"
    await response(scope, receive, send)


def _split(authority: str) -> tuple[str, int | None] | None:
    try:
        parts = urlsplit(f"//{authority}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.netloc != authority or "@" in authority:
        return None
    return name, port
