"""What the server refuses was not said: who asked is told, and the history knows."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from support.rig import OPEN_HOUSE, Rig, alice_at, until

from bots.access.origin import Level, Person
from bots.access.sources import FACTS, Sources
from bots.bot.bot import Bot
from bots.chat.answers import SILENT_AFTER
from bots.commands.catalogue import handle_chat_command
from bots.settings.world import WhisperFallback
from bridge.events import LineAnswered, LineUnheard, Refusal, RefusalKind
from bridge.fake.body import Person as Visitor
from bridge.versions import whisper_pattern_of
from bridge.world import BotName, PlayerName, Position

NO_SUCH = Refusal("unknown_command", "Command not found")
FORBIDDEN = Refusal("forbidden", "You do not have permission")
MUTED = Refusal("muted", "You are muted")
STEVE = PlayerName("Steve")
CONFIDED = Sources.said_by(Person(PlayerName("Eve")), Level.PLAYER, {"Eve"})
CONFIDED_TO_STEVE_TOO = CONFIDED.released_to(frozenset({"Steve"}))
OF_STEVE = Sources.said_by(Person(STEVE), Level.PLAYER, {"Steve"})


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = await Rig.found(tmp_path, OPEN_HOUSE)
    yield rig
    await rig.aclose()


alice = alice_at(Position(8, 64, 8))


@pytest.fixture
def steve(rig: Rig, alice: Bot) -> Visitor:
    return rig.world.person("Steve", Position(9, 64, 8))


def refuse(rig: Rig, refusal: Refusal, *commands: str) -> None:
    for command in commands:
        rig.world.refused[command] = refusal


def own_lines(rig: Rig, bot: str = "Alice") -> list[dict[str, Any]]:
    lines = [one.content for one in rig.conversation.history(bot) if one.role == "assistant"]
    return [dict(one) for one in lines if not isinstance(one, str)]


@pytest.mark.parametrize("refusal", [NO_SUCH, FORBIDDEN, MUTED])
async def test_a_refused_whisper_is_told_with_the_servers_words(
    rig: Rig, alice: Bot, steve: Visitor, refusal: Refusal
) -> None:
    refuse(rig, refusal, "tell", "msg", "w")
    result = await handle_chat_command(alice, "Steve", "!chat Steve Hello")
    told = result.as_json()
    assert (told["success"], told["reason"]) == (False, "refused")
    assert refusal.words in told["message"]
    (line,) = own_lines(rig)
    assert (line["delivered"], line["refused"]) == (False, refusal.words)
    assert steve.inbox == []


async def test_a_refused_answer_is_no_answer(rig: Rig, alice: Bot, steve: Visitor) -> None:
    refuse(rig, FORBIDDEN, "tell")
    result = await alice.reply("Steve", "Here I am.", sources=FACTS, kind="by_rules")
    assert (result.success, result.reason) == (False, "refused")
    (message,) = rig.conversation.history("Alice")
    assert not message.was_said
    assert len(rig.bridge.sent) == 1  # what is forbidden is tried by no other command


@pytest.mark.parametrize(
    ("unknown", "known"), [((), "tell"), (("tell",), "msg"), (("tell", "msg"), "w")]
)
async def test_the_first_command_that_the_server_knows_carries_all_whispers(
    rig: Rig, alice: Bot, steve: Visitor, unknown: tuple[str, ...], known: str
) -> None:
    refuse(rig, NO_SUCH, *unknown)
    for text in ("One.", "Two."):
        assert (await alice.reply("Steve", text, sources=FACTS, kind="by_rules")).success
    assert [heard.text for heard in steve.inbox] == ["One.", "Two."]
    assert rig.shared.whispers.name == known
    assert len(rig.bridge.sent) == len(unknown) + 2


async def test_a_server_that_answers_slowly_is_asked_by_each_command(
    rig: Rig, alice: Bot, steve: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.chat.answers.ANSWERED_WITHIN_S", 0.01)
    refuse(rig, NO_SUCH, "tell")
    rig.bridge.faults.lose_whispers()
    telling = asyncio.create_task(alice.reply("Steve", "Hello.", sources=FACTS, kind="by_rules"))
    await until(lambda: rig.bridge.sent)
    now = rig.world.clock.now()
    rig.bridge.arrive(LineAnswered(BotName("Alice"), STEVE, "Hello.", NO_SUCH, now))
    assert (await telling).success
    assert [heard.text for heard in steve.inbox] == ["Hello."]
    assert rig.shared.whispers.name == "msg"


async def test_a_lost_command_is_looked_for_again(rig: Rig, alice: Bot, steve: Visitor) -> None:
    await alice.reply("Steve", "One.", sources=FACTS, kind="by_rules")
    refuse(rig, NO_SUCH, "tell")
    await rig.world.clock.advance(61)
    assert not (await alice.reply("Steve", "Two.", sources=FACTS, kind="by_rules")).success
    assert (await alice.reply("Steve", "Three.", sources=FACTS, kind="by_rules")).success


async def test_whoever_has_just_left_was_not_reached(rig: Rig, alice: Bot, steve: Visitor) -> None:
    steve.leave()
    with structlog.testing.capture_logs() as logged:
        result = await alice.reply("Steve", "Hello?", sources=FACTS, kind="by_rules")
    assert result.reason == "refused"
    assert [one["delivered"] for one in own_lines(rig)] == [False]
    assert logged == []


async def test_one_of_several_hearers_whom_the_server_refuses_is_missed(
    rig: Rig, alice: Bot, steve: Visitor
) -> None:
    refuse(rig, FORBIDDEN, "tell")
    result = await alice.tell_all("Hello all", "normal", 15, sources=FACTS)
    assert (result.reason, [one.name for one in result.missed]) == ("refused", ["Steve"])
    (line,) = own_lines(rig)
    assert line["hearers"][0]["refused"] == FORBIDDEN.words
    assert not line["delivered"]


async def test_a_muted_bot_has_said_nothing_in_public(rig: Rig, alice: Bot, steve: Visitor) -> None:
    refuse(rig, MUTED, "")
    said = await alice.say_publicly("Hello all", sources=FACTS)
    assert said.reason == "refused"
    (line,) = own_lines(rig)
    assert (line["delivered"], line["refused"]) == (False, MUTED.words)
    assert list(rig.trace.recent("chat.said")) == []


async def test_a_refusal_between_our_bots_is_known_at_once(rig: Rig, alice: Bot) -> None:
    await rig.bot("Bob", Position(9, 64, 8))
    refuse(rig, FORBIDDEN, "tell")
    result = await alice.tell("Bob", "Hello Bob", 15, sources=FACTS)
    assert (result.reason, FORBIDDEN.words in result.sentence) == ("refused", True)
    assert rig.conversation.history("Bob") == []


async def test_a_server_without_a_word_is_waited_for_a_few_times_only(
    rig: Rig, alice: Bot, steve: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.chat.answers.ANSWERED_WITHIN_S", 0.01)
    monkeypatch.setattr("bots.chat.answers.TRIED_WITHIN_S", 0.01)
    rig.bridge.faults.lose_whispers(times=100)
    for number in range(SILENT_AFTER + 1):
        assert (await alice.reply("Steve", f"{number}.", sources=FACTS, kind="by_rules")).success
    monkeypatch.setattr("bots.chat.answers.ANSWERED_WITHIN_S", 3600)
    assert (await alice.reply("Steve", "Last.", sources=FACTS, kind="by_rules")).success


async def test_a_late_refusal_undoes_what_counted_as_said(
    rig: Rig, alice: Bot, steve: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bots.chat.answers.ANSWERED_WITHIN_S", 0.01)
    monkeypatch.setattr("bots.chat.answers.TRIED_WITHIN_S", 0.01)
    rig.bridge.faults.lose_whispers()
    assert (await alice.reply("Steve", "Hello.", sources=FACTS, kind="by_rules")).success
    now = rig.world.clock.now()
    rig.bridge.arrive(LineAnswered(BotName("Alice"), STEVE, "Hello.", FORBIDDEN, now))
    await until(lambda: not own_lines(rig)[0]["delivered"])
    assert own_lines(rig)[0]["refused"] == FORBIDDEN.words


@pytest.mark.parametrize(
    ("fallback", "sources", "heard"),
    [
        ("none", FACTS, []),
        ("public", FACTS, ["Steve: Hello."]),
        ("public", OF_STEVE, ["Steve: Hello."]),
        ("public", CONFIDED, []),
        ("public", CONFIDED_TO_STEVE_TOO, []),
    ],
)
async def test_a_refused_whisper_is_said_in_public_only_where_that_is_set_and_nothing_leaks(
    rig: Rig, steve: Visitor, fallback: WhisperFallback, sources: Sources, heard: list[str]
) -> None:
    rig.shared = replace(rig.shared, fallback=fallback)
    clara = await rig.bot("Clara", Position(8, 64, 9))
    refuse(rig, FORBIDDEN, "tell")
    result = await clara.reply("Steve", "Hello.", sources=sources, kind="by_rules")
    assert result.success == bool(heard)
    assert [line.text for line in steve.overheard] == heard


async def test_our_bots_hear_each_other_in_public_where_whispers_are_refused(rig: Rig) -> None:
    rig.shared = replace(rig.shared, fallback="public")
    clara = await rig.bot("Clara", Position(8, 64, 9))
    await rig.bot("Dora", Position(9, 64, 9))
    refuse(rig, NO_SUCH, "tell", "msg", "w")
    assert (await clara.tell("Dora", "Hello Dora", 15, sources=FACTS)).success
    (heard,) = rig.conversation.history("Dora")
    assert (heard.speaker, heard.text) == ("Clara", "Hello Dora")


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("unknown_command", "carries no whispers"),
        ("forbidden", "does not let the bots whisper"),
        ("muted", "does not let the bots speak"),
    ],
)
async def test_a_refusal_is_warned_of_once_and_stands_on_the_page_until_a_line_goes_out(
    rig: Rig, alice: Bot, steve: Visitor, kind: RefusalKind, says: str
) -> None:
    refuse(rig, Refusal(kind, "No!"), "tell", "msg", "w")
    with structlog.testing.capture_logs() as logged:
        for text in ("One.", "Two."):
            await alice.reply("Steve", text, sources=FACTS, kind="by_rules")
    assert [(one["event"], one["words"]) for one in logged] == [("line.refused", "No!")]
    advice = rig.roster.sessions[0].as_json()["advice"]
    assert says in advice
    assert "No!" in advice
    rig.world.refused.clear()
    await alice.reply("Steve", "Three.", sources=FACTS, kind="by_rules")
    assert rig.roster.sessions[0].as_json()["advice"] is None


async def test_a_forbidden_public_line_is_no_whisper(rig: Rig, alice: Bot, steve: Visitor) -> None:
    refuse(rig, Refusal("forbidden", "Please, log in"), "")
    with structlog.testing.capture_logs() as logged:
        await alice.say_publicly("Hello all", sources=FACTS)
    (entry,) = logged
    advice = rig.roster.sessions[0].as_json()["advice"]
    assert "does not let the bots speak" in advice
    for told in (advice, entry["hint"]):
        assert "server.on_join" in told
        assert "still talk in public" not in told


async def test_a_receipt_may_stand_in_words_of_a_plugin(rig: Rig, alice: Bot) -> None:
    await rig.bot("Bob", Position(9, 64, 8))
    rig.bridge.faults.lose_whispers()
    with structlog.testing.capture_logs() as logged:
        telling = asyncio.create_task(alice.tell("Bob", "Hello Bob", 15, sources=FACTS))
        await until(lambda: rig.bridge.sent)
        rig.bridge.arrive(LineUnheard(BotName("Bob"), "» Alice « Hello Bob", rig.world.clock.now()))
        assert (await telling).success
    (heard,) = rig.conversation.history("Bob")
    assert (heard.speaker, heard.text) == ("Alice", "Hello Bob")
    assert logged == []


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("[M] Steve: Alice, that is a good look", None),
        ("[M] Steve: Alice, ok", STEVE),
        ("[M] Alicepool ok", None),
        ("ok, Alice? look", None),
    ],
)
async def test_a_line_that_holds_a_fellows_short_word_is_no_receipt(
    rig: Rig, alice: Bot, line: str, speaker: PlayerName | None
) -> None:
    bob = await rig.bot("Bob", Position(9, 64, 8))
    with rig.shared.receipts.expect("Alice", "Bob", 7, ["ok"]) as receipt:
        told = LineUnheard(BotName("Bob"), line, rig.world.clock.now(), "public", speaker)
        rig.bridge.arrive(told)
        await bob_has_read(rig, bob)
        assert not receipt.heard
    assert rig.conversation.history("Bob") == []


async def bob_has_read(rig: Rig, bob: Bot) -> None:
    """Whatever came before this line was read, too."""
    now = rig.world.clock.now()
    rig.bridge.arrive(LineUnheard(BotName(bob.name), "Eve: read", now, "public", PlayerName("Eve")))
    await until(lambda: [one for one in rig.trace.recent("chat.unheard") if "Eve" in str(one)])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("[MSG: Steve] Alice where are you", "where are you"),
        ("(PM) Steve › psst", "psst"),
        ("Steve whispers to you: psst", "psst"),
        ("From Steve -> to me", "to me"),
        ("[Steve » Alice] you there?", "you there?"),
        ("[PM] Steve > You: psst", "psst"),
    ],
)
def test_the_pattern_that_reads_a_whisper_is_known_by_one_of_them(line: str, text: str) -> None:
    pattern = whisper_pattern_of(line, "Steve", "Alice")
    for hearer in ("Alice", "Bob"):
        found = re.fullmatch(pattern, line.replace("Alice", hearer))
        assert found is not None
        assert found.groupdict() == {"sender": "Steve", "text": text}


async def test_an_unread_form_of_chat_is_told_once_with_its_pattern(rig: Rig, alice: Bot) -> None:
    told = LineUnheard(
        BotName("Alice"), "[Member] Steve: hi", rig.world.clock.now(), "public", STEVE
    )
    with structlog.testing.capture_logs() as logged:
        rig.bridge.arrive(told)
        rig.bridge.arrive(told)
        await until(lambda: len(list(rig.trace.recent("chat.unheard"))) == 2)
    (entry,) = logged
    assert r"'\[Member\] (?P<sender>[.*]?\w+): (?P<text>.*)'" in entry["hint"]
    assert r"\[Member\]" in rig.roster.sessions[0].as_json()["advice"]
