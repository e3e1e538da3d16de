"""Whatever asks a model is charged to the one budget of its data folder; nothing asks beside it."""

import json
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from support.daemons import Town, daemon_on
from support.live_talks import policy
from support.rig import until

from bots.app import Daemon
from bots.bot.bot import Bot
from bots.clock import Times
from bots.daemon import daemon_file
from bots.daemon.models import shared_budget
from bots.errors import SettingsError
from bots.settings.settings import LlmSettings, Settings
from bots.store.database import FILE_NAME
from bots.store.migrations import APPLICATION_ID
from bridge.fake.body import Person
from bridge.world import Position
from llm.engine.budget import Payer
from llm.function_model import FunctionModel
from llm.model import Question

ROOT = Path(__file__).parents[3]
BESIDE_STEVE = Position(9.5, 64, 8.5)
MARKS = {
    "You keep the notes": "summary",
    "the planning mind": "briefing",
    "the thoughtful mind": "periodic",
    "<persona_lock>": "talk",
}
"""What the instructions of each kind of decision have in them; others are answers."""


def kind_of(question: Question) -> str:
    return next((kind for mark, kind in MARKS.items() if mark in question.system), "answer")


def answer(question: Question) -> str:
    if kind_of(question) in ("briefing", "periodic"):
        return json.dumps({"summary": "A meadow.", "plan": [], "goal": "", "confidence": 0.5})
    return "Fine."


def charges(folder: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(folder / FILE_NAME)) as base:
        return base.execute("SELECT bot, nanodollars FROM charges").fetchall()


def has_heard_and_said(bot: Bot, lines: int) -> bool:
    return len(bot.get_conversation_history()) >= lines


async def ask_in_every_way(daemon: Daemon, steve: Person, model: FunctionModel) -> None:
    """Have the daemon ask for a briefing, answers, an analysis, a summary and turns of a talk."""
    alice = daemon.bot("Alice")
    for number in range(1, 7):
        steve.whisper("Alice", f"Line {number}: how are you?")
        await until(partial(has_heard_and_said, alice, 2 * number))
    await daemon.talk("Alice", "Steve", policy=policy("the weather", turns=1))
    await until(lambda: {kind_of(one) for one in model.questions} == {*MARKS.values(), "answer"})


@pytest.mark.slow
async def test_every_question_of_a_daemon_is_charged_once(town: Town) -> None:
    model = FunctionModel(answer)
    often: dict[str, Any] = {"briefing": True, "periodic_rounds": 1, "periodic_every_s": 0.001}
    steve = town.world.person("Steve", BESIDE_STEVE)
    async with town.up(model, **often) as daemon:
        await ask_in_every_way(daemon, steve, model)
        await until(lambda: len(charges(town.folder)) == len(model.questions))


async def test_a_daemon_may_pay_from_the_budget_of_another_folder(town: Town) -> None:
    model, purse = FunctionModel(answer), town.folder / "purse"
    steve = town.world.person("Steve", BESIDE_STEVE)
    async with daemon_on(town.bridge, town.folder / "own", model, budget_dir=purse) as daemon:
        steve.whisper("Alice", "Hello!")
        await until(lambda: len(daemon.bot("Alice").get_conversation_history()) == 2)
    assert (len(charges(purse)), charges(town.folder / "own")) == (1, [])


async def test_a_running_daemon_shows_what_an_experiment_spends(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.daemon.models.LOOK_EVERY_S", 0.01)
    async with town.up(FunctionModel(answer)) as daemon:
        shown = daemon.responders.engine.budget
        async with shared_budget(daemon.settings, Times.real()) as other:
            held = await other.hold(500, Payer("Ada"))
            await until(lambda: shown.spent() == 500)
            await other.settle(held, 20)
            await until(lambda: shown.spent() == 20)


async def test_the_database_of_a_running_daemon_of_an_older_version_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as base:
        base.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        base.execute("CREATE TABLE utterances (a)")
    at = daemon_file.ServerAddress(host="127.0.0.1", port=25565, version="1.16.5")
    here = daemon_file.DashboardAddress(url="http://127.0.0.1:1/", token="t")
    running = daemon_file.DaemonFile(pid=1, server=at, dashboard=here, bots=())
    monkeypatch.setattr(daemon_file, "read", lambda folder: running)
    settings = Settings(data_dir=tmp_path, llm=LlmSettings())
    with pytest.raises(SettingsError, match="of an older townsfolk: start it anew"):
        async with shared_budget(settings, Times.real()):
            pass
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as base:
        assert base.execute("PRAGMA user_version").fetchone() == (0,)


BUDGETS = {
    *("bots/experiments/estimate.py", "bots/experiments/paid_models.py", "llm/engine/engine.py"),
}
WAYS = {
    "complete": {"llm/engine/engine.py"},
    "HeldCalls": {"llm/engine/engine.py", "bots/experiments/judges.py"},
    "SqliteLedger": {"bots/daemon/models.py"},
    # For those who ask no model, or with a budget of nothing one that is free or stands in.
    "MemoryLedger": BUDGETS,
    "Budget": BUDGETS,
}
"""What asks a model or makes a budget, and the only files that call it."""


def files_that_call(name: str) -> set[str]:
    call = re.compile(rf"(?<!def )\b{name}\(")
    files = [*(ROOT / "bots").rglob("*.py"), *(ROOT / "llm").rglob("*.py")]
    return {
        file.relative_to(ROOT).as_posix()
        for file in files
        if call.search(file.read_text(encoding="utf-8"))
    }


@pytest.mark.parametrize("name", WAYS)
def test_no_part_of_the_product_asks_a_model_beside_the_budget(name: str) -> None:
    assert files_that_call(name) == WAYS[name]
