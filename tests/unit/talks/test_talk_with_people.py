"""What bots without a model say to the people of a talk: to the point, and never twice the same."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from string import Formatter

import pytest
from support.daemons import Town
from support.live_talks import begun, opened_by_people, talking
from support.rig import until
from unit.talks.test_talk_by_rules import WORLD

from bots.catalogue.handbook import Handbook
from bots.responder.rules import answers
from bots.responder.rules.scene import Scene
from bots.settings.talk import GroupTalkSettings
from bots.talks.live.talk import LiveTalk
from bots.talks.live.with_people import Said, Table, accepts, to_people
from bots.talks.live.words import words_in
from bots.talks.machine.policy import Caps
from bots.text.language import Language, language_of
from bridge.catalogue import Catalogue, CraftingRecipe, ItemFacts, RecipeBook
from bridge.world import ItemStack, Position

BOTS = {"Alice": "cheerful", "Bob": "calm", "Cara": "curious"}
ITEMS = ("oak_log", "oak_planks", "birch_log", "birch_planks", "cobblestone", "dirt", "stick")
LANGUAGES: tuple[Language, ...] = ("en", "ja")
PLANKS = replace(WORLD, items=(ItemStack("oak_planks", 4),))


def handbook() -> Handbook:
    items = {name: ItemFacts(name, 64, 0, 0, None) for name in ITEMS}
    made = ItemStack("oak_planks", 4), (ItemStack("oak_log", 1),)
    planks = CraftingRecipe(*made, (), at_table=False, shape=None)
    return Handbook(Catalogue("1.16.5", {}, items, {}), RecipeBook("1.16.5", (planks,)))


class Talk:
    """A talk of Steve with three bots, whose floor goes around."""

    def __init__(self, seed: int = 1, *, may_offer: bool = True) -> None:
        self.rng, self.lines, self.world = random.Random(seed), list[tuple[str, str]](), PLANKS
        self._may_offer, self._first = may_offer, 0
        self.taught: dict[str, str] = {}
        """What each bot was told of what Steve asks."""

    def hears(self, line: str, *, goodbye: bool = False) -> list[Said]:
        """What the bots say to a line of Steve, one after the other."""
        self.lines.append(("Steve", line))
        self._first += 1
        names = [*BOTS][self._first % 3 :] + [*BOTS][: self._first % 3]
        said = [self._turn(name, line, goodbye=goodbye) for name in names]
        return [one for one in said if one.text or one.acts]

    def _turn(self, bot: str, line: str, *, goodbye: bool) -> Said:
        others = [name for name in BOTS if name != bot]
        scene = Scene(bot, "Steve", language_of([line]), self.world, self.rng)
        table = Table(
            tuple(self.lines),
            others,
            ["Steve"],
            BOTS[bot],
            handbook(),
            may_offer=self._may_offer,
            taught=self.taught.get(bot, ""),
        )
        said = to_people(scene, table, goodbye=goodbye)
        self.lines += [(bot, said.text)] if said.text else []
        return said


def texts(said: Sequence[Said]) -> str:
    return " ".join(one.text for one in said)


TALKS = {
    "en": (
        "hey Alice, Bob, Cara, what shall we build here?",
        "how about a bridge?",
        "what do we need for it?",
        "i think a tower is better",
        "who wants to start?",
        "where should it be?",
        "lets vote, tower or bridge?",
        "ok what next?",
        "i died :(",
        "thanks you are great",
        "is it safe at night?",
        "what should we call it?",
        "lol",
        "how big will it be?",
        "my sister likes horses",
        "when is christmas?",
        "this is boring",
        "no i dont like the tower",
        "so what is the plan?",
        "a roller coaster!",
        "what do you think?",
        "are you there?",
    ),
    "ja": (
        "Alice、Bob、Cara、ここに何を建てようか？",
        "橋はどう？",
        "何が必要？",
        "塔のほうがいいと思う",
        "誰が始める？",
        "どこに作る？",
        "投票しよう、塔か橋か",
        "次は？",
        "死んじゃった",
        "ありがとう",
        "クリーパーが来たら危ない？",
        "名前はどうする？何と呼ぼう",
        "高さはどうする？",
        "妹は馬が好きなんだ",
        "つまらない",
        "まとめて",
        "どう思う？",
        "そこにいる？",
    ),
}


def sentences(text: str) -> Iterator[str]:
    yield from filter(None, re.split(r"(?<=[.!?])\s+|(?<=[。！？])", text))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("language", LANGUAGES)
def test_each_line_of_a_person_is_answered_and_no_sentence_comes_twice(
    language: Language, seed: int
) -> None:
    talk, told = Talk(seed), list[str]()
    for line in TALKS[language]:
        said = texts(talk.hears(line))
        assert said, line
        assert "{" not in said
        assert language_of([said]) == language, said
        told += sentences(said)
    assert len(told) == len(set(told))
    notices = answers.unsure(Scene("Alice", "Steve", language, None, talk.rng))
    assert not set(sentences(notices)) & set(told)


@pytest.mark.parametrize("line", ["why?", "lol", "what do we need?", "ok", "xyz", "hm?"])
def test_a_line_that_comes_again_and_again_is_answered_anew(line: str) -> None:
    talk = Talk()
    told = [texts(talk.hears(line)) for _ in range(12)]
    assert all(told)
    assert all(one != other for one, other in pairwise(told))


@pytest.mark.parametrize(
    ("before", "line", "told"),
    [
        ("how about a bridge?", "what do we need?", r"36 planks|32 planks|torches|bridge"),
        ("a bridge of 24 blocks would be nice, lets build it", "how much will it cost", "72|68|pl"),
        ("lets build a bridge", "of dirt maybe, how about dirt?", r"36 dirt"),
        ("lets build a bridge", "how much wood do you have?", r"4 oak planks"),
        ("lets build a tower", "what did we decide?", r"tower.*120 cobblestone|cobblestone"),
        ("橋を作ろう", "何が必要？", r"板材|橋"),
        ("橋を作ろう", "木はどれくらい持ってる？", r"板材"),
        ("hello", "what shall we build", r"[a-z]"),
    ],
)
def test_what_a_work_takes_is_reckoned_from_its_size_and_what_is_carried(
    before: str, line: str, told: str
) -> None:
    talk = Talk()
    talk.hears(before)
    assert re.search(told, texts(talk.hears(line)))


def test_the_cost_follows_the_size_that_a_person_names() -> None:
    talk = Talk()
    talk.hears("lets build a bridge")
    talk.hears("make the bridge 24 blocks long")
    costs = {texts(talk.hears("what did we decide?")) for _ in range(3)}
    assert any("72 planks" in one for one in costs)
    assert not any("36 planks" in one for one in costs)


def test_ideas_are_asked_of_all_and_each_has_its_own() -> None:
    said = Talk().hears("what shall we build?")
    named = [words_in("en").works_in(one.text.casefold())[0].name for one in said]
    assert len(said) == len(set(named)) == 3


def test_the_last_of_those_who_vote_tells_the_votes() -> None:
    talk = Talk()
    *_others, last = talk.hears("lets vote: tower or bridge?")
    counts = [int(one) for one in re.findall(r"(\d) for the (?:tower|bridge)", last.text)]
    assert sum(counts) == len(BOTS)
    (winner,) = re.findall(r"So it is \d for the (\w+)", last.text)
    assert winner in texts(talk.hears("so what is the plan?"))


def test_a_bot_that_is_called_answers_and_the_others_do_not() -> None:
    talk = Talk()
    talk.hears("lets build a bridge")
    before = len(talk.lines)
    talk.hears("what do you think, Cara?")
    assert [who for who, _ in talk.lines[before + 1 :]] == ["Cara"]


def test_a_mood_is_answered_by_one_as_a_friend_would() -> None:
    (said,) = Talk().hears("i died :(")
    assert "sorry" in said.text.casefold() or "quick" in said.text


def test_how_a_thing_is_made_is_told_in_a_talk_too() -> None:
    talk = Talk()
    talk.hears("lets build a bridge")
    assert "1 oak log" in texts(talk.hears("how do we make oak planks?"))


@pytest.mark.parametrize("line", ["get 10 oak logs", "丸石を10個取って"])
def test_a_plain_request_to_nobody_is_done_by_whose_turn_it_is(line: str) -> None:
    assert Talk().hears(line)[0] == Said("", acts=True)


def test_what_a_plan_needs_is_offered_to_whoever_may_ask_for_it() -> None:
    lines = ("lets build a bridge", "what next?", "who starts?")
    talk, stranger = Talk(), Talk(may_offer=False)
    offers = [one.offer for line in lines for one in talk.hears(line) if one.offer]
    assert offers
    assert set(offers) == {"get 8 logs"}  # four planks are there
    assert not any(one.offer for line in lines for one in stranger.hears(line))


@pytest.mark.parametrize(
    ("line", "is_yes"),
    [
        ("yes", True),
        ("yes please, Alice", True),
        ("sounds good", True),
        ("ok do it", True),
        ("はい、お願いします", True),
        ("いいね", True),
        ("no", False),
        ("never mind", False),
        ("what is that?", False),
        ("yes but I want a tower", False),
        ("やめて", False),
    ],
)
def test_a_yes_takes_what_was_offered(line: str, is_yes: bool) -> None:
    assert accepts(line, "Alice") is is_yes


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_goodbye_in_the_midst_of_a_question_answers_it(language: Language) -> None:
    talk = Talk()
    talk.hears({"en": "lets build a bridge", "ja": "橋を作ろう"}[language])
    line = {"en": "how big shall it be?", "ja": "大きさはどうする？"}[language]
    first, *_others = talk.hears(line, goodbye=True)
    parting = words_in(language).rows["parting"].says["says"]
    begins = [one.partition("{")[0] for one in parting]
    assert re.search(r"\d", first.text)
    assert any(one in first.text for one in begins) or "Steve" in first.text


def test_every_sentence_stands_in_both_languages_under_the_same_name() -> None:
    en, ja = (words_in(one) for one in LANGUAGES)
    assert en.rows.keys() == ja.rows.keys()
    assert en.works.keys() == ja.works.keys()
    for name, row in en.rows.items():
        twin = ja.rows[name]
        assert (row.says.keys(), row.then, row.voices) == (twin.says.keys(), twin.then, twin.voices)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bot_names_no_work_by_the_way(language: Language) -> None:
    words, parsed = words_in(language), partial(Formatter().parse)
    for row in words.rows.values():
        for pattern in (one for many in row.says.values() for one in many):
            bare = " ".join(literal for literal, *_ in parsed(pattern)).casefold()
            assert not words.works_in(bare), pattern


GOLD = "You told me today: “the gold is in the well”"


def test_whoever_was_told_what_is_asked_says_so_even_after_another_has_spoken() -> None:
    talk = Talk()
    talk.hears("how about a bridge?")
    talk.taught["Cara"] = GOLD
    for line in ("where is the gold?", "tell me, what is in the well?"):
        assert GOLD in texts(talk.hears(line)), line
    assert "again" not in texts(talk.hears("i like gold"))
    assert GOLD not in texts(talk.hears("i like the gold"))


def test_what_two_bots_know_is_told_once() -> None:
    talk = Talk()
    talk.taught = dict.fromkeys(BOTS, GOLD)
    assert texts(talk.hears("where is the gold?")).count(GOLD) == 1


def test_how_a_thing_is_made_is_told_by_one_bot() -> None:
    talk = Talk()
    talk.hears("how about a bridge?")
    told = texts(talk.hears("can we make planks, and how do i make planks?"))
    assert told.count("planks take") == 1


@pytest.mark.parametrize(
    "line", ["remember that my horse is called Blitz", "馬はブリッツだと覚えて"]
)
def test_what_a_person_wants_remembered_is_remembered(line: str) -> None:
    assert next(one.acts for one in Talk().hears(line))


@pytest.mark.parametrize("line", ["井戸の中に何がある？", "do you have a secret?"])
def test_what_is_no_thing_is_not_missed_in_the_bag(line: str) -> None:
    talk = Talk()
    talk.hears("橋はどう？")
    said = texts(talk.hears(line))
    assert said
    assert not re.search("何は持っていません|I have no secret", said)


def test_the_plan_is_what_most_have_voted_for() -> None:
    for seed in range(12):
        talk = Talk(seed)
        talk.hears("hey, what shall we build?")
        votes = texts(talk.hears("lets vote, bridge or tower?"))
        (won,) = re.findall(r"So it is \d for the (\w+)", votes)
        assert won in texts(talk.hears("so what is the plan?")), votes


def test_a_number_of_blocks_names_nothing_to_build_with() -> None:
    said = texts(Talk().hears("how about a bridge of 12 blocks?"))
    assert "iron block" not in said


@pytest.mark.parametrize(
    "line", ["how high will it be?", "where shall it stand?", "what do we call it?"]
)
def test_a_bot_does_not_ask_back_what_it_was_asked(line: str) -> None:
    row = words_in("en").row_of(line)
    for seed in range(12):
        talk = Talk(seed)
        talk.hears("how about a bridge?")
        asked = [one for one in sentences(texts(talk.hears(line))) if one.endswith("?")]
        assert row is not None
        assert [one for one in asked if row.asks.search(one.casefold())] == []


async def test_a_talk_tells_what_its_bots_were_told_and_what_all_may_know(town: Town) -> None:
    here = Position(8.5, 64, 8.5)
    steve, tim = (town.world.person(name, here) for name in ("Steve", "Tim"))
    async with talking(town.bridge, town.folder) as daemon:
        steve.whisper("Bob", "remember that the gold is in the well")
        tim.whisper("Cara", "remember that the silver is in the mill")
        for person in (steve, tim):
            assert "remember" in (await person.hears()).text
        steve.whisper("Alice", "remember this place as the camp")
        await steve.hears()
        talk = await daemon.talk("Alice", "Bob", "Cara", "Steve", policy=opened_by_people())
        for line in ("where is the gold?", "where is the silver?", "where is the camp?"):
            steve.whisper("Alice", line)
            await until(lambda: talk.lines and talk.machine.speaking is None)
            await until(partial(_was_answered, talk, line))
        told = " ".join(one.text for one in talk.lines)
        assert "“the gold is in the well”" in told
        assert "8 64 8" in told
        assert "mill" not in told


async def test_a_line_in_public_to_three_bots_is_one_line_that_each_answers_once(
    town: Town,
) -> None:
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    by_words = GroupTalkSettings(gap_s=0, reading_cps=0)
    async with talking(town.bridge, town.folder, settings=by_words) as daemon:
        steve.chat("hey Alice, Bob, Cara, what shall we build here?")
        talk = await begun(daemon)
        await until(lambda: len(talk.lines) == 4 and talk.machine.speaking is None)
        assert sorted(line.speaker for line in talk.lines) == ["Alice", "Bob", "Cara", "Steve"]


@pytest.mark.parametrize("line", ["Alice stopp", "Alice、止まって"])
async def test_whoever_walked_off_hears_what_calls_it_in_public(town: Town, line: str) -> None:
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    by_words = GroupTalkSettings(gap_s=0, reading_cps=0)
    async with talking(town.bridge, town.folder, settings=by_words) as daemon:
        steve.chat("hey Alice, Bob, what shall we build here?")
        talk = await begun(daemon)
        await until(lambda: len(talk.lines) == 3 and talk.machine.speaking is None)
        town.world.teleport("Alice", Position(80.5, 64, 8.5))
        steve.chat(line)
        await until(lambda: "Alice" not in [one.name for one in talk.machine.participants])


async def test_a_yes_in_a_talk_begins_what_a_bot_has_offered(town: Town) -> None:
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    async with talking(town.bridge, town.folder) as daemon:
        talk = await daemon.talk("Alice", "Bob", "Steve", policy=opened_by_people())
        steve.whisper("Alice", "lets build a bridge")
        await until(lambda: len(talk.lines) >= 2 and talk.machine.speaking is None)
        steve.whisper("Alice", "Alice, what next?")
        await until(lambda: any("fetch 9 logs" in one.text for one in steve.inbox))
        await until(lambda: talk.machine.speaking is None)
        steve.whisper("Alice", "yes please")
        await until(lambda: any(re.search("9 logs?[.:]", one.text) for one in steve.inbox))


async def test_bots_that_say_nothing_to_a_person_use_up_no_turns(town: Town) -> None:
    steve = town.world.person("Steve", Position(8.5, 64, 8.5))
    async with talking(town.bridge, town.folder) as daemon:
        going_by = replace(opened_by_people(), caps=Caps(turns=5))
        talk = await daemon.talk("Alice", "Bob", "Cara", "Steve", policy=going_by)
        for line in ("lol", "what next?", "where shall it be?", "why?"):
            steve.whisper("Alice", line)
            await until(partial(_is_answered, talk, line))
        assert talk.machine.ended is None


def _was_answered(talk: LiveTalk, line: str) -> bool:
    said = [one.text for one in talk.lines]
    return line in said[:-1] and talk.machine.speaking is None


def _is_answered(talk: LiveTalk, line: str) -> bool:
    last = [one.text for one in talk.lines[-2:-1]]
    return last == [line] and talk.machine.speaking is None
