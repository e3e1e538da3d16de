"""Experiments over HTTP: their list, and reports that can do nothing."""

import pytest
from starlette.types import ASGIApp
from support.http_stub import StubDaemon, app_over, ask

KNOWN = "/api/experiments/1"


@pytest.fixture
def app() -> ASGIApp:
    return app_over(StubDaemon())


async def test_they_are_listed(app: ASGIApp) -> None:
    reply = await ask(app, "GET", "/api/experiments")
    assert (reply.status, reply.json) == (200, {"success": True, "experiments": []})


@pytest.mark.parametrize("path", [f"{KNOWN}/report", f"{KNOWN}/runs/seed-1/report"])
async def test_a_report_is_a_page_that_runs_and_loads_nothing(app: ASGIApp, path: str) -> None:
    reply = await ask(app, "GET", path)
    assert (reply.status, reply.body) == (200, b"<!doctype html><h1>A report</h1>")
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["x-content-type-options"] == "nosniff"
    policy = reply.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "sandbox", "frame-ancestors 'none'"} <= set(policy)


@pytest.mark.parametrize(
    "path",
    [
        "/api/experiments/unknown/report",
        f"{KNOWN}/runs/seed-2/report",
        f"{KNOWN}/runs/%2e%2e/report",
        f"{KNOWN}/runs/..%2f..%2fsecret/report",
    ],
)
async def test_a_report_that_is_none_is_not_found(app: ASGIApp, path: str) -> None:
    reply = await ask(app, "GET", path)
    assert reply.status == 404
    assert reply.json["success"] is False


@pytest.mark.parametrize("path", ["/api/experiments", f"{KNOWN}/report"])
async def test_nobody_reads_them_without_the_token(app: ASGIApp, path: str) -> None:
    reply = await ask(app, "GET", path, headers={})
    assert reply.status == 401
