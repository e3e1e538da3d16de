"""The endpoints as programs read them."""

from support.http_stub import StubDaemon, app_over, ask

from bots.http.app import ENDPOINTS
from bots.http.openapi import MEDIA_TYPES, openapi


def test_every_endpoint_stands_in_the_document_with_its_answer() -> None:
    document = openapi(ENDPOINTS)
    for one in ENDPOINTS:
        method = "get" if one.method == "WS" else one.method.lower()
        operation = document["paths"][one.path][method]
        assert operation["summary"] == one.meaning
        media_type = MEDIA_TYPES.get(one.answer, "application/json")
        assert operation["responses"]["200"]["content"][media_type]["schema"]


def test_a_shape_that_is_used_twice_is_described_once() -> None:
    schemas = openapi(ENDPOINTS)["components"]["schemas"]
    assert set(schemas["BudgetShape"]["required"]) >= {"spentUsd", "capUsd", "bots"}
    assert schemas["PurseShape"]["properties"]["spentUsd"]["type"] == "number"


async def test_the_document_is_served() -> None:
    served = (await ask(app_over(StubDaemon()), "GET", "/api/openapi.json")).json
    assert served["openapi"].startswith("3.1")
    assert "/api/bots/{bot}/goals" in served["paths"]
