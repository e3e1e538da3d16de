"""In a group talk older lines become notes too, which everybody must be fit to know."""

import json
import random
from dataclasses import dataclass, replace
from pathlib import Path

from support.cases import heard
from support.decision_parts import engine_of, prompts_of
from support.rig import until

from bots.access.origin import Level, Person
from bots.access.sources import Sources
from bots.access.visibility import Visibility
from bots.chat.message import Message, of_talk
from bots.responder.case.case import Advice
from bots.responder.case.persona import PersonaFiles
from bots.responder.prompt.builder import ContextPrompts
from bots.talks.live.prompt import TurnContext
from bots.talks.live.thinker import TalkThinker
from bridge.wire import parse_snapshot
from bridge.world import BotName, PlayerName, WorldSnapshot
from llm.engine.context import LIMITS
from llm.function_model import FunctionModel
from llm.model import Question

RECORDED = Path(__file__).parents[2] / "data" / "snapshots.json"
ALICE = BotName("Alice")
WORLD = parse_snapshot(json.loads(RECORDED.read_text())["with a fellow bot"])


@dataclass
class Talker:
    """Alice in a talk, as far as it has come."""

    world: WorldSnapshot
    lines: list[Message]
    name: BotName = ALICE

    async def snapshot(self) -> WorldSnapshot:
        return self.world

    def attended_history(self) -> list[Message]:
        return self.get_conversation_history()

    def get_conversation_history(self) -> list[Message]:
        return self.lines[-100:]


async def at_once(seconds: float) -> None:
    """Lets no time pass."""


def answer(question: Question) -> str:
    return "A note." if question.system.startswith("You keep the notes") else "Well said."


def of_the_talk(message: Message) -> Message:
    return replace(message, utterance=replace(message.utterance, talk=1))


@dataclass(frozen=True)
class Planned:
    """What reflection made of this one's words."""

    sources: Sources

    def about(self, bot: str, view: Visibility) -> list[tuple[str, Sources]]:
        shown = view.shows(self.sources, lambda origin: Level.PLAYER)
        return [("First a bridge, then a house.", self.sources)] if shown else []


def thinking(
    folder: Path, advice: Advice | None = None
) -> tuple[FunctionModel, ContextPrompts, TalkThinker]:
    model = FunctionModel(answer)
    engine = engine_of(model)
    prompts = prompts_of(engine, stopwatch=lambda: 0.0, sleep=at_once, advice=advice)
    thinker = TalkThinker(
        engine,
        PersonaFiles(folder),
        {"Alice", "Bob"},
        random.Random(1),
        lambda origin: Level.PLAYER,
        7.0,
        prompts,
    )
    return model, prompts, thinker


async def test_in_a_talk_of_five_hundred_lines_the_context_stays_within_its_limits(
    tmp_path: Path,
) -> None:
    alice = Talker(WORLD, [])
    model, prompts, thinker = thinking(tmp_path)
    longest = 0
    for number in range(1, 501):
        alice.lines.append(of_the_talk(heard("Bob", f"line {number}", number)))
        if number % 5:
            continue
        await thinker.think(alice, TurnContext(("Bob",), {}, circle=of_talk(1)))
        await until(lambda: not len(prompts._summariser._tasks))
        asked = [one for one in model.questions if one.system.startswith("<persona_lock>")][-1]
        notes = [turn for turn in asked.turns if turn.text.startswith('{"notes"')]
        assert len(notes) <= LIMITS.most_summaries
        longest = max(longest, len(asked.turns) - len(notes) - 1)
        assert f"line {number}" in asked.turns[-2].text
    assert LIMITS.keep < longest <= LIMITS.most_turns
    told = [json.loads(note.text) for note in notes]
    assert [(note["notes"], note["among"]) for note in told] == [("A note.", "a group talk")] * 3


async def test_in_a_talk_a_bot_knows_its_plan_and_its_words_carry_where_that_comes_from(
    tmp_path: Path,
) -> None:
    steve = Person(PlayerName("Steve"))
    planned = Sources.said_by(steve, Level.PLAYER, ["Steve"])
    model, _, thinker = thinking(tmp_path, Planned(planned))
    alice = Talker(WORLD, [of_the_talk(heard("Bob", "What shall we do?", 1))])
    with_steve = TurnContext(("Bob",), {}, view=Visibility(Level.PLAYER, frozenset({"Steve"})))
    said = await thinker.think(alice, replace(with_steve, circle=of_talk(1)))
    assert '{"advice":"First a bridge, then a house."}' in _read(model)
    assert steve in said.sources.origins
    in_public = TurnContext(("Bob",), {}, view=Visibility(Level.PLAYER, None), circle=of_talk(1))
    said = await thinker.think(alice, in_public)
    assert "bridge" not in _read(model)
    assert steve not in said.sources.origins


async def test_in_a_talk_a_bot_knows_what_it_is_doing(tmp_path: Path) -> None:
    model, _, thinker = thinking(tmp_path)
    alice = Talker(WORLD, [of_the_talk(heard("Bob", "What are you doing?", 1))])
    at_work = TurnContext(("Bob",), {}, circle=of_talk(1), doing="!skill gather, 3 of 8")
    await thinker.think(alice, at_work)
    assert '"doing":"!skill gather, 3 of 8"' in _read(model)


def _read(model: FunctionModel) -> str:
    asked = [one for one in model.questions if one.system.startswith("<persona_lock>")]
    return "\n".join(turn.text for turn in asked[-1].turns)


async def test_in_a_talk_lines_of_other_conversations_tell_whom_they_were_said_to_and_when(
    tmp_path: Path,
) -> None:
    before = [heard("Steve", "I like birch.", 1), heard("Alice", "So do I.", 2, to="Steve")]
    alice = Talker(
        WORLD, [*before, of_the_talk(heard("Bob", "Of what shall we build?", 3, public=True))]
    )
    model, _, thinker = thinking(tmp_path)
    with_steve = Visibility(Level.PLAYER, frozenset({"Steve"}))
    context = TurnContext(("Bob", "Steve"), {}, view=with_steve, circle=of_talk(1))
    await thinker.think(alice, context)
    *earlier, last, _now = (turn.text for turn in model.questions[-1].turns)
    told = [json.loads(row) for row in earlier]
    assert all(row.pop("when").endswith(" ago") for row in told)
    assert told == [
        {"from": "Steve", "says": "I like birch.", "who": "player"},
        {"to": "Steve", "you_said": "So do I."},
    ]
    assert last == '(Bob said) "Of what shall we build?"'


async def test_in_public_a_talk_reads_what_everybody_may_know_and_nothing_else(
    tmp_path: Path,
) -> None:
    whispered = [heard("Bob", f"whisper {number}", number) for number in range(1, 12)]
    aloud = [heard("Cara", f"aloud {number}", number, public=True) for number in range(12, 24)]
    psst = heard("Bob", "psst", 24)
    alice = Talker(WORLD, [*map(of_the_talk, whispered), *map(of_the_talk, aloud), psst])
    model, prompts, thinker = thinking(tmp_path)
    public = TurnContext(("Bob",), {}, view=Visibility(Level.PLAYER, None), circle=of_talk(1))
    await thinker.think(alice, public)
    await until(lambda: not len(prompts._summariser._tasks))
    await thinker.think(alice, public)
    read = "".join(turn.text for turn in model.questions[-1].turns)
    assert "aloud 23" in read
    assert "whisper" not in read
    assert "psst" not in read
    assert "A note." not in read, "it is made of whispers too"
