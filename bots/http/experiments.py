"""The endpoints of experiments: which were played, and their reports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bots.http.responses import HEADERS, Refused, answer
from bots.http.shapes import ExperimentsShape

REPORT_HEADERS = {
    **HEADERS,
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of a report: words of players and models are in it, so it runs nothing, loads nothing, and its
origin is not ours."""


class ExperimentsPort(Protocol):
    """What may be read of experiments."""

    async def experiments(self) -> ExperimentsShape:
        """Those that were played, the newest first."""

    async def report(self, experiment: str, run: str | None) -> bytes | None:
        """The page of an experiment, or of one of its runs; None where there is none."""


def experiment_routes(experiments: ExperimentsPort) -> Iterator[BaseRoute]:
    async def listed(_request: Request) -> Response:
        return answer(await experiments.experiments())

    async def report(request: Request) -> Response:
        wanted = request.path_params
        page = await experiments.report(wanted["experiment"], wanted.get("run"))
        if page is None:
            message = "there is no such report; write one: townsfolk experiment report DIR"
            raise Refused(404, "unknown_report", message)
        return Response(page, 200, REPORT_HEADERS, "text/html; charset=utf-8")

    yield Route("/api/experiments", listed)
    yield Route("/api/experiments/{experiment}/report", report)
    yield Route("/api/experiments/{experiment}/runs/{run}/report", report)
