"""Answers through a model, over real HTTP to a scripted API; the rules stand in when it fails."""

import time
from collections.abc import AsyncIterator, Callable

import pytest
from e2e.daemon_process import DaemonProcess, Site, eventually
from e2e.people import ANSWER_WITHIN_S, Player

from llm.fake_api import Body, Call, Drop, Failure, FakeClaude, Reply, Step

pytestmark = pytest.mark.real

KEY = "sk-ant-api03-a-key-that-must-never-be-seen-0123456789"
QUESTION = "Who wrote Hamlet?"
SLOW_S = 30.0
ANSWERS_ONLY = {
    "TOWNSFOLK_LLM__SHOWN_LINES": "100",
    "TOWNSFOLK_LLM__SUMMARISE_AFTER": "100",
    "TOWNSFOLK_LLM__PERIODIC_ROUNDS": "1000",
}
"""No summary or analysis of another test's lines takes a step of the script."""
THINKS_S = 1.5  # less than bots take to be back
BACK_WITHIN_S = 30.0


@pytest.fixture(scope="module")
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude().serving() as claude:
        yield claude


@pytest.fixture(scope="module")
async def daemon(new_site: Callable[[], Site], claude: FakeClaude) -> AsyncIterator[DaemonProcess]:
    async with new_site().up(
        ANTHROPIC_API_KEY=KEY,
        ANTHROPIC_BASE_URL=claude.url,
        TOWNSFOLK_TALK__SMALL_TALK="false",
        TOWNSFOLK_LOG__LEVEL="debug",
        **ANSWERS_ONLY,
    ) as daemon:
        yield daemon
        assert daemon.tracebacks == []


async def test_a_whisper_is_answered_by_the_model(
    daemon: DaemonProcess, claude: FakeClaude, steve: Player
) -> None:
    claude.script = [Reply("William Shakespeare did, around 1600.")]
    assert await steve.asks("Alice", QUESTION) == "William Shakespeare did, around 1600."
    made = await daemon.last_decision(steve.name)
    assert made["source"] == "model"
    assert made["tokens_out"] > 0
    assert claude.headers[-1]["authorization"] == f"Bearer {KEY}"
    assert QUESTION in str(claude.requests[-1]["messages"][-1])


async def test_the_next_question_holds_what_was_said(claude: FakeClaude, steve: Player) -> None:
    claude.script = [Reply("Green."), Reply("I said green.")]
    await steve.asks("Bob", "Name a colour.")
    assert await steve.asks("Bob", "Which one was that?") == "I said green."
    turns = claude.requests[-1]["messages"]
    assert [turn["role"] for turn in turns][-2:] == ["assistant", "user"]
    assert "Name a colour." in str(turns[:-1])
    assert "Green." in str(turns[:-1])


FAULTS: dict[str, tuple[Step, str]] = {  # one of a kind; tests of the engine have them all
    "slow": (Reply("Too late.", slow_s=SLOW_S), "deadline"),
    "dripping": (Reply("A word now and then, and never an end to it.", drip_s=3.0), "deadline"),
    "overloaded": (Failure(529), "overloaded"),
    "dropped": (Drop(), "network"),
    "cut": (Reply("Half of an answer", cut_after=4), "network"),
    "html": (Body("<html><body>Bad gateway</body></html>", "text/html"), "bad_reply"),
    "refusal": (Reply("", stop="refusal"), "refused"),
    "unknown tool": (Reply("", calls=(Call("op", {"player": "Steve"}),)), "illegal"),
    "tools without end": (Reply("", calls=(Call("status"),)), "max_rounds"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_when_the_model_fails_the_rules_answer_in_time(
    daemon: DaemonProcess, claude: FakeClaude, steve: Player, fault: str
) -> None:
    step, why = FAULTS[fault]
    claude.script = [step]
    asked_s = time.monotonic()
    answer = await steve.asks("Alice", "Where are you, and who wrote Hamlet?")
    assert time.monotonic() - asked_s < ANSWER_WITHIN_S
    assert answer
    made = await daemon.last_decision(steve.name)
    assert (made["source"], made["why"]) == ("rules", why)


async def test_node_dies_while_the_model_thinks_and_the_answer_comes_once(
    daemon: DaemonProcess, claude: FakeClaude, steve: Player
) -> None:
    claude.script = [Reply("William Shakespeare did.", slow_s=THINKS_S)]
    before = len(claude.requests)
    await steve.whispers("Alice", "Who wrote Macbeth?")
    await eventually(lambda: len(claude.requests) > before)
    async with daemon.watching() as watch:
        daemon.bots_node.kill()
        await watch.next("bridge.lost")
        await watch.all_back("Alice", within_s=BACK_WITHIN_S)
    assert await steve.hears("Alice") == "William Shakespeare did."
    claude.script = [Reply("And Hamlet.")]
    assert await steve.asks("Alice", "And what else?") == "And Hamlet."
    (turns,) = [one["messages"] for one in claude.requests[-1:]]
    assert "Who wrote Macbeth?" in str(turns)
    heard = [line.text for line in steve.heard if line.sender == "Alice"]
    assert heard.count("William Shakespeare did.") == 1


async def test_the_key_is_nowhere_to_be_seen(
    daemon: DaemonProcess, claude: FakeClaude, steve: Player
) -> None:
    claude.script = [Failure(401, message=f"invalid x-api-key: {KEY}")]
    await steve.asks("Alice", QUESTION)
    ended = await daemon.site.townsfolk(
        "doctor", within_s=120.0, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=claude.url
    )  # it loads the SDK, which takes seconds of computing
    async with daemon.watching(last=0) as watch:
        traced = str(await watch.next("decision.made", speaker=steve.name))
    paths = ("/", "/healthz", "/api/bots", "/api/decisions", "/api/bots/Alice/history")
    served = [(await daemon.http.get(path)).text for path in paths]
    kept = [file.read_bytes().decode(errors="replace") for file in daemon.written()]
    everything = [daemon.ready_line, daemon.stderr, ended.out, ended.err, traced, *served, *kept]
    assert not any(KEY in text for text in everything)
