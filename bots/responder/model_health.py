"""Whether the model answers. We report each fault once, with a remedy.

The log tells it, and so does the first answer that rules give a trusted player instead. While it
lasts, `townsfolk status`, the page and `townsfolk doctor` show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bots.access.origin import Level
from bots.settings.llm import LlmSettings
from bots.text.language import Language
from bots.words import sentence
from llm.claude.model import OFFICIAL_URL

log = structlog.get_logger()

SLOW_AFTER = 3  # calls in a row
MOST_NAMED = 8  # models of a server
_NO_FAULT = frozenset({"budget", "ledger", "refused", "failed"})
"""Reasons for a missing answer that say nothing about the model's health."""
_MAY_PASS = frozenset({"deadline", "rate_limited", "overloaded", "server"})
"""Faults that we report only if they last."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault that keeps a model from answering."""

    why: str
    """As in `Decision.why`."""
    found: str
    next_step: str


class ModelHealth:
    """The health of the model, judged by its answers and failures."""

    def __init__(self, llm: LlmSettings, *, is_on: bool = True) -> None:
        """`is_on`: there is a model to ask."""
        self._llm, self.is_on = llm, is_on
        self._in_a_row = 0
        self._told: set[str] = set()
        self._is_checked = False
        self.trouble: Trouble | None = None

    def heed(self, why: str | None) -> None:
        """Take the failure of a call into account; None means that it succeeded.

        We ignore calls until the check at the start is over, which knows more."""
        if why in _NO_FAULT or not self._is_checked:
            return
        if why is None:
            self.found(None)
            return
        self._in_a_row += 1
        if why not in _MAY_PASS or self._in_a_row >= SLOW_AFTER:
            self.found(trouble_of(why, self._llm))

    def found(self, trouble: Trouble | None) -> None:
        """Take the result of a check into account."""
        self._is_checked = True
        before, self.trouble = self.trouble, trouble
        if trouble is None:
            self._in_a_row = 0
            self._told.clear()
            if before is not None:
                log.info("model.usable_again")
        elif before is None or before.why != trouble.why:
            self._told.clear()
            log.warning("model.unusable", found=trouble.found, advice=trouble.next_step)
        elif len(trouble.found) < len(before.found):
            self.trouble = before  # the check knows more than a call

    def notice(self, speaker: str, level: Level, language: Language) -> str:
        """The fault, for a trusted player who does not know it yet; else ''."""
        if self.trouble is None or level < Level.TRUSTED or speaker in self._told:
            return ""
        self._told.add(speaker)
        return sentence("notice.model_off", language, message=self.trouble.found)


def trouble_of(
    why: str, llm: LlmSettings, model: str = "", listed: Sequence[str] = ()
) -> Trouble | None:
    """Describe a fault and its remedy. `listed` are the models that the server has."""
    server, model = address_of(llm), model or llm.model_id("sonnet")
    match why:
        case "network":
            return Trouble(why, f"nothing answers at {server}", _start(llm))
        case "auth":
            return Trouble(why, *_refused_key(llm, server))
        case "billing":
            step = "add money to the account, or use another key"
            return Trouble(why, f"the account at {server} has no money left", step)
        case "unknown_model":
            has = f"; it has {_named(listed)}" if listed else ""
            return Trouble(why, f"{server} has no model {model}{has}", _other_model(llm, listed))
        case "no_api":
            found = f"{server} has no Anthropic Messages API (POST /v1/messages)"
            return Trouble(why, found, _BRIDGE)
        case "context":
            return Trouble(why, f"{model} reads too little for a question at once", MORE_CONTEXT)
        case "deadline":
            found = f"{model} takes longer than {llm.model_cut_s:g} s to answer"
            return Trouble(why, found, "take a smaller model, or one that does not think aloud")
        case "bad_request":
            step = "see model.failed in `townsfolk log`; is it a model that chats and uses tools?"
            return Trouble(why, f"{server} refuses what it is asked", step)
        case "bad_reply":
            step = "check llm.base_url: is a proxy or a login page in the way?"
            return Trouble(why, f"what {server} answers is no answer of a model", step)
        case _:
            found = f"{server} has a fault of its own ({why.replace('_', ' ')})"
            return Trouble(why, found, "wait, or see its own log")


def address_of(llm: LlmSettings) -> str:
    """The server in words."""
    return str(llm.base_url or OFFICIAL_URL)


_BRIDGE = (
    "update it: Ollama from 0.14, LM Studio from 0.4.1, vLLM from 0.11.1 and llama.cpp of 2026 have"
    " one; for others put a LiteLLM proxy between: docs/models.md"
)
MORE_CONTEXT = (
    "give it 16,384 tokens (`OLLAMA_CONTEXT_LENGTH=16384 ollama serve`, LM Studio: Context Length,"
    " vLLM: --max-model-len, llama.cpp: -c), or set llm.context to what it has"
)


def _refused_key(llm: LlmSettings, server: str) -> tuple[str, str]:
    if not llm.base_url:
        return f"{server} refuses the key (401)", "check ANTHROPIC_API_KEY"
    step = "set its key as ANTHROPIC_AUTH_TOKEN"
    if llm.api_key or llm.auth_token:
        return f"{server} refuses the key (401)", step
    return f"{server} asks for a key (401), and none is set", step


def _start(llm: LlmSettings) -> str:
    if not llm.base_url:
        return "check the network, and whether a proxy is needed"
    how = "`ollama serve`, LM Studio's server, `vllm serve` or `llama-server`"
    return f"start the model's server ({how}), or correct llm.base_url"


def _other_model(llm: LlmSettings, listed: Sequence[str]) -> str:
    fetch = f", or fetch it: `ollama pull {llm.model}`" if llm.is_at_home and llm.model else ""
    if not listed and fetch:
        return f"set llm.model to one that it has{fetch}"
    return f"set llm.model to one of these{fetch}" if listed else "correct llm.model"


def _named(listed: Sequence[str]) -> str:
    more = len(listed) - MOST_NAMED
    return ", ".join(listed[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
