"""The instructions are known from the start, whatever becomes of the files later."""

import subprocess
import sys

import pytest

WITHOUT_FILES = """
import sys
from bots.clock import EPOCH
from bots.responder.case.persona import Persona
from bots.responder.case.quoting import Retelling, character_of
from bots.responder.prompt.summaries import SUMMARY
from bots.responder.reflection.reflector import Seen, question_of
from bots.responder.reflection.thought import THREADS

def refuse(event, args):
    if event == "open":
        raise OSError(24, "Too many open files", args[0])

sys.addaudithook(refuse)
alice = Persona("Alice", "Alice likes bees.", "")
nothing = Seen((), None, (), None, "", Retelling(None, (), EPOCH))
asked = [question_of(thread, alice, nothing).character for thread in THREADS]
print(sum("Alice likes bees." in system for system in (*asked, character_of(alice))), len(SUMMARY))
"""


@pytest.mark.slow
def test_a_daemon_without_a_file_descriptor_left_still_knows_its_instructions() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_FILES],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stderr == ""
    prompts, summary = map(int, ran.stdout.split())
    assert prompts == 3
    assert summary > 100
