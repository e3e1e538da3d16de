"""Lines that ask to tell somebody something: the rules pass on greetings, models all else."""

from __future__ import annotations

import re
from dataclasses import replace

from bots.access.origin import called
from bots.responder.rules.requests.ask import Ask, Request, Unclear, Words
from bots.responder.rules.requests.going import nobody
from bots.text.language import normal

_TO_TELL = re.compile(
    r"^(?:\W*(?:please|hey|ok|okay|can you|could you|would you)\b)*\W*(?:\w+,\s*)?(?:please\s+)?"
    r"(?:tell|ask|say|whisper|greet|warn|remind)\b"
    r"|(?:に|へ).{0,60}(?:伝えて|言って|教えて|聞いて|話して)"
)


def asks_to_tell(lines: list[str]) -> bool:
    """Whether the newest line asks to tell somebody something."""
    return bool(lines) and _TO_TELL.search(normal(lines[-1])) is not None


def greet(ask: Ask, name: str, greeting: Words) -> tuple[Request, ...] | Unclear:
    """Pass on a greeting of the speaker, in the language in which it was asked for."""
    player = ask.player(name)
    if player is None or player.name == ask.speaker:
        return replace(nobody(name), is_request=True)
    sender = called(ask.speaker)
    words = f"{greeting.en} from {sender}!" if greeting.en else f"{sender}さんから、{greeting.ja}。"
    done = Words(f"I told {player.name}: {words}", f"{player.name}さんに伝えました：{words}")
    fields = {"username": player.name, "message": words}
    return (Request("chat", fields, done, done, is_lasting=False),)
