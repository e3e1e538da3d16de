"""The question of a thread: the same quoted data as for a reply, without tools."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bots.chat.message import Message
from bots.responder.case.known import NOTHING_KNOWN, Known
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import SENSES, Retelling, character_of, quoted, shown
from bots.responder.reflection.thought import SCHEMA, Note, Thought, Thread
from llm.model import Question, Turn
from llm.prompts import BRIEFING, PERIODIC

SYSTEMS = {"briefing": BRIEFING, "periodic": PERIODIC}
MAX_TOKENS = 3_000  # thinking included
MOST_LINES = 40
LONGEST_LINE = 500  # characters, quoted


@dataclass(frozen=True, slots=True)
class Seen:
    """What a thread is shown."""

    lines: Sequence[Message]
    """The lines it may see, oldest first; the newest `MOST_LINES` go into the question."""
    former: Thought | None
    notes: Sequence[Note]
    at_work: str | None
    """The job under way."""
    senses: str
    told: Retelling
    """How the lines are told."""
    known: Known = NOTHING_KNOWN


def question_of(thread: Thread, persona: Persona, seen: Seen) -> Question:
    """Whoever is not content with a thought has it made anew from the same lines: they come
    first."""
    lines = tuple(Turn("user", row) for row in _lines(seen))
    rows = [*_former(seen.former), *_notes(seen.notes)]
    rows += [quoted({"at_work": seen.at_work})] if seen.at_work else []
    rows += [*seen.known.lines, SENSES, shown(seen.senses)]
    return Question(
        SYSTEMS[thread],
        (*lines, Turn("user", "\n".join(rows))),
        MAX_TOKENS,
        schema=SCHEMA,
        character=character_of(persona),
        steady=len(lines),
    )


def _lines(seen: Seen) -> Iterator[str]:
    for message in seen.lines[-MOST_LINES:]:
        line = seen.told.line_of(message)
        if line is not None and len(line.turn.text) <= LONGEST_LINE:
            own = line.turn.role == "assistant"
            yield quoted({"you_said": line.turn.text}) if own else line.turn.text


def _former(former: Thought | None) -> Iterator[str]:
    if former is None:
        return
    yield quoted({"you_thought_before": former.summary})
    if former.plan:
        steps = "; ".join(former.plan)
        yield quoted({"plan_before": steps, "approved": former.status == "approved"})


def _notes(notes: Sequence[Note]) -> Iterator[str]:
    return (quoted({"from": note.by, "told_you": note.text}) for note in notes)
