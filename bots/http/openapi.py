"""Endpoints as OpenAPI describes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from typing import Any, Literal, NamedTuple

from pydantic import TypeAdapter

from bots.daemon.shapes import Html

OPENAPI = "3.1.0"
MEDIA_TYPES: Mapping[object, str] = {bytes: "image/png", str: "text/plain", Html: "text/html"}
_PARAMETER = re.compile(r"{(\w+)}")
_REFERENCE = "#/components/schemas/{model}"


class Endpoint(NamedTuple):
    method: str
    path: str
    meaning: str
    answer: Any


@cache
def openapi(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    """The document. The WebSocket stands in it as a GET, which it begins with."""
    mode: Literal["serialization"] = "serialization"
    adapters = [(one, mode, TypeAdapter[Any](one.answer)) for one in endpoints]
    schemas, shared = TypeAdapter.json_schemas(adapters, ref_template=_REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
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
