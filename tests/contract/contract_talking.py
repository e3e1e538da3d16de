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
    async def test_whispers_arrive_word_for_word_both_ways(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        for number, text in enumerate(TEXTS, start=1):
            await arena.bridge.whisper(bot, person.name, text)
            line = await person.hears()
            assert (line.sender, line.text) == (bot, text)
            await person.whisper(bot, text)
            heard = (await arena.log.take(number, WhisperReceived, bot=bot))[-1]
            assert (heard.sender, heard.text) == (person.name, text)

    async def test_a_whisper_from_bot_to_bot_arrives_at_the_other_alone(self, arena: Arena) -> None:
        alice, bob, carol = [await arena.bot(name) for name in ("Alice", "Bob", "Carol")]
        await arena.bridge.whisper(alice, PlayerName(bob), "psst")
        heard = await arena.log.first(WhisperReceived, bot=bob)
        assert (heard.sender, heard.text) == (PlayerName(alice), "psst")
        await arena.bridge.whisper(alice, PlayerName("Nobody"), "anyone?")
        await arena.bridge.whisper(bob, PlayerName(carol), "end")
        await arena.log.first(WhisperReceived, bot=carol, text="end")
        await arena.bridge.whisper(alice, PlayerName(alice), "note to self")
        heard = await arena.log.first(WhisperReceived, bot=alice)
        assert (heard.sender, heard.text) == (PlayerName(alice), "note to self")
        assert not arena.log.all(WhisperReceived, bot=carol, text="psst")
        assert not arena.log.all(WhisperReceived, text="anyone?")

    async def test_two_hundred_whispers_arrive_in_order(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        texts = [f"line {number}" for number in range(200)]
        for text in texts:
            await person.whisper(bot, text)
        heard = await arena.log.take(200, WhisperReceived, bot=bot, sender=person.name)
        assert [event.text for event in heard] == texts

    async def test_a_line_too_long_in_utf_16_units_is_refused_with_its_length(
        self, arena: Arena
    ) -> None:
        bot, person = await arena.bot(), await arena.person()
        limit, header = arena.line_limit, len(f"/tell {person.name} ")
        just_fits = "x" * (limit - header)
        for text, length in ((f"{just_fits}x", limit + 1), ("🦆" * 128, 256 + header)):
            with pytest.raises(LineTooLong) as refused:
                await arena.bridge.whisper(bot, person.name, text)
            assert (refused.value.limit, refused.value.length) == (limit, length)
        with pytest.raises(LineTooLong) as refused:
            await arena.bridge.chat(bot, "x" * (limit + 1))
        assert (refused.value.limit, refused.value.length) == (limit, limit + 1)
        await arena.bridge.whisper(bot, person.name, just_fits)
        assert (await person.hears()).text == just_fits

    async def test_white_space_arrives_as_the_server_keeps_it(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        await arena.bridge.whisper(bot, person.name, " two\nlines  and a\t tab ")
        between = "  " if arena.keeps_spaces else " "
        assert (await person.hears()).text == f"two lines{between}and a tab"

    async def test_a_whisper_to_what_is_no_name_is_refused(self, arena: Arena) -> None:
        bot, bob = await arena.bot(), await arena.bot("Bob")
        for to in ("@a", "@e[type=player]", "two words", ""):
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

    async def test_chat_is_no_whisper_and_runs_no_command(self, arena: Arena) -> None:
        alice, bob = await arena.bot(), await arena.bot("Bob")
        await arena.bridge.chat(alice, f"{bob} whispers to you: boo")
        for slash in ("/", "  /", "//"):
            await arena.bridge.chat(alice, f"{slash}tell {bob} boo")
        await arena.bridge.chat(alice, "after")
        await arena.log.first(ChatHeard, bot=bob, text="after")
        assert not arena.log.all(WhisperReceived, bot=bob)

    async def test_a_paused_bot_gets_what_was_whispered_when_it_resumes(self, arena: Arena) -> None:
        bot, person = await arena.bot(), await arena.person()
        witness = await arena.bot("Bob")
        await arena.bridge.resume(bot)  # it was not paused
        await arena.bridge.pause(bot)
        await person.whisper(bot, "one")
        await arena.bridge.pause(bot)
        for text in ("two", "three"):
            await person.whisper(bot, text)
        await person.whisper(witness, "meanwhile")
        await arena.log.first(WhisperReceived, bot=witness)
        assert not arena.log.all(WhisperReceived, bot=bot)
        await arena.bridge.resume(bot)
        heard = await arena.log.take(3, WhisperReceived, bot=bot)
        assert [event.text for event in heard] == ["one", "two", "three"]
