"""A scenario with real bots and a real second client on the embedded server, from a terminal."""

import json
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from e2e.daemon_process import PROGRAM, Ended, Site

pytestmark = pytest.mark.real

PLAYED_WITHIN_S = 110.0

SCENARIO = """
title = "The well"
world = "embedded"
seed = 3
[talk]
order = "nominate"
thinking_s = [0.3, 0.6]
gap_s = 0.2
opening = { by = "Ada", text = "Gil, fetch some water. [Next: Gil]" }
[caps]
turns = 18
repetition_lines = 0
time_s = 60
[places]
square = [8, 64, 8]
well = [33, 64, 8]
[[cast]]
name = "Ada"
persona = "Ada keeps a secret."
at = "square"
goodbye = "Good night."
cues = [
  { hears = "fire", say = "Fire? Buckets! [Next: Mo]" },
  { away = "Gil", say = "While he is gone: the secret is plum jam. [Next: Mo]" },
  { say = "Hm. [Next: Mo]", again = true },
]
[[cast]]
name = "Gil"
at = "square"
goodbye = "Night."
cues = [{ say = "On my way. [Next: Mo]" }, { say = "So far away. [Next: Ada]", again = true }]
[[cast]]
name = "Mo"
at = "square"
goodbye = "Bye."
cues = [{ say = "Well, well. [Next: Ada]", again = true }]
[[people]]
name = "Steve"
at = [11, 64, 8]
lines = [{ during_turn = 11, text = "Ada! The oven is on fire!" }]
[[events]]
after_turn = 2
do = "walk"
who = "Gil"
to = "well"
"""


def experiment(site: Site, *words: str | Path) -> Ended:
    """Run `townsfolk experiment` to its end, as a user with folders of their own."""
    kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    homes = {"HOME": str(site.folder), "XDG_CACHE_HOME": str(site.cache_home)}
    done = subprocess.run(
        [PROGRAM, "experiment", *words],
        env=kept | homes,
        capture_output=True,
        text=True,
        timeout=PLAYED_WITHIN_S,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def played(new_site: Callable[[], Site]) -> tuple[Site, Path]:
    site = new_site()
    file, out = site.folder / "well.toml", site.folder / "out"
    file.write_text(SCENARIO)
    done = experiment(site, "run", file, "--out", out)
    assert done.code == 0, done.err
    assert done.out == (out / "transcript.txt").read_text()
    return site, out


def lines_of(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


def spoken(out: Path) -> list[tuple[str, str, dict[str, str | None]]]:
    """(speaker, words, hearing) of every line, as the talk took them in."""
    said: dict[int, tuple[str, str]] = {}
    found = []
    for line in lines_of(out):
        for effect in line.get("wishes", ()):
            if effect["is"] == "Say":
                said[effect["line"]] = (effect["speaker"], effect["text"])
        event = line.get("happening") or {}
        if event.get("is") == "Delivered":
            found.append((*said[event["line"]], event["hearing"]))
        elif event.get("is") == "Spoke":
            found.append((event["name"], event["text"], event["hearing"]))
    return found


def history(out: Path, bot: str) -> list[str]:
    """What a bot's own memory on disk holds of the talk, in the order of its hearing."""
    with closing(sqlite3.connect(out / "data/townsfolk.sqlite")) as base:
        rows = base.execute(
            "SELECT content FROM hearings JOIN utterances ON id = utterance_id"
            " WHERE bot = ? AND kind = 'conversation' ORDER BY sequence",
            (bot,),
        )
        return [json.loads(content) for (content,) in rows]


def test_who_walked_out_of_earshot_did_not_hear_the_secret(played: tuple[Site, Path]) -> None:
    _, out = played
    secret = next(hearing for _, text, hearing in spoken(out) if "plum jam" in text)
    assert secret["Gil"] == "out_of_range"
    assert secret["Mo"] is None
    far = [line["positions"] for line in lines_of(out) if line["kind"] == "positions"][-1]
    assert far["Gil"][0] - far["Ada"][0] > 15


def test_the_second_client_interrupts_and_is_answered(played: tuple[Site, Path]) -> None:
    _, out = played
    said = spoken(out)
    place = next(n for n, (speaker, _, _) in enumerate(said) if speaker == "Steve")
    assert said[place][2]["Ada"] is None
    after = [(speaker, text) for speaker, text, _ in said[place + 1 : place + 3]]
    assert ("Ada", "Fire? Buckets!") in after


def test_each_bots_history_holds_what_it_heard_alone(played: tuple[Site, Path]) -> None:
    _, out = played
    called = "Ada! The oven is on fire!"  # at any moment, also between a line and its delivery
    for bot in ("Ada", "Gil", "Mo"):
        known = [
            words
            for speaker, words, hearing in spoken(out)
            if speaker == bot or hearing.get(bot, "not there") is None
        ]
        remembered = history(out, bot)
        assert remembered.count(called) == known.count(called)
        assert [line for line in remembered if line != called] == [
            line for line in known if line != called
        ]
    assert not any("plum jam" in words for words in history(out, "Gil"))


def test_the_replay_is_identical_without_server_and_model(played: tuple[Site, Path]) -> None:
    site, out = played
    replayed = experiment(site, "replay", out)
    assert (replayed.code, "identical" in replayed.out) == (0, True), replayed.out


def test_the_report_is_a_page_a_browser_shows(played: tuple[Site, Path]) -> None:
    site, out = played
    reported = experiment(site, "report", out)
    assert reported.code == 0, reported.err
    page = out / "report.html"
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no browser on this machine: apt-get install chromium")
    shown = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", page.as_uri()],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert shown.stdout.count("<svg") == 5
    assert "While he is gone: the secret is plum jam." in shown.stdout


RULES = """
def gil_then_mo(talk):
    return "Mo" if talk.last == "Gil" else "Gil"

def nobody_is_called_so(talk):
    return "Nobody"

def mo_has_spoken(talk):
    return talk.lines[-1].speaker == "Mo"
"""


@pytest.mark.parametrize(
    ("order", "code", "told"),
    [
        ("gil_then_mo", 0, ""),
        ("nobody_is_called_so", 1, "talk.order: rules.py:5: 'Nobody' cannot speak; there are Ada"),
    ],
)
def test_own_rules_decide_a_talk_of_real_bots(
    new_site: Callable[[], Site], order: str, code: int, told: str
) -> None:
    site = new_site()
    (site.folder / "rules.py").write_text(RULES)
    keys = f'order = "rules.py:{order}"\nstop = "rules.py:mo_has_spoken"'
    (site.folder / "well.toml").write_text(SCENARIO.replace('order = "nominate"', keys))
    out = site.folder / "out"
    done = experiment(site, "run", site.folder / "well.toml", "--out", out)
    assert (done.code, told in done.err) == (code, True), done.err
    assert [speaker for speaker, _, _ in spoken(out)] == ["Ada", "Gil", "Mo"][: 1 if code else 3]
    replayed = experiment(site, "replay", out)
    assert (replayed.code, "identical" in replayed.out) == ((1, False) if code else (0, True))


def test_nothing_is_left_running(played: tuple[Site, Path]) -> None:
    _, out = played
    log = (out / "data/log/townsfolk.jsonl").read_text()
    assert "Traceback" not in log
    listed = subprocess.run(["pgrep", "-af", str(out)], capture_output=True, text=True)
    assert listed.stdout == ""
