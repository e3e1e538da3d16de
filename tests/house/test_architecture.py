"""docs/architecture.md is true: its stops exist, and a traced whisper runs only listed files."""

import asyncio
import re
import sys
import tomllib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from bots.app import Daemon
from bots.goals.planning.branch_and_bound import load_solver
from bots.settings.settings import BotsSettings, IdleSettings, LlmSettings, Settings, TalkSettings
from bridge import FakeBridge
from bridge.fake.body import Person
from llm.function_model import FunctionModel

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/architecture.md").read_text()
MOST_FILES = 30
NOT_TRACED = ("bridge/", "llm/claude/", "bots/observability/stalls.py")
"""Behind the ports, where a simulated world and a function stand in for the real ones; and what
runs only where the machine is too slow."""

OURS = (f"{ROOT}/bots/", f"{ROOT}/llm/")
LEAVES = {
    "They watch and write down; nothing is decided from them.": (
        "bots/knowledge/",
        "bots/observability/",
        "bots/responder/records/",
        "bots/responder/reflection/",
        "bots/responder/event_watch.py",
    ),
    "They let this line pass: no talk takes it, no limit, no fixed answer.": (
        "bots/access/",
        "bots/chat/attendance.py",
        "bots/chat/between_daemons.py",
        "bots/chat/governor.py",
        "bots/chat/strangers.py",
        "bots/chat/turn_taking.py",
        "bots/daemon/talks.py",
        "bots/responder/limits.py",
        "bots/talks/live/talks.py",
        "bots/talks/live/start_phrases.py",
    ),
    "They are the bot itself, its clock and the tasks that it owns.": (
        "bots/bot/",
        "bots/clock.py",
        "bots/daemon/goal_keeper.py",
        "bots/owned_tasks.py",
        "bots/queues.py",
        "bots/skills/idle.py",
    ),
    "They are values, and how they are stored.": (
        "bots/chat/conversation_sql.py",
        "bots/chat/message.py",
        "bots/store/",
        "llm/model.py",
    ),
    "They do one small part of a decision that their name tells.": (
        "bots/catalogue/",
        "bots/registry/",
        "bots/responder/case/",
        "bots/responder/asking_back.py",
        "bots/responder/led_astray.py",
        "bots/responder/main_tools.py",
        "bots/responder/model_health.py",
        "bots/responder/prompt/knowledge.py",
        "bots/responder/prompt/summaries.py",
        "bots/responder/rules/topics.py",
        "bots/responder/rules/dealings.py",
        "bots/responder/rules/knowing.py",
        "bots/responder/rules/reading.py",
        "bots/responder/rules/recalling.py",
        "bots/responder/rules/reciting.py",
        "bots/responder/rules/phrases/",
        "bots/responder/rules/requests/",
        "bots/responder/rules/scene.py",
        "bots/text/",
        "bots/words/",
    ),
    "They count tokens, money, time and complexity.": (
        "llm/engine/budget.py",
        "llm/engine/context.py",
        "llm/engine/decision.py",
        "llm/engine/prices.py",
    ),
    "It stands in for Claude.": ("llm/function_model.py",),
    "They hear what the server says of an answer that has left.": (
        "bots/chat/answers.py",
        "bots/daemon/connection.py",
    ),
}
"""What a reader of one whisper need not visit, and why; a folder stands for all in it."""
LEAVES_OF = tuple(leaf for leaves in LEAVES.values() for leaf in leaves)
WAYS = ("a whisper", "a goal")


def section(way: str) -> str:
    return PAGE.split(f"\n## The way of {way}\n", 1)[1].split("\n## ", 1)[0]


def stops(way: str) -> list[tuple[str, str]]:
    """The files of a way, in its order, each with the name it defines."""
    return re.findall(r"`([\w/]+\.(?:py|cjs)): (\w+)`", section(way))


def files(way: str) -> set[str]:
    return {file for file, _ in stops(way)}


def defines(file: str, name: str) -> bool:
    text = (ROOT / file).read_text()
    return (
        re.search(rf"^(?:async )?(?:def|class|function) {name}\b", text, re.MULTILINE) is not None
    )


def test_every_file_of_the_page_exists() -> None:
    named = re.findall(r"`((?:bots|bridge|llm|tests)/[\w./]*)", PAGE)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("way", WAYS)
def test_every_stop_defines_what_it_names(way: str) -> None:
    assert stops(way)
    assert [f"{file}: {name}" for file, name in stops(way) if not defines(file, name)] == []


def test_the_picture_shows_the_layers_of_the_contract_in_their_order() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = contracts["contracts"][-1]["layers"]
    picture = PAGE.split("## The wings of bots", 1)[1].split("```")[1]
    rooms = [re.split(r" {2,}", line.strip())[0] for line in picture.splitlines()]
    drawn = [name for room in rooms for name in room.split(", ") if re.fullmatch(r"\w+", name)]
    assert drawn == [name for layer in layers for name in layer.split(" | ")]


def test_a_whisper_passes_few_files_and_the_page_counts_them() -> None:
    passed = len(files("a whisper"))
    assert passed <= MOST_FILES
    assert re.search(rf"\b{passed} files carry it", section("a whisper").replace("\n", " "))


@contextmanager
def tracing(executed: set[str]) -> Iterator[None]:
    """Collect the files of bots/ and llm/ whose functions run meanwhile, in this thread."""

    def note(frame: FrameType, event: str, _arg: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_name != "<module>" and code.co_filename.startswith(OURS):
            executed.add(str(Path(code.co_filename).relative_to(ROOT)))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)


@asynccontextmanager
async def alice(folder: Path, model: FunctionModel | None) -> AsyncIterator[tuple[Daemon, Person]]:
    """A daemon with Alice in a simulated world, and Steve, who has spoken with her before."""
    bridge = FakeBridge()
    steve = bridge.world.person("Steve")
    settings = Settings(
        data_dir=folder,
        bots=BotsSettings(names=("Alice",)),
        talk=TalkSettings(small_talk=False),
        idle=IdleSettings(enabled=False),
        llm=LlmSettings(briefing=False),
    )
    async with Daemon(settings, bridge=bridge, model=model) as daemon:
        await daemon.all_joined()
        await converse(daemon, steve, "Hello!")
        yield daemon, steve


BY_CHANCE = {"bots/observability/stalls.py", "bots/responder/records/metrics.py"}
"""Files of tasks that wake up now and then, or where the machine is slow."""


async def converse(daemon: Daemon, steve: Person, words: str) -> None:
    """Whisper to Alice, hear her answer, and wait until it is on record."""
    trace = daemon.trace
    with trace.reading() as reader:
        steve.whisper("Alice", words)
        async with asyncio.timeout(10):
            async for happened in reader:
                if happened.name == "reply.sent":
                    return


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files that one whisper passes: with a model, and without."""
    found: set[str] = set()
    load_solver()  # else the daemon may be at it meanwhile

    async def trace(model: FunctionModel | None) -> None:
        async with alice(tmp_path_factory.mktemp("data"), model) as (daemon, steve):
            with tracing(found):
                await converse(daemon, steve, "Where are you?")

    for model in (None, FunctionModel(lambda _question: "I am here.")):
        asyncio.run(trace(model))
    return found - BY_CHANCE


def test_every_stop_is_passed_by_a_traced_whisper(executed: set[str]) -> None:
    traceable = {file for file in files("a whisper") if not file.startswith(NOT_TRACED)}
    assert traceable - executed == set()


def test_what_else_a_whisper_passes_is_a_known_leaf(executed: set[str]) -> None:
    beside = {file for file in executed - files("a whisper") if not file.startswith(LEAVES_OF)}
    assert beside == set()


def test_the_page_tells_how_many_files_run_at_most(executed: set[str]) -> None:
    told = re.search(r"at most (\d+) files", section("a whisper"))
    assert told is not None
    assert len(executed) <= int(told[1])


def test_every_leaf_is_passed(executed: set[str]) -> None:
    unused = [leaf for leaf in LEAVES_OF if not any(f.startswith(leaf) for f in executed)]
    assert unused == []
