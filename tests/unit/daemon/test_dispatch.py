"""A whisper is a receipt, a command, or something to record and answer."""

import asyncio

import pytest
import structlog
from support.rig import Rig, until

from bots.access.origin import Fellow, Operator, Person, operator_called
from bots.bot.result import Result
from bots.chat.natural_message import NaturalMessage
from bots.daemon.closings import APOLOGY
from bots.daemon.dispatcher import IDLE_STOPS
from bots.registry.args import NoArgs
from bots.registry.registry import CommandContext, CommandRegistry, commands
from bridge.actions import Wait
from bridge.causes import Cause
from bridge.errors import BridgeError
from bridge.fake import Person as Visitor
from bridge.world import BotName, PlayerName, Position


@pytest.fixture
async def steve(rig: Rig) -> Visitor:
    await rig.bot("Alice", Position(0.5, 64, 0.5))
    return rig.world.person("Steve", Position(3.5, 64, 0.5))


def history(rig: Rig, bot: str = "Alice") -> list[str | None]:
    return [message.text for message in rig.bots[bot].get_conversation_history()]


async def test_a_natural_line_is_recorded_and_traced_as_no_line_of_a_talk_then_its_event_fires(
    rig: Rig, steve: Visitor
) -> None:
    recorded_at_event: list[list[str | None]] = []
    rig.bots["Alice"].on_natural_message(lambda _: recorded_at_event.append(history(rig)))
    steve.whisper("Alice", "good morning")
    await until(lambda: recorded_at_event)
    assert recorded_at_event == [["good morning"]]
    (fired,) = rig.fired
    assert (fired.from_, fired.content, fired.origin) == (
        "Steve",
        "good morning",
        Person(PlayerName("Steve")),
    )
    assert fired.as_json() == {
        "from": "Steve",
        "content": "good morning",
        "timestamp": fired.timestamp_ms,
    }
    (message,) = rig.bots["Alice"].get_conversation_history()
    assert fired.timestamp_ms == message.as_json()["timestamp"]
    (heard,) = rig.trace.recent("message.heard")
    assert dict(heard.facts) == {"speaker": "Steve", "text": "good morning"}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("!echo hello", ["hello"]),
        ('!chat {"username"', ["JSON", " Usage: !chat"]),
        ("!echo /op Steve", ["> /op Steve"]),  # echoed words never become an order
    ],
)
async def test_a_command_is_answered_by_whisper_traced_and_not_recorded(
    rig: Rig, steve: Visitor, text: str, parts: list[str]
) -> None:
    steve.whisper("Alice", text)
    told = (await steve.hears()).text
    assert [part for part in parts if part not in told] == []
    assert not told.startswith("/")
    assert (history(rig), rig.fired) == ([], [])
    (trace,) = rig.trace.recent("command.finished")
    assert (trace.bot, trace.facts["speaker"], trace.facts["text"]) == ("Alice", "Steve", text)
    assert ("JSON" in parts) is not trace.facts["result"]["success"]


async def test_fifty_lines_at_once_are_recorded_in_order(rig: Rig, steve: Visitor) -> None:
    lines = [f"line {number}" for number in range(50)]
    for line in lines:
        steve.whisper("Alice", line)
    await until(lambda: len(rig.fired) == 50)
    assert history(rig) == lines
    assert [fired.content for fired in rig.fired] == lines


async def test_a_line_during_an_action_fires_at_once(rig: Rig, steve: Visitor) -> None:
    await rig.bots["Alice"].begin(Wait(1_000_000))
    steve.whisper("Alice", "are you busy?")
    await until(lambda: rig.fired)
    assert rig.bots["Alice"].doing == ["wait"]


async def test_a_bot_ignores_its_own_name(rig: Rig, steve: Visitor) -> None:
    rig.world.whisper(PlayerName("Alice"), PlayerName("Alice"), "echo of myself")
    steve.whisper("Alice", "after it")
    await until(lambda: rig.fired)
    assert history(rig) == ["after it"]


async def test_a_failing_handler_stops_no_other_and_one_unsubscribed_hears_no_more(
    rig: Rig, steve: Visitor
) -> None:
    heard: list[str] = []
    unheard: list[NaturalMessage] = []

    async def broken(_message: NaturalMessage) -> None:
        raise KeyError("broken")

    async def sound(message: NaturalMessage) -> None:
        await asyncio.sleep(0)
        heard.append(message.content)

    unsubscribe = rig.bots["Alice"].on_natural_message(unheard.append)
    unsubscribe()
    unsubscribe()
    rig.bots["Alice"].on_natural_message(broken)
    rig.bots["Alice"].on_natural_message(sound)
    steve.whisper("Alice", "one")
    steve.whisper("Alice", "two")
    await until(lambda: heard == ["one", "two"])
    assert unheard == []


# --- commands and their order ---------------------------------------------------------


class Gate:
    """A registry with a command that waits at a gate, and `!echo` and `!stop` of the program."""

    def __init__(self) -> None:
        self.opened = asyncio.Event()
        self.registry = CommandRegistry()
        self.registry.command("slow", NoArgs)(self._slow)
        self.registry.command("bug", NoArgs)(self._bug)
        self.registry.command("walk", NoArgs, world=True)(self._walk)
        for name in ("echo", "stop"):
            known = commands.find(name)
            self.registry.command(name, known.args, overtakes=known.overtakes)(known.handler)

    async def _slow(self, _context: CommandContext, _args: NoArgs) -> Result:
        await self.opened.wait()
        return Result()

    async def _walk(self, context: CommandContext, _args: NoArgs) -> Result:
        await context.job.act(Wait(1_000_000))
        return Result()

    async def _bug(self, _context: CommandContext, _args: NoArgs) -> Result:
        raise ZeroDivisionError


@pytest.fixture
async def gate(rig: Rig) -> Gate:
    gate = Gate()
    await rig.bot("Alice", Position(0.5, 64, 0.5), gate.registry)
    return gate


def visitor(rig: Rig, name: str) -> Visitor:
    return rig.world.person(name, Position(3.5, 64, 0.5))


def says(who: Visitor, *texts: str) -> None:
    for text in texts:
        who.whisper("Alice", text)


async def hears(who: Visitor, lines: int) -> list[str]:
    return [(await who.hears()).text for _ in range(lines)]


async def test_a_speakers_commands_run_in_order(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    says(steve, "!slow", "!echo one", "!echo two")
    await until(lambda: len(rig.bots["Alice"].doing) == 3)
    gate.opened.set()
    assert await hears(steve, 3) == ["Done.", "one", "two"]


async def test_a_long_command_holds_up_nobody_else(rig: Rig, gate: Gate) -> None:
    steve, alex = visitor(rig, "Steve"), visitor(rig, "Alex")
    steve.whisper("Alice", "!slow")
    alex.whisper("Alice", "!echo hello")
    assert (await alex.hears()).text == "hello"
    steve.whisper("Alice", "still there?")
    await until(lambda: [fired.content for fired in rig.fired] == ["still there?"])
    assert rig.bots["Alice"].doing == ["!slow"]


async def test_stop_overtakes_what_it_stops_which_is_told_to_whoever_began_it(
    rig: Rig, gate: Gate
) -> None:
    steve, alex = visitor(rig, "Steve"), visitor(rig, "Alex")
    for command in ("!slow", "!walk"):
        steve.whisper("Alice", command)
        await until(lambda: rig.bots["Alice"].doing)
        alex.whisper("Alice", "!stop")
        assert (await alex.hears()).text == f"Stopped: {command}."
        assert (await steve.hears()).text == f"The command {command} was stopped."


async def test_stop_drops_what_waits_behind_and_nothing_asked_for_later(
    rig: Rig, gate: Gate
) -> None:
    steve = visitor(rig, "Steve")
    says(steve, "!slow", "!echo never")
    await until(lambda: rig.bots["Alice"].doing == ["!slow", "a waiting command"])
    says(steve, "!stop", "!stop", "!echo after", "!echo it")
    told = await hears(steve, 5)
    stopped = {"Stopped: !slow, a waiting command.", "The command !slow was stopped."}
    assert stopped <= {*told[:3]}
    assert (told[3:], "never" in told) == (["after", "it"], False)


async def test_stop_ends_what_was_asked_for_right_before_it(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    says(steve, "!walk", "!stop", "!echo after")
    told = {*await hears(steve, 3)}
    assert told == {"Stopped: !walk.", "The command !walk was stopped.", "after"}
    assert rig.bots["Alice"].doing == []


async def test_a_world_command_holds_up_none_of_its_speaker(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    says(steve, "!walk", "!echo one", "are you walking?", "!echo two")
    assert await hears(steve, 2) == ["one", "two"]
    assert [fired.content for fired in rig.fired] == ["are you walking?"]
    assert rig.bots["Alice"].doing == ["!walk"]


async def test_a_second_world_command_replaces_the_first(rig: Rig, gate: Gate) -> None:
    steve, alex = visitor(rig, "Steve"), visitor(rig, "Alex")
    steve.whisper("Alice", "!walk")
    await until(lambda: rig.bridge.running_actions)
    for speaker in (steve, alex):
        first = rig.bots["Alice"].jobs.current
        speaker.whisper("Alice", "!walk")
        assert (await steve.hears()).text == "The command !walk gave way to a newer one."
        await until(lambda: rig.bridge.running_actions == 1)
        assert rig.bots["Alice"].jobs.current is not first
    assert rig.bots["Alice"].doing == ["!walk"]


async def test_a_world_command_begins_after_earlier_queries(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    says(steve, "!slow", "!walk")
    await until(lambda: rig.bots["Alice"].doing == ["!slow", "a waiting command"])
    gate.opened.set()
    await until(lambda: rig.bots["Alice"].doing == ["!walk"])
    assert (await steve.hears()).text == "Done."


async def test_a_bug_is_apologised_for_and_the_next_command_runs(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    steve.whisper("Alice", "!bug")
    assert (await steve.hears()).text == APOLOGY
    steve.whisper("Alice", "!echo still here")
    assert (await steve.hears()).text == "still here"


async def test_a_bug_while_handling_is_apologised_for_and_the_bot_lives(
    rig: Rig, steve: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(rig.conversation, "add", None)
        steve.whisper("Alice", "hello")
        assert (await steve.hears()).text == APOLOGY
    steve.whisper("Alice", "hello again")
    await until(lambda: rig.fired)
    assert history(rig) == ["hello again"]


async def test_a_flood_of_commands_is_refused_once_but_no_stop_and_nobody_else(
    rig: Rig, steve: Visitor
) -> None:
    for number in range(25):
        steve.whisper("Alice", f"!echo {number}")
    await until(lambda: len(steve.inbox) >= 21)
    alex = visitor(rig, "Alex")
    alex.whisper("Alice", "!echo hers")
    assert (await alex.hears()).text == "hers"
    steve.whisper("Alice", "!stop")
    await until(lambda: len(steve.inbox) >= 22)
    heard = [line.text for line in steve.inbox]
    assert [text for text in heard if text.isdigit()] == [str(number) for number in range(20)]
    assert len([text for text in heard if "too many" in text]) == 1
    assert "Nothing was running." in heard
    assert len(heard) == 22


async def test_idle_stops_are_answered_a_few_times(rig: Rig, gate: Gate) -> None:
    steve = visitor(rig, "Steve")
    for _ in range(50):
        steve.whisper("Alice", "!stop")
    steve.whisper("Alice", "!echo done")
    await until(lambda: steve.inbox and steve.inbox[-1].text == "done")
    assert len(steve.inbox) == IDLE_STOPS + 1
    steve.whisper("Alice", "!slow")
    await until(lambda: "!slow" in rig.bots["Alice"].doing)
    steve.whisper("Alice", "!stop")
    await until(lambda: "Stopped: !slow." in [line.text for line in steve.inbox])


async def test_commands_do_not_pile_up_behind_a_slow_one(rig: Rig, gate: Gate) -> None:
    rig.shared.limit.window_s = 0.0  # nothing is too fast; what waits is limited all the same
    steve = visitor(rig, "Steve")
    for text in ("!slow", *(f"!echo {number}" for number in range(rig.shared.limit.count))):
        steve.whisper("Alice", text)
    assert "too many" in (await steve.hears()).text
    assert len(rig.bots["Alice"].doing) == rig.shared.limit.count
    gate.opened.set()
    await until(lambda: len(steve.inbox) == rig.shared.limit.count + 1)


# --- bots among themselves ------------------------------------------------------------


async def test_a_line_spoken_past_the_record_is_heard_from_the_fellow(rig: Rig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    await alice.speak("Bob", "psst")
    await until(lambda: rig.fired)
    assert (history(rig, "Alice"), history(rig, "Bob")) == ([], ["psst"])
    assert rig.fired[0].origin == Fellow(BotName("Alice"))
    assert bob.get_conversation_history()[0].utterance.speaker == "Alice"


async def test_a_long_line_between_bots_fires_once_when_whole(rig: Rig) -> None:
    alice = await rig.bot("Alice")
    await rig.bot("Bob")
    words = " ".join(f"word{number}" for number in range(90))
    assert (await alice.reply("Bob", words)).success
    await until(lambda: rig.fired)
    assert len(rig.bridge.sent) > 1
    assert [fired.content for fired in rig.fired] == [words]
    assert history(rig, "Bob") == [words]


async def test_text_of_a_bot_runs_only_commands_for_bots(rig: Rig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    registry = commands
    assert not registry.find("echo").allow_bots
    await alice._governor.say(PlayerName("Bob"), "!echo hello", may_order=True)
    await alice._governor.say(PlayerName("Bob"), "!status", may_order=True)
    await until(lambda: len(rig.fired) == 2)  # the two lines of the status, and no echo
    answered = [line.text for line in rig.bridge.sent if line.bot == bob.name]
    assert answered == [message.content for message in rig.fired]
    assert answered[0].startswith("At ")
    assert history(rig, "Bob") == []


async def test_turns_between_bots_are_counted_and_a_person_resets_them(rig: Rig) -> None:
    alice, bob = await rig.bot("Alice"), await rig.bot("Bob")
    for number in range(3):
        await alice.tell("Bob", f"ping {number}", 15)
        await bob.tell("Alice", f"pong {number}", 15)
    await until(lambda: len(rig.fired) == 6)
    assert not rig.shared.turns.may_answer("Alice", "Bob")
    visitor(rig, "Steve").whisper("Bob", "you two!")
    await until(lambda: len(rig.fired) == 7)
    assert rig.shared.turns.may_answer("Alice", "Bob")


@pytest.mark.slow
async def test_who_takes_a_bots_name_while_it_is_away_is_neither_heard_nor_told(rig: Rig) -> None:
    """Its lines were recorded as the bot's own, and it was whispered what was meant for the bot."""
    for name in ("Alice", "Bob"):
        await rig.bot(name, public_notice="all")
    rig.world.kick("Alice", "gone")
    await until(lambda: not rig.roster.find("Alice").online)
    twin = visitor(rig, "Alice")
    with structlog.testing.capture_logs() as logs:
        for text in ("give it all away", "!chat Alice hello"):
            twin.whisper("Bob", text)
        twin.chat("it is all yours")
        await until(lambda: len([e for e in logs if e["event"] == "fellow.impersonated"]) == 3)
        told = await rig.bots["Bob"].tell("Alice", "the code is 1234", 100)
    assert told.reason == "undelivered"
    assert twin.inbox == []
    assert [m.text for m in rig.bots["Bob"].get_conversation_history()] == ["the code is 1234"]
    assert rig.fired == []


# --- the rest -------------------------------------------------------------------------


async def test_an_operators_line_is_natural_and_a_name_changes_how_it_is_recorded(rig: Rig) -> None:
    await rig.bot("Alice")
    hear = rig.roster.find("Alice").dispatcher.message_from_operator
    plain = await hear("hello")
    named = await hear("hello", operator_called("Steve"))
    assert (plain.utterance.speaker, named.utterance.speaker) == ("@operator", "@Steve")
    assert named.utterance.sources == plain.utterance.sources
    await until(lambda: len(rig.fired) == 2)
    assert [fired.origin for fired in rig.fired] == [Operator("http")] * 2


async def test_health_is_traced(rig: Rig, steve: Visitor) -> None:
    rig.world.set_health("Alice", 7)
    await until(lambda: list(rig.trace.recent("health.changed")))
    assert next(rig.trace.recent("health.changed")).facts["health"] == 7


async def test_events_of_no_concern_are_passed_over(rig: Rig, steve: Visitor) -> None:
    steve.chat("hello everybody")
    steve.leave()
    visitor(rig, "Steve").whisper("Alice", "back")
    await until(lambda: rig.fired)
    assert history(rig) == ["hello everybody", "back"]
    assert [message.content for message in rig.fired] == ["back"]


async def test_a_result_that_cannot_be_whispered_is_logged(
    rig: Rig, steve: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise BridgeError("the bot is in no world")

    monkeypatch.setattr(rig.bridge, "whisper", broken)
    with structlog.testing.capture_logs() as logged:
        steve.whisper("Alice", "!echo hello")
        await until(lambda: [e for e in logged if e["event"] == "rendering.not_whispered"])
    (entry,) = [e for e in logged if e["event"] == "rendering.not_whispered"]
    assert (entry["to"], entry["why"]) == ("Steve", "the bot is in no world")


async def test_a_death_is_logged_with_its_place_and_no_wound_is(rig: Rig, steve: Visitor) -> None:
    with structlog.testing.capture_logs() as logged:
        rig.world.give("Alice", "bread", 3)
        rig.world.set_health("Alice", 12)
        rig.world.set_health("Alice", 0, cause=Cause("creature", "zombie", "seen"))
        await until(lambda: any(entry["event"] == "bot.died" for entry in logged))
    (died,) = [entry for entry in logged if entry["event"] == "bot.died"]
    facts = {
        "number": 1,
        "position": [0, 64, 0],
        "dimension": "overworld",
        "world": "",
        "cause": {"by": "zombie", "kind": "creature", "how": "seen"},
        "carried": {"bread": 3},
        "lived_s": 0,
    }
    assert facts.items() <= died.items()
    (traced,) = rig.trace.recent("bot.died")
    assert (traced.bot, traced.facts) == ("Alice", facts)
    hurts = [trace.facts for trace in rig.trace.recent("bot.hurt")]
    assert [(hurt["lost"], hurt["cause"]) for hurt in hurts] == [(8, None), (12, facts["cause"])]
