"""Scenes without a model: what bots tell of what they were taught, and of the game."""

from functools import partial

import pytest
from support.daemons import Town, answer_to, operator_of

from bots.bot.knowing import Wanted
from bots.settings.settings import (
    PermissionSettings,
)
from bridge.world import Position

HERE = Position(10.5, 64, 8.5)
OFF = "I did not understand that. You can say"


running = partial(Town.up, permissions=PermissionSettings(owners=("Olga",)))
"""Alice among strangers, on a server that Olga owns."""


IN_THE_GAME = {
    "how do I make bread?": "1 bread takes 3 wheat, at a crafting table.",
    "how do i craft a brea": "1 bread takes 3 wheat, at a crafting table.",
    "what drops leather?": "Cows (0-2) drop leather.",
    "what do I need to mine stone?": "Stone takes any pickaxe. It drops cobblestone.",
    "can I eat bread?": "Yes, bread restores 5 of 20 food points.",
    "パンの作り方は？": "パンは、作業台で小麦×3から1個作れます。",
    "革は何が落とす？": "革は、ウシ（0～2個）を倒すと落とします。",
}


async def test_a_child_is_told_what_the_version_says(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        told = {question: await answer_to(daemon, steve, question) for question in IN_THE_GAME}
    assert told == IN_THE_GAME


@pytest.mark.slow
async def test_what_something_of_mine_is_called_is_not_asked_of_the_game(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        for told, asked, name in (
            ("My cow is called Miso.", "What is my cow called?", "Miso"),
            ("My pig's name is Moss.", "what's the name of my pig?", "Moss"),
            ("うちのネコはミソです", "私のネコの名前は？", "ミソ"),
        ):
            await answer_to(daemon, steve, told)
            assert name in await answer_to(daemon, steve, asked)


@pytest.mark.slow
async def test_where_it_is_is_told_from_what_it_senses(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    asked = [
        "Hello Alice, where are you?",
        "Where are you now?",
        "今どこにいますか？",
        "いまどこ？",
    ]
    async with running(town) as daemon:
        await answer_to(daemon, steve, "Hello, frobnicate the wug.")
        assert [
            line for line in asked if "8 64 8" not in await answer_to(daemon, steve, line)
        ] == []


async def test_what_there_is_not_is_said_with_the_nearest(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        said = await answer_to(daemon, steve, "how do I make a grotle?")
        assert said.startswith("Minecraft 1.16.5 has nothing called grotle.")


async def test_what_was_taught_is_recited_and_counts_as_used(town: Town) -> None:
    olga = town.world.person("Olga", HERE)
    async with running(town) as daemon:
        said = await answer_to(daemon, olga, "remember that the mine is at 100 12 -40")
        assert said == "I will remember that."
        told = "You told me today: “the mine is at 100 12 -40”"
        assert await answer_to(daemon, olga, "where is the mine?") == told
        assert await answer_to(daemon, olga, "what do you know about the mine?") == told
        knowledge = daemon.roster.find("Alice").bot.knowledge
        await knowledge.prune()  # behind the marks
        (found,) = await knowledge.search(Wanted("mine"))
        assert found.entry.used == 2


async def test_what_a_guest_whispered_is_a_claim_and_nobody_elses(town: Town) -> None:
    world = town.world
    steve, eve, olga = (world.person(name, HERE) for name in ("Steve", "Eve", "Olga"))
    async with running(town) as daemon:
        said = await answer_to(daemon, steve, "remember that the gold is in the well")
        assert said == "I will remember that you told me so."
        assert "well" in await answer_to(daemon, steve, "where is the gold?")
        assert "well" not in await answer_to(daemon, eve, "where is the gold?")
        said = await answer_to(daemon, olga, "where is the gold?")
        assert said.startswith("Steve claimed today: “the gold is in the well”")


async def test_what_was_taught_of_a_thing_is_told_with_the_catalogue(town: Town) -> None:
    olga = town.world.person("Olga", HERE)
    async with running(town) as daemon:
        await answer_to(daemon, olga, "remember that we bake bread in the mill")
        said = await answer_to(daemon, olga, "how do I make bread?")
        assert said == (
            "1 bread takes 3 wheat, at a crafting table. "
            "You told me today: “we bake bread in the mill”"
        )


@pytest.mark.slow
async def test_things_are_looked_for_where_they_may_be(town: Town) -> None:
    olga = town.world.person("Olga", HERE)
    async with running(town) as daemon:
        said = await answer_to(daemon, olga, "where did we put the torches?")
        assert said.startswith("I do not know where the torches are.")
        town.world.give("Alice", "torch", 5)
        said = await answer_to(daemon, olga, "where did we put the torches?")
        assert said == "I have 5 torches with me."
        await answer_to(daemon, olga, "remember this place as lake")
        assert (await answer_to(daemon, olga, "where is the lake?")).startswith("Lake is at ")


async def test_what_somebody_said_answers_a_question_about_it(town: Town) -> None:
    world = town.world
    steve, eve, olga = (world.person(name, HERE) for name in ("Steve", "Eve", "Olga"))
    async with running(town) as daemon:
        await answer_to(daemon, steve, "I like cake")
        assert "Steve said: “I like cake”" in await answer_to(daemon, olga, "who likes cake?")
        assert "cake" not in await answer_to(daemon, eve, "who likes cake?")


@pytest.mark.slow
async def test_what_is_forgotten_is_recited_no_more(town: Town) -> None:
    steve = town.world.person("Steve", HERE)
    async with running(town) as daemon:
        await answer_to(daemon, steve, "I live at the lake")
        assert "lake" in await answer_to(daemon, steve, "where do I live?")
        await answer_to(daemon, steve, "forget me")
        said = await answer_to(daemon, steve, "where do I live?")
        assert said.startswith("I know nothing of that yet.")


@pytest.mark.slow
async def test_an_operator_is_remembered_told_and_forgotten_under_each_name(town: Town) -> None:
    async with running(town) as daemon:
        operator = operator_of(daemon)

        async def says(text: str, name: str = "Steve") -> str:
            return str((await operator.message("Alice", text, name))["answer"])

        assert await says("I live at the lake") == "I will remember that."
        assert "You said you live “at the lake”." in await says("what do you know about me?")
        assert "lake" not in await says("what do you know about me?", "Ann")
        assert await says("remember that I own a boat") == "I will remember that."
        assert await says("who owns a boat?") == "You told me today: “I own a boat”"
        assert "I have forgotten what I knew of you" in await says("forget me")
        assert "lake" not in await says("what do you know about me?")
        assert OFF in await says("explain the moon to me")
