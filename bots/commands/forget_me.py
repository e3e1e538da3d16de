"""`!forget me`: the bot forgets whoever asks for it."""

from __future__ import annotations

from typing import ClassVar

from bots.access.origin import Level, Operator, Origin, called, is_operator, speaker_of
from bots.bot.result import Result
from bots.errors import CommandError, NotPermitted
from bots.registry.args import Args
from bots.registry.persons import PlayerWord
from bots.registry.registry import CommandContext, commands
from bots.responder.forgetting import Forgotten, forget_person
from bots.text.plurals import counted

STAYS = (
    "What was said stays in the record, as others heard it too, but I go by it no more; "
    "!recall still finds it for those who heard it."
)


class ForgetMeArgs(Args):
    json_only: ClassVar = frozenset({"person"})

    person: PlayerWord | None = None
    """Whom to forget; only an owner may name somebody else. An operator's name begins with @."""


class ForgetMeResult(Result):
    person: str
    facts: int
    """Of the card of this person."""
    entries: int
    """Of what this person had the bot remember."""
    notes: int
    """Of conversations with this person, or that name them."""
    thoughts: int
    """Plans and outlooks that name this person."""
    message: str

    def lines(self) -> list[str]:
        return [self.message]


@commands.command("forget me", ForgetMeArgs, personal=True, example="!forget me")
async def forget_me(context: CommandContext, args: ForgetMeArgs) -> ForgetMeResult:
    """Forget what I know of you: your card, and my notes of our talks. Recorded lines stay."""
    context.check_proven()
    speaker, person = _whom(context, args)
    gone = await forget_person(context.bot, speaker, person)
    whom = "you" if speaker == context.speaker else called(speaker)
    message = f"I have forgotten what I knew of {whom}{_counted(gone)}. {STAYS}"
    return ForgetMeResult(
        person=speaker,
        facts=gone.facts,
        entries=gone.entries,
        notes=gone.notes,
        thoughts=gone.thoughts,
        message=message,
    )


def _whom(context: CommandContext, args: ForgetMeArgs) -> tuple[str, Origin | None]:
    """Under which name they are known, and the player. Raises CommandError: nobody,
    not_permitted."""
    if args.person is None:
        if isinstance(context.origin, Operator):
            raise CommandError("nobody", 'Say whom: !forget me {"person": "Steve"}.')
        return context.speaker, context.origin
    named = None if is_operator(args.person) else context.bot.origin_of(args.person)
    if named != context.origin and context.level < Level.OWNER:
        raise NotPermitted("not_permitted", "Only an owner may have me forget somebody else.")
    return args.person if named is None else speaker_of(named), named


def _counted(gone: Forgotten) -> str:
    counts = (
        *((gone.facts, "fact"), (gone.entries, "thing to remember")),
        *((gone.notes, "note"), (gone.thoughts, "thought")),
    )
    told = [_so_many(number, what) for number, what in counts if number]
    return f": {', '.join(told)}" if told else ""


def _so_many(number: int, what: str) -> str:
    first, _, rest = what.partition(" ")
    return " ".join(filter(None, [counted(number, first), rest]))
