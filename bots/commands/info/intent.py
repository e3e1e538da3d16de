"""`!info intent`: a guess what a player is up to, from what they hold and wear, where they are,
what they asked for and wished, and what the bot knows of them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import ClassVar, Literal

from pydantic import Field

from bots.access.origin import Person, called
from bots.access.sources import Sources, joined
from bots.bot.knowing import Found, Wanted, tag
from bots.bot.result import Result
from bots.catalogue.counted import listed, thing
from bots.catalogue.handbook import Handbook, handbook_for
from bots.catalogue.intents import Guess, Sign, at_height, guessed
from bots.knowledge.cards.cards import Cards
from bots.knowledge.cards.fact import Fact, Kind, of_person
from bots.knowledge.wording import listed as as_listed
from bots.knowledge.wording import tags_in
from bots.registry.args import Args, PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.text.plurals import with_article
from bots.text.spelling import spelt
from bridge.actions import PlayerGear
from bridge.world import PlayerName, WorldSnapshot

HELD, WORN, SAID, HANDED = 3.0, 1.0, 2.0, 1.5  # how much each kind of sign weighs
LATELY = timedelta(days=3)
MOST_KNOWN = 5
MOST_EXCLUDED = 200
_SIGNS: dict[Kind, tuple[str, float]] = {
    "asked_for": ("asked me: {}", SAID),
    "wishes": ("said: {}", SAID),
    "promised": ("promised: {}", SAID),
    "gave": ("gave me {}", HANDED),
    "got": ("got {} from me", HANDED),
}
"""Facts of a card that say what somebody is at."""


class IntentArgs(Args):
    json_only: ClassVar = frozenset({"exclude_ids"})

    words: PlayerWord = Field("", max_length=200)
    """A player, or what was seen: iron pickaxe, torches. Unless given it is about you."""
    exclude_ids: tuple[int, ...] = Field((), max_length=MOST_EXCLUDED)
    """Numbers of entries to leave out: those that are known already."""


class IntentResult(Result):
    type: Literal["intent"] = "intent"
    player: str | None
    """Null where it is about things alone."""
    guess: Guess
    based_on: tuple[int, ...]
    """Numbers of the entries of knowledge that it takes into account."""
    warnings: tuple[str, ...]
    """What was told to help against a danger there."""
    sources: Sources = Field(exclude=True)
    """Whence all these words come."""

    def lines(self) -> list[str]:
        who = "Somebody with that" if self.player is None else called(self.player)
        guess = self.guess
        if guess.pursuit is None:
            return [f"I cannot tell what {who[:1].lower()}{who[1:]} is up to."]
        why = f": {'; '.join(guess.reasons[:3])}" if guess.reasons else ""
        next_ = [thing(one.name, "en") for one in guess.likely[:3]]
        then = f" Likely next: {listed(next_, 'en', 'or')}." if next_ else ""
        sure = round(100 * guess.confidence)
        return [f"{who} may be at {guess.pursuit} ({sure} % sure){why}.{then}", *self.warnings[:1]]


@commands.command("info intent", IntentArgs, example="!info intent Steve")
async def intent(context: CommandContext, args: IntentArgs) -> IntentResult:
    """Guess what a player is up to, from what I see of them and know."""
    context.check_proven()
    bot, handbook = context.bot, await handbook_for(context.bot)
    world = await bot.snapshot()
    player = _player(context, world, args.words)
    facts, signs = list[Fact](), list[Sign]()
    if player is not None:
        facts = _facts(context, player)
        signs = await _signs_in_sight(context, world, player)
    elif args.words:
        signs.append(Sign(args.words, SAID, tuple(_items_in(handbook, args.words))))
    signs += [_sign_of(handbook, fact) for fact in facts]
    known = await _known(context, args, player, signs)
    signs += [_sign_of_entry(handbook, one) for one in known]
    await bot.knowledge.mark_used(one.entry.id for one in known)
    now = bot.times.clock()
    return IntentResult(
        player=player,
        guess=guessed(handbook, signs),
        based_on=tuple(one.entry.id for one in known),
        warnings=tuple(as_listed(one, now) for one in known if one.entry.type == "counter"),
        sources=joined([*(one.sources for one in facts), *(one.entry.sources for one in known)]),
    )


def _player(context: CommandContext, world: WorldSnapshot, words: str) -> str | None:
    """The player that is meant: who is on the server, or whom the bot has a card of."""
    asker = context.origin.name if isinstance(context.origin, Person) else None
    if not words:
        return asker
    name = spelt(words, [one.name for one in world.players])
    return name or _cards(context).person_called(words)


def _cards(context: CommandContext) -> Cards:
    cards = context.bot.services.get(Cards)
    assert cards is not None, "every session provides them"
    return cards


def _facts(context: CommandContext, player: str) -> list[Fact]:
    """What the player lately asked for, wished, promised, gave and got; only what may be told."""
    since = context.bot.times.clock() - LATELY
    told = _cards(context).facts(of_person(player), context.may_know)
    return [fact for fact in told if fact.kind in _SIGNS and fact.at >= since]


async def _signs_in_sight(context: CommandContext, world: WorldSnapshot, player: str) -> list[Sign]:
    seen = world.player(player)
    if seen is None or seen.position is None:
        return []
    gear = await context.bot.query(PlayerGear(PlayerName(player)))
    held = [gear.held] if gear is not None and gear.held else []
    worn = gear.worn if gear is not None else ()
    signs = [Sign(f"holds {with_article(thing(one, 'en'))}", HELD, (one,)) for one in held]
    signs += [Sign(f"has {with_article(thing(one, 'en'))} on", WORN, (one,)) for one in worn]
    deep = at_height(seen.position.y) if world.dimension == "overworld" else None
    return [*signs, *([deep] if deep else [])]


def _sign_of(handbook: Handbook, fact: Fact) -> Sign:
    words, weight = _SIGNS[fact.kind]
    count = f"{fact.count} " if fact.count else ""
    items = tuple(_items_in(handbook, fact.words))
    return Sign(words.format(f"{count}{fact.words}"), weight, items)


def _sign_of_entry(handbook: Handbook, found: Found) -> Sign:
    entry = found.entry
    weight = SAID * entry.confidence * (0.5 if found.is_claim else 1.0)
    return Sign(f"I was told: {entry.insight}", weight, tuple(_items_in(handbook, entry.insight)))


def _items_in(handbook: Handbook, words: str) -> Iterable[str]:
    return sorted(one.name for one in tags_in(words, {"item": handbook.items}))


async def _known(
    context: CommandContext, args: IntentArgs, player: str | None, signs: Iterable[Sign]
) -> list[Found]:
    """What the bot knows of the player, and of how to meet dangers with these things."""
    about = [tag("player", called(player))] if player else []
    about += [tag("item", item) for sign in signs for item in sign.items]
    if not about:
        return []
    wanted = Wanted(
        tags=frozenset(about),
        limit=MOST_KNOWN,
        damped=True,
        without=frozenset(args.exclude_ids),
        may_know=context.may_know,
    )
    return list(await context.bot.knowledge.search(wanted))
