"""The page in a real browser, over a real daemon: what people see and do there."""

import asyncio
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from page.visit import PHONE, Visit, expect
from playwright.async_api import Browser, Route
from support.page_site import PageSite, page_site_on

from bots.chat.conversation import Conversation
from bots.daemon.experiment_records import Cast, ExperimentFile, ExperimentRecord, PlayedRun
from bots.store.database import FILE_NAME, Store
from bridge import FakeBridge
from bridge.causes import Cause
from bridge.fake import FakeWorld, VirtualClock
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Completion, Question, Usage

pytestmark = [pytest.mark.real, pytest.mark.timeout(120)]

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"
TABS = 9
BEGAN = datetime(2026, 11, 23, 9, 30, tzinfo=UTC)


async def test_each_bot_has_a_card_that_tells_what_it_does(visit: Visit) -> None:
    for name in ("Alice", "Bob"):
        await expect(visit.card(name)).to_contain_text("has nothing to do")
        await expect(visit.card(name).locator("meter").first).to_have_attribute("value", "20")


async def test_a_part_that_ended_shows_at_the_top(visit: Visit, site: PageSite) -> None:
    async def ends() -> None:
        raise RecursionError

    ended = visit.page.locator("#head .ended")
    await expect(ended).to_have_text("")
    site.daemon._own(ends(), "traces of others", fatal=False)
    await expect(ended).to_contain_text("traces of others: RecursionError")


async def test_a_whisper_and_its_answer_show_without_a_reload(visit: Visit, site: PageSite) -> None:
    steve = site.bridge.world.person("Steve")
    steve.whisper("Alice", "Where are you?")
    await expect(visit.lines().first).to_contain_text("Steve → Alice")
    await expect(visit.lines().nth(1)).to_contain_text("Alice → Steve")
    await expect(visit.lines().nth(1)).to_contain_text("I am at")


async def test_a_death_shows_its_place_and_a_guess_as_a_guess(visit: Visit, site: PageSite) -> None:
    world, deeds = site.bridge.world, visit.page.locator("#talk article.did")
    await visit.page.get_by_label("What they do").check()
    at = world.body("Alice").position.block
    for cause, told in (
        (None, "; nobody knows of what"),
        (Cause("creature", "cave_spider", "guessed"), " (perhaps cave spider)"),
    ):
        world.set_health("Alice", 0, cause=cause)
        words = f"died at {at.x:g} {at.y:g} {at.z:g}{told}"
        await expect(deeds.filter(has_text=words)).to_have_count(1)
        world.teleport("Alice", at)


async def test_what_players_write_stays_text(visit: Visit, site: PageSite) -> None:
    steve = site.bridge.world.person("Steve")
    steve.whisper("Alice", HOSTILE)
    await expect(visit.lines().first.locator(".words")).to_have_text(HOSTILE)
    assert await visit.page.locator("#talk .words *").count() == 0


async def test_the_box_sends_words_and_commands(visit: Visit) -> None:
    answer = visit.page.locator("#operator .answer")
    await visit.say("Bob", "Where are you?")
    await expect(answer).to_contain_text("Bob: I am at")
    await visit.say("Bob", "!echo hello")
    await expect(answer).to_contain_text("hello")
    await visit.say("Bob", "!nonsense")
    await expect(answer).to_have_class(re.compile("bad"))
    names = visit.page.locator("#commands option")
    await expect(names.first).to_have_attribute("value", re.compile("^!"))


async def test_the_map_shows_everybody_and_follows_them(visit: Visit, site: PageSite) -> None:
    steve = site.bridge.world.person("Steve", Position(3.5, 64, 3.5))
    marker = visit.page.locator("#map .marker.person", has_text="Steve")
    await expect(marker).to_have_count(1)
    await expect(marker.locator("image")).to_have_css("width", "1px")  # as wide as its frame
    before = await marker.locator("text").get_attribute("x")
    steve.move_to(Position(9.5, 64, 3.5))
    await expect(marker.locator("text")).not_to_have_attribute("x", str(before))
    await expect(visit.page.locator("#map .hearing")).to_have_count(2)
    await expect(visit.page.locator("#map image").first).to_have_attribute("width", "97")
    await visit.say("Alice", "!area forbid base 4 64 4 5")
    area = visit.page.locator("#map .area.forbid")
    await expect(area).to_have_attribute("width", "11")
    await expect(area.locator("title")).to_contain_text("base")
    await visit.say("Alice", "!area forget base")
    await expect(area).to_have_count(0)


async def test_a_goal_shows_its_plan_as_a_tree(browser: Browser, tmp_path: Path) -> None:
    world = FakeWorld(VirtualClock(auto=False))  # what takes time takes until it is told to end
    for x in range(4, 8):
        world.set_block(Position(x, 64, 4), "oak_log")
    async with page_site_on(FakeBridge(world), tmp_path) as site, Visit.of(browser, site) as visit:
        await visit.page.get_by_role("tab", name="Goals").click()
        await visit.say("Alice", "!goal inventory.wooden_pickaxe:1")
        panel = visit.page.locator("#panel-goals")
        await expect(panel).to_contain_text("wooden pickaxe · 0/")
        await expect(panel.locator(".tree .tree .now")).to_contain_text("gather")
        async with asyncio.timeout(20):
            while not list(site.daemon.trace.recent("goal.step_done")):
                await world.clock.advance(0.5)
        await expect(panel.locator(".tree .done").first).to_contain_text("gather")


async def test_a_decision_is_approved_while_an_answer_about_it_is_awaited(visit: Visit) -> None:
    await visit.say("Alice", "Where are you?")
    cards = visit.page.locator(".decision")
    await expect(cards.first).to_contain_text("rules")
    await expect(cards.first).to_contain_text("I am at")
    name = await cards.first.get_attribute("aria-label")
    card = visit.page.get_by_role("article", name=name, exact=True)  # the first only until the next
    approved = asyncio.Event()

    async def answer_later(route: Route) -> None:
        await approved.wait()
        await route.continue_()

    await visit.page.route("**/messages", answer_later)
    await card.locator(".tell input").fill("What do you carry?")
    await card.get_by_role("button", name="Tell").click()
    await card.get_by_role("button", name="Approve").click()
    await expect(card).to_contain_text("✓ approved")
    approved.set()
    await expect(cards).to_have_count(2)
    await expect(card.locator(".answer")).to_contain_text("Alice: ")
    await expect(visit.lines().filter(has_text="What do you carry?")).to_have_count(1)


async def test_a_goal_that_fails_says_why_and_what_it_lacks(visit: Visit) -> None:
    await visit.page.get_by_role("tab", name="Goals").click()
    await visit.say("Bob", "!goal inventory.wooden_pickaxe:1")
    answer = visit.page.locator("#operator .answer")
    await expect(answer).to_contain_text("is not possible here", timeout=30_000)
    panel = visit.page.locator("#panel-goals")
    await expect(panel).to_contain_text("Bob — not reached")
    await expect(panel.locator(".tree li").first).to_contain_text(" 0/")


async def test_a_group_talk_can_be_read_by_itself(
    browser: Browser, fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    await keep_a_line_of_the_first_talk(tmp_path)
    async with (
        page_site_on(fake_bridge, tmp_path, model=FunctionModel(by_the_lake)) as site,
        Visit.of(browser, site) as visit,
    ):
        site.bridge.world.person("Steve").whisper("Bob", "Not of the talk.")
        await expect(visit.lines().filter(has_text="Not of the talk.")).to_have_count(1)
        await visit.say("Alice", "!talk start Alice,Bob,Steve the bridge")
        shown = visit.page.locator("#talk select")
        await expect(shown.locator("option[value='talk 1']")).to_contain_text("Alice, Bob")
        await shown.select_option("talk 1")
        await expect(visit.lines().filter(has_text="By the lake.").first).to_be_visible()
        await expect(visit.lines().filter(has_text="Not of the talk.")).to_have_count(0)
        await visit.page.get_by_role("button", name="Earlier").click()
        await expect(visit.lines().first).to_contain_text("Said long ago.")
        await expect(visit.lines().filter(has_text="Not of the talk.")).to_have_count(0)


async def keep_a_line_of_the_first_talk(folder: Path) -> None:
    store = await Store.open(folder / FILE_NAME)
    kept = await Conversation.load(store, lambda: BEGAN)
    await kept.add("Alice", "Steve", "Said long ago.", talk=1)
    await store.aclose()


def by_the_lake(_question: Question) -> Completion:
    return Completion("By the lake.", "claude-sonnet-5-5", Usage(900, 12), "end")


async def test_the_prompt_of_a_decision_is_shown_on_demand(
    browser: Browser, fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    async with (
        page_site_on(fake_bridge, tmp_path, model=FunctionModel(by_the_lake)) as site,
        Visit.of(browser, site) as visit,
    ):
        await visit.say("Alice", "Tell me of the lake.")
        card = visit.page.locator(".decision", has_text="By the lake.")
        await expect(card).to_contain_text("900+12 tokens")
        await asyncio.wait_for(_prompt_shown(visit), 20)


async def _prompt_shown(visit: Visit) -> None:
    """It is on the disk half a second after the decision: ask until it is."""
    button = visit.page.locator(".decision").first.get_by_role("button", name="Prompt")
    prompt = visit.page.locator(".decision").first.locator(".prompt")
    while "Tell me of the lake." not in await prompt.inner_text():
        await button.click()


async def test_stop_all_stops_whatever_is_done(visit: Visit, site: PageSite) -> None:
    site.bridge.world.person("Steve", Position(40.5, 64, 0.5))
    await visit.say("Alice", "!navigation follow Steve")
    await expect(visit.card("Alice")).not_to_contain_text("has nothing to do")
    await visit.page.get_by_role("button", name="Stop all").click()
    await expect(visit.page.locator(".stopped")).to_contain_text("everybody stopped")
    await expect(visit.card("Alice")).to_contain_text("has nothing to do")
    assert not site.bridge.running_actions


async def test_the_feed_can_be_searched_and_held(visit: Visit, site: PageSite) -> None:
    steve = site.bridge.world.person("Steve")
    steve.whisper("Alice", "I like the old mill.")
    await expect(visit.lines().first).to_contain_text("old mill")
    await visit.page.get_by_role("button", name="Pause").click()
    steve.whisper("Bob", "The lake is cold.")
    await expect(visit.page.locator(".decision").first).to_contain_text("Bob")
    await expect(visit.lines().filter(has_text="lake is cold")).to_have_count(0)
    await visit.page.get_by_role("button", name="Go on").click()
    await expect(visit.lines().filter(has_text="lake is cold")).to_have_count(1)
    await visit.page.locator("#talk input[type=search]").fill("mill")
    await expect(visit.lines().filter(has_text="lake is cold")).to_have_count(0)


async def test_the_camera_shows_what_the_chosen_bot_sees(visit: Visit) -> None:
    await visit.card("Bob").locator(".choose").click()
    await visit.page.get_by_role("tab", name="Sees").click()
    picture = visit.page.get_by_alt_text("What Bob sees")
    await expect(picture).to_have_js_property("naturalWidth", 480, timeout=30_000)
    async with visit.page.expect_response("**/api/bots/Bob/picture*"):
        pass  # the next one
    await visit.page.get_by_label("All around").check()
    await expect(picture).to_have_js_property("naturalWidth", 1080, timeout=30_000)


async def test_what_a_bot_knows_is_found_and_forgotten(visit: Visit) -> None:
    await visit.say("Alice", "!remember the mine is at the old oak")
    await expect(visit.page.locator("#operator .answer")).to_contain_text("I will remember")
    await visit.page.get_by_role("tab", name="Knows").click()
    panel = visit.page.locator("#panel-knows")
    await panel.locator("input").fill("mine")
    await panel.get_by_role("button", name="Search").click()
    known = panel.locator("li", has=visit.page.get_by_role("button", name="Forget"))
    await expect(known).to_contain_text("the mine is at the old oak")
    await known.get_by_role("button", name="Forget").click()
    await expect(known).to_have_count(0)


async def test_experiments_are_listed_live_and_open_their_reports(
    visit: Visit, site: PageSite, tmp_path: Path
) -> None:
    file = ExperimentFile(site.daemon.settings.data_dir, experiment_in(tmp_path / "out"))
    await visit.page.get_by_role("tab", name="Experiments").click()
    card = visit.page.get_by_role("article", name=HOSTILE)
    await expect(card).to_contain_text("running")
    await expect(card).to_contain_text("Rosa, Tom")
    file.played(PlayedRun(name="out", ended="goodbye", lines=3, cost_usd=0.5))
    file.end(BEGAN)
    await expect(card).to_contain_text("Runs 1/1 · $0.50")
    async with visit.page.context.expect_page() as opened:
        await card.get_by_role("link", name="Open the report").click()
    report = await opened.value
    await expect(report.locator("h1")).to_have_text("The talk")  # as no script may change it


def experiment_in(folder: Path) -> ExperimentRecord:
    """One under way, whose report tries to run a script."""
    folder.mkdir()
    report = "<h1>The talk</h1><script>document.querySelector('h1').textContent = 'x'</script>"
    (folder / "report.html").write_text(report)
    return ExperimentRecord(
        title=HOSTILE,
        about="Three meet.",
        world="simulated",
        folder=folder,
        started_at=BEGAN,
        pid=os.getpid(),
        participants=(Cast(name="Rosa", kind="bot"), Cast(name="Tom", kind="bot")),
        planned=1,
    )


async def test_earlier_lines_are_read_from_the_history(visit: Visit, site: PageSite) -> None:
    await visit.say("Alice", "Remember the blue boat.")
    await expect(visit.lines().first).to_contain_text("blue boat")
    await visit.page.evaluate("location.reload()")
    await visit.page.locator("#talk select").select_option("Alice")
    await visit.page.get_by_role("button", name="Earlier").click()
    await expect(visit.lines().filter(has_text="blue boat")).to_have_count(1)
    await visit.page.locator("#talk select").select_option("")
    await visit.page.locator("#talk input[type=search]").fill("blue boat")
    await visit.page.get_by_role("button", name="Search all").click()
    await expect(visit.lines().filter(has_text="blue boat")).to_have_count(1)


async def test_a_lost_connection_comes_back_where_it_was(visit: Visit, site: PageSite) -> None:
    steve = site.bridge.world.person("Steve")
    await visit.page.context.set_offline(True)
    await visit.page.evaluate("dispatchEvent(new Event('offline'))")
    steve.whisper("Alice", "Said meanwhile.")
    await visit.page.context.set_offline(False)
    await expect(visit.lines().filter(has_text="Said meanwhile.")).to_have_count(1)
    # what the page asked for in between, the browser tells as an error
    visit.complaints[:] = [one for one in visit.complaints if "ERR_INTERNET" not in one]


async def test_nine_tabs_are_live_at_once(browser: Browser, site: PageSite) -> None:
    context = await browser.new_context()
    pages = [await context.new_page() for _ in range(TABS)]
    await pages[0].goto(site.link())
    for page in pages[1:]:
        await page.goto(pages[0].url)
    for page in pages:
        await expect(page.locator(".state")).to_contain_text("●")
    site.bridge.world.person("Steve").whisper("Alice", "Do you all see this?")
    for page in pages:
        await expect(page.locator("#talk")).to_contain_text("Do you all see this?")
    await context.close()


async def test_the_newest_line_is_in_view_in_any_flood(visit: Visit, site: PageSite) -> None:
    for number in range(60):
        site.daemon.trace.note("smalltalk.said", "Bob", to=["Alice"], text=f"Line {number}.")
    await expect(visit.lines().filter(has_text="Line 59.")).to_be_in_viewport()
    await expect(visit.lines().filter(has_text="Line 0.")).not_to_be_in_viewport()


async def test_a_page_in_the_background_is_drawn_when_seen(visit: Visit, site: PageSite) -> None:
    away = await visit.page.context.new_page()
    await away.add_init_script(
        "Object.defineProperty(document, 'hidden', { get: () => !window.isLookedAt })"
    )
    await away.goto(visit.page.url)
    site.bridge.world.person("Steve").whisper("Alice", "Is anybody looking?")
    await expect(visit.page.locator("#talk")).to_contain_text("Is anybody looking?")
    assert await away.locator("#talk article, #bots article").count() == 0
    await away.evaluate(
        "window.isLookedAt = true; document.dispatchEvent(new Event('visibilitychange'))"
    )
    await expect(away.locator("#talk")).to_contain_text("Is anybody looking?")
    await expect(away.locator("#bots article")).to_have_count(2)


async def test_a_link_opens_the_page_once(browser: Browser, site: PageSite) -> None:
    link = site.link()
    context = await browser.new_context()
    page = await context.new_page()
    await page.goto(link)
    await expect(page.locator("h1")).to_have_text("townsfolk")
    assert "login" not in page.url
    stranger = await browser.new_context()
    late = await stranger.new_page()
    answered = await late.goto(link)
    assert answered is not None
    assert answered.status == 401
    await expect(late.locator("main")).to_contain_text("townsfolk status --link")
    await context.close()
    await stranger.close()


async def test_on_a_phone_nothing_runs_over_the_edge(browser: Browser, site: PageSite) -> None:
    async with Visit.of(browser, site, PHONE) as visit:
        width = await visit.page.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE[0]
        await visit.say("Alice", "Where are you?")
        await expect(visit.page.locator("#operator .answer")).to_contain_text("I am at")


async def test_it_speaks_japanese(browser: Browser, site: PageSite) -> None:
    async with Visit.of(browser, site, locale="ja-JP") as visit:
        await expect(visit.card("Alice")).to_contain_text("暇にしています")
        await visit.page.get_by_role("button", name="English").click()
        await expect(visit.card("Alice")).to_contain_text("has nothing to do")


async def test_everything_can_be_reached_with_the_keyboard(visit: Visit) -> None:
    reached = set()
    for _ in range(60):
        await visit.page.keyboard.press("Tab")
        reached.add(await visit.page.evaluate("document.activeElement?.innerText?.trim() ?? ''"))
    assert {"Pause", "Send", "Decisions", "■ Stop all"} <= reached
    await visit.page.get_by_role("tab", name="Decisions").focus()
    await visit.page.keyboard.press("ArrowRight")
    await expect(visit.page.get_by_role("tab", name="Goals")).to_be_focused()
    await expect(visit.page.locator("#panel-goals")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing(
    browser: Browser, site: PageSite, checkers: Path, scheme: str, tmp_path: Path
) -> None:
    ExperimentFile(site.daemon.settings.data_dir, experiment_in(tmp_path / "out"))
    async with Visit.of(browser, site, color_scheme=scheme) as visit:
        await visit.say("Alice", "Where are you?")
        await expect(visit.page.locator(".decision").first).to_contain_text("I am at")
        # As a page of ours may run no scripts from elsewhere, it is run past the policy.
        await visit.page.evaluate((checkers / "axe-core" / "axe.min.js").read_text("utf-8"))
        for tab in ("Decisions", "Goals", "Sees", "Knows", "Money", "Experiments"):
            await visit.page.get_by_role("tab", name=tab).click()
            if tab == "Experiments":
                await expect(visit.page.locator(".experiment")).to_be_visible()
            found = await visit.page.evaluate("axe.run().then(found => found.violations)")
            assert [(one["id"], [n["html"] for n in one["nodes"]]) for one in found] == []
