"""Lets in requests to our own address, from our own pages, with our token; hides secrets.

The Host check keeps out pages that point a foreign name at this machine (DNS rebinding); the
Origin check keeps out pages that send requests here; the token keeps out other local users.
Browsers show a cookie that a link gave them, once. Only pages of our own send it (SameSite=Strict),
and scripts cannot read it. Each daemon names it otherwise, as browsers share cookies between all
ports of a machine.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from urllib.parse import urlsplit

from starlette.datastructures import Headers, QueryParams
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bots.http.page import unauthorised_page
from bots.http.responses import HEADERS, Refused
from bots.observability.redaction import Redactor
from bots.settings.fields import LOOPBACK_NAMES

MOST_LINKS = 16
"""Links not yet used; of more, the oldest end."""
MOST_BROWSERS = 64
"""Browsers let in; of more, the oldest have to come anew."""
LINK_PARAMETER, TOKEN_PARAMETER = "login", "token"
HTTP_PORT = 80
OPEN_PATHS = frozenset(
    {"/healthz", "/healthz/live", "/healthz/ready", "/favicon.svg", "/favicon.ico"}
)
READING = frozenset({"GET", "HEAD"})
TOKEN_IN_ADDRESS = frozenset({"/", "/ws"})
"""Paths where a browser cannot set a header."""
_STARTS = frozenset({"http.response.start", "websocket.http.response.start"})
_BODIES = frozenset({"http.response.body", "websocket.http.response.body"})
_LENGTH = b"content-length"
REMEMBERED = 8  # texts of WebSockets: many readers get the same one in a row


class Keys:
    """The token, and the links and cookies that stand for it until the daemon ends."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.cookie = f"townsfolk-{secrets.token_hex(4)}"
        self._links: OrderedDict[str, None] = OrderedDict()
        self._browsers: OrderedDict[str, None] = OrderedDict()

    def is_token(self, shown: str) -> bool:
        ours = self.token.encode()
        return hmac.compare_digest(shown.encode("utf-8", "surrogatepass"), ours)

    def new_link(self) -> str:
        """The path and query of a link that opens the page once."""
        return f"/?{LINK_PARAMETER}={_added(self._links, MOST_LINKS)}"

    def use_link(self, key: str) -> bool:
        """Whether this link was good; it is used up now."""
        known = key in self._links
        self._links.pop(key, None)
        return known

    def let_in(self) -> Response:
        """Give a browser its cookie, and send it on to the page without secrets in the address."""
        answer = RedirectResponse("/", 303, HEADERS)
        value = _added(self._browsers, MOST_BROWSERS)
        answer.set_cookie(self.cookie, value, httponly=True, samesite="strict", path="/")
        return answer

    def knows(self, cookie_header: str) -> bool:
        """Whether the cookies of a request hold one of ours."""
        try:
            shown = SimpleCookie(cookie_header).get(self.cookie)
        except CookieError:
            return False
        return shown is not None and shown.value in self._browsers


def _added(known: OrderedDict[str, None], most: int) -> str:
    key = secrets.token_urlsafe(24)
    known[key] = None
    while len(known) > most:
        known.popitem(last=False)
    return key


@dataclass(frozen=True, slots=True)
class OwnAddresses:
    """The host names under which requests may reach us."""

    port: int
    further: frozenset[str] = frozenset()
    """Lower-case `name` (at any port) or `name:port`."""

    def include(self, authority: str) -> bool:
        authority = authority.lower()
        try:
            parts = urlsplit(f"//{authority}")
            name, port = parts.hostname, parts.port
        except ValueError:
            return False
        if not name or parts.netloc != authority or "@" in authority:
            return False
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
                response = refused.as_response()
                if refused.status == 401:
                    if scope["path"] == "/" and "text/html" in Headers(scope=scope).get(
                        "accept", ""
                    ):
                        response = unauthorised_page()
                    response.headers["WWW-Authenticate"] = "Bearer"
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._addresses.include(hosts[0]):
            raise Refused(403, "foreign_host", "the Host header names another machine")
        if not all(map(self._addresses.include_origin, headers.getlist("origin"))):
            raise Refused(403, "foreign_origin", "requests from other sites are refused")
        if scope["path"] not in OPEN_PATHS and not (
            self._holds_token(scope, headers) or self._is_let_in(scope, headers)
        ):
            message = f"send `Authorization: Bearer TOKEN`; {self._holder} holds the token"
            raise Refused(401, "unauthorised", message)

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


class Redacted:
    """Passes on what `app` sends, redacted. An answer's body has to come in one piece."""

    def __init__(self, app: ASGIApp, redactor: Redactor) -> None:
        self._app, self._redactor = app, redactor
        self._text = lru_cache(REMEMBERED)(redactor.text)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head: Message | None = None

        async def send_redacted(message: Message) -> None:
            nonlocal head
            if message["type"] in _STARTS:
                head = message  # goes with its body, whose length may change
            elif message["type"] in _BODIES and head is not None:
                text = message.get("body", b"").decode("utf-8", "surrogateescape")
                body = self._redactor.text(text).encode("utf-8", "surrogateescape")
                headers = [one for one in head["headers"] if one[0].lower() != _LENGTH]
                headers.append((_LENGTH, str(len(body)).encode()))
                await send({**head, "headers": headers})
                head = None
                await send({**message, "body": body})
            elif message["type"] == "websocket.send" and message.get("text"):
                await send({**message, "text": self._text(message["text"])})
            else:
                await send(message)

        await self._app(scope, receive, send_redacted)
