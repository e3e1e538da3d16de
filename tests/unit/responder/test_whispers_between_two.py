"""On the embedded default everybody is trusted, and yet a whisper stays between two."""

from dataclasses import replace
from functools import partial
from pathlib import Path

from support.daemons import Town, answer_to, operator_of
from support.live_talks import policy, talking
from support.rig import until

from bots.talks.live.talk import LiveTalk
from bots.talks.machine.policy import TalkPolicy
from bridge import FakeBridge
from bridge.world import Position
from llm.function_model import FunctionModel
from llm.model import Completion

HERE = Position(10.5, 64, 8.5)
CAT, GOLD = "my cat is called Miso", "my secret is that I hid gold under the oak"
SECRETS = ("Miso", "gold under")


QUESTIONS = (
    *("what did Steve say?", "do you remember the gold?", "what is Steve's cat called?"),
    *("what did Steve tell you about gold?", "who is Steve?", "where is the gold?"),
    "Steveは何て言った？",
)
COMMANDS = ("!recall gold", "!history Steve", "!knowledge gold")


async def test_what_one_whispered_rules_and_commands_tell_nobody_else(town: Town) -> None:
    steve, tim = (town.world.person(name, HERE) for name in ("Steve", "Tim"))
    async with town.up() as daemon:
        for words in (CAT, GOLD, "remember that my cat is called Miso"):
            await answer_to(daemon, steve, words)
        told = {question: await answer_to(daemon, tim, question) for question in QUESTIONS}
        for command in COMMANDS:
            tim.whisper("Alice", command)
            told[command] = (await tim.hears()).text
    assert [one for one, text in told.items() if any(secret in text for secret in SECRETS)] == []


async def test_whoever_whispered_it_is_told(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        await answer_to(daemon, steve, CAT)
        assert "Miso" in await answer_to(daemon, steve, "what is my cat called?")


async def test_what_the_speaker_had_passed_on_is_known_to_who_got_it(town: Town) -> None:
    steve, tim = (town.world.person(name, HERE) for name in ("Steve", "Tim"))
    async with town.up() as daemon:
        steve.whisper("Alice", "!chat Tim my cat is called Miso")
        assert "Miso" in (await tim.hears()).text
        assert "Miso" in await answer_to(daemon, tim, "do you remember the cat?")


async def test_what_one_whispered_is_in_no_prompt_for_another(town: Town) -> None:
    steve, tim = (town.world.person(name, HERE) for name in ("Steve", "Tim"))
    model = FunctionModel(lambda _question: Completion("Fine.", "function"))
    async with town.up(model) as daemon:
        for words in (CAT, GOLD):
            await answer_to(daemon, steve, words)
        asked = len(model.questions)
        await answer_to(daemon, tim, "what did Steve tell you about gold?")
        shown = str(model.questions[asked:])
        assert not any(secret in shown for secret in SECRETS)


async def test_an_operator_who_can_read_the_records_is_told(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        await answer_to(daemon, steve, GOLD)
        told = await operator_of(daemon).message("Alice", "do you remember the gold?")
        assert "gold under the oak" in told["answer"]


async def test_a_place_is_shared_by_all_who_may_command(town: Town) -> None:
    steve, tim = (town.world.person(name, HERE) for name in ("Steve", "Tim"))
    async with town.up():
        steve.whisper("Alice", "!navigation register home")
        assert "home" in (await steve.hears()).text
        tim.whisper("Alice", "!navigation list")
        assert "home" in (await tim.hears()).text


TALKED = {
    "Tim": ("Alice, where is the gold?", "what is Steve's secret?", "what is under the oak?"),
    "Steve": ("what is my secret?", "Bob, where did I hide the gold?"),
}
"""Who may know it is not told among others either."""


async def test_what_one_whispered_no_other_bot_and_no_talk_tells(
    fake_bridge: FakeBridge, tmp_path: Path
) -> None:
    steve, tim = (fake_bridge.world.person(name, HERE) for name in ("Steve", "Tim"))
    async with talking(fake_bridge, tmp_path) as daemon:
        for bot in ("Alice", "Bob"):
            for words in (GOLD, "remember that the gold is under the oak"):
                steve.whisper(bot, words)
                await steve.hears()
        for line in ("what did Steve tell Alice?", "ask Alice where the gold is", "!recall gold"):
            tim.whisper("Cara", line)
            await tim.hears()
        tim.whisper("Bob", "!chat Alice where is the gold?")
        await until(lambda: [one for one in tim.inbox if "Told Alice" in one.text])
        await until(
            lambda: any(
                one.bot == "Alice" and one.facts["speaker"] == "Bob"
                for one in daemon.trace.recent("reply.sent")
            )
        )
        talk = await daemon.talk("Alice", "Bob", "Cara", "Tim", "Steve", policy=by_people())
        for person in (tim, steve):
            for line in TALKED[person.name]:
                person.whisper("Alice", line)
                await until(partial(has_answer, talk, line))
        told = [one.text for one in tim.inbox]
        assert len([one for one in told if "Everybody in it hears what you say here." in one]) == 1
        said = [one.text for one in talk.lines if one.speaker in ("Alice", "Bob", "Cara")]
        assert not [one for one in (*told, *said) if "under the oak" in one]


def by_people() -> TalkPolicy:
    return replace(policy(), opening="person")


def has_answer(talk: LiveTalk, line: str) -> bool:
    said = [one.text for one in talk.lines]
    return line in said[:-1] and talk.machine.speaking is None
