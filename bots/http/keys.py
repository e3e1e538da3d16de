"""Who may ask: programs show the token, browsers the cookie that a link gave them, once.

The cookie is sent by pages of our own alone (SameSite=Strict) and cannot be read by scripts. Each
daemon names it otherwise, as browsers share cookies between all ports of a machine.
"""

from __future__ import annotations

import hmac
import secrets
from collections import OrderedDict
from http.cookies import CookieError, SimpleCookie

from starlette.responses import RedirectResponse, Response

from bots.http.responses import HEADERS

MOST_LINKS = 16
"""Links not yet used; of more, the oldest end."""
MOST_BROWSERS = 64
"""Browsers let in; of more, the oldest have to come anew."""
LINK_PARAMETER, TOKEN_PARAMETER = "login", "token"


class Keys:
    """The token, and the links and cookies that stand for it until the daemon ends."""

    def __init__(self, token: str) -> None:
        self.token = token
        self.cookie = f"townsfolk-{secrets.token_hex(4)}"
        self._links: OrderedDict[str, None] = OrderedDict()
        self._browsers: OrderedDict[str, None] = OrderedDict()

    def is_token(self, shown: str) -> bool:
        return hmac.compare_digest(_bytes(shown), _bytes(self.token))

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


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _added(known: OrderedDict[str, None], most: int) -> str:
    key = secrets.token_urlsafe(24)
    known[key] = None
    while len(known) > most:
        known.popitem(last=False)
    return key
