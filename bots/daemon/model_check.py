"""Asks the models once: at the start, and for `townsfolk doctor`.

A server that costs money only lists its models. We ask a free model for one token, which tests the
whole way and loads the model before the first whisper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bots.daemon.models import costs_nothing, tier_of
from bots.responder.model_health import Trouble, address_of, trouble_of
from bots.settings.llm import LlmSettings
from llm.claude.model import NOTHING_LISTED, AnthropicModel, Listing
from llm.engine.held_call import ask_free
from llm.engine.tiers import Tier, TierModel
from llm.model import ChatModel

LISTED_WITHIN_S = 5.0
LOADED_WITHIN_S = 60.0  # a model at home may have to be read from a disk
TOLD_WITHIN_S = 3.0
WHOLE_CONTEXT = 8_000
"""Tokens of a context that has room for all tools and a talk of usual length."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of asking the models."""

    trouble: Trouble | None = None
    listing: Listing = NOTHING_LISTED
    context: int | None = None
    """Tokens, as the server reports; None if it does not."""
    was_asked: bool = False
    """Whether a model has answered, and not the server alone."""


async def check(llm: LlmSettings, models: Mapping[Tier, ChatModel]) -> Checked:
    """Ask each model once; report the fault of the first that fails."""
    by_id = {model.model_id: tier for tier, model in models.items()}
    one = next(iter(models.values()), None)
    if not isinstance(one, AnthropicModel):
        return Checked()
    await one.warm()  # a slow import is not the server's fault
    listing = await one.listing(LISTED_WITHIN_S)
    if listing.why in ("auth", "billing", "network"):
        return Checked(trouble_of(listing.why, llm), listing)
    found = Checked(None, listing)
    for model_id, tier in by_id.items():
        found = await _check_one(llm, one.another(model_id), tier, listing)
        if found.trouble is not None:
            break
    return found


async def _check_one(
    llm: LlmSettings, model: AnthropicModel, tier: Tier, listing: Listing
) -> Checked:
    name, told = model.model_id, listing.contexts.get(model.model_id)
    if not costs_nothing(llm, tier, name):
        why = None if await _is_there(model, listing) else "unknown_model"
        return Checked(_trouble(why, llm, name, listing), listing, told)
    why = await _asked(model, tier_of(llm, tier, name), listing)
    if why is None and told is None:
        told = await model.context(TOLD_WITHIN_S)
    return Checked(_trouble(why, llm, name, listing), listing, told, was_asked=why is None)


def _trouble(why: str | None, llm: LlmSettings, model: str, listing: Listing) -> Trouble | None:
    if why == "deadline":
        found = f"{model} gave no answer within {LOADED_WITHIN_S:g} s"
        return Trouble(why, found, f"see whether {address_of(llm)} still loads it, and its log")
    return None if why is None else trouble_of(why, llm, model, listing.models)


async def _asked(model: AnthropicModel, tier: TierModel, listing: Listing) -> str | None:
    why = await ask_free(model, tier, LOADED_WITHIN_S)
    if why == "refused":
        return None
    if why == "bad_reply":  # LM Studio answers 200 to what it does not know
        return "no_api"
    # A server that has listed its models is there; its model took too long to answer.
    return "deadline" if why == "network" and listing.why is None else why


async def _is_there(model: AnthropicModel, listing: Listing) -> bool:
    """Whether the server has the model, as far as it lists any."""
    is_open = any("*" in one for one in listing.models)  # a LiteLLM proxy that takes any name
    if not listing.models or is_open or listing.has(model.model_id):
        return True
    return await model.is_known(TOLD_WITHIN_S)


def is_short(context: int | None) -> bool:
    """Whether a model that reads so much is shown less than others."""
    return context is not None and context < WHOLE_CONTEXT
