"""An unknown name gets the most similar known ones as suggestions."""

import time

from bots.text import suggest

NAMES = ("Alice", "Bob", "oak_log", "oak_planks", "dark_oak_log")


def test_the_most_similar_name_comes_first() -> None:
    assert suggest.similar("oak_lg", NAMES, 3) == ["oak_log", "dark_oak_log", "oak_planks"]


def test_one_name_is_offered_unless_more_are_asked_for() -> None:
    assert suggest.similar("oak_lg", NAMES) == ["oak_log"]


def test_case_makes_no_difference_and_the_name_comes_as_it_is_spelt() -> None:
    assert suggest.similar("ALICE", NAMES) == ["Alice"]
    assert suggest.similar("boB", NAMES) == ["Bob"]


def test_a_name_that_is_too_different_is_not_offered() -> None:
    assert suggest.similar("diamond", NAMES) == []


def test_how_alike_a_name_must_be_can_be_chosen() -> None:
    assert suggest.similar("Alfred", ["Alice"], alike=0.3) == ["Alice"]
    assert suggest.similar("Alicia", ["Alice"], alike=0.9) == []


def test_the_order_of_the_names_makes_no_difference() -> None:
    assert suggest.similar("bot", ["bota", "botb"]) == suggest.similar("bot", ["botb", "bota"])


def test_a_huge_word_costs_no_more_than_a_long_one() -> None:
    names = [f"name_{number}" for number in range(1_000)]
    begun = time.process_time()
    suggest.similar("name_" * 100_000, names)
    assert time.process_time() - begun < 1.0


def test_a_sentence_offers_all_names_and_is_empty_without_any() -> None:
    assert suggest.as_sentence(["Bob", "Rob"]) == " Did you mean Bob or Rob?"
    assert suggest.as_sentence([]) == ""


def test_a_clause_offers_all_names_and_is_empty_without_any() -> None:
    assert suggest.as_clause(["server.host"]) == "; did you mean server.host?"
    assert suggest.as_clause([]) == ""


def test_an_error_carries_the_most_similar_name() -> None:
    assert suggest.as_fact(["Bob", "Rob"]) == {"nearest": "Bob"}
    assert suggest.as_fact([]) == {}
