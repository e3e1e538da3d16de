"""The page of one daemon shows the bots of all of its cluster."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from page.visit import PHONE, WIDE
from playwright.async_api import Browser, Page, expect
from support.http_stub import TOKEN
from support.two_webs import TwoWebs, two_webs

from bots.http.security import Keys
from bots.http.server import HttpServer
from bots.settings.settings import DashboardSettings

pytestmark = [pytest.mark.real, pytest.mark.timeout(120)]

DECIDED: dict[str, Any] = {
    "tier": "rules",
    "source": "rules",
    "why": "no_model",
    "seconds": 0.1,
    "trigger": "message",
    "speaker": "Steve",
    "text": "I am at the lake.",
    "used": [],
    "tools": [],
    "cost_usd": 0.0,
    "tokens_in": 0,
    "tokens_out": 0,
}


@dataclass(frozen=True, slots=True)
class Visited:
    """The page of east, where Alice and Bob live; Carol lives at west."""

    page: Page
    webs: TwoWebs


@asynccontextmanager
async def opened(browser: Browser, size: tuple[int, int], **context: Any) -> AsyncIterator[Visited]:
    keys, settings = Keys(TOKEN), DashboardSettings()
    async with two_webs() as webs:
        east = webs.east
        east.daemon.made = webs.west.daemon.made = []
        server = await HttpServer.start(east.daemon, settings, keys, cluster=east.cluster)
        viewport: Any = {"width": size[0], "height": size[1]}
        window = await browser.new_context(viewport=viewport, **context)
        try:
            page = await window.new_page()
            await page.goto(f"{server.url[:-1]}{keys.new_link()}")
            await expect(page.locator(".state")).to_contain_text("●")
            yield Visited(page, webs)
        finally:
            await window.close()
            await server.aclose()


@pytest.mark.parametrize("size", [WIDE, PHONE])
async def test_a_bot_of_another_daemon_has_a_card_that_says_where_it_lives(
    browser: Browser, size: tuple[int, int]
) -> None:
    async with opened(browser, size) as visited:
        cards = visited.page.locator("#bots article")
        await expect(cards).to_have_count(3)
        await expect(cards.filter(has_text="Carol").locator(".lives")).to_have_text("lives at west")
        await expect(cards.filter(has_text="Alice").locator(".lives")).to_have_count(0)
        page = visited.page
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0]


async def test_it_is_heard_talked_with_and_approved_like_ours(browser: Browser) -> None:
    async with opened(browser, WIDE) as visited:
        page, west = visited.page, visited.webs.west.daemon
        facts = {"speaker": "Steve", "text": "Where are you?", "public": False}
        west.trace.note("message.heard", "Carol", **facts)
        lines = page.locator("#talk .lines article")
        await expect(lines.first).to_contain_text("Steve → Carol")

        await page.locator("#operator select").select_option("Carol")
        await page.locator("#operator input").fill("!echo hello")
        await page.locator("#operator input").press("Enter")
        await expect(page.locator("#operator .answer")).to_contain_text("Carol: ")

        made = west.trace.note("decision.made", "Carol", **DECIDED)
        decision = page.locator(f'article.decision[aria-label="Carol {made.sequence}@west"]')
        await expect(decision).to_be_visible()
        assert ("command", "Carol", "!echo hello") in [asked[:3] for asked in west.asked]
        assert not [asked for asked in visited.webs.east.daemon.asked if asked[1] == "Carol"]


async def test_a_job_of_theirs_with_the_number_of_ours_ends_by_itself(browser: Browser) -> None:
    async with opened(browser, WIDE) as visited:
        page, webs = visited.page, visited.webs
        begun = {"success": True, "started": True, "actionId": "job-1", "text": "begun"}
        webs.west.daemon.outcome = begun
        await page.locator("#operator select").select_option("Carol")
        await page.locator("#operator input").fill("!goal inventory.stick:1")
        await page.locator("#operator input").press("Enter")
        answer = page.locator("#operator .answer")
        await expect(answer).to_have_text("Carol: begun")
        told = {"actionId": "job-1", "command": "!goal"}
        result = {"success": False, "reason": "stopped", "message": "Ours was stopped."}
        webs.east.daemon.trace.note("job.finished", "Alice", **told, result=result)
        result = {"success": False, "reason": "stopped", "message": "Theirs was stopped."}
        webs.west.daemon.trace.note("job.finished", "Carol", **told, result=result)
        await expect(answer).to_have_text("Carol: Theirs was stopped.")
