"""Who an answer nominates: every rule, and what must never come out."""

import random
import time
from collections.abc import Mapping
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from bots.next_speaker import (
    CharacterRegistry,
    NextPolicy,
    Resolved,
    last_tag,
    normalised,
    resolve_next_speaker,
    spoken_words,
)

TRIO = CharacterRegistry(
    [
        {"internal_id": "LUMINA", "display_name": "ルミナ", "short_name": "る"},
        {"internal_id": "CLARIS", "display_name": "クラリス", "short_name": "く"},
        {"internal_id": "NOX", "display_name": "ノクス", "short_name": "の"},
    ]
)
IDS = {"LUMINA", "CLARIS", "NOX"}


def resolved(
    text: str,
    current: str = "CLARIS",
    registry: CharacterRegistry = TRIO,
    nominated: str | None = None,
    **policy: Any,
) -> Resolved:
    return resolve_next_speaker(text, current, registry, NextPolicy(**policy), nominated=nominated)


def cast_of(*members: str) -> CharacterRegistry:
    """Members written id/display/short."""
    keys = ("internal_id", "display_name", "short_name")
    return CharacterRegistry([dict(zip(keys, f"{m}//".split("/"), strict=False)) for m in members])


def broken(member: Any) -> CharacterRegistry:
    """Two whole members behind one that is not."""
    whole = {"internal_id": "B"}, {"internal_id": "ME"}
    return CharacterRegistry(cast(Any, [member, *whole]))


@pytest.mark.parametrize(
    ("text", "current", "expected"),
    [
        ("[Next: LUMINA]", "CLARIS", "LUMINA"),
        ("[Next: ルミナ]", "CLARIS", "LUMINA"),
        ("[Next: る]", "CLARIS", "LUMINA"),
        ("[Next: ルミナさん]", "CLARIS", "LUMINA"),
        ("[Next: (クラリス)]", "LUMINA", "CLARIS"),
        ("[next:   nox ]", "LUMINA", "NOX"),
        ("[NEXT:NOX]", "LUMINA", "NOX"),
        ("[nExT : Nox]", "LUMINA", "NOX"),
        ("[Next: LUMINA] no, [Next: NOX]", "CLARIS", "NOX"),
        ("[Next: NOX]\n\n[Next: る]", "CLARIS", "LUMINA"),
    ],
)
def test_the_examples_of_the_rule_come_out(text: str, current: str, expected: str) -> None:
    found = resolved(text, current)
    assert (found["next_id"], found["reason"]) == (expected, "tag")


@pytest.mark.parametrize(
    "name",
    [
        *("ルミナ様", "ルミナちゃん", "ルミナさん。", "ルミナさん、", "ルミナさん!"),
        *("ルミナさん！", "ルミナちゃんさん", "ルミナ さん", "ルミナ（さん）", "ルミナ。"),
        *("「ルミナ」", "『ルミナさん』", "“ルミナ”", "‘ルミナ’", '"ルミナ"', "'ルミナ'"),
        *("`ルミナ`", "«ルミナ»", "（ルミナ）", "【ルミナ】", "[ルミナ]", "{ルミナ}", "<ルミナ>"),
        *("〈ルミナ〉", "《ルミナ》", "((ルミナ))", "ﾙﾐﾅ", "ﾙﾐﾅさん", "ＬＵＭＩＮＡ"),
        *("ｌｕｍｉｎａ", "\u3000LUMINA\u3000", "LUMINA.", "LUMINA,", "LUMINA!?", "lumina様"),
        *("( る )", "るさん"),
    ],
)
def test_width_case_quotes_brackets_punctuation_and_honorifics_do_not_matter(name: str) -> None:
    found = resolved(f"Well. [Next: {name}]")
    assert (found["next_id"], found["reason"]) == ("LUMINA", "tag")


@pytest.mark.parametrize(
    "tag",
    [
        *("［Next: NOX］", "［Next：NOX］", "[Next：NOX]", "[Ｎｅｘｔ: NOX]"),
        *("［ｎｅｘｔ：ｎｏｘ］", "[ Next : NOX ]", "[[Next: NOX]]", "**[Next: NOX]**"),
        "[Next:\nNOX\n]",
    ],
)
def test_a_tag_in_any_width_and_spacing_is_a_tag(tag: str) -> None:
    assert resolved(f"そうだね。{tag}")["next_id"] == "NOX"


@pytest.mark.parametrize(
    "text", ["Next: NOX", "_Next: NOX_", "[Then: NOX]", "[Next NOX]", "[Next: NOX", "[next]", "NOX"]
)
def test_what_is_no_tag_names_nobody(text: str) -> None:
    found = resolved(text)
    assert (found["reason"], found["extracted"], found["normalized"]) == ("round_robin", "", "")


@pytest.mark.parametrize(
    "text",
    [
        "<think>[Next: LUMINA]</think>Fine. [Next: NOX]",
        "Fine. [Next: NOX]<think>[Next: LUMINA]</think>",
        "Fine. [Next: NOX]<think>or [Next: LUMINA]",
        "<THINK>a\n[Next: LUMINA]\nb</Think>Fine. [Next: NOX]",
        "so I say [Next: LUMINA]</think>Fine. [Next: NOX]",
        "<think>a<think>b</think>[Next: LUMINA]</think>Fine. [Next: NOX]",
        "＜think＞[Next: LUMINA]＜/think＞Fine. [Next: NOX]",
        "Fine. [Next: NOX]<think>",
    ],
)
def test_thinking_names_nobody_and_is_not_spoken_closed_or_not(text: str) -> None:
    found = resolved(text)
    assert (found["next_id"], found["extracted"]) == ("NOX", "NOX")
    assert spoken_words(text) == "Fine."


def test_only_thinking_names_nobody_and_says_nothing() -> None:
    text = "<think>Whom? [Next: NOX]"
    assert (resolved(text)["reason"], spoken_words(text)) == ("round_robin", "")


def test_what_stood_in_the_tag_and_what_was_compared_are_told() -> None:
    found = resolved("[Next: （ﾙﾐﾅさん）]")
    assert (found["extracted"], found["normalized"]) == ("（ﾙﾐﾅさん）", "ルミナ")
    assert resolved("[Next: LUMINA]", "LUMINA")["extracted"] == "LUMINA"


MEANT = {
    "ids come before display names, those before short names": ("A/B/C B/C/A C/A/B", "A=A B=B"),
    "display names come before short names": ("A/x/y B/y/x", "x=A y=B"),
    "of one display name the first is meant": ("ONE/Twin TWO/Twin", "Twin=ONE TWO=TWO"),
    "a name with an honorific in it comes first": ("A/山 B/山さん", "山さん=B 山=A 山様=A"),
    "a whole name may be an honorific": ("A/ちゃん B/様", "様=B ちゃん=A"),
    "an honorific at the end goes before one inside": ("B/ご A/さんご", "さんごさん=A"),
    "an underscore tells names apart": ("Bot1 Bot_1", "(Bot_1)=Bot_1 Bot_1=Bot_1 bot1=Bot1"),
    "of twins in case the one that is spelt so": ("owner Owner", "Owner=Owner owner=owner"),
}


@pytest.mark.parametrize(("members", "meant"), MEANT.values(), ids=MEANT)
def test_of_similar_names_the_right_one_is_meant(members: str, meant: str) -> None:
    names = cast_of(*members.split(), "ME")
    for tag, expected in (pair.split("=") for pair in meant.split()):
        assert resolved(f"[Next: {tag}]", "ME", names)["next_id"] == expected, tag


def test_names_other_than_the_id_may_be_missing_or_empty() -> None:
    names = CharacterRegistry([{"internal_id": "A"}, {"internal_id": "ME"}])
    assert resolved("[Next: A]", "ME", names)["reason"] == "tag"
    blank = cast_of("A/ /!", "B", "ME")
    assert resolved("[Next: ]", "A", blank)["next_id"] == "B"
    assert resolved("[Next: ]", "B", blank)["next_id"] == "ME"


def test_what_stands_in_the_last_tag_is_told() -> None:
    assert last_tag("[Next: A]<think>[Next: C]</think> [Next: Bさん ]") == "Bさん "
    assert last_tag("Hello.") is None


@pytest.mark.parametrize(
    ("text", "current", "more", "next_id", "reason"),
    [
        *((f"[Next: {name}]", "NOX", {}, "LUMINA", "fuzzy")
          for name in ("LUMINNA", "ルミナへさん", "ルミナさんへ")),
        *((f"[Next: {name}]", "NOX", {}, "CLARIS", "fuzzy") for name in ("CLARISS", "CLARIIS")),
        # The last tag counts, even if it names nobody.
        ("[Next: LUMINA] [Next: EVE]", "CLARIS", {}, "NOX", "round_robin"),
        # Without a tag the round goes on around the table.
        ("Hello.", "LUMINA", {}, "CLARIS", "round_robin"),
        ("Hello.", "CLARIS", {}, "NOX", "round_robin"),
        ("Hello.", "NOX", {}, "LUMINA", "round_robin"),
        # Nobody is next behind somebody without a seat, who may name one.
        ("Hi.", "USER", {}, None, "none"),
        ("[Next: NOX]", "USER", {}, "NOX", "tag"),
        # Nobody may name themselves unless it is allowed.
        ("[Next: LUMINA]", "LUMINA", {}, "CLARIS", "round_robin"),
        ("[Next: LUMINA]", "LUMINA", {"allow_self_nomination": True}, "LUMINA", "tag"),
        ("[Next: LUMINNA]", "LUMINA", {}, "CLARIS", "round_robin"),
        # The field of a structured answer comes first and is as little trusted.
        ("[Next: LUMINA]", "CLARIS", {"nominated": "NOX"}, "NOX", "tag"),
        ("[Next: LUMINA]", "CLARIS", {"nominated": "EVE"}, "LUMINA", "tag"),
        ("Hi.", "CLARIS", {"nominated": "EVE"}, "NOX", "round_robin"),
        ("[Next: LUMINA]", "CLARIS", {"nominated": ""}, "LUMINA", "tag"),
        # JSON among words is no nomination.
        ('{"next":"LUMINA"} [Next: NOX]', "CLARIS", {}, "NOX", "tag"),
        ('{"next":"LUMINA"}', "CLARIS", {}, "NOX", "round_robin"),
    ],
)  # fmt: skip
def test_who_is_next_and_why(
    text: str, current: str, more: Mapping[str, Any], next_id: str | None, reason: str
) -> None:
    found = resolved(text, current, **more)
    assert (found["next_id"], found["reason"]) == (next_id, reason)


def test_the_threshold_of_likeness_is_085_and_can_be_set() -> None:
    """LUMENA and LUMINA share five of six letters: 0.833."""
    assert resolved("[Next: LUMENA]")["reason"] == "round_robin"
    assert resolved("[Next: LUMENA]", fuzzy_threshold=0.83)["reason"] == "fuzzy"
    # 17 of 20: exactly 0.85.
    names = cast_of("abcdefghijklmnopqrst", "ME")
    assert resolved("[Next: abcdefghijklmnopqXYZ]", "ME", names)["reason"] == "fuzzy"
    assert resolved("[Next: abcdefghijklmnopWXYZ]", "ME", names)["reason"] == "round_robin"


@pytest.mark.parametrize("name", ["USER", "SEARCHER", "EVE", "", " ", "さん", "!?", "()"])
def test_whoever_is_not_in_the_registry_is_never_next(name: str) -> None:
    found = resolved(f"[Next: {name}]", "CLARIS")
    assert (found["next_id"], found["reason"]) == ("NOX", "round_robin")


def test_at_random_is_anybody_else_and_the_same_for_the_same_seed() -> None:
    def draws(seed: int) -> list[str | None]:
        policy = NextPolicy(fallback="random", rng=random.Random(seed))
        return [resolve_next_speaker("", "NOX", TRIO, policy)["next_id"] for _ in range(40)]

    assert set(draws(1)) == {"LUMINA", "CLARIS"}
    assert draws(1) == draws(1) != draws(2)
    assert resolved("", fallback="random")["reason"] == "random"


@pytest.mark.parametrize("fallback", ["round_robin", "random"])
@pytest.mark.parametrize("registry", [cast_of(), cast_of("NOX")])
def test_with_nobody_else_there_is_none(fallback: str, registry: CharacterRegistry) -> None:
    found = resolved("[Next: LUMINA]", "NOX", registry, fallback=fallback)
    assert (found["next_id"], found["reason"]) == (None, "none")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Hello there. [Next: NOX]", "Hello there."),
        ("[Next: NOX] Hello", "Hello"),
        ("Hello [Next: NOX] there", "Hello there"),
        ("Hello! [Next: NOX", "Hello!"),
        ("Hello! [Next: NOX\n", "Hello!"),
        ("Hello [Next: NOX\nthere, [1", "Hello\nthere, [1"),
        ("Hello [Next:]", "Hello"),
        ("Hi [Next: [NOX]] you", "Hi you"),
        ("こんにちは！［Next：ルミナ］", "こんにちは！"),
        ("ﾊﾛｰ！ ５本 [next: る]", "ﾊﾛｰ！ ５本"),
        ("[Next: A][Next: B]", ""),
        ("one\n[Next: NOX]\ntwo", "one\ntwo"),
        ("[1] is not [next]", "[1] is not [next]"),
        ("Say **[Next: NOX]**", "Say"),
        ("[ [next: x] next: NOX] [1]", "[1]"),
        ("[[next:]next:]", "next:]"),
        ("[" * 9 + "next:a]" * 9, "next:a" * 6),
    ],
)
def test_tags_are_not_spoken_and_the_rest_is_as_it_was(text: str, words: str) -> None:
    assert spoken_words(text) == words


def test_names_are_normalised_in_the_order_of_the_rule() -> None:
    assert normalised(" “ﾙﾐﾅさん。” ") == "ルミナ"
    assert normalised("（nox）様") == "NOX"
    assert normalised("é") == "é"  # only Latin letters have capitals here


def test_each_decision_is_logged_with_its_reason() -> None:
    with capture_logs() as logs:
        resolved("[Next: ルミナさん]")
    assert logs == [
        {
            "event": "next_speaker.resolved",
            "log_level": "info",
            "extracted_raw": "ルミナさん",
            "normalized": "ルミナ",
            "matched_id": "LUMINA",
            "reason": "tag",
        }
    ]


def test_a_decision_for_nobody_is_a_warning() -> None:
    with capture_logs() as logs:
        resolved("Hi.", "NOX", cast_of("NOX"))
    assert [(entry["log_level"], entry["reason"]) for entry in logs] == [("warning", "none")]


@pytest.mark.parametrize(
    ("registry", "policy"),
    [
        (broken({"display_name": "A"}), {}),
        (broken({"internal_id": 7}), {}),
        (broken(None), {}),
        (cast_of("B", "ME"), {"fuzzy_threshold": 7.0}),
    ],
    ids=["no id", "a number", "no member", "no threshold"],
)  # fmt: skip
def test_a_fault_is_an_error_in_the_log_and_falls_back(
    registry: CharacterRegistry, policy: Mapping[str, Any]
) -> None:
    with capture_logs() as logs:
        found = resolved("[Next: A]", "ME", registry, **policy)
    assert (found["next_id"], found["reason"]) == ("B", "round_robin")
    assert [entry["log_level"] for entry in logs] == ["error", "info"]


TEXTS = st.lists(
    st.sampled_from(
        ["[Next:", "]", "[", "［", "：", "next", "NOX", "ルミナ", "さん", "<think>", "</think>",
         " ", "\n", "EVE", "USER", "る", "。", "\u0301", "ß", "🐺", "(", ")"]
    )
    | st.characters(),
    max_size=40,
).map("".join)  # fmt: skip


@given(
    TEXTS, st.sampled_from([*sorted(IDS), "USER", ""]), st.sampled_from(["random", "round_robin"])
)
def test_only_another_member_ever_comes_out(text: str, current: str, fallback: str) -> None:
    found = resolved(text, current, fallback=fallback)
    assert found["next_id"] in (IDS - {current}) | {None}
    assert (found["next_id"] is None) == (found["reason"] == "none")
    if current in IDS:
        assert found["next_id"] is not None


@given(TEXTS)
def test_what_is_spoken_has_no_tag_and_nothing_that_was_not_said(text: str) -> None:
    words = spoken_words(text)
    assert resolved(words)["extracted"] == ""
    assert spoken_words(words) == words
    remaining = iter(text)
    assert all(character in remaining for character in "".join(words.split()))


def test_a_hundred_letters_take_less_than_a_millisecond() -> None:
    names = cast_of(*(f"Villager_{n}/村人{n}/{chr(0x3042 + n)}" for n in range(8)))
    text = "あのね、" * 20 + "[Next: Vilager_7 ]"
    assert len(text) > 90
    timings = []
    for _ in range(200):
        begin = time.perf_counter()
        resolved(text, "Villager_0", names)
        timings.append(time.perf_counter() - begin)
    assert sorted(timings)[len(timings) // 2] < 0.001


def test_a_hostile_answer_is_read_in_time_that_grows_with_its_length_alone() -> None:
    for piece in ("[next:", "[", "<think>", "[next: x] ", "[[next:  ", "] ", "[ "):
        text = piece * 20_000 + "\nx"
        begin = time.perf_counter()
        resolved(text)
        spoken_words(text)
        assert time.perf_counter() - begin < 2.0, piece


@pytest.mark.parametrize(
    "tag",
    [
        *("(Next: NOX)", "（Next: NOX）", "【Next： NOX】", "「Next: NOX」", "<Next: NOX>"),
        *("{next: NOX}", "**[Next: NOX]**", "[Next speaker: NOX]", "[Next: Role: NOX]"),
        "[Next: 「NOX」]",
    ],
)
def test_a_nomination_in_any_usual_bracket_counts_and_is_not_spoken(tag: str) -> None:
    assert resolved(f"Over to you. {tag}")["next_id"] == "NOX"
    assert spoken_words(f"Over to you. {tag}") == "Over to you."
