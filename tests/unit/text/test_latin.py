"""Which lines in Latin letters are no English, however badly English is typed."""

import pytest

from bots.responder.rules.reading import words_of_rules
from bots.text.language import is_foreign


@pytest.mark.parametrize(
    "line",
    [
        *("hola, ¿cómo estás?", "donde estas", "sigueme", "puedes ayudarme", "hola amigo"),
        *("hallo wie geht es dir", "wo bist du", "folge mir", "bau mir ein haus", "danke"),
        *("bonjour", "où es-tu ?", "donne moi du bois", "salut ça va", "tu parles francais"),
        *("onde voce esta", "dove sei", "grazie", "waar ben je", "dank je wel"),
        *("czesc jak sie masz", "gdzie jestes", "merhaba nasilsin", "neredesin", "var ar du"),
    ],
)
def test_other_languages_are_told_apart(line: str) -> None:
    assert is_foreign(line, words_of_rules())


@pytest.mark.parametrize(
    "line",
    [
        *("folow me", "come heer plz", "get me 5 loggs", "wat r u doin", "hwo r u", "lol", "gg"),
        *("i dont liek spiders", "can u bild a hous", "whre is steve", "halp me", "ok", "???"),
        *("thers a creper", "am i ur frend", "dis is my base", "my dog is sick", "i luv u"),
        *("why did u do dat", "tell me a storee", "where do babies come from", "si", "12 34"),
        *("my sister is mean", "whats for dinner", "it is boooring here", "haha", "xd"),
    ],
)
def test_badly_typed_english_is_english(line: str) -> None:
    assert not is_foreign(line, words_of_rules())
