"""What is said to a line that is no plain request: the answer of a phrase, a sum, a fact that the
bot senses, knows or remembers; the answers to its parts, or to it with its slips mended.

Why a request is not carried out is said here as well; what that asks may be answered by the next
line. Nobody is told how to ask for what they are refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from bots.catalogue.handbook import Handbook
from bots.catalogue.japanese import english_mobs, mob_in_japanese
from bots.responder.case.case import Case
from bots.responder.rules import answers as rules
from bots.responder.rules import dealings, phrases
from bots.responder.rules.answers import kind_of
from bots.responder.rules.carrying_out import FOLLOW, GOAL, Work
from bots.responder.rules.dealings import Dealings, OpenQuestion, Speakers
from bots.responder.rules.knowing import corrects, tells_of_speaker
from bots.responder.rules.outcomes import refusal
from bots.responder.rules.phrases import MOST_OF_A_NAME, Phrase, foreign
from bots.responder.rules.phrases.likeness import is_denial, is_told, most_like
from bots.responder.rules.reading import Reader, seen
from bots.responder.rules.reciting import Reciting
from bots.responder.rules.requests import Ask, Reading, Request, Unclear, read
from bots.responder.rules.requests.ask import ONLY_TELLS, counted, wish
from bots.responder.rules.requests.gist import gist, named, question
from bots.responder.rules.requests.jobs import HANDING
from bots.responder.rules.requests.read import UNSURE, takes_back
from bots.responder.rules.scene import Scene
from bots.responder.rules.whereabouts import in_chests
from bots.text.language import normal
from bots.text.spelling import expanded
from bots.words import Saying, saying
from bots.words.heard import heard
from bots.words.times import told_minutes
from bridge.world import WorldSnapshot

OfBuilding: TypeAlias = Callable[[Scene, Sequence[tuple[str, str]], str, Handbook], tuple[str, str]]
"""What to say to a person who plans with a bot what to build together, '' to anything else; and the
request that a yes stands for. Takes their lines so far, the bot's temperament and what is made of
what."""

_HARMLESS = frozenset(
    {
        *("goal", "go on", "status", "stop", "look player", "look direction", "skill eat"),
        *("skill fight", "skill guard"),
        *("navigation follow", "navigation stopFollow", "navigation goto"),
        *("navigation gotoCoords", "navigation moveInDirection", HANDING, "skill gather"),
    }
)
"""Commands that are begun although a word of the request had to be mended."""
_PAUSE = {"en": ", ", "ja": "、", "zh": "，"}  # between orders
_NUMBER = re.compile(r"\d")  # of a line, that what is done has to have as well
_DRAWN_OUT = re.compile(r"(?<=[てでよねないえ])[ー〜~]+")
_LAST = "{last}"  # in what a row means: the thing named last
NONE = frozenset[str]()  # of the commands
NO_PRONOUN = "unclear.pronoun"
GIVE = "give me 1 {}"
MOST_PARTS = 3  # answers to the parts of a line
GUARD_ME = "guard me"
DANGER_AT = 16.0  # blocks from the speaker to a monster
LATELY_S = 300.0  # for which a danger is told of
TOLD_EVERY = 6  # times nothing was understood, the whole of what can be asked is told


class PlainWords:
    """Of one bot."""

    def __init__(
        self,
        reader: Reader,
        speakers: Speakers,
        work: Work,
        reciting: Reciting,
        of_building: OfBuilding,
    ) -> None:
        self._reader, self._speakers = reader, speakers
        self._work, self._reciting, self._of_building = work, reciting, of_building

    async def answer(self, case: Case, scene: Scene) -> str:
        """The answer to lines without a request."""
        lines = case.turn.lines
        if recited := await self.recited(case, scene, lines):
            return recited
        heard = rules.understand(scene, lines)
        tells = corrects(lines) or (not heard.manners and tells_of_speaker(lines))
        is_open = scene.language == "ja" or not rules.knows(heard)
        if is_open and (said := await self._piecewise(case, scene, tells=tells)):
            return said
        if not heard.facts and tells:
            return await self.by_question(case, scene) or scene.tell("manners.kept")
        is_vague = not rules.knows(heard) and (heard.facts or rules.is_unsure(heard))
        if is_vague and (said := await self._by_mending(case, scene)) is not None:
            return said
        if is_vague and (said := await self._by_likeness(case, scene)) is not None:
            return scene.join([*rules.opening(heard), said])
        is_greeting = not heard.facts and heard.manners.keys() == {"greeting"}
        if is_greeting and (said := await self._with_better_spelling(case, scene)) is not None:
            return said
        if rules.is_unsure(heard) and await self._reader.is_foreign(lines[-1]):
            return foreign.unspoken(scene)
        is_open = is_vague and heard.facts.keys() <= {"request"}
        if is_open and (
            said := await self.by_question(case, scene) or await self.by_kind(case, scene)
        ):
            return scene.join([*rules.opening(heard), said])
        return rules.answer(self._again(scene) if rules.is_unsure(heard) else scene, lines)

    async def unread(self, case: Case, scene: Scene, reading: Reading) -> str:
        """What to say to what was not understood, or not in full."""
        asked = reading.asked
        is_question = asked is not None and asked.is_known and bool(asked.names or asked.guess)
        said = None
        if not is_question:
            said = await self._by_parts(case, scene) or await self._by_mending(case, scene)
        if not said and reading.unclear and all(map(is_vague, reading.unclear)):
            said = await self._by_likeness(case, scene)
        if not said and reading.unclear and all(map(_says_little, reading.unclear)):
            said = await self.by_kind(case, scene)
        return said or self.asked_back(case, scene, reading)

    def asked_back(self, case: Case, scene: Scene, reading: Reading) -> str:
        """Why nothing is done; what is asked may be answered by the next line."""
        tools, asked = case.toolbox, reading.asked
        may = tools is not None and tools.permits(GOAL)
        said = scene.join(dict.fromkeys(map(scene.say, reading.unclear)))
        if reading.unclear and tools and not may and not tools.permits(FOLLOW.replace(" ", "_")):
            said = refusal(scene, tools.advice())
        if asked is None or not may or not (asked.names or asked.guess):
            return said
        dropped = scene.say(self._speakers.of(scene.speaker).drop_question())
        return scene.join([dropped, self._ask(case, asked, said)])

    def _ask(self, case: Case, asked: Unclear, said: str) -> str:
        self._speakers.of(case.turn.speaker).question = OpenQuestion(asked, case.turn.since)
        return said

    async def of_building(self, case: Case, scene: Scene) -> str:
        """What is said to a plan to build something together."""
        lines = rules.lines_between(case.history, case.bot, scene.speaker)
        own = [words for who, words in lines if who == scene.speaker]
        if own and phrases.reckoned(own[-1], case.bot, within=True) is not None:
            return ""
        if not any(heard("build.together").search(normal(expanded(words))) for words in own):
            return ""
        if (handbook := await self._reciting.handbook()) is None:
            return ""
        said, offer = self._of_building(scene, lines, case.persona.temperament, handbook)
        if offer:
            reading = await self._reader.read_lines(case.bot, scene.speaker, [offer], case.world)
            self._ask(
                case, Unclear(saying("asking.plainly", call=offer), guess=reading.requests), said
            )
        return said

    async def by_gist(self, case: Case, scene: Scene) -> str | None:
        """What comes of the orders in a line that says more. They are carried out where they are
        sure and harmless; else the bot asks whether they are meant."""
        line, tongue = case.turn.lines[-1], scene.tongue or scene.language
        if is_told(line, tongue):
            return None
        gap = "" if tongue == "ja" else " "
        bare = expanded(line.casefold().replace(case.bot.casefold(), gap))
        if tongue == "ja":
            bare = _DRAWN_OUT.sub("", bare)
        if any(name.casefold() in bare for name in seen(case.world)[1:] if name != scene.speaker):
            return None  # it may be for them
        is_thing = partial(_may_be_got, scene, tongue)
        meant = gist(bare, tongue, is_thing)
        if meant is None and (better := await self._reader.mended(bare)):
            meant = gist(better, tongue, is_thing)
        if meant is None:
            return None
        plain = [foreign.in_english(order, case.bot) for order in meant.orders]
        asked = _PAUSE[scene.language].join(plain)
        reading = await self._reader.read_lines(case.bot, scene.speaker, [asked], case.world)
        comes = all(one.command.startswith("navigation") for one in reading.requests)
        if comes and (kind := kind_of(scene, line)) is not None and kind.means:
            return None  # who calls for help gets more
        if not reading.requests:
            unknown = any(is_vague(why) or why.meaning == NO_PRONOUN for why in reading.unclear)
            is_known = reading.unclear and not unknown
            return self.asked_back(case, scene, reading) if is_known else None
        is_sure = meant.is_sure and not case.turn.messages[-1].relayed
        if is_sure and all(one.command != "attack" for one in reading.requests):
            return await self._work.take_on(case, scene, reading)
        return self._do_you_mean(case, scene, _PAUSE[tongue].join(meant.orders), reading)

    async def by_question(self, case: Case, scene: Scene) -> str | None:
        """The answer to the question after a thing in a line that says more."""
        tongue = scene.tongue or scene.language
        line = case.turn.lines[-1].casefold().replace(case.bot.casefold(), " ")
        asked = question(expanded(line), tongue, partial(_may_be_found, scene, tongue))
        if asked is None:
            return None
        plain = foreign.in_english(asked, case.bot)
        return await self._plainly(case, scene, plain, NONE, guesses=False)

    # --- Phrases and sums -------------------------------------------------------------

    async def by_phrase(self, case: Case, scene: Scene) -> str | None:
        """The answer to a line that is a phrase, or a sum."""
        line = case.turn.lines[-1]
        if (result := self.reckoned(case, scene, line)) is not None:
            return result
        if (phrase := phrases.found(line, case.bot)) is not None:
            is_open = phrase.says and phrase.thing  # it may be any words
            said = await self.by_gist(case, scene) if is_open else None
            return said or await self._of_phrase(case, scene, phrase)
        if phrases.is_call(line, case.bot) and not scene.things.meant(line):
            return scene.tell("manners.called", who=scene.called)
        return None

    def reckoned(self, case: Case, scene: Scene, line: str) -> str | None:
        """The result of a sum."""
        result = phrases.reckoned(line, case.bot)
        return None if result is None else scene.tell("chat.sum", sum=result)

    async def _of_phrase(
        self, case: Case, scene: Scene, phrase: Phrase, allowed: frozenset[str] | None = None
    ) -> str | None:
        may_tell = phrase.tells and allowed != NONE
        if may_tell and (told := await self.tell(case, scene, phrase.tells, phrase.thing)):
            return told
        if phrase.says:
            return scene.say_one_of(phrase.says, said=phrase.said, thing=phrase.thing)
        if phrase.does or phrase.tells:
            return None  # the request was read, or is none here
        last, sentence = self._speakers.of(scene.speaker).last, phrase.sentence
        if last is None and _LAST in sentence:
            return None
        sentence = sentence.replace(_LAST, last.words if last else "")
        return await self._plainly(case, scene, sentence, allowed)

    async def tell(self, case: Case, scene: Scene, tells: str, thing: str) -> str | None:
        """What a row tells, or does again; None where that is nothing."""
        own, things = self._speakers.of(scene.speaker), scene.things
        match tells:
            case "happened":
                lately = [one for one in case.events if case.turn.since - one.at_s < LATELY_S]
                dangers = [one for one in lately if one.kind == "danger"]
                return dealings.happened(scene, own.fates, things, dangers)
            case "nearest":
                return await self.nearest(case, scene, thing)
            case "chests" if case.toolbox is not None:
                return await in_chests(case.toolbox, scene)
            case "again" | "likewise":
                return await self._once_more(case, scene, own, thing, may_act=tells == "again")
            case "food":
                food = await self._reader.food(case.world)
                return await self._plainly(case, scene, GIVE.format(food)) if food else None
            case "help" if _is_in_danger(case):
                return await self._plainly(case, scene, GUARD_ME)
            case "light" if case.world is not None:
                return _until_light(scene, case.world)
            case "latest" if own.fates:
                got = dealings.got(own.order, own.had, things, case.world)
                return dealings.told(scene, own.fates[-1], got, things)
            case "fate":
                fate = own.fate_of(thing, things)
                got = dealings.got(own.order, own.had, things, case.world)
                return None if fate is None else dealings.told(scene, fate, got, things)
        return None

    async def _once_more(
        self, case: Case, scene: Scene, own: Dealings, thing: str, *, may_act: bool
    ) -> str | None:
        """The last question or order, about this thing if there is one: “and doors”, after “how do
        I make stairs”."""
        count, words = counted(thing)
        if thing and not _is_thing(scene, words):
            return None
        if thing and own.asked is not None:
            line, before = own.asked
            line = line.replace(before, words if count in (None, 1) else thing)
            own.asked = (line, words)
            phrase = phrases.found(line, case.bot)
            said = await self._of_phrase(case, scene, phrase) if phrase else None
            return said or await self._plainly(case, scene, line)
        made = await self._work.again(case, scene, words, count) if may_act else None
        if isinstance(made, Unclear):
            return self.asked_back(case, scene, Reading(asked=made, unclear=(made.why,)))
        return made

    async def nearest(self, case: Case, scene: Scene, words: str) -> str | None:
        if case.toolbox is None:
            return None
        return await self._reciting.nearest(case.toolbox, scene, words)

    # --- Parts, and slips of the keyboard ---------------------------------------------

    async def _by_mending(self, case: Case, scene: Scene) -> str | None:
        """The answer to a line once its slips of the keyboard are mended."""
        said = await self._with_better_spelling(case, scene)
        if said is not None:
            return said
        line = case.turn.lines[-1]
        better = await self._reader.mended(line)
        nearly = not await self._reader.is_spelt_right(better or line)
        if (phrase := phrases.found(better or line, case.bot, nearly=nearly)) is None:
            # What to say to whoever names a thing and nothing else.
            named = (better or line).strip(" .!?")
            reading = await self._reader.read_lines(
                case.bot, scene.speaker, [f"make {named}"], case.world
            )
            if scene.language == "ja" or [one.command for one in reading.requests] != [GOAL]:
                return None
            order = reading.requests[0].order
            asked = Unclear(
                saying("unclear.shall_i_make", thing=named), order=order, guess=reading.requests
            )
            return self._ask(case, asked, scene.say(asked.why))
        if not (phrase.says or phrase.tells) and is_told(line, scene.language):
            return None
        if phrase.does:
            return await self._plainly(case, scene, phrase.sentence)
        return await self._of_phrase(case, scene, phrase, _HARMLESS)

    async def _by_parts(self, case: Case, scene: Scene) -> str | None:
        """The answers to the parts of a line without stops, each understood for itself. What one
        asks for is done only where all of the line is understood and the rest raises no doubt."""
        newest = case.turn.messages[-1]
        point = phrases.to_the_point(newest.content, case.bot)
        line = expanded(point, {name.casefold() for name in seen(case.world)})
        if line.lstrip().startswith(("!", "/")):
            return None
        ask = await self._reader.asking(case.bot, case.turn.speaker, case.world)
        better = await self._reader.mended(line)
        for said, allowed in ((line, None), (better or line, _HARMLESS)):
            understood = phrases.parts(said, lambda part: _is_understood(ask, scene, part))
            if not understood or (understood == [said] and point == newest.content):
                continue
            is_whole = phrases.is_all(said, understood)
            remarks = [part for part in understood if _is_remark(part, case.bot)]
            told = dict[object, str | None]()  # what is answered alike once
            for part in understood:
                may_act = is_whole and not takes_back(_without(said, [part, *remarks]))
                if (row := _row_of(scene, part)) not in told:
                    told[row] = await self._of_part(case, scene, part, allowed if may_act else NONE)
            asked = await self._of_left(case, scene, [one for one in told if told[one] is None])
            return scene.join([*list(filter(None, told.values()))[-MOST_PARTS:], asked]) or None
        return None

    async def _of_left(self, case: Case, scene: Scene, parts: Sequence[object]) -> str:
        """Whether a part is meant that asks for something, and was left for what stands beside."""
        for part in filter(lambda one: isinstance(one, str), parts):
            lines = [str(part)]
            reading = await self._reader.read_lines(case.bot, scene.speaker, lines, case.world)
            if any(one.command not in ONLY_TELLS for one in reading.requests):
                return self._do_you_mean(case, scene, str(part), reading)
        return ""

    def _do_you_mean(self, case: Case, scene: Scene, sentence: str, reading: Reading) -> str:
        asked = Unclear(saying("unclear.do_you_mean", words=sentence), guess=reading.requests)
        return self._ask(case, asked, scene.say(asked.why))

    async def _of_part(
        self, case: Case, scene: Scene, part: str, allowed: frozenset[str] | None
    ) -> str | None:
        if (result := self.reckoned(case, scene, part)) is not None:
            return result
        phrase = _phrase_of(scene, part)
        if phrase is not None and not phrase.does:
            return await self._of_phrase(case, scene, phrase, allowed)
        if (said := await self._plainly(case, scene, part, allowed)) is not None:
            return said
        if tells_of_speaker([part]):
            return scene.tell("manners.kept")
        return rules.answer(scene, [part]) if rules.is_plain(scene, part) else None

    async def _by_likeness(self, case: Case, scene: Scene, *, clearly: bool = False) -> str | None:
        """The answer to the row that a line is most like, `clearly`: and says little besides. What
        it asks for is done where that is sure and harmless; else the bot asks whether it is
        meant."""
        line = case.turn.lines[-1]
        result = None if clearly else phrases.reckoned(line, case.bot, within=True)
        if result is not None:
            return scene.tell("chat.sum", sum=result)
        like = most_like(line, case.bot, lambda words: _is_thing(scene, words))
        if like is None or (clearly and not like.is_clear):
            return None
        phrase = like.phrase
        if phrase.says or phrase.tells:
            return await self._of_phrase(case, scene, phrase)
        if _LAST in (sentence := phrase.sentence):
            return None
        reading = await self._reader.read_lines(case.bot, scene.speaker, [sentence], case.world)
        may_act = like.is_sure and not case.turn.messages[-1].relayed and not takes_back(line)
        may_act = may_act and (not _NUMBER.search(line) or _NUMBER.search(sentence) is not None)
        acts = [one for one in reading.requests if one.command not in ONLY_TELLS]
        if not acts or (may_act and all(map(_is_harmless, acts))):
            return await self._plainly(case, scene, sentence, guesses=False)
        return self._do_you_mean(case, scene, sentence, reading)

    async def by_kind(self, case: Case, scene: Scene) -> str | None:
        """The answer to a line of which only the kind is known. What it asks for, as who calls for
        help does, is done where the speaker may have it done."""
        kind = kind_of(scene, case.turn.lines[-1])
        if kind is None:
            return None
        if not kind.means or case.toolbox is None:
            return kind.says(scene)
        lines = [kind.means]
        reading = await self._reader.read_lines(case.bot, scene.speaker, lines, case.world)
        may = all(case.toolbox.permits(one.tool) for one in reading.requests)
        return await self._plainly(case, scene, kind.means, _HARMLESS) if may else kind.says(scene)

    async def _with_better_spelling(self, case: Case, scene: Scene) -> str | None:
        """What comes of the line in the spelling of a request, if it is nearly one."""
        better = await self._reader.mended(case.turn.lines[-1])
        return await self._plainly(case, scene, better, _HARMLESS) if better else None

    async def _plainly(
        self,
        case: Case,
        scene: Scene,
        line: str,
        allowed: frozenset[str] | None = None,
        *,
        guesses: bool = True,
    ) -> str | None:
        """What comes of a line, if it is understood: a request is begun if it is allowed. It
        `guesses` what the line is like, unless that is the sentence of a row."""
        reading = await self._reader.read_lines(case.bot, case.turn.speaker, [line], case.world)
        if any(allowed is not None and one.command not in allowed for one in reading.requests):
            return None
        if reading.requests:
            return await self._work.take_on(case, scene, reading)
        if reading.unclear:
            is_known = all(
                why != UNSURE and why.meaning != "unclear.item" for why in reading.unclear
            )
            return self.asked_back(case, scene, reading) if is_known else None
        if said := await self.recited(case, scene, [line], guesses=guesses):
            return said
        understood = rules.understand(scene, [line])
        is_known = rules.knows(understood) or "help" in understood.facts
        return rules.answer(scene, [line]) if is_known else None

    # --- Facts ------------------------------------------------------------------------

    async def _piecewise(self, case: Case, scene: Scene, *, tells: bool) -> str | None:
        """The answer to what a line is clearly like, or to its parts. In Japanese it comes before
        any fact, whose word may stand in any other, and what somebody `tells` of themselves."""
        if scene.language == "ja":
            said = await self._by_parts(case, scene)
            return said or await self._by_likeness(case, scene, clearly=True)
        said = None if tells else await self._by_likeness(case, scene, clearly=True)
        return said or await self._by_parts(case, scene)

    def not_understood(self, scene: Scene) -> str:
        return rules.unsure(self._again(scene))

    def _again(self, scene: Scene) -> Scene:
        """With whether this speaker was told lately what can be asked; counts one more time."""
        own = self._speakers.of(scene.speaker)
        own.unsure += 1
        return replace(scene, is_again=(own.unsure - 1) % TOLD_EVERY > 0)

    async def recited(
        self, case: Case, scene: Scene, lines: Sequence[str], *, guesses: bool = True
    ) -> str:
        """The answer from what the bot knows, where a line asks for it; '' where it does not."""
        if case.toolbox is None:
            return ""
        pending = (line.sequence for line in case.turn.messages)
        instead = partial(self._instead, case, scene) if guesses else _nothing
        return await self._reciting.answer(case.toolbox, scene, lines, pending, instead) or ""

    async def _instead(self, case: Case, scene: Scene) -> str | None:
        """What a line asks for that names no thing as it stands."""
        return await self._by_likeness(case, scene) or await self.by_question(case, scene)


async def _nothing() -> None:
    """No row is like the line."""


def _is_harmless(request: Request) -> bool:
    """Whether it is begun although the line is only like it: not to throw away all that it has."""
    drops_all = request.any_of and "targetPlayer" not in request.fields
    return request.command in _HARMLESS and not drops_all


def _is_in_danger(case: Case) -> bool:
    """Whether a monster is near the speaker, or the bot where it does not see them."""
    world = case.world
    if world is None:
        return False
    speaker = world.player(case.turn.speaker)
    at = (speaker and speaker.position) or world.position
    return any(one.hostile and at.distance_to(one.position) <= DANGER_AT for one in world.mobs)


def _until_light(scene: Scene, world: WorldSnapshot) -> str:
    """How long it is still day, or night."""
    left_s = world.day_left_s if world.is_day else world.night_left_s
    span = told_minutes(max(1, round(left_s / 60)), scene.speaks)
    return scene.tell("world.day_left" if world.is_day else "world.night_left", span=span)


def _may_be_got(scene: Scene, tongue: str, words: str) -> bool:
    return (
        foreign.is_thing(words, tongue) if scene.tongue else scene.things.meant(words) is not None
    )


def thing_named(scene: Scene, line: str) -> tuple[str, str]:
    """The line in plain words, and the thing or creature that it names; '' for none."""
    tongue = scene.tongue or scene.language
    words = normal(expanded(line.casefold().replace(scene.bot.casefold(), " "))).strip()
    found = named(words, tongue, partial(_may_be_found, scene, tongue))
    wanted = wish(found, several=False) if found and tongue == "en" else None
    return words, (wanted.words if wanted else found) or ""


def _may_be_found(scene: Scene, tongue: str, words: str) -> bool:
    return _may_be_got(scene, tongue, words) or _is_thing(scene, words)


def is_vague(why: Saying) -> bool:
    """Whether a request may be another than it looks."""
    return why == UNSURE or why.meaning in ("unclear.item", "closing.unsure")


def _says_little(why: Saying) -> bool:
    """Whether why nothing is done tells no more than that it was not understood."""
    named = str(why.slots.get("thing", "")).split() if why.meaning == "unclear.item" else []
    return why == UNSURE or len(named) > MOST_OF_A_NAME


def _is_thing(scene: Scene, words: str) -> bool:
    is_mob = words.rstrip("s") in english_mobs() or mob_in_japanese(words) is not None
    return is_mob or scene.things.meant(words) is not None


def _is_remark(part: str, bot: str) -> bool:
    """Whether there is something to say to it, nothing to do, and nothing is taken back by it but
    what it tells: “I can't see anything”."""
    phrase = phrases.found(part, bot)
    told = " ".join(word for word in part.split() if not is_denial(word))
    return phrase is not None and bool(phrase.says) and not takes_back(told)


def _without(said: str, parts: Sequence[str]) -> str:
    for part in parts:
        said = said.replace(part, " ")
    return said


def _phrase_of(scene: Scene, part: str) -> Phrase | None:
    """The phrase that a part is; in Japanese also one that it is clearly like."""
    phrase = phrases.found(part, scene.bot)
    if phrase is not None or scene.language != "ja" or phrases.has_parts(part):
        return phrase
    like = most_like(part, scene.bot, lambda words: _is_thing(scene, words))
    return like.phrase if like and like.is_clear and not like.phrase.does else None


def _row_of(scene: Scene, part: str) -> object:
    """What two parts have in common that get the same answer."""
    phrase = _phrase_of(scene, part)
    if phrase is not None and phrase.tells:
        return phrase.tells, phrase.thing
    return part if phrase is None else phrase.says or phrase.sentence


def _is_understood(ask: Ask, scene: Scene, part: str) -> bool:
    """Whether a part of a line is a request, a phrase or a sum, or asks or tells something."""
    if heard("phrase.opening").fullmatch(part):
        return False
    phrase = _phrase_of(scene, part)
    if phrase is not None and phrase.thing and phrase.means:
        asks = phrase.means.endswith(("?", "？")) and _is_thing(scene, phrase.thing)
        if asks or read(ask, [phrase.sentence]).requests:
            return True
        phrase = None
    if phrase or phrases.reckoned(part, ask.bot):
        return True
    if scene.language == "ja" and phrases.has_parts(part):
        return bool(read(ask, [part]).requests)
    if tells_of_speaker([part]):
        return True
    reading = read(ask, [part])
    is_known = reading.asked is not None and reading.asked.is_known
    return bool(reading.requests) or is_known or rules.is_plain(scene, part)
