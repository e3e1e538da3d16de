"""Answers without a model: true facts of the world, or an honest “I cannot tell”."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.moments import WORLD

from bots.bot.episode import Episode
from bots.responder.case.inbox import EventReport
from bots.responder.rules import answers, outcomes
from bots.responder.rules.answers import Talk
from bots.responder.rules.scene import Scene
from bots.responder.rules.topics import greeting
from bots.text.language import Language, language_of
from bridge.fake import FakeBridge, FakeWorld
from bridge.port import ServerAddress
from bridge.world import BotName, MobSighting, Position, Weather, WorldSnapshot

OFF, OFF_JA = "I did not understand that. You can say", "それはわかりません。「"
POSITION, BELONGINGS = "3 64 -13", "3 oak logs"


def asked(*lines: str, world: WorldSnapshot | None = WORLD, why: str = "no_model") -> str:
    rng = random.Random(1)
    scene = Scene("Alice", "Steve", language_of(lines), world, rng, "Alice likes bees.", why)
    return answers.answer(scene, lines)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("where are you?", POSITION),
        ("WHERE R U", POSITION),
        ("hey alice where are you now", POSITION),
        ("what's your position", POSITION),
        ("ＷＨＥＲＥ ＡＲＥ ＹＯＵ？", POSITION),
        ("where are you?", "2 blocks from you"),
        ("where am I?", "You are at 6 64 -12"),
        ("how far away are you", "2 blocks from me"),
        ("where is spawn?", "0 64 0, 12 blocks"),
        ("where's Carol?", "Carol is at 13 64 -12, 9 blocks"),
        ("is bob here?", "Bob is on the server, but out of my sight"),
        ("where is dave", "nobody called dave"),
        ("how far is dave?", "nobody called dave"),
        ("who is near?", "you (2 blocks away) and Carol (9 blocks away)"),
        ("is anyone around?", "Carol"),
        ("what do you have", BELONGINGS),
        ("What’s in your inventory?", BELONGINGS),
        ("do you have bread?", "2 bread"),
        ("do you have food", "2 bread"),
        ("got any wood?", BELONGINGS),
        ("how many oak logs do you have?", BELONGINGS),
        ("do you have any diamonds?", "no diamonds"),
        ("what are you holding?", "1 stone axe"),
        ("how are you?", "health is 18/20 and my food 17/20"),
        ("are you hungry?", "17/20"),
        ("what time is it?", "morning, about 9:00"),
        ("is it night?", "morning"),
        ("what's the weather like", "The sky is clear."),
        ("is it raining?", "The sky is clear."),
        ("今日の天気は？", "晴れています"),
        ("which version is this?", "1.16.5"),
        ("who are you?", "I am Alice, a bot in this world. Alice likes bees."),
        ("are you human?", "a bot"),
        ("who made you", "a bot"),
        ("whats my name", "You are Steve."),
        ("do you know my name?", "You are Steve."),
        ("where are we?", POSITION),
        ("whats in your bag", "3 oak logs"),
        ("is there a pig?", "I see no pigs from here."),
        ("what can you do?", "!help"),
        ("what can u do", "!help"),
        ("help", "!help"),
        ("come hither", "did nothing"),
        ("can you mine for an hour", "did nothing"),
        ("stop and think", "“stop”"),
        ("hello", "Steve"),
        ("thanks a lot", "."),
        ("bye", "Steve"),
        ("explain the moon to me", OFF),
        ("hello, what colour is the moon?", OFF),
        ("???", OFF),
        ("", OFF),
        ("どこにいるの？", POSITION),
        ("座標を教えて", POSITION),
        ("ﾄﾞｺにいる？", POSITION),
        ("私はどこ？", "6 64 -12"),
        ("どれくらい離れてる？", "2ブロック"),
        ("Carolさんはどこにいますか？", "13 64 -12"),
        ("Daveはどこ？", "いません"),
        ("何を持ってる？", "オークの原木×3"),
        ("パン持ってる？", "パン×2"),
        ("ダイヤを持っていますか？", "ダイヤは持っていません"),
        ("石炭いくつ持ってる？", "石炭は持っていません"),
        ("手に何を持ってるの？", "石の斧×1"),
        ("近くに誰がいる？", "Carolさん（9ブロック）"),
        ("あなたは誰ですか", "Aliceです"),
        ("名前は？", "Aliceです"),
        ("私の名前は？", "あなたはSteveさん"),
        ("何時？", "9:00"),
        ("今は夜？", "朝"),
        ("元気？", "18/20"),
        ("お腹すいてる？", "17/20"),
        ("天気は？", "晴れています"),
        ("何ができる？", "!help"),
        ("来ては帰って", "何もしていません"),
        ("音楽を作ってください", "何もしていません"),
        ("こんにちは", "Steveさん"),
        ("ありがとう", "。"),
        ("またね", "Steveさん"),
        ("月は何色？", OFF_JA),
        ("月まで飛ばして", OFF_JA),
    ],
)
def test_a_question_gets_the_facts(line: str, part: str) -> None:
    said = asked(line)
    assert part in said or (part == "." and "!" in said) or (part == "。" and "！" in said)
    assert language_of([said]) == language_of([line])
    assert len(said) <= 250


FARM = (
    MobSighting("pig", Position(4, 64, -12), hostile=False),
    MobSighting("pig", Position(5, 64, -12), hostile=False),
    MobSighting("creeper", Position(9, 64, -12), hostile=True),
)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("are there monsters?", "I see 1 creeper."),
        ("are there any animals here", "I see 2 pigs."),
        ("how many pigs are there?", "I see 2 pigs."),
        ("what animals do you see?", "I see 2 pigs."),
        ("what is that animal over there?", "I see 2 pigs."),
        ("are there any zombies?", "I see no zombies from here."),
        ("動物はいますか？", "見えるのはブタ2匹です。"),
        ("敵はいる？", "見えるのはクリーパー1匹です。"),
    ],
)
def test_animals_and_monsters_in_view_are_counted(line: str, said: str) -> None:
    assert asked(line, world=replace(WORLD, mobs=FARM)) == said


def test_the_same_question_after_moving_has_another_true_answer() -> None:
    moved = replace(WORLD, position=Position(40.0, 70.0, 2.0))
    answers = asked("where are you?"), asked("where are you?", world=moved)
    assert ["3 64 -13" in answers[0], "40 70 2" in answers[1]] == [True, True]


@pytest.mark.parametrize(
    ("weather", "said"),
    [("rain", "It is raining."), ("thunder", "There is a thunderstorm.")],
)
def test_the_weather_is_told_as_it_is(weather: Weather, said: str) -> None:
    assert asked("is it raining?", world=replace(WORLD, weather=weather)) == said


def test_where_there_is_no_sky_there_is_no_weather() -> None:
    nether = replace(WORLD, dimension="the_nether", weather="rain")
    assert asked("what's the weather like", world=nether) == "There is no weather in the Nether."


def test_all_questions_of_a_burst_are_answered_in_one() -> None:
    said = asked("hi", "where are you?", "what do you have and what time is it?")
    assert [part in said for part in ("Steve", POSITION, BELONGINGS, "9:00")] == [True] * 4


@pytest.mark.parametrize("line", ["where are you", "何時？", "who is near", "how are you"])
def test_a_bot_that_senses_nothing_says_so(line: str) -> None:
    said = asked(line, world=None)
    assert ("cannot sense" in said) or ("わからない" in said)


def test_a_model_that_is_there_but_silent_is_not_called_off() -> None:
    assert "not answering right now" in asked("explain the moon to me", why="overloaded")


def test_an_empty_inventory_and_an_empty_server_are_said() -> None:
    bare = replace(WORLD, items=(), held=None, players=())
    assert asked("what do you have", world=bare) == "I carry nothing at all."
    assert "Nobody else" in asked("who is near", world=bare)
    assert asked("what are you holding", world=bare) == "My hands are empty."


@pytest.mark.parametrize(
    "line", ["is dave here?", "do you see dave?", "daveさん見える？", "dave近く？"]
)
def test_only_who_asks_where_hears_that_nobody_has_that_name(line: str) -> None:
    assert OFF in asked(line) or OFF_JA in asked(line)


def greetings_at(time_of_day: int) -> set[str]:
    world = replace(WORLD, time_of_day=time_of_day)
    scenes = (Scene("Alice", "Steve", "en", world, random.Random(seed)) for seed in range(40))
    return {greeting(scene) for scene in scenes}


@pytest.mark.parametrize(
    ("time_of_day", "by_the_hour"),
    [
        (0, {"Good morning, Steve!"}),
        (4_999, {"Good morning, Steve!"}),
        (5_000, set()),
        (12_000, set()),
        (13_000, {"Good evening, Steve!"}),
        (23_000, {"Good evening, Steve!"}),
        (23_500, set()),
    ],
)
def test_good_morning_is_for_the_morning_and_good_evening_for_the_night(
    time_of_day: int, by_the_hour: set[str]
) -> None:
    always = {"Hello Steve!", "Hi Steve!", "Hey Steve!"}
    assert greetings_at(time_of_day) == always | by_the_hour


def test_a_bot_that_senses_nothing_greets_without_the_hour() -> None:
    scenes = (Scene("Alice", "Steve", "en", None, random.Random(seed)) for seed in range(40))
    assert not [said for said in map(greeting, scenes) if said.startswith("Good")]


@given(st.text(max_size=120))
def test_any_text_has_an_answer_in_bearable_length(text: str) -> None:
    said = asked(text)
    assert said
    assert len(said) < 800


async def test_answers_follow_the_world_of_the_bridge(
    fake_bridge: FakeBridge, fake_world: FakeWorld
) -> None:
    await fake_bridge.spawn(BotName("Alice"), ServerAddress("localhost", 25565))
    fake_world.teleport("Alice", Position(1.5, 64, 1.5))
    fake_world.give("Alice", "oak_log", 5)
    fake_world.person("Steve", Position(4.5, 64, 1.5))
    before = await fake_bridge.snapshot(BotName("Alice"))
    assert "5 oak logs" in asked("what do you have", world=before)
    assert "1 64 1 in the overworld, 3 blocks from you" in asked("where are you", world=before)
    fake_world.teleport("Alice", Position(4.5, 64, 5.5))
    after = await fake_bridge.snapshot(BotName("Alice"))
    assert "4 64 5 in the overworld, 4 blocks from you" in asked("where are you", world=after)


def talk_of(seed: int) -> list[tuple[str, str]]:
    """Two bots by rules, each hearing all the other says, until one is silent."""
    rng = random.Random(seed)

    def scene(bot: str, fellow: str) -> Scene:
        return Scene(bot, fellow, "en", WORLD, rng)

    lines = [("Alice", "Hello Bob! How are you?")]
    bot, fellow = "Bob", "Alice"
    while said := answers.chat(scene(bot, fellow), [lines[-1][1]], Talk(tuple(lines))):
        lines.append((bot, said))
        bot, fellow = fellow, bot
    return lines


@pytest.mark.parametrize("seed", range(20))
def test_a_talk_of_two_bots_answers_asks_and_parts_by_itself(seed: int) -> None:
    lines = talk_of(seed)
    words = [text for _, text in lines]
    assert 4 <= len(lines) <= 6
    assert "?" in words[0]
    assert "language model" not in " ".join(words)
    assert Talk(tuple(lines)).is_over("Alice", "Bob")


def test_bots_talk_in_japanese_without_answering_what_was_no_question() -> None:
    rng = random.Random(1)
    scene = Scene("Bob", "Alice", "ja", WORLD, rng)
    heard = "パン×2を持っています。近くに誰がいますか？"
    said = answers.chat(scene, [heard], Talk((("Bob", "やあ"), ("Alice", heard))))
    assert "Carolさん（9ブロック）" in said
    assert "持っていません" not in said


def test_talks_vary_with_the_seed_and_repeat_with_it() -> None:
    assert talk_of(1) == talk_of(1)
    assert len({tuple(talk_of(seed)) for seed in range(10)}) > 5


def test_to_see_somebody_is_no_goodbye() -> None:
    assert not Talk((("Bob", "I see you (0 blocks away). What do you carry?"),)).parted("Bob")
    assert not Talk((("Bob", "Nice to see you, Alice."),)).parted("Bob")
    assert Talk((("Bob", "Good to talk. See you, Alice!"),)).parted("Bob")


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "I placed 1 crafting table"), ("ja", "作業台×1を置きました")],
)
def test_the_end_of_a_goal_is_told_as_a_sentence_and_not_as_the_goal_is_written(
    language: Language, told: str
) -> None:
    note = "Done: placed.crafting_table:1, in 4 s (estimated 3 s)."
    placed = Episode("placed", "crafting_table", 1)
    event = EventReport("action_ended", note, 0.0, about="!goal", done=(placed,))
    scene = Scene("Alice", "Steve", language, None, random.Random(1))
    said = outcomes.ended(scene, event)
    assert told in said
    assert "placed." not in said


def test_the_end_of_a_job_holds_no_english_in_a_japanese_sentence() -> None:
    event = EventReport("action_ended", "It is over.", 0.0, about="!skill gather")
    scene = Scene("Alice", "Steve", "ja", None, random.Random(1))
    assert outcomes.ended(scene, event) == "終わりました。"
