"""The scripted fake API: rules by what was said, and clear errors for a broken file."""

from pathlib import Path
from typing import Any

import pytest

from bots.daemon.models import scripted_model
from bots.errors import SettingsError
from bots.responder.reflection.thought import read_conclusion
from bots.settings.settings import Settings
from bots.text.reading import read_text
from llm.fake_api.script import RuleScript, ScriptError
from llm.fake_api.steps import Call, Failure, Reply

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "fake_llm.toml"
SCRIPT = """
[[rule]]
when = "planks"
once = true
call = { name = "goal", arguments = { goals = "inventory.oak_planks:5" } }

[[rule]]
when_result = "begun"
text = "On it!"

[[rule]]
when = "fail"
status = 529
retry_after_s = 30

[[rule]]
text = "I heard you."
slow_s = 0.4
"""


def script(text: str = SCRIPT) -> RuleScript:
    return RuleScript.of(text)


def said(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def result(text: str) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    return {"messages": [{"role": "user", "content": [block]}]}


def test_the_first_rule_that_fits_decides() -> None:
    rules = script()
    asked = rules(said("get me 5 oak PLANKS"))
    assert asked == Reply("", calls=(Call("goal", {"goals": "inventory.oak_planks:5"}),))
    assert rules(result('{"begun":true}')) == Reply("On it!")
    assert rules(said("hello")) == Reply("I heard you.", slow_s=0.4)


def test_what_a_group_found_is_filled_in_then_and_later() -> None:
    rules = script(
        """
        [[rule]]
        when = '(?P<who>[A-Z][a-z]+) wants (?P<count>[0-9]+)'
        call = { name = "give", arguments = { to = "{who}", rows = [{ n = "{count}" }] } }
        [[rule]]
        text = "Here, {who}. {other}"
        """
    )
    given = {"to": "Steve", "rows": [{"n": "5"}]}
    assert rules(said("Steve wants 5")) == Reply("", calls=(Call("give", given),))
    assert rules(said("thanks")) == Reply("Here, Steve. {other}")


def test_a_rule_for_once_fits_once() -> None:
    rules = script()
    rules(said("planks"))
    assert rules(said("planks")) == Reply("I heard you.", slow_s=0.4)


def test_a_fault_can_be_scripted() -> None:
    assert script()(said("fail")) == Failure(529, headers={"retry-after": "30"})


@pytest.mark.parametrize(
    ("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error"), (503, "api_error")]
)
def test_a_fault_has_the_type_that_the_api_has_for_its_status(status: int, kind: str) -> None:
    fault = script(f"[[rule]]\nstatus = {status}\n")(said("hello"))
    assert isinstance(fault, Failure)
    assert fault.type == kind


def test_what_no_rule_fits_is_answered_all_the_same() -> None:
    rules = script('[[rule]]\nwhen = "x"\ntext = "y"\n')
    assert rules(said("hello")) == Reply("I have nothing scripted for that.")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "rule: Field required"),
        ("[[rule]]\nwhenn = 'x'", "rule.0.whenn: Extra inputs"),
        ("[[rule]]\nwhen = '('", "rule.0.when: no regular expression"),
        ("[[rule]]\nstop = 'enough'", "rule.0.stop: Input should be"),
        ("[[rule]", "line 1, column"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(ScriptError, match=complaint.replace("(", r"\(")):
        script(text)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
async def test_a_script_is_read_as_any_text_file_of_users(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "script.toml"
    file.write_bytes('[[rule]]\r\ntext = "はい"\r\n'.encode(encoding))
    async with scripted_model(file, Settings()) as settings:
        assert str(settings.llm.base_url).startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "No such file"),
        (b'[[rule]]\ntext = "caf\xe9"\n', "line 2, column 12"),
        (b"[[rule]]\nstop = 'enough'", "rule.0.stop"),
    ],
)
async def test_a_file_that_is_no_script_is_named_with_what_is_wrong(
    tmp_path: Path, content: bytes | None, complaint: str
) -> None:
    file = tmp_path / "script.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SettingsError, match=complaint) as refused:
        async with scripted_model(file, Settings()):
            pass
    assert "script.toml" in str(refused.value)


def test_a_rule_may_ask_for_a_system_prompt() -> None:
    rules = script(
        """
        [[rule]]
        when_system = "planning mind of (?P<name>[A-Z][a-z]+)"
        text = "A plan for {name}."

        [[rule]]
        text = "I heard you."
        """
    )
    for system in (planning := "The planning mind of Alice", [{"type": "text", "text": planning}]):
        assert rules({"system": system, **said("hello")}) == Reply("A plan for Alice.")
    assert rules({"system": "You are Alice.", **said("hello")}) == Reply("I heard you.")
    assert rules(said("hello")) == Reply("I heard you.")


def test_the_example_has_a_plan_for_a_bot_that_joins() -> None:
    rules = RuleScript.of(read_text(EXAMPLE))
    asked = {"system": (ROOT / "llm" / "prompts" / "briefing.md").read_text(encoding="utf-8")}
    answer = rules({**asked, **said("# What you sense now")})
    assert isinstance(answer, Reply)
    concluded = read_conclusion(answer.text)
    assert concluded is not None
    assert (concluded.goal, len(concluded.plan)) == ("inventory.oak_planks:4", 2)
