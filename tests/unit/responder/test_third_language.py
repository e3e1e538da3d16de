"""A third language is a file: Chinese lines are understood and answered in Chinese."""

import tomllib
from importlib.resources import files

import pytest
from support.daemons import Town, answer_to
from support.steve_by_rules import FakeTools, Steve

from bots.responder.asking_back import said_in
from bots.responder.case.inbox import EventReport
from bots.responder.rules import phrases
from bots.responder.rules.phrases.foreign import in_english
from bots.responder.rules.requests.amending import chosen
from bots.text.language import language_of, tongue_of
from bridge.world import Position

HERE = Position(10.5, 64, 8.5)


@pytest.mark.parametrize(
    ("line", "tongue"),
    [
        ("你好，你在哪里？", "zh"),
        ("謝謝你", "zh"),
        ("拿三个橡木原木", "zh"),
        ("我饿了", "zh"),
        ("我很无聊", "zh"),
        ("保护我", "zh"),
        ("救命士", "ja"),
        ("玩具", "ja"),
        ("完了", "ja"),
        ("不可能", "ja"),
        ("我慢", "ja"),
        ("跳躍", "ja"),
        ("どこにいるの？", "ja"),
        ("了解", "ja"),
        ("何歳", "ja"),
        ("原木三個", "ja"),
        ("感謝", "ja"),
        ("where are you?", "en"),
        ("안녕하세요", "ko"),
        ("привет, где ты?", "ru"),
        ("12 ...", "en"),
    ],
)
def test_a_line_is_told_by_its_signs(line: str, tongue: str) -> None:
    assert tongue_of(line) == tongue
    assert (language_of([line]) == "ja") is (tongue == "ja")


@pytest.mark.parametrize(
    ("line", "english"),
    [
        ("过来！", "come here"),
        ("请你跟我来", "follow me"),
        ("停下来吧", "stop"),
        ("拿3个橡木原木", "get 3 oak log"),
        ("帮我拿三块圆石", "get 3 cobblestone"),
        ("给我两个面包吧", "give me 2 bread"),
        ("给我木剑", "give me 1 wooden sword"),
        ("做一个工作台", "make 1 crafting table"),
        ("去睡觉吧", "go to sleep"),
        ("跳一下", "jump"),
        ("跳舞", "dance"),
        ("你能不能过来一下吗", "come here"),
        ("等等我", "stay here"),
        ("走开！", "stop following me"),
        ("救命，有僵尸！", "help me fight"),
        ("给我盖个房子", "build a small house"),
        ("谁在附近？", "who is near?"),
        ("附近有人吗", "who is near?"),
        ("Bob在哪里？", "where is Bob?"),
        ("去Bob那里", "go to Bob"),
        ("你有木头吗", "do you have log?"),
        ("把东西放进箱子里", "put everything in a chest"),
        ("照亮这里", "light this place up"),
        ("回家", "go home"),
        ("扔掉三个泥土", "drop 3 dirt"),
        ("你在做什么？", "what are you doing?"),
        ("拿3个什么东西", "拿3个什么东西"),
        ("ついてきて", "ついてきて"),
    ],
)
def test_a_request_stands_for_an_english_one(line: str, english: str) -> None:
    assert in_english(line, "Alice") == english


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("你好！", "你好"),
        ("你在哪里？", "我在 3 64 -13（主世界），离你2格。"),
        ("谁在附近？", "我看到你（离我2格）和Carol（离我9格）。"),
        ("2加2等于几", "等于4。"),
        ("Alice，九减二是多少？", "等于7。"),
        ("8除以2", "等于4。"),
        ("天气怎么样", "天气很好。"),
        ("你有木头吗", "我带着3个橡木原木。"),
        ("你有钻石吗", "我没有钻石。我带着3个橡木原木、2个面包和1个石斧。"),
        ("附近有怪物吗", "我在这里看不到怪物。"),
        ("Bob在哪里", "Bob在服务器上，可是我看不到。"),
        ("你好吗", "我"),
        ("照亮这里", "好，我来放火把。"),
        ("谢谢你", "不"),
        ("你有什么？", "我带着3个橡木原木、2个面包和1个石斧。"),
        ("你咕噜", "我没听懂"),
        ("跟我来", "好，我跟着你。"),
        ("过来", "好，我来了。"),
        ("안녕하세요", "I do not speak that language"),
        ("привет", "I do not speak that language"),
        ("¿dónde estás?", "I do not speak that language"),
        ("kannst du mir helfen?", "I do not speak that language"),
        ("je veux une épée", "I do not speak that language"),
        ("bana odun ver", "I do not speak that language"),
        ("daj mi drewno", "I do not speak that language"),
    ],
)
async def test_it_is_answered_in_that_language(line: str, answer: str) -> None:
    assert (await Steve().says(line)).startswith(answer)


@pytest.mark.parametrize(
    ("line", "said"),
    [("好的，谢谢！", "yes"), ("Alice，可以", "yes"), ("不用了，谢谢", "no"), ("为什么？", "else")],
)
def test_its_yes_and_no_are_heard(line: str, said: str) -> None:
    assert said_in("Alice", [line]) == said


@pytest.mark.parametrize(
    ("line", "which"),
    [
        ("第二个", ("birch_boat",)),
        ("随便", ("oak_boat",)),
        ("两个都要", ("oak_boat", "birch_boat")),
        ("算了", "no"),
        ("你在哪里", None),
    ],
)
def test_which_of_two_is_heard(line: str, which: object) -> None:
    boats = ("oak_boat", "birch_boat")
    assert chosen(line, "Alice", boats, 2, may_agree=True) == which


async def test_an_end_is_told_in_english_to_whoever_speaks_what_no_file_has() -> None:
    steve = Steve()
    await steve.says("안녕하세요")
    failed = EventReport("action_ended", "I see no tree.", 0.0, success=False, reason="not_found")
    assert await steve.hears(failed) == "I see no tree."


async def test_a_daemon_answers_in_that_language_what_it_looks_for(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        for line, answer in (
            ("你在做什么？", "我现在什么也没做。"),
            ("最近的牛在哪里", "我在这里看不到牛。"),
            ("Bob在哪里", "这个服务器上没有叫bob的人。"),
        ):
            assert await answer_to(daemon, steve, line) == answer


@pytest.mark.parametrize(
    ("line", "command", "reason", "told"),
    [
        ("过来", "navigation gotoCoords", "", "我到了。"),
        ("拿三个橡木原木", "goal", "", "3个橡木原木拿到了。"),
        ("拿三个橡木原木", "goal", "inventory_full", "我的背包满了。"),
        ("拿三个橡木原木", "goal", "something new", "没有做成。"),
        ("给我盖个房子", "skill build", "", "小房子盖好了，请进！"),
        ("去睡觉吧", "skill sleep", "bed_taken", "床被占了。"),
    ],
)
async def test_how_it_ended_is_told_in_that_language(
    line: str, command: str, reason: str, told: str
) -> None:
    steve = Steve(FakeTools(names=(command.replace(" ", "_"),)))
    await steve.says(line)
    about, is_good = f"!{command}", not reason
    event = EventReport("action_ended", "It is over.", 0.0, is_good, about, reason)
    assert await steve.hears(event) == told


async def test_a_greeting_and_a_question_are_both_answered(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        told = await answer_to(daemon, steve, "你好，你在哪里？")
        assert "你好" in told
        assert told.endswith("我在 8 64 8（主世界），离你2格。")


def test_every_plain_row_of_the_file_is_told_for_its_language() -> None:
    file = tomllib.loads((files(phrases) / "zh.toml").read_text("utf-8"))
    heard = [one for row in file.values() for one in row.get("heard", ()) if "{" not in str(one)]
    assert heard
    assert [one for one in heard if tongue_of(one) != "zh"] == []


async def test_what_is_carried_has_its_chinese_name(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        town.world.give("Alice", "oak_log", 3)
        assert await answer_to(daemon, steve, "你有什么") == "我带着3个橡木原木。"


async def test_a_chinese_stop_ends_what_is_done(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with town.up() as daemon:
        await answer_to(daemon, steve, "跟我来")
        assert await answer_to(daemon, steve, "停下") == "好，我停下了。"
        assert daemon.bot("Alice").jobs.is_free


@pytest.mark.parametrize(
    "line",
    [
        *("noooo", "pls giv me dimonds", "ur funy", "lol ur dum", "mak a fier", "plese giv bred"),
        *("i hav a dog", "gimme sum wod plz", "mon ster", "y tho", "wen is it dark"),
    ],
)
async def test_badly_typed_english_is_not_taken_for_another_language(line: str) -> None:
    assert "do not speak" not in await Steve().says(line)
