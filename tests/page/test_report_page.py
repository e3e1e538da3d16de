"""The report in a real browser, wide and on a phone, light and dark: the answer comes first,
nothing is cut off, no number is a power of ten, and every letter can be read, no word broken."""

from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser
from support.experiments import THREE, prepared_run

from bots.experiments.report.writing import write_reports
from bots.experiments.scenario_file import conditions_of
from bots.experiments.simulation import simulate

pytestmark = [pytest.mark.real, pytest.mark.anyio]

STEVE = '[[people]]\nname = "Steve"\nlines = [{ during_turn = 2, text = "Carol?" }]\n'
ORDERS = ["talk.order=rounds", "talk.order=nominate", "caps.turns=9", "caps.turns=24"]

FACTS = r"""() => {
  const cut = e => e.scrollWidth - e.clientWidth
  const sections = [...document.querySelectorAll('section')]
  const bright = colour => colour.match(/\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0) / 3
  const clear = colour => colour === 'rgba(0, 0, 0, 0)'
  const ground = e => {
    const own = getComputedStyle(e).backgroundColor
    return clear(own) ? ground(e.parentElement) : bright(own)
  }
  const contrast = e => {
    const ink = getComputedStyle(e)[e.namespaceURI.endsWith('svg') ? 'fill' : 'color']
    return Math.abs(bright(ink) - ground(e))
  }
  const broken = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text; (text = texts.nextNode());) {
    if (!text.parentElement.closest('th')) continue
    for (const word of text.data.matchAll(/\w+/g)) {
      const range = document.createRange()
      range.setStart(text, word.index)
      range.setEnd(text, word.index + word[0].length)
      if (range.getClientRects().length > 1) broken.push(word[0])
    }
  }
  return {
    cut: cut(document.documentElement),
    tables: [...document.querySelectorAll('.wide')].map(cut),
    pictures: [...document.querySelectorAll('section svg')]
      .map(e => e.getBoundingClientRect()).filter(r => r.right > innerWidth).length,
    powers: document.body.textContent.match(/\d[eE][+-]?\d\d/g) || [],
    first: sections[0].querySelector('h2').textContent,
    ends: sections[0].getBoundingClientRect().bottom,
    ground: ground(sections[0]),
    contrast: Math.min(...[...document.querySelectorAll('section svg text, h2, td, th, li')]
      .map(contrast)),
    broken
  }
}"""


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four conditions whose runs cost hardly anything, and last over a thousand characters."""
    home = tmp_path_factory.mktemp("page")
    cheap = THREE.replace("again = true }", "again = true, cost_usd = 0.0000123, tokens = 4321 }")
    for prepared in prepared_run(cheap + STEVE).under(conditions_of(ORDERS)):
        for seed in range(3):
            simulate(prepared.with_seed(seed), home / f"{prepared.place}-seed-{seed}")
    write_reports([home], figures=home / "figures")
    return home


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
async def test_the_comparison_tells_its_answer_first_and_cuts_nothing_off(
    browser: Browser, study: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    seen = await facts(browser, study / "comparison.html", width, scheme)
    assert seen["first"] == "The answer"
    assert width < 1280 or seen["ends"] <= 900
    assert (seen["cut"], seen["pictures"], seen["powers"]) == (0, 0, [])
    assert width < 1280 or set(seen["tables"]) == {0}
    assert (seen["ground"] < 60) == (scheme == "dark")
    assert (seen["contrast"] > 100, seen["broken"]) == (True, [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
async def test_the_page_of_a_run_cuts_nothing_off(
    browser: Browser, study: Path, width: int, scheme: Literal["light", "dark"]
) -> None:
    seen = await facts(browser, study / "0-seed-0" / "report.html", width, scheme)
    assert (seen["cut"], seen["pictures"], seen["powers"]) == (0, 0, [])
    assert width < 1280 or set(seen["tables"]) == {0}
    assert seen["broken"] == []


SCROLLED = """() => [...document.querySelectorAll('.wide')].map(wide => {
  wide.scrollLeft = wide.scrollWidth
  const edges = wide.getBoundingClientRect()
  const [first, ...others] = [...wide.querySelector('tbody tr').children]
    .map(cell => cell.getBoundingClientRect())
  return {
    heading: wide.closest('section').querySelector('h2').textContent,
    moves: wide.scrollLeft > 0,
    named: first.left >= edges.left - 1 && first.right <= edges.right,
    last: others.at(-1).right <= edges.right + 1,
    keys: wide.tabIndex === 0,
    covers: getComputedStyle(wide.querySelector('tbody th')).backgroundColor !== 'rgba(0, 0, 0, 0)'
  }
})"""


@pytest.mark.parametrize(
    ("file", "heading"), [("comparison.html", "Runs"), ("0-seed-0/report.html", "Participants")]
)
async def test_on_a_phone_a_wide_table_is_scrolled_to_its_end_and_each_row_keeps_its_name(
    browser: Browser, study: Path, file: str, heading: str
) -> None:
    page = await browser.new_page(viewport={"width": 390, "height": 844})
    await page.goto((study / file).as_uri())
    tables: list[dict[str, Any]] = await page.evaluate(SCROLLED)
    await page.close()
    assert heading in {table["heading"] for table in tables if table["moves"]}
    for table in tables:
        assert all(table[fact] for fact in ("named", "last", "keys", "covers")), table


async def facts(
    browser: Browser, file: Path, width: int, scheme: Literal["light", "dark"]
) -> dict[str, Any]:
    opened = await browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page = await opened.new_page()
    await page.goto(file.as_uri())
    found: dict[str, Any] = await page.evaluate(FACTS)
    await opened.close()
    return found
