"""The page with names that others choose to harm it: all of them stay words, in their place."""

import json
from typing import Any

import pytest
from page.visit import PHONE, WIDE, Visit, expect
from playwright.async_api import Browser
from support.page_site import PageSite

from bridge.world import Position

pytestmark = [pytest.mark.real, pytest.mark.timeout(120)]

NAMES = (
    "<img src=x onerror=alert(1)><script>alert(2)</script>",
    *("\"'`><svg/onload=alert(3)></title></svg><b>", "&lt;b&gt;&amp;", "Eve\u202e\u2066\u200fevE"),
    *("__proto__", "you"),
    "👩‍👩‍👧‍👦🏴‍☠️" * 8,
    "line\nbreak\ttab\x1b[31m",
    "W" * 10_000,
)
PLACE: dict[str, Any] = {"name": "<b onmouseover=alert(5)>'\"mine", "coords": [4, 64, 9]}
LAST = f"hello {len(NAMES) - 1}"
WIDEST = 320  # pixels of a name on the map
PARTS = "#bots *, #talk *, #panel-decisions *, #head *, #operator *"
CUT_OFF = f"""() => [...document.querySelectorAll('{PARTS}')]
  .filter(one => !one.matches('select, select *, input') && one.scrollWidth > one.clientWidth + 1)
  .filter(one => getComputedStyle(one).display !== 'inline')
  .map(one => one.outerHTML.slice(0, 200))"""
HIDDEN = r"/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/"


@pytest.mark.parametrize("size", [WIDE, PHONE])
async def test_hostile_names_run_nothing_and_stay_in_their_place(
    browser: Browser, site: PageSite, size: tuple[int, int]
) -> None:
    """Whatever ran, or was kept from running, would be a complaint of the browser."""
    async with Visit.of(browser, site, size) as visit:
        page, world = visit.page, site.bridge.world
        for number, name in enumerate(NAMES):
            who = world.person(name, Position(4.0 * number, 64, 2.5))
            who.whisper("Alice", f"hello {number} of {name}"[:250])
        await page.locator("#map details summary").click()
        await expect(page.locator("#map .marker.person")).to_have_count(len(NAMES))
        await expect(visit.lines().filter(has_text=LAST)).to_have_count(1)
        answer = page.locator("#operator .answer")
        for order in ("navigation register", "area forbid"):
            await visit.say("Alice", f"!{order} {json.dumps(PLACE)}")
            await expect(answer).to_contain_text(PLACE["name"])
        await expect(page.locator("#map .area title")).to_contain_text(PLACE["name"])
        assert await page.evaluate("document.documentElement.scrollWidth") == size[0]
        assert await page.evaluate(CUT_OFF) == []
        assert await page.locator("main script, main b, main img[src=x], main svg svg").count() == 0
        shown = await page.locator("body").inner_text()
        assert await page.evaluate(f"shown => shown.match({HIDDEN})", shown) is None
        assert "Eve\\u202e\\u2066\\u200fevE → Alice" in shown
        assert "“you” → Alice" in shown
        for drawn in await page.locator("#map .marker text").all():
            box = await drawn.bounding_box()
            assert box is not None
            assert box["width"] < WIDEST
