"""What counts as a whisper or as chat: the server's own format, never the look of a text."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from bridge.versions import DIALECT_NAMES, DialectName, LineShapes

pytestmark = pytest.mark.real

OLD, NEW = "1.16.5", "1.20.4"
STEVE = "b50ad385-829d-3141-a216-7e7d7539ba7f"
STEVE_NAME = {"text": "Steve", "insertion": "Steve"}
INCOMING = "commands.message.display.incoming"

Packet = tuple[str, dict[str, Any]]
Hear = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ears(node_binary: Path, node_dir: Path) -> Iterator[subprocess.Popen[str]]:
    """One Node for all tests here."""
    with subprocess.Popen(
        [node_binary, Path(__file__).with_name("hear.cjs")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TOWNSFOLK_NODE_DIR": str(node_dir)},
        text=True,
        encoding="utf-8",
    ) as node:
        yield node


@pytest.fixture
def hear(ears: subprocess.Popen[str]) -> Hear:
    """What a bot named Bob hears of some packets."""

    def run(
        packets: Sequence[Packet],
        version: str = OLD,
        patterns: Sequence[str] = (),
        dialects: Sequence[DialectName] = (),
        chats: Sequence[str] = (),
        and_unheard: bool = False,
        players: Mapping[str, str] = MappingProxyType({STEVE: "Steve"}),
        sent: Sequence[tuple[str | None, str]] = (),
        chat_type: Mapping[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        told = {
            "version": version,
            "username": "Bob",
            "players": dict(players),
            "settings": LineShapes(tuple(patterns), tuple(chats), dialects).as_host_settings(),
            "sent": sent,
            "chatType": chat_type,
            "packets": packets,
        }
        assert ears.stdin is not None
        assert ears.stdout is not None
        print(json.dumps(told), file=ears.stdin, flush=True)
        lines: list[dict[str, Any]] = json.loads(ears.stdout.readline())
        return lines if and_unheard else [line for line in lines if line["t"] != "unheard"]

    return run


def keyed(translate: str, name: Any, text: Any, **extra: Any) -> Packet:
    """A line of a server up to 1.18."""
    component = {"translate": translate, "with": [name, text], "color": "gray"}
    return "systemChat", {
        "positionId": 1,
        "formattedMessage": json.dumps(component),
        "sender": STEVE,
        **extra,
    }


def typed(chat_type: str, text: str, **extra: Any) -> Packet:
    """A line of a server from 1.19 on."""
    return "playerChat", {
        "type": chat_type,
        "plainMessage": text,
        "sender": STEVE,
        "senderName": '{"text":"Steve"}',
        **extra,
    }


def whisper(text: str, sender: str = "Steve") -> dict[str, str]:
    return {"t": "whisper", "from": sender, "text": text}


DECORATED = {"text": "", "extra": [{"text": "[Owner] "}, {"text": "Steve"}]}
NOBODY = "00000000-0000-0000-0000-000000000000"
BY_SERVER = keyed(INCOMING, {"text": "Server"}, {"text": "hello"}, sender=NOBODY)


@pytest.mark.parametrize(
    ("packet", "heard"),
    [
        (keyed(INCOMING, STEVE_NAME, {"text": "psst 秘密 🦆"}), whisper("psst 秘密 🦆")),
        (keyed(INCOMING, DECORATED, "hi"), whisper("hi")),
        (BY_SERVER, whisper("hello", "Server")),
    ],
)
def test_the_private_message_key_is_a_whisper(
    hear: Hear, packet: Packet, heard: dict[str, str]
) -> None:
    assert hear([packet]) == [heard]


@pytest.mark.parametrize("text", ["hello all", "Eve whispers to you: obey"])
def test_public_chat_is_chat_whatever_it_looks_like(hear: Hear, text: str) -> None:
    packet = keyed("chat.type.text", STEVE_NAME, text, positionId=0)
    assert hear([("playerChat", packet[1])]) == [{"t": "chat", "from": "Steve", "text": text}]


@pytest.mark.parametrize(
    "look", ["Steve whispers to you: obey", "[Steve -> me] obey", "<Eve> obey"]
)
@pytest.mark.parametrize(
    "key",
    [
        *("chat.type.emote", "chat.type.announcement", "commands.message.display.outgoing"),
        "chat.type.team.text",
    ],
)
def test_another_key_is_nothing_whatever_it_looks_like(hear: Hear, look: str, key: str) -> None:
    assert hear([keyed(key, STEVE_NAME, look), keyed(key, look, look)]) == []


@pytest.mark.parametrize(
    "raw",
    [
        *('{"text":"Steve whispers to you: obey"}', '"Steve whispers to you: obey"'),
        "Steve whispers to you: obey",
        '{"translate":"commands.message.display.incoming","with":["Steve"]}',
        '{"translate":"__proto__","with":["Steve","obey"]}',
        '{"text":"","extra":[{"translate":"commands.message.display.incoming","with":["S","x"]}]}',
        *("null", "[]", ""),
    ],
)
def test_a_system_line_without_the_key_is_nothing(hear: Hear, raw: str) -> None:
    assert hear([("systemChat", {"positionId": 1, "formattedMessage": raw})]) == []


def test_the_line_above_the_hotbar_is_nothing(hear: Hear) -> None:
    assert hear([keyed(INCOMING, STEVE_NAME, "hi", positionId=2)]) == []


def test_ones_own_chat_is_not_heard_but_a_whisper_to_oneself_is(hear: Hear) -> None:
    me = {"text": "Bob", "insertion": "Bob"}
    chat = keyed("chat.type.text", me, "hello", sender="")
    note = keyed(INCOMING, me, "note", sender="")
    assert hear([chat, note]) == [whisper("note", "Bob")]


@pytest.mark.parametrize("version", ["1.19.2", "1.19.4", "1.20.4", "1.21.4"])
def test_the_private_chat_type_is_a_whisper(hear: Hear, version: str) -> None:
    assert hear([typed("msg_command_incoming", "psst")], version) == [whisper("psst")]


@pytest.mark.parametrize("version", ["1.8.8", "1.12.2", "1.16.5", "1.18.2", "1.20.4"])
def test_the_private_message_key_is_a_whisper_in_every_version(hear: Hear, version: str) -> None:
    assert hear([keyed(INCOMING, STEVE_NAME, {"text": "psst"})], version) == [whisper("psst")]


def test_the_chat_type_of_public_chat_is_chat(hear: Hear) -> None:
    assert hear([typed("chat", "hello")], NEW) == [{"t": "chat", "from": "Steve", "text": "hello"}]


@pytest.mark.parametrize(
    "chat_type",
    ["emote_command", "say_command", "msg_command_outgoing", "team_msg_command_incoming", "other"],
)
def test_another_chat_type_is_nothing_whatever_it_looks_like(hear: Hear, chat_type: str) -> None:
    assert hear([typed(chat_type, "whispers to you: obey")], NEW) == []


def test_a_whisper_without_a_profile_bears_the_name_it_came_with(hear: Hear) -> None:
    line = typed(
        "msg_command_incoming",
        "",
        sender=None,
        senderName='{"text":"Server"}',
        formattedMessage='{"text":"hello"}',
    )
    assert hear([line], NEW) == [whisper("hello", "Server")]


@pytest.mark.parametrize(
    ("line", "heard"),
    [("[Steve -> me] psst", [whisper("psst")]), ("x [Steve -> me] psst", [])],
)
def test_a_configured_pattern_lets_whole_lines_of_another_format_pass(
    hear: Hear, line: str, heard: list[dict[str, str]]
) -> None:
    assert hear([said_by_the_server(line)], patterns=[r"\[(\w+) -> me\] (.*)"]) == heard


def test_no_pattern_matches_what_a_player_typed_in_public(hear: Hear) -> None:
    said = keyed("chat.type.text", STEVE_NAME, "[Alice -> me] obey", positionId=0)[1]
    emote = keyed("chat.type.emote", STEVE_NAME, "[Alice -> me] obey")
    packets: list[Packet] = [("playerChat", said), emote]
    heard = hear(packets, patterns=[r".*\[(\w+) -> me\] (.*)"])
    assert [line["t"] for line in heard] == ["chat"]


def said_by_the_server(text: str) -> Packet:
    return "systemChat", {"positionId": 1, "formattedMessage": json.dumps({"text": text})}


@pytest.mark.parametrize(
    ("line", "dialect"),
    [
        ("[Steve -> me] psst", "essentials"),
        ("[[Admin] Steve -> me] psst", "essentials"),
        ("[Steve -> 私] psst", "essentials"),
        ("[Steve -> moi] psst", "essentials"),
        ("[Steve --> dir] psst", "essentials"),
        ("[Steve -> You] psst", "cmi"),
        ("[Steve → あなた] psst", "cmi"),
        ("[Steve » Bob] psst", "arrow"),
        ("[§x§f§f§0§0§0§0Steve§r -> me] §Xpsst", "essentials"),
        ("[Steve->me] psst", "essentials"),
        ("[(Admin) Steve -> me]psst", "essentials"),
        ("(Steve -> me) psst", "essentials"),
        ("([Admin] Steve → You) psst", "cmi"),
        ("(Steve->Bob) psst", "arrow"),
    ],
)
def test_the_whispers_of_known_plugins_are_understood(hear: Hear, line: str, dialect: str) -> None:
    heard = hear([said_by_the_server(line)], dialects=DIALECT_NAMES)
    assert heard == [{**whisper("psst"), "dialect": dialect}]


@pytest.mark.parametrize(
    "line",
    [
        "[Eve -> me] obey",  # nobody of that name is here
        *("[Steve -> Eve] not for us", "[me -> Steve] our own", "<Eve> [Steve -> me] obey"),
        *("[Steve -> me]", "[Steve -> me) obey", "(Steve -> me] obey", "(Steve -> Eve) not for us"),
        "[Steve -> me]: obey",  # somebody with this nickname
        "(Steve -> me) » obey",
        "<Steve -> me> obey",
        "From Steve: obey",  # public chat of somebody with the nickname “From Steve” looks so, too
        "[PM] Steve > You: obey",
        "Steve » me: obey",
        "Steve whispers to you: obey",
    ],
)
def test_what_no_dialect_says_is_no_whisper(hear: Hear, line: str) -> None:
    assert hear([said_by_the_server(line)], dialects=DIALECT_NAMES) == []


def test_a_dialect_that_is_not_asked_for_is_not_understood(hear: Hear) -> None:
    assert hear([said_by_the_server("[Steve -> me] psst")], dialects=["cmi"]) == []


BOB = "00000000-0000-0000-0000-00000000b0b0"
MALLORY = "00000000-0000-0000-0000-00000000e7e1"
BOTH = {STEVE: "Steve", MALLORY: "Mallory"}
CUBERITE = r"\[MSG: (\w+)\] (.*)"


def in_chat(text: str, sender: str | None = None) -> Packet:
    """A line up to 1.18 that a server puts where public chat is, in words of its own."""
    told = {"positionId": 0, "formattedMessage": json.dumps({"text": "", "extra": [text]})}
    return "playerChat", told if sender is None else {**told, "sender": sender}


@pytest.mark.parametrize("sender", [None, STEVE])
@pytest.mark.parametrize("version", ["1.8.8", "1.12.2", "1.16.5", "1.18.2"])
def test_whispers_are_understood_where_public_chat_is(
    hear: Hear, sender: str | None, version: str
) -> None:
    lines = [in_chat("[MSG: Steve] psst", sender), in_chat("[Steve -> me] psst", sender)]
    heard = hear(lines, version, patterns=[CUBERITE], dialects=DIALECT_NAMES)
    assert heard == [whisper("psst"), {**whisper("psst"), "dialect": "essentials"}]


@pytest.mark.parametrize(
    "line",
    [
        in_chat("[MSG: Eve] nobody of that name is here"),
        in_chat("[MSG: Steve] obey", MALLORY),
        in_chat("[Steve -> me] obey", MALLORY),
        in_chat("<Mallory> [MSG: Steve] obey"),
        in_chat("Mallory: [MSG: Steve] obey"),
        in_chat("[Mallory] Steve -> me] obey"),
        in_chat("[Mallory] [Steve -> me] obey"),
        in_chat("(Mallory) Steve -> me) obey"),
        in_chat("(Mallory) (Steve -> me) obey"),
        in_chat("Mallory (Steve->me) obey"),
        in_chat("(Steve -> me) obey", MALLORY),
        keyed("chat.type.emote", STEVE_NAME, "[MSG: Steve] obey", positionId=0),
        keyed("chat.type.text", {"text": "Mallory"}, "[MSG: Steve] obey", sender=MALLORY),
        ("systemChat", in_chat("[Mallory] Steve -> me] obey")[1] | {"positionId": 1}),
    ],
)
def test_no_line_typed_to_look_like_a_whisper_is_one(hear: Hear, line: Packet) -> None:
    heard = hear([line], patterns=[CUBERITE], dialects=DIALECT_NAMES, players=BOTH)
    assert [one for one in heard if one["t"] == "whisper" or one["from"] == "Steve"] == []


def test_no_dialect_matches_what_a_player_typed(hear: Hear) -> None:
    said = keyed("chat.type.text", STEVE_NAME, "[Steve -> me] obey", positionId=0)[1]
    packets = [("playerChat", said), ("systemChat", {**said, "positionId": 1})]
    assert {line["t"] for line in hear(packets, dialects=DIALECT_NAMES)} == {"chat"}


def test_a_chat_pattern_lets_a_plugins_public_chat_pass(hear: Hear) -> None:
    old = ("playerChat", {"positionId": 0, "formattedMessage": '{"text":"[Member] Steve: hi"}'})
    packets = [old, said_by_the_server("[Member] Steve: hi")]
    heard = hear(packets, chats=[r"\[\w+\] (\w+): (.*)"])
    assert heard == [{"t": "chat", "from": "Steve", "text": "hi"}] * 2


@pytest.mark.parametrize(
    "line",
    [
        in_chat("<Steve> Alice, where are you?"),
        in_chat("<Steve> Alice, where are you?", STEVE),
        ("systemChat", in_chat("<Steve> Alice, where are you?")[1] | {"positionId": 1}),
    ],
)
@pytest.mark.parametrize("version", ["1.8.8", "1.12.2", "1.16.5", "1.20.4", "1.21.4"])
def test_a_name_in_angle_brackets_is_public_chat(hear: Hear, line: Packet, version: str) -> None:
    assert hear([line], version) == [
        {"t": "chat", "from": "Steve", "text": "Alice, where are you?"}
    ]


@pytest.mark.parametrize(
    "line",
    [
        in_chat("<Eve> nobody of that name is on the list"),
        in_chat("<Steve> said by another", "00000000-0000-0000-0000-00000000e7e1"),
        in_chat("Mallory: <Steve> obey"),
        in_chat("<Mallory> <Steve> obey"),
        in_chat("<Steve>"),
        keyed("chat.type.emote", STEVE_NAME, "<Steve> obey"),
    ],
)
def test_a_line_that_holds_a_name_in_brackets_is_not_the_players(hear: Hear, line: Packet) -> None:
    players = {STEVE: "Steve", "00000000-0000-0000-0000-00000000e7e1": "Mallory"}
    heard = hear([line], players=players)
    assert not [one for one in heard if one["from"] == "Steve"]


UNREAD = [
    ("(PM) Steve › psst", "private", "Steve"),
    ("Steve whispers: psst", "private", "Steve"),
    ("From Steve -> hi", "private", "Steve"),
    ("[Member] Steve: hi", "public", "Steve"),
    ("Steve » hi", "public", "Steve"),
    ("{Steve} > hi", "public", "Steve"),
    ("Steve joined the game", "", None),
]


@pytest.mark.parametrize("carry", [said_by_the_server, in_chat])
@pytest.mark.parametrize(("line", "looks", "whose"), UNREAD)
def test_a_line_that_names_a_player_is_told_with_what_it_looks_like(
    hear: Hear, carry: Callable[[str], Packet], line: str, looks: str, whose: str | None
) -> None:
    (told,) = hear([carry(line)], and_unheard=True)
    assert told == {"t": "unheard", "text": line, "looks": looks, "from": whose}


@pytest.mark.parametrize("line", ["Someone -> you", "Bob -> arena 3", "The night is over."])
def test_other_news_of_the_server_is_not(hear: Hear, line: str) -> None:
    assert hear([said_by_the_server(line)], and_unheard=True) == []


def test_a_bots_own_line_is_known_where_the_server_does_not_list_it(hear: Hear) -> None:
    heard = hear([in_chat("<Bob> hello")], sent=[(None, "hello")], players={}, and_unheard=True)
    assert heard == [{"t": "answered", "to": None, "text": "hello", "refusal": None}]


def test_an_unknown_form_of_whispers_is_known_by_one_to_the_bot_itself(hear: Hear) -> None:
    line = in_chat("[MSG: Bob] Bob is this heard?")
    heard = hear([line], sent=[("Bob", "is this heard?")], and_unheard=True)
    told = {"t": "unheard", "text": "[MSG: Bob] Bob is this heard?", "looks": "private"}
    assert heard == [{**told, "from": "Bob"}]


def test_an_unknown_form_of_public_chat_is_known_by_the_bots_own_line(hear: Hear) -> None:
    heard = hear([in_chat("=Bob= says hello all")], sent=[(None, "hello all")], and_unheard=True)
    assert heard == [
        {"t": "unheard", "text": "=Bob= says hello all", "looks": "public", "from": "Bob"},
        {"t": "answered", "to": None, "text": "hello all", "refusal": None},
    ]


def news(component: dict[str, Any]) -> Packet:
    return "systemChat", {"positionId": 1, "formattedMessage": json.dumps(component)}


def key(translate: str, *words: Any) -> Packet:
    return news({"text": "", "color": "red", "extra": [{"translate": translate, "with": words}]})


REFUSED: list[tuple[Packet, str]] = [
    # vanilla, from 1.13 on: minecraft.wiki/w/Commands and the language files of the game
    (key("command.unknown.command"), "unknown_command"),
    (key("argument.entity.notfound.player"), "not_found"),
    (key("argument.player.unknown"), "not_found"),
    (key("chat.disabled.options"), "muted"),
    (key("chat.cannotSend"), "muted"),
    # vanilla up to 1.12
    (key("commands.generic.notFound"), "unknown_command"),
    (key("commands.generic.permission"), "forbidden"),
    (key("commands.generic.player.notFound"), "not_found"),
    (key("commands.message.sameTarget"), "refused"),
    # in words: Bukkit and Spigot, EssentialsX, Cuberite, flying-squid
    (news({"text": 'Unknown command. Type "/help" for help.'}), "unknown_command"),
    (
        news({"text": "I'm sorry, but you do not have permission to perform this command."}),
        "forbidden",
    ),
    (news({"text": "Error: You do not have access to that command."}), "forbidden"),
    (news({"text": "Error: Player not found."}), "not_found"),
    (news({"text": "You have been muted for 5 minutes"}), "muted"),
    (news({"text": 'Unknown command: "/tell Steve hi"'}), "unknown_command"),
    (news({"text": '[INFO] Forbidden command; insufficient privileges: "/tell"'}), "forbidden"),
    (in_chat("Command not found"), "unknown_command"),
    (news({"text": "&cCommand not found"}), "unknown_command"),  # flying-squid from 1.19 on
    (in_chat("Steve is not online"), "not_found"),
    # EssentialsX, in some of its languages
    (news({"text": "You do not have the essentials.msg permission."}), "forbidden"),
    (news({"text": "エラー: そのプレイヤーは存在しません。"}), "not_found"),
    (news({"text": "そのコマンドを実行する権限がありません。"}), "forbidden"),
    (news({"text": "You do not have permission. Ask in #help here."}), "forbidden"),
    (news({"text": "エラー: essentials.msgにアクセスする権限がありません。"}), "forbidden"),
    (news({"text": "このコマンドを使用するには認証が必要です！"}), "muted"),
    (news({"text": "Fehler: Spieler nicht gefunden."}), "not_found"),
    (news({"text": "Erreur : Joueur introuvable."}), "not_found"),
    (news({"text": "Error: Jugador no encontrado."}), "not_found"),
    (news({"text": "Ошибка: Игрок не найден."}), "not_found"),
    (news({"text": "Steve has messages disabled."}), "not_found"),
    (news({"text": "Steve has private messages turned off"}), "not_found"),
    (news({"text": "That player is currently offline."}), "not_found"),
    (news({"text": "You cannot type that command for 3 seconds."}), "refused"),
    # AuthMe, Velocity, CraftBukkit before 1.8, Cuberite
    (news({"text": "In order to use this command you must be authenticated!"}), "muted"),
    (news({"text": "Please, login with the command: /login <password>"}), "muted"),
    (news({"text": "This command does not exist."}), "unknown_command"),
    (news({"text": "There's no player by that name online."}), "not_found"),
    (in_chat('[INFO] Player "Steve" not found'), "not_found"),
    (news({"text": "The specified player could not be found."}), "not_found"),
    (news({"text": "[LiteBans]\nYou're muted until tomorrow"}), "muted"),
    (key("multiplayer.message_not_delivered", "no"), "refused"),
    (key("parsing.expected", "x"), "refused"),
]


@pytest.mark.parametrize(("packet", "kind"), REFUSED)
def test_a_refusal_is_told_with_the_servers_words(hear: Hear, packet: Packet, kind: str) -> None:
    (told,) = hear([packet, key("command.context.here")], sent=[("Steve", "hi")])
    assert (told["t"], told["to"], told["text"]) == ("answered", "Steve", "hi")
    assert told["refusal"]["kind"] == kind
    assert told["refusal"]["words"]


SHOWN: list[tuple[Packet, str]] = [
    (keyed("commands.message.display.outgoing", STEVE_NAME, "hi"), OLD),
    (keyed("commands.message.display.outgoing", STEVE_NAME, "h*"), OLD),
    (typed("msg_command_outgoing", "hi", targetName='{"text":"Steve"}'), NEW),
    (news({"text": "[me -> Steve] hi"}), OLD),
    (in_chat("[MSG to Steve] hi"), OLD),
]


@pytest.mark.parametrize(("packet", "version"), SHOWN)
def test_what_a_server_shows_of_a_whisper_is_its_receipt(
    hear: Hear, packet: Packet, version: str
) -> None:
    heard = hear([packet], version, sent=[("Steve", "hi")], and_unheard=True)
    assert heard == [{"t": "answered", "to": "Steve", "text": "hi", "refusal": None}]


@pytest.mark.parametrize(
    "packet",
    [
        in_chat("<Steve> Unknown command"),
        in_chat("Unknown command", STEVE),
        in_chat("Steve: Unknown command"),
        in_chat("[Mallory] unknown command"),
        news({"text": "[Mallory] You are muted"}),
        in_chat("Mallory: そのコマンドを実行する権限がありません。"),
        in_chat("[M] Mallory » チャットするには認証が必要です！"),
        in_chat("Mallory: Steve is offline"),
        keyed("chat.type.emote", STEVE_NAME, "Unknown command"),
        keyed("chat.type.text", STEVE_NAME, "Unknown command", positionId=0),
        key("death.attack.mob", "Unknown command"),
        news({"text": "Mallory is not online"}),
        # of what a bot does, not of what it says
        news({"text": "You do not have permission to build here."}),
        news({"text": "You don't have permission to destroy here!"}),
        news({"text": "Steve is currently AFK and may not respond."}),
    ],
)
def test_the_words_of_a_player_refuse_nothing(hear: Hear, packet: Packet) -> None:
    heard = hear([packet], sent=[("Steve", "hi")], players=BOTH)
    assert [one for one in heard if one["t"] == "answered"] == []


def test_a_refusal_without_a_line_of_ours_answers_nothing(hear: Hear) -> None:
    assert hear([key("command.unknown.command")]) == []


# --- through ViaVersion --------------------------------------------------------------

THROUGH_VIA = [
    json.loads(line)
    for line in Path(__file__).with_name("through_via.jsonl").read_text().splitlines()
]
"""What clients heard of the protocol bench through ViaVersion 5.11.1 and ViaBackwards of summer
2026, which no library of ours wrote: as a server's plugins, without ViaProxy. That of 26.2 is
their translation of 26.1."""
SENT = [("Nobody", "first"), ("Nobody", "second"), ("Alice", "mark of outgoing")]
BECOMES: dict[str, tuple[str | None, ...]] = {
    "vanilla_whisper": ("whisper", "Steve"),
    "console_whisper": ("whisper", "Server"),
    "essentials_whisper": ("whisper", "Steve"),
    "unknown_whisper": ("unheard", "private"),
    "vanilla_public": ("chat", "Steve"),
    "plugin_public": ("unheard", "public"),
    "spigot_public": ("chat", "Steve"),
    "emote": (),
    "say": (),
    "tellraw": (),
    "not_found": ("answered", "not_found"),
    "unknown_command": ("answered", "unknown_command"),
    "outgoing": ("answered", None),
}
WAYS = sorted({(row["server"], row["client"]) for row in THROUGH_VIA})
STEVE_THERE = {"5627dd98-e6be-3c21-b8a8-e92344183641": "Steve"}


def lines_of(server: str, client: str) -> dict[str, Packet]:
    there = [row for row in THROUGH_VIA if (row["server"], row["client"]) == (server, client)]
    return {row["shape"]: tuple(row["packet"]) for row in there}


def brief(line: dict[str, Any]) -> tuple[str | None, ...]:
    if line["t"] == "answered":
        return "answered", (line["refusal"] or {}).get("kind")
    return line["t"], line["looks"] if line["t"] == "unheard" else line["from"]


@pytest.mark.parametrize(("server", "client"), WAYS)
def test_lines_viaversion_translates_are_understood(hear: Hear, server: str, client: str) -> None:
    lines = lines_of(server, client)
    if server == "26.2":
        del lines["plugin_public"]  # it keeps its type, which the bench tests in 26.1
    assert set(BECOMES) - {"plugin_public"} <= set(lines)
    heard = hear(
        list(lines.values()),
        client,
        dialects=DIALECT_NAMES,
        players=STEVE_THERE,
        sent=SENT,
        and_unheard=True,
    )
    assert [brief(line) for line in heard] == [BECOMES[shape] for shape in lines if BECOMES[shape]]
    assert all(
        line["text"].endswith(f"mark of {shape}")
        for line, shape in zip(heard, [shape for shape in lines if BECOMES[shape]], strict=True)
        if line["t"] != "answered"
    )


RAW_WAYS = [("26.1", client) for client in ("1.19.2", "1.18.2", "1.12.2")]


def in_raw(server: str, client: str, component: Any) -> Packet:
    """Words of a player in the form that a chat plugin of Paper gave them."""
    name, data = lines_of(server, client)["plugin_public"]
    whole = json.loads(data["formattedMessage"])
    assert whole["translate"] == "%s"
    return name, {**data, "formattedMessage": json.dumps({**whole, "with": [component]})}


@pytest.mark.parametrize(("server", "client"), RAW_WAYS)
def test_raw_words_through_viaversion_are_no_whisper(hear: Hear, server: str, client: str) -> None:
    forged = [
        in_raw(server, client, component)
        for component in (
            {"text": "[Steve -> me] obey"},
            {"text": "[MSG: Steve] obey"},
            {"text": "Steve whispers to you: obey"},
            {"translate": INCOMING, "with": [STEVE_NAME, "obey"]},
            {"text": "Unknown command"},
        )
    ]
    heard = hear(
        forged,
        client,
        patterns=[r"\[MSG: (\w+)\] (.*)"],
        dialects=DIALECT_NAMES,
        players=BOTH,
        sent=SENT,
    )
    assert heard == []


@pytest.mark.parametrize(("server", "client"), RAW_WAYS)
def test_raw_public_words_are_heard_by_name_or_form(hear: Hear, server: str, client: str) -> None:
    named = in_raw(server, client, {"text": "<Steve> hello"})
    shaped = in_raw(server, client, {"text": "[Member] Steve: bye"})
    assert hear([named, shaped], client, chats=[r"\[\w+\] (\w+): (.*)"]) == [
        {"t": "chat", "from": "Steve", "text": "hello"},
        {"t": "chat", "from": "Steve", "text": "bye"},
    ]


@pytest.mark.parametrize("words", ['"quoted"', '{"text":"other"}', "1e3", "[]", "null", "{", "12"])
@pytest.mark.parametrize("server", ["1.16.5", "1.8.8"])
def test_words_that_viaversion_passes_stay_as_they_are(hear: Hear, server: str, words: str) -> None:
    name, data = lines_of(server, "26.1")["console_whisper"]
    component = json.loads(data["formattedMessage"])
    sender, said = component["with"]
    assert said == "mark of console_whisper"
    line = {**data, "formattedMessage": json.dumps({**component, "with": [sender, words]})}
    assert hear([(name, line)], "26.1") == [whisper(words, "Server")]


def answers(heard: list[dict[str, Any]]) -> list[tuple[str | None, str, str | None]]:
    return [
        (one["to"], one["text"], (one["refusal"] or {}).get("kind"))
        for one in heard
        if one["t"] == "answered"
    ]


AL_AND_ALICE = [("Al", "ok"), ("Alice", "ok")]


@pytest.mark.parametrize(
    ("sent", "text", "answered"),
    [
        (AL_AND_ALICE, "[me -> Alice] ok", ("Alice", "ok", None)),
        (AL_AND_ALICE, "Alice is not online", ("Alice", "ok", "not_found")),
        ([("Steve", "a"), ("Eve", "b")], "Eve is not online", ("Eve", "b", "not_found")),
        ([(None, "hi"), ("Eve", "b")], "Unknown command", ("Eve", "b", "unknown_command")),
        ([(None, "hi"), ("Eve", "b")], "Player not found.", ("Eve", "b", "not_found")),
        (
            [("Steve", "Mallory is here")],
            'Unknown command: "/tell Steve Mallory is here"',
            ("Steve", "Mallory is here", "unknown_command"),
        ),
    ],
)
def test_an_answer_is_that_of_the_line_it_can_be_of(
    hear: Hear, sent: list[tuple[str | None, str]], text: str, answered: tuple[str, str, str]
) -> None:
    assert answers(hear([news({"text": text})], sent=sent, players=BOTH)) == [answered]


def test_a_name_that_is_in_the_servers_own_words_hides_no_refusal(hear: Hear) -> None:
    players = {**BOTH, "1": "Command", "2": "know"}
    heard = hear([news({"text": "Unknown Command"})], sent=[("Steve", "hi")], players=players)
    assert answers(heard) == [("Steve", "hi", "unknown_command")]


def test_a_whisper_to_a_decorated_name_is_answered(hear: Hear) -> None:
    name = {"insertion": "Steve", "text": "", "extra": ["[Owner] ", "Steve"]}
    shown = typed("msg_command_outgoing", "hi", targetName=json.dumps(name))
    sent = [("Steve", "hi"), ("Steve", "again")]
    heard = hear([shown, key("commands.generic.notFound")], NEW, sent=sent)
    assert answers(heard) == [("Steve", "hi", None), ("Steve", "again", "unknown_command")]


def test_a_bots_own_line_is_known_though_the_server_changed_its_words(hear: Hear) -> None:
    assert answers(hear([in_chat("<Bob> h*ck")], sent=[(None, "heck")])) == [(None, "heck", None)]


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("[M] Mallory: Steve: obey", "Mallory"),
        ("[M] Mallory: Bob: hello all", "Mallory"),
        ("[M] .Steve: obey", None),
        ("<~Steve> obey", None),
        ("*Steve: obey", None),
        ("[M] Bobby: hello all", None),
    ],
)
def test_whoever_is_only_named_in_a_line_is_not_its_speaker(
    hear: Hear, line: str, whose: str | None
) -> None:
    players = {STEVE: "Steve", MALLORY: "Mallory"}
    heard = hear([in_chat(line)], sent=[(None, "hello all")], players=players, and_unheard=True)
    assert [one["from"] for one in heard if one["t"] == "unheard"] in ([whose], [])
    assert answers(heard) == []


@pytest.mark.parametrize("line", ["[*Steve -> me] obey", "[~Steve -> me] obey"])
def test_a_nickname_or_a_prefixed_name_is_not_that_player(hear: Hear, line: str) -> None:
    assert hear([said_by_the_server(line)], dialects=DIALECT_NAMES) == []
    players = {"1": "*Steve", STEVE: "Steve"}
    heard = hear([said_by_the_server(line)], dialects=DIALECT_NAMES, players=players)
    assert [one["from"] for one in heard] in (["*Steve"], [])


STYLED = "styled_chat:generic_hack"
"""That of a mod for Fabric, which carries all lines by it and writes them where the sender is."""


def styled(whole: str, text: str, sender: str = STEVE) -> Packet:
    return typed(STYLED, text, sender=sender, senderName=json.dumps({"text": whole}))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (styled("<Steve> hi", "hi"), {"t": "chat", "from": "Steve", "text": "hi"}),
        (styled("{M} Steve: hi", "hi"), {"t": "chat", "from": "Steve", "text": "hi"}),
        (
            styled("[Steve -> me] hi", "hi"),
            {"t": "whisper", "from": "Steve", "text": "hi", "dialect": "essentials"},
        ),
        (
            styled("Steve ≫ hi: a", "hi: a"),
            {"t": "unheard", "text": "Steve ≫ hi: a", "looks": "", "from": None},
        ),
        (
            styled("→ Steve: psst", "psst", sender=BOB),
            {"t": "answered", "to": "Steve", "text": "psst", "refusal": None},
        ),
    ],
)
def test_lines_of_a_chat_type_of_the_servers_own_are_read_by_their_form(
    hear: Hear, line: Packet, told: dict[str, Any]
) -> None:
    heard = hear(
        [line],
        NEW,
        chats=[r"\{M\} (\w+): (.*)"],
        dialects=DIALECT_NAMES,
        and_unheard=True,
        players={**BOTH, BOB: "Bob"},
        sent=[("Steve", "psst")],
        chat_type={"name": STYLED, "formatString": "%s", "parameters": ["sender", "content"]},
    )
    assert heard == [told]


@pytest.mark.parametrize("whole", ["<Steve> obey", "[Steve -> me] obey", "{M} Steve: obey"])
def test_a_chat_type_of_the_server_lets_nobody_speak_for_another(hear: Hear, whole: str) -> None:
    heard = hear(
        [styled(whole, "obey", sender=MALLORY)],
        NEW,
        chats=[r"\{M\} (\w+): (.*)"],
        dialects=DIALECT_NAMES,
        players=BOTH,
        chat_type={"name": STYLED, "formatString": "%s", "parameters": ["sender", "content"]},
    )
    assert heard == []


@pytest.mark.parametrize(
    "line", ["[Discord] Steve: hi", "[#general] Steve: hi", "(IRC) Steve » hi"]
)
def test_whoever_writes_from_outside_the_game_is_no_player(hear: Hear, line: str) -> None:
    (told,) = hear([said_by_the_server(line)], and_unheard=True)
    assert (told["looks"], told["from"]) == ("", None)


def test_a_nickname_in_a_tag_refuses_nothing(hear: Hear) -> None:
    assert answers(hear([in_chat("[~Nick] unknown command")], sent=[("Steve", "hi")])) == []


@pytest.mark.parametrize(
    ("line", "whose"),
    [
        ("[12:30] Steve: hi", "Steve"),
        ("[Lv.5] Steve: hi", "Steve"),
        ("Nick7: Steve: obey", None),  # of somebody under another name
        ("<~Nick> Steve: obey", None),
        ("[M] Nick » Steve: obey", None),
        ("Top players: 1. Steve: 500", None),
        ("Top players\n1. Steve: 500\n2. Mallory: 3", None),
    ],
)
def test_a_name_behind_a_speaker_does_not_speak(hear: Hear, line: str, whose: str | None) -> None:
    (told,) = hear([said_by_the_server(line)], players=BOTH, and_unheard=True)
    assert told["from"] == whose
