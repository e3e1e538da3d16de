"""One look at the page in a real browser; complaints of the browser fail the test."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect
from support.page_site import PageSite

WIDE = (1400, 850)
PHONE = (390, 844)
SHOWN_WITHIN_MS = 20_000  # on a busy machine
expect.set_options(timeout=SHOWN_WITHIN_MS)

__all__ = ["PHONE", "WIDE", "Visit", "expect"]


@dataclass(slots=True)
class Visit:
    page: Page
    site: PageSite
    complaints: list[str] = field(default_factory=list)
    """What the browser said of the page: errors, and what its policy forbids."""

    @classmethod
    @asynccontextmanager
    async def of(
        cls, browser: Browser, site: PageSite, size: tuple[int, int] = WIDE, **context: Any
    ) -> AsyncIterator["Visit"]:
        """Open the page with a link that works once."""
        viewport: Any = {"width": size[0], "height": size[1]}
        opened = await browser.new_context(viewport=viewport, **context)
        visit = cls(await opened.new_page(), site)
        visit.page.on("console", lambda message: visit._said(message))
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        await visit.page.goto(site.link())
        await expect(visit.card("Alice")).to_be_visible()
        await expect(visit.page.locator(".state")).to_contain_text("●")
        yield visit
        await opened.close()
        assert visit.complaints == []

    def card(self, bot: str) -> Locator:
        return self.page.locator("#bots article", has_text=bot)

    def lines(self) -> Locator:
        return self.page.locator("#talk .lines article")

    async def say(self, bot: str, text: str) -> None:
        """Write in the box at the bottom."""
        await self.page.locator("#operator select").select_option(bot)
        box = self.page.locator("#operator input")
        await box.fill(text)
        await box.press("Enter")

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)
