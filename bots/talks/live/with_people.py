"""What a bot without a model says to the people of a talk.

    a request ─▶ it is done ─▶ else: what a friend says to a mood ─▶ what the talk is about
        ─▶ what the bot senses and carries ─▶ what it knows ─▶ manners ─▶ a thought, a question

Nothing is said twice in a talk, and nothing claimed that is not so. The sentences stand in
`bots/talks/live/words`. What a bot offers is a request in plain words, and a yes makes it one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import Formatter
from typing import NamedTuple

from bots.catalogue.counted import item, thing
from bots.catalogue.handbook import Handbook
from bots.catalogue.in_words import told
from bots.catalogue.names import Names, Things
from bots.responder.asking_back import said_in
from bots.responder.case.wording import clock_time, place
from bots.responder.rules import answers, lore, phrases
from bots.responder.rules.knowing import words_to_keep
from bots.responder.rules.phrases.likeness import denies
from bots.responder.rules.requests import Ask, read
from bots.responder.rules.requests.ask import ONLY_TELLS
from bots.responder.rules.scene import Scene
from bots.responder.rules.topics import farewell, greeting
from bots.talks.live.plan import (
    MOST_AT_ONCE,
    PLANKS_OF_A_LOG,
    Plan,
    carried,
    heard_as,
    is_choice,
    plan_of,
    stuff_in,
)
from bots.talks.live.start_phrases import without_call
from bots.talks.live.words import Row, Work, words_in
from bots.text.language import language_of, normal
from bots.text.plurals import counted, with_article
from bots.text.printable import excerpt
from bots.words import fitting
from bots.words.heard import calls
from bots.words.heard import heard as hearing

LONGEST = 48  # characters of a person's line that are repeated
LINES_ON = 6
"""Of a person to one bot, after the last that names what they build, which may be about it."""
FEW_WORDS = 8
"""Of a line that may be about it without naming it anew: what is longer tells of something else."""
SETTLED_BY_TALK = frozenset(
    {"bored", "idea", "moving_on", "why", "voting", "who", "summing", "where", "size"}
)
"""Kinds of lines that mean the talk, whatever else the words may mean."""
OF_BOT = frozenset({"thing", "inventory", "held"})
"""Topics that tell what the bot carries, if that is asked."""
COURTESIES = ("farewell", "thanks", "sorry", "praise", "greeting")
_FORMAT = Formatter()
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


class Said(NamedTuple):
    """A bot's words, and what comes with them."""

    text: str
    """'' when it has nothing to say."""
    offer: str = ""
    """The request that a yes of the person stands for."""
    acts: bool = False
    """The line asks for something to be done: the bot leaves the floor for it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Those who talk, what was said, and what this bot knows beside what it senses."""

    lines: Sequence[tuple[str, str]]
    """(speaker, words), oldest first."""
    bots: Sequence[str]
    """The other bots."""
    people: Sequence[str]
    temperament: str = "calm"
    handbook: Handbook | None = None
    place: str = ""
    """The nearest place with a name that all in the talk may know."""
    taught: str = ""
    """What this bot was told of what the newest line of a person asks."""
    topic: str = ""
    """What the talk is about, until a person says something in it."""
    may_offer: bool = False
    """Whether the person may have bots do things."""


def to_people(scene: Scene, table: Table, *, goodbye: bool = False) -> Said:
    """The answer to a person's newest line, unless enough bots have answered it."""
    if table.handbook is not None:
        scene = replace(scene, things=Things(table.handbook.items))
    return _Speaker(scene, table).answer(goodbye=goodbye)


def of_building(
    scene: Scene, lines: Sequence[tuple[str, str]], temperament: str, handbook: Handbook
) -> tuple[str, str]:
    """The answer to a person who plans with this bot alone what to build, '' to anything else, and
    the request that a yes to it stands for."""
    asks, left, is_of_it = words_in(scene.language).rows["idea"].asks, 0, False
    for speaker, said in lines:
        if speaker == scene.speaker:
            heard = heard_as(scene.language, without_call(said, [scene.bot]))
            line, named = heard.line, bool(heard.named)
            is_idea = named or (asks.search(line) and hearing("build.makes").search(line))
            is_told = hearing("build.told").search(line) is not None
            begins = is_idea and not is_told and hearing("build.together").search(line) is not None
            is_of_it = not denies(line) and (bool(begins) or len(line.split()) <= FEW_WORDS)
            if begins or (left and named):
                left = LINES_ON
            elif left:
                left = left - 1 if heard.row is not None else 0
    if not left or not is_of_it:
        return "", ""
    table = Table(lines, (), (scene.speaker,), temperament, handbook, may_offer=True)
    answer = to_people(scene, table)
    return answer.text, answer.offer


def accepts(line: str, bot: str) -> bool:
    """Whether a line says yes to what this bot has offered."""
    said = without_call(line, [bot])
    if (plain := said_in(bot, [said])) != "else":
        return plain == "yes"
    heard = heard_as(language_of([said]), said)
    return heard.row is not None and heard.row.name == "agreed" and not heard.named


class _Speaker:
    def __init__(self, scene: Scene, table: Table) -> None:
        self.scene, self.table, self.words = scene, table, words_in(scene.language)
        at = max((n for n, (who, _) in enumerate(table.lines) if who in table.people), default=-1)
        self.since = table.lines[at + 1 :]
        """What bots have said since the person's newest line."""
        all_bots = [scene.bot, *table.bots]
        said = without_call(table.lines[at][1], all_bots) if at >= 0 else table.topic
        self.raw, self.heard = said, heard_as(scene.language, said)
        self.line, self.named = self.heard.line, self.heard.named
        self._asked = table.lines[at][1] if at >= 0 else ""
        """The line with whom it calls."""
        self._is_first = not any(who in all_bots for who, _ in table.lines)
        """Whether no bot has said anything in the talk."""
        before = plan_of(self.words, table.lines[:at], all_bots) if at >= 0 else Plan()
        plan = plan_of(self.words, table.lines[: at + 1], all_bots)
        self._is_new = plan.work is not None and plan.work != before.work
        """Whether the line names another work than was planned before."""
        about = next(iter([*self.named[:1], *filter(None, [plan.work])]), None)
        about = about or next(iter(plan.floated[-1:]), None)
        self.plan = replace(plan, work=about)
        self._gone = before.work if about is None else None
        """What was planned before it."""
        now = plan_of(self.words, table.lines, all_bots)
        self.known_works = (*now.floated, *now.dropped)
        """What anybody has named."""
        self.used = {one.casefold() for _, text in table.lines for one in _sentences(text)}
        """All sentences of the talk."""
        self.slots = dict(self._slots())

    # What is answered.

    def answer(self, *, goodbye: bool) -> Said:
        row = self._row()
        voices = min(row.voices if row else 1, 1 + len(self.table.bots))
        spoke = [who for who, _ in self.since]
        called = [one for one in (self.scene.bot, *self.table.bots) if calls(self._asked, one)]
        is_called = self.scene.bot in called
        is_enough = bool(called) or len(spoke) >= voices
        if taught := self._taught():
            is_enough = False  # it knows more than who has spoken
        if (is_enough and not is_called) or self.scene.bot in spoke:
            return Said(self._parting() if goodbye else "")
        is_last = len(spoke) + 1 >= voices
        if not spoke and not goodbye and self._acts():
            return Said("", acts=True)
        told = taught or self._mood(row) or self._facts(row)
        if told and any(told.endswith(text) for _, text in self.since):
            return Said(self._parting() if goodbye else "")  # nobody needs it twice
        said = Said(told) if told else self._by_row(row, is_last=is_last)
        if goodbye:
            return Said(self.scene.join([said.text, self._parting()]))
        began = [greeting(self.scene)] if self._is_first else []
        return said._replace(text=self.scene.join([*began, said.text]))

    def _row(self) -> Row | None:
        row = self.heard.row or (None if self._asked else self.words.rows["idea"])
        proposed = self.words.rows["proposed"]
        is_firm = row is not None and row.name in ("voting", "summing", "needs", "size", "why")
        if self._is_new and not is_firm and (row is None or self.heard.is_proposal):
            return proposed
        if (row is None or row.name in ("agreed", "rejected")) and self._thing() is not None:
            return proposed
        if len(self.named) > 1 and is_choice(self.line):
            return self.words.rows["voting"]
        return row

    def _acts(self) -> bool:
        """Whether the line plainly asks for something to be done."""
        things = Things(self.table.handbook.items) if self.table.handbook else Things(frozenset())
        if words_to_keep(self.raw) is not None:
            return True
        if self._is_new or not things:
            return False
        ask = Ask(self.scene.bot, self.scene.speaker, things, self.scene.world)
        return any(one.command not in ONLY_TELLS for one in read(ask, [self.raw]).requests)

    def _taught(self) -> str:
        """What it was told of what the line asks, unless that was said since."""
        taught = self.table.taught if hearing("build.asks").search(self.line) else ""
        return "" if any(taught in text for _, text in self.since) else self._newly(taught)

    def _mood(self, row: Row | None) -> str:
        """What a friend says to a mood, a joke, an insult; a sum is reckoned."""
        if (result := phrases.reckoned(self.raw)) is not None:
            return self.scene.tell("chat.sum", sum=result)
        if self._is_new or (row is not None and row.name in SETTLED_BY_TALK):
            return ""
        phrase = phrases.found(self.raw, self.scene.bot)
        if phrase is None or phrase.thing:
            return ""
        said = [one.replace("{name}", self.scene.called) for one in phrase.says]
        fresh = [one for one in said if self._is_fresh(one)]
        return self.scene.rng.choice(fresh) if fresh else ""

    def _facts(self, row: Row | None) -> str:
        """What the bot senses, carries and knows; a courtesy, where that is all of the line."""
        heard = answers.understand(self.scene, [self.raw])
        courtesy = next((said for name, said in heard.manners.items() if name in COURTESIES), "")
        if courtesy and not heard.rest and (row is None or row.name in ("agreed", "opinion")):
            fresh = (answers.answer(self.scene, [self.raw]) for _ in range(8))
            return next(filter(self._is_fresh, (courtesy, *fresh)), "")
        if known := self._of_catalogue():
            return self._newly(known)
        is_of_bot = heard.facts.keys() & OF_BOT and hearing("build.owns").search(self.line)
        if row is not None and not is_of_bot:
            return ""
        told = [
            said for name, said in heard.facts.items() if name not in ("stop", "request", "help")
        ]
        return self._newly(self.scene.join(told[-answers.MOST_FACTS :]))

    def _of_catalogue(self) -> str:
        """How a thing is made, found and used that a line asks about."""
        asked, handbook = lore.asked_in(self.raw), self.table.handbook
        if asked is None or handbook is None or not asked.is_plain or self.named:
            return ""
        named = lore.meant_by(handbook, asked)
        return "" if named is None else lore.told_of(handbook, self.scene, asked, named)

    def _newly(self, told: str) -> str:
        """The same facts, asked for again, are told in other words."""
        if not told or self._is_fresh(told):
            return told
        return self._one_of("again", said=told) or told

    def _by_row(self, row: Row | None, *, is_last: bool) -> Said:
        text = self._of_row(row) if row else ""
        if row is None or not text:  # a question, or news
            asks = hearing("build.asks").search(self.line)
            row = self.words.rows["cannot_tell" if asks else "more_of"]
        text = (
            text
            or self._one_of(row.name)
            or self._one_of("stuck", words=excerpt(self.raw, LONGEST))
        )
        if not is_last or text.endswith(("?", "？")):
            return Said(text)
        if row.then == "offer" and (offered := self._offer()) is not None:
            return Said(self.scene.join([text, offered.text]), offered.offer)
        asked = self._asked_back(row) if row.then else ""
        return Said(self.scene.join(filter(None, [text, asked])))

    def _of_row(self, row: Row) -> str:
        if row.name == "voting":
            options = [*(self.named if len(self.named) > 1 else self.plan.floated[-3:])]
            options = options if len(options) > 1 else [*options, *self._own_works()][:2]
            liked = [one for one in options if self.table.temperament in one.likes]
            pick = self.scene.rng.choice(liked or options)
            text = self._one_of("voting", pick=pick.called, pick_good=pick.good)
            if len(self.since) < len(self.table.bots):
                return text
            votes = self._votes(options, text)
            parties = [
                self.words.stuff["party"].format(count=count, pick=one.called)
                for one, count in votes
            ]
            joint = self.scene.tell("among.joint")
            tally = self.words.rows["voting"].says["tally"][0].format(votes=joint.join(parties))
            return self.scene.join([text, tally])
        if row.name == "proposed":
            return self._side()
        if self.plan.work is None and "nothing" in row.says:
            return self._one_of(row.name, "nothing") or self._one_of(row.name)
        return self._one_of(row.name)

    # A side, a vote, an offer.

    def _side(self) -> str:
        """What it says to a proposal: for it or, by its temperament, for something of its own."""
        handbook, stuff = self.table.handbook, ""
        if handbook is not None:
            stuff = stuff_in(self.line, Things(handbook.items), self.scene.language)
        if stuff and self.plan.work is not None and not self._is_new:
            return self._one_of("proposed", "of_stuff", **self._of(stuff))
        if self.plan.work is not None and (self._is_new or self.named):
            likes = self.table.temperament in self.plan.work.likes
            own_likes = self.slots.get("own_liked") and not likes
            side = "against" if own_likes and self.since else "for"
            return self._one_of("proposed", side) or self._one_of("proposed", "for")
        if (thing := self._thing()) is not None:
            recipe = self._recipe(thing)
            named = {"thing": _bare(thing), "a_thing": _with_article(thing)}
            kind = "made" if recipe else "unknown"
            return self._one_of("proposed", kind, **named, recipe=recipe)
        return ""

    def _votes(self, options: Sequence[Work], own: str) -> list[tuple[Work, int]]:
        """By the sentences of the bots that have voted."""
        patterns = self.words.rows["voting"].says["says"]
        votes = Counter[str]()
        for said in (*(text for _, text in self.since), own):
            for one in options:
                filled = (fitting(p, {"pick": one.called, "pick_good": one.good}) for p in patterns)
                votes[one.name] += any(
                    text and text.casefold() in said.casefold() for text in filled
                )
        found = [(one, votes[one.name]) for one in options if votes[one.name]]
        return sorted(found, key=lambda vote: -vote[1])

    def _offer(self) -> Said | None:
        """To fetch some of what the plan takes."""
        lack = self.plan.lacks(self.scene.world)
        if not (lack and self.table.may_offer):
            return None
        of = "log" if self.plan.of == "planks" else self.plan.of
        count = min(MOST_AT_ONCE, -(-lack // PLANKS_OF_A_LOG) if of == "log" else lack)
        asks = self._one_of("offers", fetch=self._counted(of, count))
        stuff = self.words.stuff.get(of) or thing(of, self.scene.language)
        return (
            Said(asks, self.words.stuff["get"].format(count=count, stuff=stuff)) if asks else None
        )

    # What a line names.

    def _thing(self) -> str | None:
        found = hearing("build.proposal").search(self.line)
        words = next(filter(None, found.groups()), "") if found else ""
        return words if words and not hearing("build.no_thing").fullmatch(words) else None

    def _recipe(self, thing: str) -> str:
        handbook = self.table.handbook
        named = None if handbook is None else Names(handbook).meant(thing, ("item",))
        if handbook is None or named is None or not handbook.item(named.name).recipes:
            return ""
        return told(handbook.item(named.name), "making", self.scene.language)

    def _own_works(self) -> list[Work]:
        """What this bot would build that nobody has named, what it likes best first."""
        fresh = [one for one in self.words.works.values() if one not in self.known_works]
        self.scene.rng.shuffle(fresh)
        return sorted(fresh, key=lambda one: self.table.temperament not in one.likes)

    # Sentences.

    def _one_of(self, name: str, kind: str = "says", **more: str) -> str:
        """A sentence of a row that fits and was not said in this talk; '' where there is none."""
        return self._any(self._fresh_of(name, kind, more))

    def _asked_back(self, row: Row) -> str:
        """A question, but not the one that the person has just asked."""
        asks = self._fresh_of("asks_back", "says", {})
        return self._any([one for one in asks if row.asks.search(normal(one)) is None])

    def _any(self, sentences: Sequence[str]) -> str:
        return self.scene.rng.choice(sentences) if sentences else ""

    def _fresh_of(self, name: str, kind: str, more: Mapping[str, str]) -> list[str]:
        slots = {**self.slots, **_capital(more)}
        filled = {
            pattern: text
            for pattern in self.words.rows[name].says.get(kind, ())
            if (text := fitting(pattern, slots)) and self._is_fresh(text)
        }
        others = [text for pattern, text in filled.items() if not self._sounds_alike(pattern)]
        return others or list(filled.values())

    def _sounds_alike(self, pattern: str) -> bool:
        """Whether the talk has this sentence with other words in it."""
        longest = max((part for part, *_ in _FORMAT.parse(pattern)), key=len).strip().casefold()
        return any(longest in one for one in self.used)

    def _is_fresh(self, text: str) -> bool:
        return all(one.casefold() not in self.used for one in _sentences(text))

    def _parting(self) -> str:
        return self._one_of("parting") or farewell(self.scene)

    def _counted(self, stuff: str, count: int) -> str:
        called = self.words.stuff.get(stuff)
        if called is None:
            return item(stuff, count, self.scene.language)
        if self.scene.language == "ja":
            return f"{called}{count}個"
        return (
            counted(count, called.removesuffix("s"))
            if called.endswith("s")
            else f"{count} {called}"
        )

    def _has(self, stuff: str, needed: int) -> str:
        count = carried(self.scene.world, stuff)
        kind = "none" if not count else "enough" if count >= needed else "some"
        return self.words.stuff[kind].format(count=count)

    def _of(self, stuff: str) -> Mapping[str, str]:
        stuff = "planks" if stuff == "log" else stuff
        called = self.words.stuff.get(stuff) or thing(stuff, self.scene.language)
        count = self._counted(stuff, self.plan.count)
        return {"thing": called, "count_of": count, "have_of": self._has(stuff, self.plan.count)}

    # Slots.

    def _slots(self) -> Iterator[tuple[str, str]]:
        scene, world = self.scene, self.scene.world
        yield "speaker", scene.called
        yield "company", str(1 + len(self.table.bots) + len(self.table.people))
        if self.table.bots:
            yield "fellow", scene.rng.choice(list(self.table.bots))
        if self.table.place:
            yield "place", self.table.place
        if world is not None:
            yield "at", place(world.position)
            yield "day" if world.is_day else "night", clock_time(world.time_of_day)
            hostile = [one for one in world.mobs if one.hostile]
            yield (
                ("mob", with_article(hostile[0].name.replace("_", " ")))
                if hostile
                else ("calm", "")
            )
        own, other = self._own_works()[:2]
        yield from self._of_work("own", own)
        yield from self._of_work("other", other)
        yield "own_cost", self._counted(own.of, own.count)
        if self.table.temperament in own.likes:
            yield "own_liked", own.called
        if (work := self.plan.work or self._gone) is not None:
            yield from self._of_plan(work)

    def _of_work(self, name: str, work: Work) -> Iterator[tuple[str, str]]:
        yield from _capital(
            {
                name: work.called,
                f"a_{name}": with_article(work.called),
                f"the_{name}": f"the {work.called}",
                f"{name}_good": work.good,
            }
        ).items()

    def _of_plan(self, work: Work) -> Iterator[tuple[str, str]]:
        plan = replace(self.plan, work=work)
        yield from self._of_work("work", work)
        lack = plan.lacks(self.scene.world)
        facts = {
            "good": work.good,
            "sized": work.sized.format(size=plan.blocks),
            "size": str(plan.blocks),
            "cost": self._counted(plan.of, plan.count),
            "have": self._has(plan.of, plan.count),
            "stuff": self.words.stuff.get(plan.of, plan.of.replace("_", " ")),
        }
        yield from _capital(facts).items()
        if lack:
            yield "lack", self._counted(plan.of, lack)


def _capital(slots: Mapping[str, str]) -> dict[str, str]:
    """The slots, and each with a capital letter for the beginning of a sentence."""
    begun = {
        f"{key[:1].upper()}{key[1:]}": f"{text[:1].upper()}{text[1:]}"
        for key, text in slots.items()
    }
    return {**slots, **begun}


def _sentences(text: str) -> Iterable[str]:
    return filter(None, (one.strip() for one in _SENTENCE.split(text)))


def _bare(thing: str) -> str:
    return hearing("build.article").sub("", thing)


def _with_article(thing: str) -> str:
    is_many = thing.endswith("s") and not thing.endswith("ss")
    return thing if _bare(thing) != thing or is_many or not thing.isascii() else with_article(thing)
