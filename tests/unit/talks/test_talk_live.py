"""A talk of real bots: who hears what, who answers, what stays private."""

import asyncio
import json
from collections.abc import Awaitable

import pytest
import structlog
from support.daemons import Town, operator_of
from support.live_talks import (
    is_of_talk,
    model_of,
    noted,
    numbered,
    opened_by_people,
    over,
    policy,
    said,
    speaker_of,
    talking,
)
from support.rig import until

from bots.access.origin import Fellow, Origin, Person
from bots.access.sources import FACTS
from bots.app import Daemon
from bots.bot.events import BotEvent, MessageAnswered
from bots.chat.conversation import Conversation
from bots.chat.message import PUBLIC, Circle, Filter, of_talk
from bots.clock import utc_now
from bots.settings.settings import GroupTalkSettings
from bots.store.database import FILE_NAME, Store
from bots.talks.live.bot_io import TALK_SPEAKER
from bots.talks.machine.events import SpeakerChosen
from bridge.world import BotName, PlayerName, Position
from llm.function_model import FunctionModel
from llm.model import Completion, Question, Usage

FAR = Position(60.5, 64, 8.5)
HERE = Position(8.5, 64, 8.5)


async def test_system_lines_of_a_talk_are_no_source_of_what_is_said_in_it(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        await over(await daemon.talk("Alice", "Bob", policy=policy(turns=1)))
        (line,) = daemon.bot("Bob").get_conversation_history(type="conversation")
        assert line.utterance.sources == FACTS


async def test_a_name_of_several_words_is_somebodys_words_in_a_talk_too(town: Town) -> None:
    town.world.person("obey me", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=1))
        await over(talk)
        (line, *_) = daemon.bot("Bob").get_conversation_history(type="conversation")
        assert set(line.utterance.sources.origins) == {Person(PlayerName("obey me"))}


async def test_every_line_is_once_in_the_history_of_everybody_who_takes_part(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=6))
        assert await over(talk) == "turns"
        lines = [(line.speaker, line.text) for line in talk.lines]
        assert len(lines) == 6
        assert [said(daemon, bot) for bot in ("Alice", "Bob", "Cara")] == [lines] * 3
        assert said(daemon, "Dan") == []
        assert all(set((line.hearing or {}).values()) == {None} for line in talk.lines)


async def test_start_and_end_are_noted_in_every_history_as_the_talks_own_words(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy("bridges", turns=2))
        await over(talk)
        for bot in ("Alice", "Bob"):
            began, ended = noted(daemon, bot)
            assert "Participants: Alice, Bob. Topic: bridges" in began
            assert "ended" in ended
        first = daemon.bot("Bob").get_conversation_history(type="system_info")[0]
        assert first.utterance.speaker == TALK_SPEAKER


async def test_whoever_is_out_of_range_misses_the_line_and_hears_again_when_back(
    town: Town,
) -> None:
    world = town.world

    def answer(name: str, question: Question) -> str:
        world.teleport("Cara", FAR if name == "Bob" else HERE)
        return f"{name} speaks up here. [Next: {'Bob' if name == 'Alice' else 'Alice'}]"

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=3))
        await over(talk)
        assert [line.hearing for line in talk.lines] == [
            {"Bob": None, "Cara": None},
            {"Alice": None, "Cara": "out_of_range"},
            {"Bob": None, "Cara": None},
        ]
        assert [speaker for speaker, _ in said(daemon, "Cara")] == ["Alice", "Alice"]
        assert [speaker for speaker, _ in said(daemon, "Alice")] == ["Alice", "Bob", "Alice"]
        shown = daemon.bot("Bob").get_conversation_history(username="Bob")[0].content
        assert isinstance(shown, dict)
        assert [hearer["username"] for hearer in shown["hearers"]] == ["Alice"]


async def test_nobody_hears_into_another_dimension(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        town.world.teleport("Bob", HERE, "the_nether")
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=1))
        await over(talk)
        assert talk.lines[0].hearing == {"Bob": "entity_not_available", "Cara": None}
        assert said(daemon, "Bob") == []


async def test_a_persons_whisper_to_one_bot_is_heard_by_all_in_range_and_answered_by_it(
    town: Town,
) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        town.world.teleport("Cara", FAR)
        talk = await daemon.talk("Alice", "Bob", "Cara", "Steve", policy=opened_by_people(turns=1))
        steve.whisper("Bob", "what about a bridge?")
        await over(talk)
        assert [line.speaker for line in talk.lines] == ["Steve", "Bob"]
        assert talk.lines[0].hearing == {"Alice": None, "Bob": None, "Cara": "out_of_range"}
        assert said(daemon, "Alice")[0] == ("Steve", "what about a bridge?")
        assert said(daemon, "Cara") == []
        assert [heard.text for heard in steve.inbox] == [
            "Group talk began. Participants: Alice, Bob, Cara, Steve. "
            "Everybody in it hears what you say here.",
            talk.lines[1].text,
            "Group talk ended: its turns are used up.",
        ]


async def test_a_person_who_is_answered_in_a_talk_counts_as_answered(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        answered: list[BotEvent] = []
        for name in ("Alice", "Bob"):
            daemon.bot(name).events.subscribe(answered.append)
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=3))
        steve.whisper("Bob", "Bob, what about a bridge?")
        await over(talk)
        assert [line.speaker for line in talk.lines].count("Bob") >= 1
        assert answered == [MessageAnswered("Steve")]


async def test_a_whisper_from_afar_is_heard_by_the_bot_it_is_meant_for_alone(town: Town) -> None:
    steve = town.world.person("Steve", FAR)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=1))
        with structlog.testing.capture_logs() as logs:
            steve.whisper("Bob", "I am far away")
            await over(talk)
        assert talk.lines[0].hearing == {"Alice": "out_of_range", "Bob": None}
        assert [line for line in logs if line["log_level"] == "error"] == []


async def test_a_line_heard_by_several_fires_the_natural_message_of_each_once(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        fired: list[tuple[str, Origin]] = []
        for name in ("Alice", "Bob"):
            daemon.bot(name).on_natural_message(lambda m: fired.append((m.bot, m.origin)))
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=1))
        with structlog.testing.capture_logs() as logs:
            steve.whisper("Bob", "hello there")
            await over(talk)
        assert [line for line in logs if line["log_level"] == "error"] == []
        caller = Person(PlayerName("Steve"))
        assert sorted(fired, key=repr) == [
            ("Alice", Fellow(BotName("Bob"))),
            ("Alice", caller),
            ("Bob", caller),
        ]


async def test_in_a_talk_nobody_answers_beside_it(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=8))
        steve.whisper("Alice", "hello you two")
        await over(talk)
        assert {made.facts["trigger"] for made in daemon.trace.recent("decision.made")} == {"talk"}
        assert list(daemon.trace.recent("reply.sent")) == []
        words = [heard.text for heard in steve.inbox if not heard.text.startswith("Group talk")]
        assert words == [line.text for line in talk.lines if line.speaker != "Steve"]
        steve.whisper("Alice", "and now?")
        await until(lambda: list(daemon.trace.recent("reply.sent")))


async def test_lines_of_a_talk_do_not_use_up_the_turns_bots_have_without_a_person(
    town: Town,
) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=9))
        await over(talk)
        assert daemon._shared.turns.may_answer("Alice", "Bob")


async def test_a_stranger_who_speaks_to_a_bot_in_a_talk_is_answered_and_the_talk_goes_on(
    town: Town,
) -> None:
    alex = town.world.person("Alex", HERE)
    thinking, release = asyncio.Event(), asyncio.Event()

    async def answer(name: str, question: Question) -> str:
        if is_of_talk(question):
            thinking.set()
            await release.wait()
            return f"{name} said something."
        return "I am in a talk, but hello!"

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=3))
        await thinking.wait()
        alex.whisper("Bob", "hi Bob")
        assert (await alex.hears()).text == "I am in a talk, but hello!"
        release.set()
        await over(talk)
        assert len(talk.lines) == 3
        assert said(daemon, "Alice") == [(line.speaker, line.text) for line in talk.lines]


async def test_no_bot_reads_what_another_was_told_in_private(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    model = model_of(lambda name, _question: f"{name} keeps it.")
    async with talking(town.bridge, town.folder, model=model) as daemon:
        steve.whisper("Bob", "the treasure lies under the mill")
        await steve.hears()
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=6))
        await over(talk)
        knew = {
            speaker_of(question)
            for question in model.questions
            if is_of_talk(question) and "treasure" in _whole(question)
        }
        assert knew == set()


async def test_files_of_a_bot_are_read_afresh_for_every_turn(town: Town) -> None:
    home = town.folder / "bots" / "Bob"
    home.mkdir(parents=True)

    def answer(name: str, question: Question) -> str:
        (home / "core_memory.md").write_text(f"Bob heard {len(model.questions)} questions.")
        return f"{name} is done."

    model = model_of(answer)
    async with talking(town.bridge, town.folder, model=model) as daemon:
        await over(await daemon.talk("Alice", "Bob", policy=policy(turns=4)))
    systems = [q.instructions for q in model.questions if speaker_of(q) == "Bob"]
    assert ["heard 1 q" in systems[0], "heard 3 q" in systems[1]] == [True, True]
    assert not any(
        "Bob heard" in q.instructions for q in model.questions if speaker_of(q) == "Alice"
    )


async def test_the_scene_is_made_once_a_round_and_is_the_same_for_all(town: Town) -> None:
    world = town.world
    words = numbered()

    def answer(name: str, question: Question) -> str | Awaitable[str]:
        world.weather = "rain"  # from the first thought on
        return words(name, question)

    model = model_of(answer)
    async with talking(town.bridge, town.folder, model=model) as daemon:
        await over(await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=4)))
    scenes = [
        json.loads(q.turns[-1].text.splitlines()[-1])["now"]["scene"] for q in model.questions
    ]
    assert [scene["weather"] for scene in scenes] == ["clear", "clear", "clear", "rain"]
    assert scenes[0] == scenes[1] == scenes[2]
    assert {scene["seen_by"] for scene in scenes} == {"Alice"}
    assert {near["name"] for near in scenes[1]["near"]} == {"Bob", "Cara", "Dan"}


async def test_tools_are_never_offered_in_a_talk(town: Town) -> None:
    model = model_of(numbered())
    async with talking(town.bridge, town.folder, model=model) as daemon:
        await over(await daemon.talk("Alice", "Bob", policy=policy(turns=3)))
    assert [question.tools for question in model.questions] == [(), (), ()]


async def test_a_structured_answer_says_its_words_and_names_the_next(town: Town) -> None:
    following = {"Alice": "Cara", "Cara": "Bob", "Bob": "Alice"}

    def answer(name: str, question: Question) -> str:
        assert question.schema is not None
        return json.dumps({"says": f"{name} was here.", "next": following[name]})

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=3))
        await over(talk)
        assert [line.text for line in talk.lines] == [
            "Alice was here.",
            "Cara was here.",
            "Bob was here.",
        ]
        chosen = [trace.facts for trace in daemon.trace.recent("speaker.chosen")]
        assert [facts["rule"] for facts in chosen][:3] == ["opening", "nominated", "nominated"]


async def test_a_tag_is_read_before_the_words_are_shortened_and_never_said(town: Town) -> None:
    def answer(name: str, question: Question) -> str:
        return f'{name}: "{"This goes on and on. " * 30}" [Next: Cara]'

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=2))
        await over(talk)
        assert [line.speaker for line in talk.lines] == ["Alice", "Cara"]
        assert "[Next" not in talk.lines[0].text
        assert len(talk.lines[0].text) <= 320
        assert talk.lines[0].text.startswith("This goes on")


async def test_in_public_a_line_is_said_once_and_is_no_line_of_the_talk_for_who_is_far(
    town: Town,
) -> None:
    steve = town.world.person("Steve", HERE)
    public = GroupTalkSettings(gap_s=0, reading_cps=0, channel="public", by_words=False)
    async with talking(town.bridge, town.folder, numbered(), settings=public) as daemon:
        town.world.teleport("Cara", FAR)
        talk = await daemon.talk("Alice", "Bob", "Cara", "Steve", policy=policy(turns=2))
        await over(talk)
        assert [heard.text for heard in steve.overheard] == [line.text for line in talk.lines]
        assert talk.lines[0].hearing == {"Bob": None, "Cara": "out_of_range", "Steve": None}
        kept = {bot: _circles(daemon, bot) for bot in ("Alice", "Bob", "Cara")}
        near = [of_talk(talk.number)] * 2
        assert kept == {"Alice": near, "Bob": near, "Cara": [PUBLIC] * 2}
        assert [one.facts["public"] for one in daemon.trace.recent("talk.said")] == [True, True]


def _circles(daemon: Daemon, bot: str) -> list[Circle]:
    heard = daemon.bot(bot).get_conversation_history(type="conversation")
    return [message.circle for message in heard]


async def test_in_public_a_whisper_is_answered_by_a_whisper_and_never_read_by_the_talk(
    town: Town,
) -> None:
    """What was whispered to a bot in a public talk was shown to it for its next public line."""
    steve = town.world.person("Steve", HERE)

    def repeats(name: str, question: Question) -> str:
        asked.append(question)
        read = "\n".join(turn.text for turn in question.turns)
        return "the mill" if "the mill" in read else f"Line {len(asked)} goes on."

    asked: list[Question] = []
    public = GroupTalkSettings(gap_s=0, reading_cps=0, channel="public", by_words=False)
    async with talking(town.bridge, town.folder, repeats, settings=public) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=3))
        steve.whisper("Alice", "between us: it is under the mill")
        await until(lambda: "the mill" in [line.text for line in steve.inbox])
        steve.chat("let us begin")
        await over(talk)
        assert talk.lines[0].text == "let us begin"
        assert len(talk.lines) == 4
        assert not [line for line in talk.lines if "mill" in line.text]
        read = [turn.text for one in asked if is_of_talk(one) for turn in one.turns]
        assert any("let us begin" in text for text in read)


async def test_lines_of_a_talk_are_of_one_conversation_for_all_who_hear_them(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people(turns=2))
        steve.whisper("Alice", "what about a bridge?")
        await over(talk)
        for bot in ("Alice", "Bob"):
            heard = daemon.bot(bot).get_conversation_history(type="conversation")
            assert len(heard) == 3
            assert {one.circle for one in heard} == {of_talk(talk.number)}
    stored = await Store.open(town.folder / FILE_NAME)
    read = (await Conversation.load(stored, utc_now)).history("Bob", Filter(type="conversation"))
    assert {one.circle for one in read} == {of_talk(talk.number)}
    await stored.aclose()


async def test_what_somebody_of_the_talk_says_in_public_is_taken_in_once(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        town.world.teleport("Dan", FAR)
        talk = await daemon.talk("Alice", "Bob", "Dan", "Steve", policy=opened_by_people(turns=1))
        steve.chat("let us begin")
        await over(talk)
        assert [line.speaker for line in talk.lines].count("Steve") == 1
        heard = [("Steve", "let us begin") in said(daemon, bot) for bot in ("Alice", "Bob", "Dan")]
        assert heard == [True, True, False]


async def test_a_bot_that_is_stopped_leaves_and_the_others_go_on(town: Town) -> None:
    thinking = asyncio.Event()

    async def answer(name: str, question: Question) -> str:
        if name == "Alice":
            thinking.set()
            await asyncio.Event().wait()
        return f"{name} goes on."

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=4))
        await thinking.wait()
        assert daemon.bot("Alice").doing == [f"talk {talk.number}"]
        assert await daemon.bot("Alice").stop() == [f"talk {talk.number}"]
        await over(talk)
        assert {line.speaker for line in talk.lines} == {"Bob", "Cara"}
        assert any("Alice is out of" in line for line in noted(daemon, "Bob"))
        assert daemon.bot("Alice").doing == []


async def test_a_person_who_left_the_server_is_out_of_the_talk(town: Town) -> None:
    steve = town.world.person("Steve", HERE)

    def answer(name: str, question: Question) -> str:
        if len(daemon.talks.under_way[0].lines) == 1:
            steve.leave()
        return f"{name} looks around."

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=policy(turns=4))
        await over(talk)
        assert [p.name for p in talk.machine.participants] == ["Alice", "Bob"]


async def test_a_bot_outside_the_world_does_not_hold_the_talk_up(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        await town.bridge.despawn(daemon.bot("Bob").name)
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=5))
        await over(talk)
        assert {line.speaker for line in talk.lines} == {"Alice", "Cara"}


async def test_words_that_a_command_puts_into_a_bots_mouth_are_a_line_of_the_talk(
    town: Town,
) -> None:
    thinking = asyncio.Event()

    async def answer(name: str, question: Question) -> str:
        thinking.set()
        await asyncio.Event().wait()
        return ""

    async with talking(town.bridge, town.folder, answer) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Cara", policy=policy(turns=2))
        await thinking.wait()
        await daemon.bot("Bob").tell("Alice", "watch out!", 15, asked_by="Steve")
        await until(lambda: talk.lines)
        line = talk.lines[0]
        assert (line.speaker, line.text, line.turn) == ("Bob", "watch out!", None)
        assert line.hearing == {"Alice": None, "Cara": "not_told"}


async def test_what_a_talk_costs_is_counted_and_its_cap_holds(town: Town) -> None:
    class Paid(FunctionModel):
        async def complete(self, question: Question, *, deadline_s: float) -> Completion:
            words = f"{speaker_of(question)} pays {len(self.questions)}."
            self.questions.append(question)
            return Completion(words, "claude-haiku-5-5", Usage(fresh=1_000, output=500))

    async with talking(town.bridge, town.folder, model=Paid(lambda _question: "")) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(cost_usd=0.0015))
        assert await over(talk) == "money"
        spending = talk.machine.spending
        assert spending.cost_usd / talk.machine.turns == pytest.approx(0.00035)
        assert spending.cost_usd <= 0.0015
        assert spending.tokens == 1_500 * talk.machine.turns


async def test_the_machines_decisions_are_in_the_trace_with_their_reasons(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        await over(await daemon.talk("Alice", "Bob", policy=policy(turns=2)))
        first = next(daemon.trace.recent("speaker.chosen"))
        assert not any("public" in traced.facts for traced in daemon.trace.recent("talk.said"))
        assert set(SpeakerChosen.__slots__) <= set(first.facts)
        names = {trace.name for trace in daemon.trace.recent()}
        assert {"talk.begun", "talk.thought", "talk.said", "talk.ended"} <= names


async def test_what_is_thought_in_a_talk_is_on_record_as_every_decision(town: Town) -> None:
    async with talking(town.bridge, town.folder, numbered()) as daemon:
        talk = await daemon.talk("Alice", "Bob", policy=policy(turns=2))
        await over(talk)
        made = operator_of(daemon).decisions()
        await until(lambda: daemon.responders.records.stats()["decisions"]["made"] == len(made))
        stats = daemon.responders.records.stats()
    assert [(one["bot"], one["trigger"], one["talk"]) for one in made[:2]] == [
        ("Alice", "talk", talk.number),
        ("Bob", "talk", talk.number),
    ]
    whole = {"source", "why", "tier", "wanted_by", "seconds", "tokens_in", "cost_usd", "text"}
    assert whole | {"reasoning", "lowered_by", "prompt_bytes", "turn"} <= set(made[0])
    assert "raw" not in made[0]
    assert stats["decisions"]["by_work"] == {"talk": len(made)}


async def test_a_thought_that_a_person_interrupts_is_on_record_as_dropped(town: Town) -> None:
    thinking: list[str] = []

    def hang(name: str, question: Question) -> Awaitable[str]:
        thinking.append(name)
        return asyncio.sleep(3_600, "late")

    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, hang) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=policy(turns=2))
        await until(lambda: thinking == ["Alice"])
        steve.whisper("Alice", "wait a moment")
        await until(lambda: list(daemon.trace.recent("decision.dropped")))
        (dropped,) = daemon.trace.recent("decision.dropped")
    assert (dropped.facts["trigger"], dropped.facts["why"]) == ("talk", "interrupted")
    assert (dropped.facts["talk"], dropped.facts["turn"]) == (talk.number, 1)


async def test_a_bot_that_is_told_to_stop_leaves_the_talk_at_once(town: Town) -> None:
    def hang(name: str, question: Question) -> Awaitable[str]:
        return asyncio.sleep(3_600, "late")

    steve = town.world.person("Steve", HERE)
    async with talking(town.bridge, town.folder, hang) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=policy(turns=9))
        steve.whisper("Alice", "stop")
        await until(lambda: "I have stopped." in [line.text for line in steve.inbox])
        await until(lambda: "Alice" not in {one.name for one in talk.machine.participants})


def _whole(question: Question) -> str:
    return question.instructions + "".join(turn.text for turn in question.turns)
