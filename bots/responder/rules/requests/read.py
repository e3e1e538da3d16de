"""Reads requests out of lines. A line is carried out only when all of it is understood:

line ─▶ sentences ─▶ parts ─▶ a form each ─▶ requests in their order

Leftover words in a sentence may change the meaning of a request in it (`if …`, `… said`), so then
nothing is done. Other sentences do not matter, unless a word in them takes the request back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from bots.catalogue.names import Things
from bots.responder.rules import about_me
from bots.responder.rules.requests import forms, jobs, orders
from bots.responder.rules.requests.ask import (
    ONLY_TELLS,
    Ask,
    Made,
    Request,
    Unclear,
    Wish,
)
from bots.responder.rules.requests.spoken import bare
from bots.responder.rules.requests.stopping import means_stop
from bots.text.language import Language, language_of, normal
from bots.text.spelling import expanded
from bots.words import Saying, saying
from bots.words.heard import heard

MOST_STEPS = 5  # requests of one line
_SMALL_REST = 12  # characters beside a greeting in its part: a name
_SENTENCE = re.compile(r"(?:[^.!?。！？…\n]|(?<=\d)\.(?=\d))+[.!?。！？…]*")
UNSURE = saying("closing.unsure")
TOO_MANY = saying("closing.too_many", most=MOST_STEPS)


@dataclass(frozen=True, slots=True)
class Reading:
    """The requests in some lines."""

    requests: tuple[Request, ...] = ()
    """In the order in which they are carried out."""
    asked: Unclear | None = None
    """The one that a later line may answer."""
    unclear: tuple[Saying, ...] = ()
    """Why nothing is done, although something seems to be asked for."""
    rest: tuple[str, ...] = ()
    """Sentences without a request."""
    later: bool = False
    """Whether they are for after what is under way."""


@dataclass(slots=True)
class _Sentence:
    requests: list[Request] = field(default_factory=list)
    unclear: list[Unclear] = field(default_factory=list)
    left_over: bool = False


def read(ask: Ask, lines: Sequence[str]) -> Reading:
    """The requests in the newest line that has any."""
    asked, rest = Reading(), list[str]()
    for line in lines:
        said, later = _put_off(ask, line)
        reading = replace(read_line(ask, said), later=later)
        rest += reading.rest
        if reading.requests or reading.unclear:
            asked = reading
        elif asked.requests and takes_back(normal(line)):
            asked = Reading(unclear=(UNSURE,))
    return replace(asked, rest=tuple(rest))


def read_line(ask: Ask, line: str) -> Reading:
    if line.strip().startswith(("!", "/")):  # a command that did not reach its dispatcher
        return Reading(rest=(line,))
    if means_stop(ask.bot, normal(line)):
        return Reading(requests=jobs.stop(ask))
    ask = replace(ask, said=line)
    said = heard("request.get_and_give").sub(r"bring \g<things> to \g<to>", _written_out(ask, line))
    sentences = {text: _sentence(ask, text) for text in _SENTENCE.findall(said)}
    requests = [request for one in sentences.values() for request in one.requests]
    if requests and requests[-1].command == STOP:
        requests = requests[-1:]  # it takes back what stands before it: “make a chest. nvm”
    unclear_ones = [one for read in sentences.values() for one in read.unclear]
    unclear = [one.why for one in unclear_ones]
    rest = tuple(text for text, one in sentences.items() if not one.requests and not one.unclear)
    doubted = any(one.left_over and one.requests for one in sentences.values())
    if requests and (
        doubted
        or any(sentences[text].left_over and heard("request.doubt").search(text) for text in rest)
    ):
        unclear = unclear or [UNSURE]
    if len(requests) > MOST_STEPS:
        unclear = [TOO_MANY]
    if unclear:
        asked = unclear_ones[0] if len(unclear_ones) == 1 and not requests else None
        return Reading((), asked, tuple(unclear), rest)
    return Reading(tuple(requests), rest=rest)


def _written_out(ask: Ask, line: str) -> str:
    """The line without short forms that are nobody's name."""
    players = ask.world.players if ask.world else ()
    names = {*ask.names, *(str(one.name).casefold() for one in players)}
    said = heard("request.purpose").sub("", expanded(normal(line), names))
    return heard("request.please").sub("", said) if "please" not in names else said


def _put_off(ask: Ask, line: str) -> tuple[str, bool]:
    """The line without words that put it off, and whether there were any: `then get me torches`."""
    said = normal(line).strip()
    called = "|".join(map(re.escape, sorted(ask.names | {ask.bot.casefold()}, key=len)[::-1]))
    name = re.match(rf"@?(?:{called})(?:さん|ちゃん|くん|君)?[:,、 ]+", said)
    then = heard("request.then").match(said, name.end() if name else 0)
    return (line, False) if then is None else (said[then.end() :], True)


def _sentence(ask: Ask, text: str) -> _Sentence:
    read, verb = _Sentence(), ""
    is_question = text.rstrip().endswith(("?", "？"))
    parts = [part.strip(' .!?。！？…~〜「」"“”') for part in heard("request.joint").split(text)]
    asks = not is_question or any(map(heard("request.asking").search, parts))
    for part in filter(None, parts):
        made, verb = _understood(ask, part, verb)
        ask = replace(ask, last=_named(made) or ask.last)
        if made is None:
            read.left_over = read.left_over or not _is_polite(ask, part)
        elif isinstance(made, Unclear):
            read.unclear.append(made)
        else:
            read.requests += [one for one in made if asks or one.command in ONLY_TELLS]
            read.left_over = read.left_over or not (asks or made[0].command in ONLY_TELLS)
    return read


def _named(made: Made | None) -> Wish | None:
    """The thing that requests are about."""
    if made is None or isinstance(made, Unclear):
        return None
    return next((one.order.wish for one in made if one.order is not None), None)


def _understood(ask: Ask, part: str, verb: str) -> tuple[tuple[Request, ...] | Unclear | None, str]:
    """The requests of a part, and its verb; a part without a verb takes the one before it."""
    names = ask.names | (
        {ask.bot.casefold()} if ask.meant(ask.bot.casefold()) == ask.bot else set()
    )
    if (ordered := orders.ordered(ask, part)) is not None:
        return ordered, ""
    language = language_of([part])
    words = bare(part, names, language)
    made, own = _fitting(ask, words, language)
    if language == "ja":
        return made, ""
    if made is None and verb and words[:1].isalnum():
        made, own = _fitting(ask, f"{verb} {words}", language)
        return (None if isinstance(made, Unclear) else made), own or verb
    return made, own


def _fitting(
    ask: Ask, words: str, language: Language
) -> tuple[tuple[Request, ...] | Unclear | None, str]:
    """The requests of the first form that matches; unclear ones that may be small talk are left."""
    for pattern, row in forms.forms(language):
        asked = pattern.fullmatch(words)
        made = forms.made(ask, asked, row) if asked else ()
        if asked is None or made == ():
            continue
        if isinstance(made, Unclear) and not made.is_request and _small_talk(words):
            return None, ""
        wish = asked.groupdict().get("wish")
        return made, words[: -len(wish)].strip() if wish and words.endswith(wish) else ""
    return None, ""


def takes_back(line: str) -> bool:
    """Whether a word in it may take a request back, or make it another."""
    taken_back = heard("request.taken_back").fullmatch(line.strip(" .!。！"))
    return bool(taken_back or heard("request.doubt").search(line))


def _is_polite(ask: Ask, part: str) -> bool:
    """Whether a part is only a name, a greeting or a please."""
    names = ask.names | {ask.bot.casefold()}
    return not bare(part, names, language_of([part])) or (
        _small_talk(part) and not heard("request.doubt").search(part)
    )


def _small_talk(part: str) -> bool:
    return any(len(part) - len(found[0]) <= _SMALL_REST for found in _manners(part))


def _manners(part: str) -> Iterator[re.Match[str]]:
    for topic in about_me.MANNERS:
        if found := topic.pattern.search(part):
            yield found


STOP = "stop"
"""The command."""


def asks_to_stop(bot: str, speaker: str, line: str) -> bool:
    """Whether a line asks only to stop, judged by its words."""
    asked = read_line(Ask(bot, speaker, Things(frozenset())), line).requests
    return bool(asked) and all(request.command == STOP for request in asked)
