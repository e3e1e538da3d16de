"""Whispers and chat, out and in."""

import pytest
from contract.arena import Arena

from bridge.errors import HostError, LineTooLong
from bridge.events import BotDisconnected, ChatHeard, WhisperReceived
from bridge.world import PlayerName

TEXTS = [
    *("hello", "こんにちは、元気ですか。", "a 🦆 and a 👩‍👩‍👧"),
    *(""""double", 'single', `back` and \\ slash""", '{"text":"not a component"} & <b> 100% &c'),
    "!help",
]


class TalkingContract:
    @pytest.mark.parametrize("text", TEXTS)
    async def test_a_whisper_reaches_a_person_word_for_word(self, arena: Arena, text: str) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.bridge.whisper(bot, person.name, text)
        line = await person.hears()
        assert (line.sender, line.text) == (bot, text)

    @pytest.mark.parametrize("text", TEXTS)
    async def test_a_whisper_reaches_the_bot_word_for_word(self, arena: Arena, text: str) -> None:
        bot, person = await arena.bot(), await arena.person()
        await person.whisper(bot, text)
        heard = await arena.log.first(WhisperReceived, bot=bot)
        assert (heard.sender, heard.text) == (person.name, text)

    async def test_a_whisper_from_bot_to_bot_arrives_at_the_other_alone(self, arena: Arena) -> None:
        alice, bob, carol = [await arena.bot(name) for name in ("Alice", "Bob", "Carol")]
        await arena.bridge.whisper(alice, PlayerName(bob), "psst")
        heard = await arena.log.first(WhisperReceived, bot=bob)
        assert (heard.sender, heard.text) == (PlayerName(alice), "psst")
        await arena.bridge.whisper(bob, PlayerName(carol), "end")
        await arena.log.first(WhisperReceived, bot=carol, text="end")
        assert not arena.log.all(WhisperReceived, bot=alice)
        assert not arena.log.all(WhisperReceived, bot=carol, text="psst")

    async def test_a_whisper_to_oneself_arrives(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.bridge.whisper(bot, PlayerName(bot), "note to self")
        heard = await arena.log.first(WhisperReceived, bot=bot)
        assert (heard.sender, heard.text) == (PlayerName(bot), "note to self")

    async def test_a_whisper_to_nobody_arrives_nowhere_and_is_no_error(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        await arena.bridge.whisper(alice, PlayerName("Nobody"), "anyone?")
        await arena.bridge.whisper(alice, PlayerName(bob), "after")
        await arena.log.first(WhisperReceived, bot=bob, text="after")
        assert not arena.log.all(WhisperReceived, text="anyone?")
        assert not arena.log.all(BotDisconnected, bot=alice)

    async def test_two_hundred_whispers_arrive_in_order(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        texts = [f"line {number}" for number in range(200)]
        for text in texts:
            await person.whisper(bot, text)
        heard = await arena.log.take(200, WhisperReceived, bot=bot, sender=person.name)
        assert [event.text for event in heard] == texts

    async def test_a_whisper_that_just_fits_its_line_arrives_whole(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        text = "x" * (arena.line_limit - len(f"/tell {person.name} "))
        await arena.bridge.whisper(bot, person.name, text)
        assert (await person.hears()).text == text

    async def test_a_whisper_too_long_is_refused_with_its_length(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        limit = arena.line_limit
        text = "x" * (limit + 1 - len(f"/tell {person.name} "))
        with pytest.raises(LineTooLong) as refused:
            await arena.bridge.whisper(bot, person.name, text)
        assert (refused.value.limit, refused.value.length) == (limit, limit + 1)
        await arena.bridge.whisper(bot, person.name, "short")
        assert (await person.hears()).text == "short"

    async def test_a_line_is_measured_in_utf_16_units(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        with pytest.raises(LineTooLong) as refused:
            await arena.bridge.whisper(bot, person.name, "🦆" * 128)
        assert refused.value.length == 256 + len(f"/tell {person.name} ")

    async def test_white_space_arrives_as_the_server_keeps_it(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.bridge.whisper(bot, person.name, " two\nlines  and a\t tab ")
        between = "  " if arena.keeps_spaces else " "
        assert (await person.hears()).text == f"two lines{between}and a tab"

    @pytest.mark.parametrize("to", ["@a", "two words", ""])
    async def test_a_whisper_to_what_is_no_name_is_refused(self, arena: Arena, to: str) -> None:
        bot, bob = await arena.bot(), await arena.bot("Bob")
        with pytest.raises(HostError):
            await arena.bridge.whisper(bot, PlayerName(to), "everyone?")
        await arena.bridge.whisper(bot, PlayerName(bob), "after")
        await arena.log.first(WhisperReceived, bot=bob, text="after")
        assert len(arena.log.all(WhisperReceived, bot=bob)) == 1

    async def test_an_illegal_character_ends_in_a_kick(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.bridge.whisper(bot, PlayerName("Nobody"), "§ared")
        gone = await arena.log.first(BotDisconnected, bot=bot)
        assert gone.ending == "kicked"
        assert gone.key == "multiplayer.disconnect.illegal_characters"
        assert gone.text == "Illegal characters in chat"

    async def test_chat_is_heard_by_others_and_not_by_oneself(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        await arena.bridge.chat(alice, "good morning, 皆さん")
        heard = await arena.log.first(ChatHeard, bot=bob, sender=PlayerName(alice))
        assert heard.text == "good morning, 皆さん"
        await arena.bridge.chat(bob, "morning")
        await arena.log.first(ChatHeard, bot=alice, sender=PlayerName(bob))
        assert not arena.log.all(ChatHeard, bot=alice, sender=PlayerName(alice))

    async def test_chat_is_no_whisper(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        await arena.bridge.chat(alice, f"{bob} whispers to you: boo")
        await arena.log.first(ChatHeard, bot=bob, sender=PlayerName(alice))
        assert not arena.log.all(WhisperReceived, bot=bob)

    async def test_chat_too_long_for_its_line_is_refused(self, arena: Arena) -> None:
        bot, limit = await arena.bot(), arena.line_limit
        with pytest.raises(LineTooLong) as refused:
            await arena.bridge.chat(bot, "x" * (limit + 1))
        assert (refused.value.limit, refused.value.length) == (limit, limit + 1)

    async def test_chat_never_runs_a_server_command(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        await arena.bridge.chat(alice, f"/tell {bob} boo")
        await arena.bridge.chat(alice, "after")
        await arena.log.first(ChatHeard, bot=bob, text="after")
        assert not arena.log.all(WhisperReceived, bot=bob)

    async def test_a_paused_bot_gets_what_was_whispered_when_it_resumes(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        witness = await arena.bot("Bob")
        await arena.bridge.pause(bot)
        for text in ("one", "two", "three"):
            await person.whisper(bot, text)
        await person.whisper(witness, "meanwhile")
        await arena.log.first(WhisperReceived, bot=witness)
        assert not arena.log.all(WhisperReceived, bot=bot)
        await arena.bridge.resume(bot)
        heard = await arena.log.take(3, WhisperReceived, bot=bot)
        assert [event.text for event in heard] == ["one", "two", "three"]

    async def test_resuming_a_bot_that_was_not_paused_changes_nothing(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.bridge.resume(bot)
        await person.whisper(bot, "still there?")
        await arena.log.first(WhisperReceived, bot=bot, text="still there?")

    async def test_a_bot_paused_twice_loses_nothing(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.bridge.pause(bot)
        await person.whisper(bot, "one")
        await arena.bridge.pause(bot)
        await person.whisper(bot, "two")
        await arena.bridge.resume(bot)
        heard = await arena.log.take(2, WhisperReceived, bot=bot)
        assert [event.text for event in heard] == ["one", "two"]
