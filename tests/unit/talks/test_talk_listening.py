"""People's lines reach the talk once and in order; late ones are given back."""

import asyncio
from datetime import UTC, datetime
from typing import cast

import pytest
from support.rig import until

from bots.access.origin import Fellow, KnownBots, Origin, Person
from bots.chat.conversation import Conversation
from bots.chat.message import Filter, Message, Utterance
from bots.chat.natural_message import NaturalMessage
from bots.responder.limits import Clockwork
from bots.talks.live.bot_io import BotIO, Heard
from bots.talks.live.incoming import IncomingLines
from bots.talks.live.runner import TalkRunner
from bots.talks.machine.events import Participant, Spoke, TalkEvent
from bridge.world import BotName, PlayerName

AT = datetime(2026, 1, 1, tzinfo=UTC)
ROSTER = tuple(Participant(name, "bot") for name in ("Alice", "Bob", "Cara"))
STEVE = Person(PlayerName("Steve"))


class SimulatedWorld:
    """Stage, runner and conversation as far as ears need them."""

    def __init__(self, *history: Message) -> None:
        self.told: list[TalkEvent] = []
        self.slow = asyncio.Event()
        self.slow.set()
        self._history = list(history)
        self.given_back: list[str] = []
        self.ears = IncomingLines(
            cast(BotIO, self),
            cast(TalkRunner, self),
            lambda: ROSTER,
            conversation=cast(Conversation, self),
            known_bots=KnownBots({"Alice", "Bob", "Cara"}, {"Dora"}),
            clockwork=Clockwork(6, lambda: 0.0),
        )

    async def person_said(
        self, speaker: str, text: str, heard: Message | None, to: str | None, *, public: bool
    ) -> Heard:
        if "slowly" in text:
            await self.slow.wait()
        return Heard({"Alice": None})

    def tell(self, event: TalkEvent) -> None:
        self.told.append(event)

    def history(self, bot: str, chosen: Filter) -> list[Message]:
        return chosen.choose(self._history)

    def hear(self, text: str, origin: Origin = STEVE) -> None:
        name = origin.name if not hasattr(origin, "via") else "@operator"
        natural = NaturalMessage(BotName("Alice"), name, text, 0, origin, 1)
        self.ears.hear(natural, lambda: self.given_back.append(text))

    @property
    def texts(self) -> list[str]:
        return [spoke.text for spoke in self.told if isinstance(spoke, Spoke)]


async def test_lines_arrive_in_the_order_in_which_they_were_said() -> None:
    world = SimulatedWorld()
    world.slow.clear()
    world.hear("slowly one")
    world.hear("two")
    await asyncio.sleep(0)
    assert world.texts == []
    world.slow.set()
    await until(lambda: world.texts == ["slowly one", "two"])


async def test_what_the_talk_has_not_taken_in_when_it_ends_is_given_back() -> None:
    world = SimulatedWorld()
    world.hear("taken")
    await until(lambda: world.told)
    world.ears.took(world.told[0])
    world.slow.clear()
    world.hear("slowly told")
    finishing = asyncio.create_task(world.ears.finish())
    await asyncio.sleep(0)
    world.slow.set()
    await finishing
    assert world.given_back == ["slowly told"]


async def test_a_public_line_is_taken_in_once_however_many_bots_see_it() -> None:
    world = SimulatedWorld()
    for bot in ("Alice", "Bob", "Cara"):
        world.ears.overhear(bot, "Steve", "hello all", AT)
    await world.ears.finish()
    assert world.told == [Spoke("Steve", "hello all", {"Alice": None}, None)]


@pytest.mark.parametrize("asked_by", [None, "Steve"])
async def test_a_fellows_line_is_news_only_if_a_command_put_it_into_its_mouth(
    asked_by: str | None,
) -> None:
    said = Utterance(1, "Bob", "duck!", "conversation", AT, asked_by=asked_by)
    world = SimulatedWorld(Message("Alice", 1, said, AT))
    world.hear("duck!", Fellow(BotName("Bob")))
    await world.ears.finish()
    expected = Spoke("Bob", "duck!", {"Alice": None, "Cara": "not_told"}, "Alice")
    assert world.told == ([] if asked_by is None else [expected])
