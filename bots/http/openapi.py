"""Every endpoint with its method, path, meaning and answer; and all of them as OpenAPI."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from bots.daemon import shapes
from bots.daemon.shapes import Html

OPENAPI = "3.1.0"
MEDIA_TYPES: Mapping[object, str] = {bytes: "image/png", str: "text/plain", Html: "text/html"}
_PARAMETER = re.compile(r"{(\w+)}")
_REFERENCE = "#/components/schemas/{model}"


class Endpoint(NamedTuple):
    method: str
    path: str
    meaning: str
    answer: Any = shapes.Outcome


ENDPOINTS: tuple[Endpoint, ...] = (
    Endpoint(
        *("GET", "/healthz"),
        "whether the daemon, its database and, in a cluster, its broker are well; needs no token",
        dict,
    ),
    Endpoint(
        *("GET", "/healthz/live"),
        "whether it should be left alone, or else started anew; needs no token",
        shapes.HealthShape,
    ),
    Endpoint(
        *("GET", "/healthz/ready"),
        "whether its bots can be talked with now, or else why not; needs no token",
        shapes.HealthShape,
    ),
    Endpoint("GET", "/api/bots", "the bots and how they are", shapes.Bots),
    Endpoint("POST", "/api/bots/{bot}/commands", 'a command: {"text": "!info all", "wait": true}'),
    Endpoint(
        "POST", "/api/bots/{bot}/messages", 'words to a bot: {"text": "Hello!", "name": "Steve"}'
    ),
    Endpoint(
        *("POST", "/api/bots/{bot}/prompt"),
        "what a model would be asked if the player `name` said it",
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/history"),
        "what it heard and said: ?username=&type=&talk=&limit=&since=&before=",
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/recall"),
        "what of it, and of its episodes, fits some words, best first:"
        " ?words=&speaker=&since=&until=&episodes=&limit=&offset=",
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/picture"),
        "what it sees, as a PNG: ?yaw=&pitch=&panorama=true&width=&height=",
        bytes,
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/map"),
        "the country around it from above, as a PNG: ?reach=",
        bytes,
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/terrain"),
        "the ground around it for a map of yours, a pixel for each block: ?reach=",
        shapes.TerrainShape,
    ),
    Endpoint(
        *("GET", "/api/bots/{bot}/goals"),
        "its goals, and the plan of the one under way, step by step",
        shapes.GoalsShape,
    ),
    Endpoint("GET", "/api/positions", "where everybody is", shapes.Positions),
    Endpoint("GET", "/api/talks", "the group talks under way, with their lines", shapes.TalksShape),
    Endpoint(
        *("GET", "/api/budget"),
        "what models cost, beside the caps, and whether they answer",
        shapes.BudgetShape,
    ),
    Endpoint(
        *("GET", "/api/load"),
        "what the daemon and its Node processes take of the machine",
        shapes.LoadShape,
    ),
    Endpoint("GET", "/api/bots/{bot}/people", "whom it knows, and when they met", shapes.People),
    Endpoint("GET", "/api/bots/{bot}/people/{name}", "the card of a person", shapes.PersonCard),
    Endpoint("DELETE", "/api/bots/{bot}/people/{name}", "forget a person, as !forget me does"),
    Endpoint(
        *("POST", "/api/bots/{bot}/people/{name}/facts"),
        'add to a card: {"kind": "likes", "words": "cherry wood", "forAll": true}',
        shapes.PersonCard,
    ),
    Endpoint("DELETE", "/api/bots/{bot}/people/{name}/facts", "take from a card: ?kind=&words="),
    Endpoint("GET", "/api/bots/{bot}/places", "the places that it knows by name", shapes.Places),
    Endpoint("GET", "/api/bots/{bot}/places/{name}", "the card of a place", shapes.PlaceCard),
    Endpoint(
        *("GET", "/api/bots/{bot}/knowledge"),
        "what it knows: ?words=&type=&speaker=&limit=",
        shapes.Entries,
    ),
    Endpoint(
        *("POST", "/api/bots/{bot}/knowledge"),
        'have it know: {"words": "cats help", "type": "counter", "days": 30, "forAll": true}',
        shapes.OneEntry,
    ),
    Endpoint(
        *("PUT", "/api/bots/{bot}/knowledge/{id}"),
        "correct an entry, with a body like that",
        shapes.OneEntry,
    ),
    Endpoint("DELETE", "/api/bots/{bot}/knowledge/{id}", "forget an entry"),
    Endpoint(
        *("GET", "/api/experiments"),
        "the experiments that were played, the newest first",
        shapes.ExperimentsShape,
    ),
    Endpoint("GET", "/api/experiments/{id}/report", "the report of an experiment", shapes.Html),
    Endpoint(
        *("GET", "/api/experiments/{id}/runs/{run}/report"),
        "the report of one of its runs",
        shapes.Html,
    ),
    Endpoint("GET", "/api/decisions", "what was decided and why"),
    Endpoint(
        *("GET", "/api/decisions/{id}/prompt"),
        "what the model was asked for a decision",
        shapes.PromptShape,
    ),
    Endpoint("POST", "/api/decisions/{id}/approve", "approve a decision"),
    Endpoint("POST", "/api/decisions/{id}/reanalyse", "have it decided anew"),
    Endpoint("GET", "/api/stats", "how well it is decided, beside what it should be"),
    Endpoint("GET", "/metrics", "figures for Prometheus, as text", str),
    Endpoint("POST", "/api/stop", "stop whatever any bot is doing"),
    Endpoint(
        *("POST", "/api/link"),
        "an address that opens the page in a browser, once",
        shapes.Link,
    ),
    Endpoint("GET", "/api/openapi.json", "all this for programs, as OpenAPI", dict),
    Endpoint(
        *("WS", "/ws"),
        "everything as it happens: ?last=SEQUENCE resumes, ?positions=1 and ?batch=1: below",
        shapes.Positions,
    ),
)
"""As docs/http.md lists them."""


@cache
def openapi() -> dict[str, Any]:
    """The document. The WebSocket stands in it as a GET, which it begins with."""
    mode: Literal["serialization"] = "serialization"
    adapters = [(one, mode, TypeAdapter[Any](one.answer)) for one in ENDPOINTS]
    schemas, shared = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for one in ENDPOINTS:
        method = "get" if one.method == "WS" else one.method.lower()
        paths.setdefault(one.path, {})[method] = _operation(one, schemas[one, mode])
    return {
        "openapi": OPENAPI,
        "info": {"title": "townsfolk", "version": version("townsfolk")},
        "paths": paths,
        "components": {
            "schemas": shared.get("$defs", {}),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"token": []}],
    }


def _operation(one: Endpoint, schema: Any) -> dict[str, Any]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in _PARAMETER.findall(one.path)
    ]
    media_type = MEDIA_TYPES.get(one.answer, "application/json")
    answered = {"description": "the answer", "content": {media_type: {"schema": schema}}}
    return {"summary": one.meaning, "parameters": parameters, "responses": {"200": answered}}
