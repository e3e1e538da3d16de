"""What a bot does by a command or a goal it does when asked in plain words, however they are put;
what it cannot do it says in one short sentence; grammar names no item."""

import pytest
from support.asking_alice import asked
from support.moments import WORLD
from support.steve_by_rules import Steve

from bots.responder.rules.phrases import foreign
from bots.text.spelling import expanded

AT = WORLD.position.block
FISH = "inventory.cod:+1"
BLOCKS = "I fetch the blocks: say “get 20 oak planks”."
HOUSE = ("skill build", {"design": "small_house"})
LIGHT = ("skill light", {"coords": [6, 64, -12]})


def down(blocks: int) -> str:
    return f"position:{AT.x:.0f},{AT.y - blocks:.0f},{AT.z:.0f}"


@pytest.mark.parametrize(
    ("line", "goal"),
    [
        *(("catch a fish", FISH), ("can u go fishing pls", FISH), ("Alice, fish for me", FISH)),
        *(("get me a fish i am hungry", FISH), ("釣りしてきて", FISH), ("魚を釣って！", FISH)),
        *(("dig down 5 blocks", down(5)), ("dig straight down", down(3))),
        *(("can you dig me a hole", down(3)), ("dig a hole 4 blocks deep", down(4))),
        *(("3マス下に掘って", down(3)), ("穴を掘って", down(3)), ("dig down 999 blocks", down(30))),
        *(("plant some wheat", "inventory.wheat:+3"), ("make a farm", "inventory.wheat:+3")),
        *(
            ("can you plant a tree here", "placed.oak_sapling:+1"),
            ("小麦を植えて", "inventory.wheat:+3"),
        ),
    ],
)
def test_a_goal_is_asked_for_in_plain_words(line: str, goal: str) -> None:
    assert asked(line) == [("goal", {"goal": goal})]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("fight that zombie", ("skill fight", {"mob": "zombie"})),
        ("kill the zombie its behind me!!", ("skill fight", {"mob": "zombie"})),
        ("attack those skeletons", ("skill fight", {"mob": "skeleton"})),
        ("help me fight", ("skill fight", {})),
        ("there is a zombie help me", ("skill fight", {"mob": "zombie"})),
        ("ゾンビが来た助けて", ("skill fight", {"mob": "zombie"})),
        ("kill a cow", ("goal", {"goal": "inventory.beef:+1"})),
        ("ゾンビを倒して", ("skill fight", {"mob": "zombie"})),
    ],
)
def test_monsters_are_fought_when_asked(line: str, wanted: tuple[str, dict[str, str]]) -> None:
    assert asked(line) == [wanted]


@pytest.mark.parametrize("line", ["attack Bob", "kill Bob", "fight bob!!", "Bobを攻撃して"])
def test_whether_a_player_is_attacked_is_for_the_command_to_judge(line: str) -> None:
    assert asked(line) == [("attack", {"username": "Bob"})]


@pytest.mark.parametrize(
    ("where", "lines"),
    [
        ("Steve", ("guard me", "protect me from the monsters", "can u be my bodyguard")),
        ("Steve", ("守って", "私を守ってください", "モンスターから守って", "protect us pls")),
        ("Steve", ("保护我",)),
        ("Bob", ("guard Bob", "can you protect bob", "Bobを守って")),
        ("", ("guard this place", "Alice, stand guard here", "keep watch", "guard here pls")),
        ("", ("ここを守って", "見張ってください", "ここを見張って", "守在这里")),
        ("house", ("guard the house", "can you guard my house", "defend our house!!")),
        ("iron mine", ("guard the iron mine", "keep watch over the iron mine")),
        ("家", ("家を守って", "家を見張ってください")),
    ],
)
def test_a_player_or_a_place_is_guarded_when_asked(where: str, lines: tuple[str, ...]) -> None:
    said = [foreign.in_english(line, "Alice") for line in lines]
    assert [asked(line) for line in said] == [[("skill guard", {"where": where})]] * len(lines)


@pytest.mark.parametrize(
    "line",
    [
        *("stop fighting", "Alice stop fighting!!", "dont fight", "don't attack the zombie"),
        *("stop guarding me", "you can stop guarding", "pls stop attacking"),
        *("戦うのをやめて", "攻撃しないで", "戦わないでください", "見張りをやめて", "别打了"),
    ],
)
def test_the_fight_alone_is_ended_when_asked(line: str) -> None:
    assert asked(foreign.in_english(line, "Alice")) == [("skill stopFight", {})]


@pytest.mark.parametrize(
    "line",
    [
        *("light this place up", "put some torches here pls", "ここを明るくして"),
        *("its too dark here put some torches", "can you light up the house", "暗いから明るくして"),
    ],
)
def test_a_place_is_lit_around_the_speaker(line: str) -> None:
    assert asked(line) == [LIGHT]


@pytest.mark.parametrize(
    "line",
    ["tend the field", "can u look after the farm pls", "harvest the crops", "畑の世話をして"],
)
def test_a_field_is_tended_when_asked(line: str) -> None:
    assert asked(line) == [("skill tend", {})]


STORE = "skill store"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("put your things away", (STORE, {})),
        ("store everything in a chest pls", (STORE, {})),
        ("stash everything", (STORE, {})),
        ("荷物をしまって", (STORE, {})),
        ("片付けて", (STORE, {})),
        ("put the bread in a chest", (STORE, {"items": "bread"})),
        ("put the logs away", (STORE, {"items": "oak_log"})),
        ("put all ur stuff in the chest", (STORE, {"nearest": True})),
        ("全部チェストにしまって", (STORE, {"nearest": True})),
        ("put the bread in my chest", (STORE, {"items": "bread", "nearest": True})),
    ],
)
def test_things_are_put_away_in_plain_words(line: str, wanted: object) -> None:
    assert asked(line) == [wanted]


@pytest.mark.parametrize("line", ["drop everything", "全部捨てて"])
def test_things_are_dropped_in_plain_words(line: str) -> None:
    assert [command for command, _ in asked(line)] == ["navigation dropItem"]


def test_a_thing_is_made_and_put_down() -> None:
    goals = [fields["goal"] for _, fields in asked("make a chest and put it down")]
    assert goals == ["inventory.chest:+1", "placed.chest:+1"]


@pytest.mark.parametrize(
    "line", ["dance", "do a dance for me", "spin around", "can u dance", "踊って"]
)
def test_a_dance_goes_round(line: str) -> None:
    assert {command for command, _ in asked(line)} == {"look direction"}
    assert len({fields["yaw"] for _, fields in asked(line)}) == 4


@pytest.mark.parametrize(
    ("wanted", "lines"),
    [
        (("skill sleep", {}), ("go to sleep", "go to bed its late", "寝て", "もう寝なさい")),
        (("skill jump", {"times": 1}), ("jump!!", "can u jump", "跳んで")),
        (("skill jump", {"times": 3}), ("jump 3 times", "3回ジャンプして")),
        (("skill jump", {"times": 20}), ("jump 900 times",)),
        (HOUSE, ("build me a lil hut", "build me a house pls", "家を建てて")),
        (HOUSE, ("can u build us a small house", "小さい家を作って", "finish the house")),
    ],
)
def test_it_jumps_sleeps_and_builds_when_asked(wanted: object, lines: tuple[str, ...]) -> None:
    assert [asked(line) for line in lines] == [[wanted]] * len(lines)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ride the pig", "I cannot ride the pig."),
        ("get in the boat with me", "I cannot get in the boat with you."),
        ("can you open my door pls", "I cannot open your door."),
        ("build me a castle", f"I can build only a small house. For anything else {BLOCKS}"),
        ("build a tower pls", f"I can build only a small house. For anything else {BLOCKS}"),
        ("馬に乗って", "それはできません。"),
        (
            "とても高い塔を建てて",
            "建てられるのは小さい家だけです。ほかの材料なら集めます。「オークの板材を20個取って」と言ってください。",
        ),
    ],
)
async def test_what_a_bot_cannot_do_is_told_shortly(line: str, said: str) -> None:
    steve = Steve()
    assert await steve.says(line) == said
    assert steve.tools.used == []


@pytest.mark.parametrize(
    "line",
    [
        *("how many arms do you have", "do you have a mouth", "how much courage have you got"),
        *("dig down", "how many hearts u got", "make it quick", "get on with them"),
    ],
)
async def test_grammar_is_no_item(line: str) -> None:
    said = await Steve().says(line)
    assert "no item called" not in said
    assert not said.startswith("I have no"), said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        *(("folow me", "I follow you."), ("follow mee", "I follow you."), ("Alice", "Yes, Steve?")),
        *(("get me 5 loggs", "All right: 5 logs."), ("アリス", "はい、Steveさん、何でしょう？")),
        *(("アリスちゃん", "はい、Steveさん、何でしょう？"), ("alice!!", "Yes, Steve?")),
    ],
)
async def test_slips_and_a_bare_name_are_understood(line: str, said: str) -> None:
    assert (await Steve().says(line)).startswith(said)


def test_short_forms_are_written_out_but_in_coordinates_and_names() -> None:
    assert expanded("can u come 2 me") == "can you come to me"
    assert expanded("go to x 5 y 64 z 3") == "go to x 5 y 64 z 3"
    assert expanded("follow sum", {"sum"}) == "follow sum"
