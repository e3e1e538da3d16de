"""Whom HTTP lets in: Host, Origin and token, on every path."""

import pytest
from starlette.types import ASGIApp
from support.http_stub import BEARER, HOST, PORT, TOKEN, StubDaemon, app_over, ask, body

from bots.http.security import MOST_LINKS, Keys, OwnAddresses

FOREIGN_HOSTS = [
    None,  # HTTP/1.0
    "evil.example",
    f"evil.example:{PORT}",
    "127.0.0.1",
    f"127.0.0.1:{PORT + 1}",
    f"127.0.0.1.evil.example:{PORT}",
    f"user@127.0.0.1:{PORT}",
    f"127.0.0.1:{PORT}/",
    f"127.0.0.1:{PORT}x",
    f"localhost.:{PORT}",
    "[::1",
    "",
    ":",
    f"127.0.0.1:{PORT},evil.example",
]
FOREIGN_ORIGINS = [
    "null",
    "",
    "http://evil.example",
    f"http://evil.example:{PORT}",
    "http://127.0.0.1",
    f"http://127.0.0.1:{PORT}.evil.example",
    f"http://127.0.0.1:{PORT}@evil.example",
    f"file://127.0.0.1:{PORT}",
    f"127.0.0.1:{PORT}",
    "http://[",
]


@pytest.mark.parametrize("host", [f"127.0.0.1:{PORT}", f"LocalHost:{PORT}", f"[::1]:{PORT}"])
async def test_requests_to_a_loopback_name_and_our_port_are_answered(host: str) -> None:
    assert (await ask(app_over(StubDaemon()), "GET", "/api/bots", host=host)).status == 200


@pytest.mark.parametrize("host", FOREIGN_HOSTS)
@pytest.mark.parametrize("path", ["/healthz", "/", "/api/bots"])
async def test_a_foreign_host_is_refused_even_with_the_token(host: str | None, path: str) -> None:
    reply = await ask(app_over(StubDaemon()), "GET", path, host=host)
    assert (reply.status, reply.json["reason"]) == (403, "foreign_host")


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/stop"),
        ("DELETE", "/api/bots/Alice/people/Steve"),
        ("PUT", "/api/bots/Alice/knowledge/7"),
    ],
)
async def test_a_write_from_a_foreign_origin_is_refused_and_does_nothing(
    method: str, path: str, origin: str
) -> None:
    daemon = StubDaemon()
    headers = {**BEARER, "origin": origin}
    reply = await ask(app_over(daemon), method, path, body(words="x"), headers)
    assert (reply.status, reply.json["reason"]) == (403, "foreign_origin")
    assert reply.json["success"] is False
    assert (daemon.asked, daemon.memory.asked) == ([], [])


async def test_a_write_from_our_own_page_is_carried_out() -> None:
    headers = {**BEARER, "origin": f"http://localhost:{PORT}"}
    assert (await ask(app_over(StubDaemon()), "POST", "/api/stop", b"", headers)).status == 200


@pytest.mark.parametrize(
    "authorization",
    [
        *("", "Bearer", "Bearer ", "Bearer x"),
        f"Basic {TOKEN}",
        TOKEN,
        f"Bearer {TOKEN}x",
        "Bearer \xff",
    ],
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"),
        ("GET", "/api/bots"),
        ("GET", "/nowhere"),
        ("GET", "/api/decisions"),
        ("GET", "/api/bots/Alice/history"),
        ("GET", "/api/experiments"),
        ("GET", "/api/experiments/1/report"),
        ("GET", "/metrics"),
        ("GET", "/page/main.js"),
        ("POST", "/api/bots/Alice/commands"),
        ("POST", "/api/stop"),
    ],
)
async def test_without_the_token_nothing_is_told(
    authorization: str, method: str, path: str
) -> None:
    daemon = StubDaemon()
    reply = await ask(app_over(daemon), method, path, b"", {"authorization": authorization})
    assert (reply.status, reply.json["reason"]) == (401, "unauthorised")
    assert reply.headers["www-authenticate"] == "Bearer"
    assert daemon.asked == []


async def test_the_token_in_the_address_becomes_a_cookie_for_the_page_alone() -> None:
    app = app_over(StubDaemon())
    opened = await ask(app, "GET", f"/?token={TOKEN}", headers={})
    assert (opened.status, opened.headers["location"]) == (303, "/")
    assert "HttpOnly" in opened.headers["set-cookie"]
    assert "SameSite=strict" in opened.headers["set-cookie"]
    assert TOKEN not in opened.headers["set-cookie"]
    assert (await ask(app, "GET", f"/api/bots?token={TOKEN}", headers={})).status == 401
    assert (await ask(app, "POST", f"/api/stop?token={TOKEN}", headers={})).status == 401


async def _cookie(app: ASGIApp) -> dict[str, str]:
    opened = await ask(app, "GET", f"/?token={TOKEN}", headers={})
    return {"cookie": opened.headers["set-cookie"].partition(";")[0]}


async def test_the_cookie_stands_for_the_token_but_only_a_page_of_ours_may_act_with_it() -> None:
    daemon = StubDaemon()
    app = app_over(daemon)
    cookie = await _cookie(app)
    for path in ("/", "/api/bots"):
        assert (await ask(app, "GET", path, headers=cookie)).status == 200
    assert (await ask(app, "POST", "/api/stop", b"", cookie)).status == 401
    foreign, ours = ({**cookie, "origin": f"http://{host}"} for host in ("evil.example", HOST))
    assert (await ask(app, "POST", "/api/stop", b"", foreign)).status == 403
    assert daemon.asked == []
    assert (await ask(app, "POST", "/api/stop", b"", ours)).status == 200


async def test_a_cookie_of_another_daemon_opens_nothing() -> None:
    cookie = await _cookie(app_over(StubDaemon()))
    assert (await ask(app_over(StubDaemon()), "GET", "/api/bots", headers=cookie)).status == 401
    odd = {"cookie": "a=\x00; =;;;"}
    assert (await ask(app_over(StubDaemon()), "GET", "/api/bots", headers=odd)).status == 401


async def test_a_link_works_once_and_for_the_page_alone() -> None:
    app = app_over(StubDaemon())
    link = (await ask(app, "POST", "/api/link")).json["url"].partition(HOST)[2]
    key = link.partition("?")[2]
    assert (await ask(app, "GET", f"/api/bots?{key}", headers={})).status == 401
    assert (await ask(app, "GET", link, headers={})).status == 303
    assert (await ask(app, "GET", link, headers={})).status == 401


async def test_old_links_and_browsers_make_room_for_new_ones() -> None:
    keys = Keys(TOKEN)
    links = [keys.new_link().partition("=")[2] for _ in range(MOST_LINKS + 1)]
    assert not keys.use_link(links[0])
    assert keys.use_link(links[1])


async def test_without_the_token_a_browser_is_told_where_it_is_and_gets_health_and_icon() -> None:
    app = app_over(StubDaemon())
    reply = await ask(app, "GET", "/", headers={"accept": "text/html"})
    assert reply.status == 401
    assert b"daemon.json" in reply.body
    assert b"Bots here" not in reply.body
    assert (await ask(app, "GET", "/healthz", headers={})).json["ok"] is True
    assert (await ask(app, "GET", "/favicon.svg", headers={})).status == 200


async def test_the_page_runs_its_own_scripts_and_loads_nothing_foreign() -> None:
    app = app_over(StubDaemon())
    reply = await ask(app, "GET", "/")
    policy = reply.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in policy
    assert reply.body.count(b"<script") == reply.body.count(b'<script type="module" src="/page/')
    assert TOKEN.encode() not in reply.body


async def test_the_files_of_the_page_are_served_and_nothing_else() -> None:
    app = app_over(StubDaemon())
    found = await ask(app, "GET", "/page/main.js")
    assert (found.status, found.headers["content-type"]) == (200, "text/javascript; charset=utf-8")
    for outside in ("../app.py", "%2e%2e/app.py", "views", "nothing.js"):
        assert (await ask(app, "GET", f"/page/{outside}")).status == 404
    tag = {**BEARER, "if-none-match": found.headers["etag"]}
    assert (await ask(app, "GET", "/page/main.js", headers=tag)).status == 304


async def test_the_page_of_endpoints_runs_no_scripts() -> None:
    reply = await ask(app_over(StubDaemon()), "GET", "/api")
    assert "script-src" not in reply.headers["content-security-policy"]
    assert b"<script" not in reply.body
    assert b"Alice" in reply.body


def test_a_configured_name_is_ours_at_any_port_or_at_its_own() -> None:
    own = OwnAddresses(PORT, frozenset({"bots.example", "other.example:8443"}))
    assert own.include("bots.example")
    assert own.include("Bots.Example:9")
    assert own.include("other.example:8443")
    assert not own.include("other.example:8444")
    assert not own.include("evil.bots.example")
