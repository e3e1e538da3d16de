"""Recognises a plain wish to stop: the only request carried out even after a “no” or “wait”."""

from __future__ import annotations

import re

from bots.catalogue.things import Things
from bots.responder.rules.requests.ask import Ask
from bots.responder.rules.requests.read import read_line
from bots.text.language import normal

STOP = "stop"
"""The command."""

_CRIES = re.compile(
    r"^(?:(?:no+|nope|wait|hold on|whoa|woah|oh|ah|argh)[\s,.!…]+"
    r"|(?:いやいや|いや|だめ|ダメ|駄目|待って|まって|ちがう|違う|うわ|わあ|あっ|おい)[\s、。!！…]*)+"
)


def asks_to_stop(bot: str, speaker: str, line: str) -> bool:
    """Whether a line asks only to stop, judged by its words."""
    words = _CRIES.sub("", normal(line))
    asked = read_line(Ask(bot, speaker, Things(frozenset())), words).requests
    return bool(asked) and all(request.command == STOP for request in asked)
