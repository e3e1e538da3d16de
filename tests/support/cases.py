"""Decision cases made by hand, and the questions built from them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from support.decision_parts import engine_of, prompts_of

from bots.access.origin import Level, Person
from bots.access.permissions import Permissions
from bots.access.sources import Sources
from bots.access.visibility import Visibility, hearers_of
from bots.chat.message import AnyDelivery, Delivery, Message, PublicDelivery, Utterance
from bots.chat.natural_message import NaturalMessage
from bots.responder.case.case import Case
from bots.responder.case.inbox import EventReport, PendingTurn
from bots.responder.case.persona import Persona
from bots.responder.case.world_state import state_of
from bridge.world import BotName, PlayerName
from llm.engine.decision import ToolOutcome
from llm.model import Question, Tool, ToolCall

ALICE = Persona("Alice", "# Alice\nLanguages: 日本語, English\n\nAlice likes bees. She hums.", "m1")
LEVELS = Permissions(frozenset({"Olga"}), frozenset({"Tom"}))
AT = datetime(2026, 1, 1, tzinfo=UTC)
FIRST_WAITING = 10_000  # the number of the first line that waits: after all that `heard` numbers


def heard(
    speaker: str,
    text: str,
    sequence: int = 1,
    *,
    to: str = "",
    delivered: bool = True,
    public: bool = False,
) -> Message:
    aim: AnyDelivery | None = Delivery(to, None, None, delivered) if to else None
    aim = PublicDelivery(delivered) if public else aim
    sources = whispered_by(to or speaker)
    if public:
        sources = replace(sources, audience=None)
    said = Utterance(sequence, speaker, text, "conversation", AT, aim, sources=sources)
    return Message("Alice", sequence, said, AT)


def whispered_by(name: str) -> Sources:
    """Sources of one person's whispered words."""
    origin = Person(PlayerName(name))
    return Sources.said_by(origin, LEVELS.level_of(origin), {name})


def pending_turn(speaker: str, *lines: str, public: bool = False) -> PendingTurn:
    origin = Person(PlayerName(speaker))
    turn = PendingTurn(speaker, origin, 0.0, public)
    for number, line in enumerate(lines, FIRST_WAITING):
        turn.messages.append(
            NaturalMessage(BotName("Alice"), speaker, line, number, origin, number, public)
        )
    return turn


@dataclass
class Toolless:
    """Tools that no test looks at."""

    tools: tuple[Tool, ...] = ()
    used: list[ToolCall] = field(default_factory=list)

    def permits(self, name: str) -> bool:
        return True

    def advice(self) -> str:
        return ""

    async def use(self, call: ToolCall) -> ToolOutcome:
        self.used.append(call)
        return ToolOutcome("done")


def case_of(
    history: Sequence[Message],
    turn: PendingTurn,
    *,
    level: Level | None = None,
    events: Sequence[EventReport] = (),
) -> Case:
    """A case for words only; with a level, one that may use tools."""
    return Case(
        bot=BotName("Alice"),
        persona=ALICE,
        turn=turn,
        level=level or Level.PLAYER,
        view=Visibility(
            level or Level.PLAYER, hearers_of([turn.origin], LEVELS.level_of, public=turn.public)
        ),
        world=None,
        state=state_of(None),
        history=history,
        toolbox=Toolless() if level else None,
        events=tuple(events),
    )


def question_of(case: Case) -> Question:
    """The question when nothing was summarised and every speaker is a player."""
    return asyncio.run(prompts_of(engine_of(None)).prompt(case)).question
