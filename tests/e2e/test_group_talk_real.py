"""Four bots and a player in one talk on a real server: who heard what, line by line."""

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from e2e.daemon_client import Json, Watch
from e2e.daemon_process import DaemonProcess, Site
from e2e.people import Player

from llm.fake_api import FakeClaude, Reply

pytestmark = [pytest.mark.real, pytest.mark.slow]

CAST = ("Alice", "Bob", "Cara", "Dan")
TURNS = 20
WALKS = 2
NOTES = ("Talk", "Group", "@operator")
AWAY = 24  # blocks; hearing reaches 15
TALK_WITHIN_S = 240.0
THINGS = ("slate", "oak", "clay", "straw", "copper", "moss", "glass", "birch", "stone", "reed")
USES = ("ridge", "gutter", "gable", "eaves", "attic", "tower", "porch")


@pytest.fixture(scope="module")
async def claude() -> AsyncIterator[FakeClaude]:
    async with FakeClaude(*map(Reply, _opinions())).serving() as claude:
        yield claude


@pytest.fixture(scope="module")
async def daemon(new_site: Callable[[], Site], claude: FakeClaude) -> AsyncIterator[DaemonProcess]:
    async with new_site().up("--bots", ",".join(CAST), **_variables(claude, TURNS)) as daemon:
        yield daemon
        assert daemon.tracebacks == []


@dataclass
class Watched:
    """A talk as its trace tells it."""

    watch: Watch
    said: list[Json] = field(default_factory=list)
    decisions: list[Json] = field(default_factory=list)
    ended: Json | None = None

    async def lines(self, count: int) -> None:
        """Wait until so many lines of bots have been begun."""
        while len(self.said) < count and self.ended is None:
            await self._next()

    async def end(self) -> Json:
        while self.ended is None:
            await self._next()
        return self.ended

    async def _next(self) -> None:
        trace = await anext(self.watch)
        if trace["name"] == "talk.said":
            self.said.append(trace)
        elif trace["name"] == "speaker.chosen":
            self.decisions.append(trace)
        elif trace["name"] == "talk.ended":
            self.ended = trace


async def test_a_talk_of_twenty_turns_is_remembered_by_each_as_it_was_heard(
    daemon: DaemonProcess, steve: Player, claude: FakeClaude
) -> None:
    async with daemon.watching() as watch, asyncio.timeout(TALK_WITHIN_S):
        talk = Watched(watch)
        await steve.whispers("Alice", "!talk start Alice,Bob,Cara,Dan,me the new roof")
        await talk.lines(4)
        bob = await _interrupt(talk, steve, "Bob", "Wait, what about a chimney?")
        home = await _place(daemon, "Dan")
        await _walk(daemon, "Dan", home[0] + AWAY, home[1], home[2])
        before = len(talk.said)
        await talk.lines(before + 4)
        await _walk(daemon, "Dan", *home)
        cara = await _interrupt(talk, steve, "Cara", "And who fetches the wood?")
        ended = await talk.end()
    assert (bob, cara) == ("Bob", "Cara")
    assert ended["why"] in ("turns", "goodbye")
    assert TURNS - 3 <= len(talk.said) <= TURNS
    histories = {bot: await daemon.history(bot) for bot in CAST}
    heard = _check_histories(histories, [(line["bot"], line["text"]) for line in talk.said])
    _check_dan(heard)
    _check_steve(histories, heard, steve)
    _check_requests(claude)


async def test_a_talk_outlives_a_daemon_that_is_killed(
    new_site: Callable[[], Site], claude: FakeClaude
) -> None:
    claude.script = [Reply(words) for words in _opinions()]
    site, variables = new_site(), _variables(claude, turns=12)
    async with site.up("--bots", "Alice,Bob,Cara", **variables) as first:
        async with first.watching() as watch:
            await first.command("Alice", "!talk start Alice,Bob,Cara the old roof")
            before = Watched(watch)
            await before.lines(5)
        first.send_signal(signal.SIGKILL)
        await first.ended()
    async with (
        site.up("--bots", "Alice,Bob,Cara", **variables) as second,
        second.watching(last=0) as watch,
        asyncio.timeout(TALK_WITHIN_S),
    ):
        await watch.next("talk.resumed")
        after = Watched(watch)
        await after.end()
        histories = {bot: await second.history(bot) for bot in ("Alice", "Bob", "Cara")}
    assert before.ended is None
    assert 3 <= len(after.said) <= 12 - 4
    for bot, history in histories.items():
        heard = Counter(m["content"] for m in history if m["role"] == "user")
        assert max(heard.values()) == 1, (bot, heard)
        notes = [m["content"].split(":")[0] for m in history if m["type"] == "system_info"]
        assert notes == ["Group talk began. Participants", "Group talk ended"]
        others = [line["text"] for line in before.said[:4] if line["bot"] != bot]
        assert set(others) <= set(heard)


async def _interrupt(talk: Watched, steve: Player, bot: str, words: str) -> str:
    """Who spoke next after these words to a bot were heard."""
    await steve.whispers(bot, words)
    seen = len(talk.decisions)
    while not any(trace["rule"] == "addressed" for trace in talk.decisions[seen:]):
        await talk._next()
    chosen = next(trace for trace in talk.decisions[seen:] if trace["rule"] == "addressed")
    return str(chosen["next"])


async def _place(daemon: DaemonProcess, bot: str) -> tuple[int, int, int]:
    where = (await daemon.command(bot, "!info all"))["data"]["position"]["position"]
    return where["x"], where["y"], where["z"]


async def _walk(daemon: DaemonProcess, bot: str, x: int, y: int, z: int) -> None:
    """The talk waits meanwhile: it has only so many turns, whatever a walk takes."""
    assert (await daemon.command(bot, "!talk pause"))["success"] is True
    args = f'{{"coords": [{x}, {y}, {z}], "range": 3}}'
    result = await daemon.command(bot, f"!navigation gotoCoords {args}")
    assert result["success"] is True, result
    assert (await daemon.command(bot, "!talk resume"))["success"] is True


def _check_histories(
    histories: dict[str, list[Json]], said: list[tuple[str, str]]
) -> list[dict[str, bool]]:
    """For each line its hearers' names, and whether it reached them: as its speaker remembers
    it, and so do they."""
    heard: list[dict[str, bool]] = []
    for speaker, text in said:
        own = [m["content"] for m in histories[speaker] if m["role"] == "assistant"]
        (line,) = [content for content in own if content["message"] == text]
        reached = {hearer["username"]: hearer["delivered"] for hearer in line["hearers"]}
        heard.append(reached)
        for bot in CAST:
            times = Counter(m["content"] for m in histories[bot] if m["role"] == "user")[text]
            assert times == (1 if reached.get(bot) else 0), (speaker, text, bot, reached)
    for bot in CAST:
        notes = [m["content"] for m in histories[bot] if m["type"] == "system_info"]
        assert [note.split(":")[0] for note in notes] == [
            "Group talk began. Participants",
            *["@operator paused the group talk.", "@operator resumed the group talk."] * WALKS,
            "Group talk ended",
        ]
    return heard


def _check_dan(heard: list[dict[str, bool]]) -> None:
    """He heard the beginning, missed some, and heard again."""
    others = [line.get("Dan", False) for line in heard]
    assert True in others
    first_missed = next(
        place for place, line in enumerate(heard) if "Dan" not in line and line != {}
    )
    assert any("Dan" in line for line in heard[:first_missed])
    assert any(line.get("Dan") for line in heard[first_missed:])


def _check_steve(
    histories: dict[str, list[Json]], heard: list[dict[str, bool]], steve: Player
) -> None:
    whispered = [line.text for line in steve.heard if not line.text.startswith(NOTES)]
    assert len(whispered) == sum(line.get(steve.name, False) for line in heard)
    for words in ("Wait, what about a chimney?", "And who fetches the wood?"):
        knew = {
            bot
            for bot, history in histories.items()
            if [m["speaker"] for m in history if m["content"] == words] == [steve.name]
        }
        assert {"Alice", "Bob", "Cara"} <= knew


def _check_requests(claude: FakeClaude) -> None:
    for request in claude.requests:
        system = "".join(block["text"] for block in request["system"])
        if system.startswith("You keep the notes"):  # what was said earlier is shortened aside
            continue
        assert system.startswith("<persona_lock>")
        assert "tools" not in request
        assert request["output_config"]["format"]["type"] == "json_schema"
        assert "chimney" not in system


def _variables(claude: FakeClaude, turns: int) -> dict[str, str]:
    return {
        "ANTHROPIC_API_KEY": "sk-ant-api03-not-a-real-key",
        "ANTHROPIC_BASE_URL": claude.url,
        "TOWNSFOLK_TALK__SMALL_TALK": "false",
        "TOWNSFOLK_GROUP_TALK__MAX_TURNS": str(turns),
        "TOWNSFOLK_GROUP_TALK__MAX_TURNS_WITHOUT_PERSON": str(turns),
        "TOWNSFOLK_GROUP_TALK__GAP_S": "0.2",
        "TOWNSFOLK_GROUP_TALK__READING_CPS": "0",  # nobody reads along
    }


def _opinions() -> list[str]:
    """More than there are turns, none like another."""
    return [
        f"{thing.capitalize()} suits the {use}, I think; number {count}."
        for count, (thing, use) in enumerate(
            ((thing, use) for use in USES for thing in THINGS), start=1
        )
    ]
