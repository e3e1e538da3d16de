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
from bots.responder.rules.requests import forms, jobs, orders
from bots.responder.rules.requests.ask import (
    ONLY_TELLS,
    Ask,
    Made,
    Request,
    Unclear,
    bare,
)
from bots.responder.rules.topics import MANNERS
from bots.text.language import Language, in_hiragana, language_of, normal
from bots.text.spelling import expanded
from bots.words import Saying, saying
from bots.words.heard import heard

MOST_STEPS = 5  # orders of one line
_SMALL_REST = 12  # characters beside a greeting in its part: a name
_SENTENCE = re.compile(r"(?:[^.!?。！？…\n]|(?<=\d)\.(?=\d))+[.!?。！？…]*")
_PIECES = r"\g<before>" + " and ".join(
    rf"1 \g<of> {piece}" for piece in ("helmet", "chestplate", "leggings", "boots")
)
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
    if sum(one.command != jobs.HANDING for one in requests) > MOST_STEPS:
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
    said = heard("request.armour", "en").sub(_PIECES, said)
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
        named = [one.order.wish for one in made if one.order] if isinstance(made, tuple) else []
        ask = replace(ask, last=named[0] if named else ask.last)
        if made is None:
            read.left_over = read.left_over or not _is_polite(ask, part)
        elif isinstance(made, Unclear):
            read.unclear.append(made)
        else:
            read.requests += [one for one in made if asks or one.command in ONLY_TELLS]
            read.left_over = read.left_over or not (asks or made[0].command in ONLY_TELLS)
    return read


def _understood(ask: Ask, part: str, verb: str) -> tuple[Made | None, str]:
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


def _fitting(ask: Ask, words: str, language: Language) -> tuple[Made | None, str]:
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
    found = filter(None, (topic.pattern.search(part) for topic in MANNERS))
    return any(len(part) - len(one[0]) <= _SMALL_REST for one in found)


STOP = "stop"
"""The command."""


def asks_to_stop(bot: str, speaker: str, line: str) -> bool:
    """Whether a line asks only to stop, judged by its words."""
    asked = read_line(Ask(bot, speaker, Things(frozenset())), line).requests
    return bool(asked) and all(request.command == STOP for request in asked)


# --- A wish to stop is heard however it is spelled: `STOOOP`, `sotp`, `やめろー` ----------------


def means_stop(bot: str, said: str) -> bool:
    """Whether a line, normal already, asks to stop and for nothing else."""
    if language_of([said]) == "ja":
        cry = heard("stop.called").sub("", said.replace(bot.casefold(), "").strip())
        first, *rest = re.split(r"[\s、。!！]+", cry, maxsplit=1)
        told = rest and heard("stop.told").search(rest[0])
        return _is_cry(cry) or bool(rest and not told and _is_cry(first))
    left = said.replace("0", "o").replace(bot.casefold(), " ").strip(" ,.!?:;~-…@")
    left = " ".join(heard("stop.told_to").sub("", heard("stop.means").sub("stop", left)).split())
    words = re.findall(r"[^\W_]+(?:'[a-z]+)?", left)
    if heard("stop.noes").fullmatch(left) or (len(words) < 6 and _is_stop(_folded("".join(words)))):
        return True
    at = next((at for at, word in enumerate(words) if _is_stop(_folded(word))), None)
    if at is None:
        return False
    before, after = " ".join(words[:at]), " ".join(words[at + 1 :])
    is_rare = heard("stop.rare").fullmatch(_folded(words[at]))
    if is_rare and not _changes_nothing(after) and not heard("stop.after_rare").fullmatch(after):
        return False
    return _may_precede(before) and _may_follow(after)


def _is_cry(said: str) -> bool:
    cry = in_hiragana(heard("stop.lengthened").sub("", said))
    cry = heard("stop.drawn_out").sub("", cry)
    cry = cry if re.fullmatch(r"(..)\1+", cry) else _REPEATED.sub(r"\1", cry)
    return heard("stop.whole").fullmatch(cry) is not None


# --- English ------------------------------------------------------------------------

_REPEATED = re.compile(r"(.)\1+")
_NEIGHBOURS = {
    letter: set(row[max(0, at - 1) : at + 2]) | set(below[max(0, at - 1) : at + 1])
    for row, below in (("qwertyuiop", "asdfghjkl"), ("asdfghjkl", "zxcvbnm"), ("zxcvbnm", ""))
    for at, letter in enumerate(row)
}
"""A key, and those beside and below it."""


def _may_precede(words: str) -> bool:
    """Whether what is said before the word leaves it a wish: `ur breaking it`, `please just`."""
    if heard("stop.asks_why").match(words):
        return heard("stop.cries").fullmatch(words) is not None
    if heard("stop.not_to").search(f"{words} ") and not heard("stop.no").fullmatch(words):
        is_others = heard("stop.of_others").search(words)
        return not words or (not is_others and bool(heard("stop.allowed").search(words)))
    if heard("stop.asks").match(_folded(f"{words} ")):
        return False
    return bool(heard("stop.cause").match(words)) or _changes_nothing(words)


def _may_follow(words: str) -> bool:
    """Whether what is said after the word is what stops, why, or nothing else."""
    if _changes_nothing(words):
        return True
    if (doing := heard("stop.doing").fullmatch(words)) is not None:
        is_other = heard("stop.other_doing").fullmatch(doing["what"])
        return not is_other and not heard("stop.but").search(words)
    if heard("stop.is_told").search(words):
        return False
    if heard("stop.cause").match(words):
        return True
    is_no_work = " " not in words and not heard("stop.work").fullmatch(words)
    return not is_no_work and not heard("stop.other").match(words)


def _changes_nothing(words: str) -> bool:
    folded = map(_folded, words.split())
    return all(heard("stop.beside").fullmatch(word) or _is_stop(word) for word in folded)


def _folded(word: str) -> str:
    return _REPEATED.sub(r"\1", word)


def _is_stop(word: str) -> bool:
    is_slip = word in _SLIPS and not heard("stop.no_slip").fullmatch(word)
    return is_slip or heard("stop.word").fullmatch(word) is not None


def _slips(word: str) -> Iterator[str]:
    """A word typed with two letters swapped, one left out, or a key beside one."""
    for at in range(len(word)):
        before, letter, after = word[:at], word[at], word[at + 1 :]
        yield before + after
        yield before + after[:1] + letter + after[1:]
        for key in {
            key for key, keys in _NEIGHBOURS.items() if letter in keys or key in _NEIGHBOURS[letter]
        }:
            yield before + key + after
            yield before + letter + key + after
            yield before + key + letter + after


_SLIPS = frozenset(map(_folded, _slips("stop")))


# --- Japanese -----------------------------------------------------------------------
