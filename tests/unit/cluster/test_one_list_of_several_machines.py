"""Lists hold what all daemons know, each number with the daemon that counts it."""

import asyncio

import pytest
from support.http_stub import StubDaemon, app_over, ask
from support.two_webs import TwoWebs

from bots.daemon.shapes import Json, PersonShape, Positions, PositionShape, TalkShape
from bots.http import carrier

TALK: TalkShape = {
    "talk": 3,
    "topic": "bridges",
    "participants": [{"name": "Carol", "kind": "bot"}],
    "mainBot": "Carol",
    "speaking": None,
    "paused": False,
    "startedBy": "Steve",
    "lines": [],
}


async def asked(webs: TwoWebs, path: str, method: str = "GET") -> Json:
    """What east answers."""
    reply = await ask(webs.east.app, method, path)
    assert reply.status == 200
    return reply.json


def bot_at(name: str, x: float) -> PositionShape:
    place = {"x": x, "y": 64.0, "z": 0.0, "yaw": 0.0, "dimension": "overworld"}
    return {"name": name, **place, "health": 20.0, "food": 20.0, "held": None}  # type: ignore[typeddict-item]


def person(name: str, *seen_by: str) -> PersonShape:
    place = {"x": 0.0, "y": 64.0, "z": 0.0, "dimension": "overworld"}
    return {"name": name, **place, "seenBy": list(seen_by)}  # type: ignore[typeddict-item]


def moment(bots: list[PositionShape], people: list[PersonShape], hour: int | None) -> Positions:
    return {
        "name": "positions",
        "at": "2026-11-23T12:00:00+00:00",
        "timeOfDay": hour,
        "hearingRange": 15.0,
        "bots": bots,
        "people": people,
    }


async def test_the_bots_of_all_daemons_are_listed_once_with_their_daemon(webs: TwoWebs) -> None:
    webs.east.members.there["west"] = ("Bob", "Carol")  # Bob has come here since
    listed = await asked(webs, "/api/bots")
    assert listed["daemon"] == "east"
    assert [(bot["name"], bot["daemon"], bot["talk"]) for bot in listed["bots"]] == [
        ("Alice", "east", None),
        ("Bob", "east", None),
        ("Carol", "west", "3@west"),
    ]


async def test_a_daemon_alone_answers_as_ever() -> None:
    app = app_over(StubDaemon())
    listed = (await ask(app, "GET", "/api/bots")).json
    assert listed == {"success": True, "bots": StubDaemon().bots()}
    for path in ("/api/talks", "/api/decisions", "/api/stats", "/api/load", "/api/positions"):
        assert not {"daemons", "silent"} & set((await ask(app, "GET", path)).json)


async def test_everybody_is_placed_and_no_bot_is_a_person(webs: TwoWebs) -> None:
    webs.east.daemon.here = moment(
        [bot_at("Alice", 1)], [person("Steve", "Alice"), person("Carol", "Alice")], None
    )
    webs.west.daemon.here = moment([bot_at("Carol", 9)], [person("Steve", "Carol")], 6000)
    found = await asked(webs, "/api/positions")
    assert [(bot["name"], bot["x"]) for bot in found["bots"]] == [("Alice", 1), ("Carol", 9)]
    assert [(one["name"], one["seenBy"]) for one in found["people"]] == [
        ("Steve", ["Alice", "Carol"])
    ]
    assert (found["timeOfDay"], found["silent"]) == (6000, [])


async def test_talks_of_all_are_listed_and_their_numbers_tell_whose(webs: TwoWebs) -> None:
    webs.east.daemon.talks = lambda: {"success": True, "talks": [TALK]}  # type: ignore[method-assign]
    webs.west.daemon.talks = lambda: {"success": True, "talks": [TALK]}  # type: ignore[method-assign]
    found = await asked(webs, "/api/talks")
    assert [talk["talk"] for talk in found["talks"]] == [3, "3@west"]


async def test_decisions_of_all_are_listed_and_acted_on_by_the_number_shown(webs: TwoWebs) -> None:
    listed = (await asked(webs, "/api/decisions"))["decisions"]
    assert [made["id"] for made in listed] == [1, "1@west"]
    await asked(webs, "/api/decisions/1@west/approve", "POST")
    await asked(webs, "/api/decisions/1@west/reanalyse", "POST")
    prompt = await asked(webs, "/api/decisions/1@west/prompt")
    assert prompt["prompt"] == {"system": "You are Alice."}
    assert webs.west.daemon.asked == [("approve", 1), ("reanalyse", 1)]
    assert webs.east.daemon.asked == []


@pytest.mark.parametrize("number", ["2@west", "1@north", "x@west", "1@", "@west"])
async def test_an_unknown_decision_of_another_daemon_is_refused(webs: TwoWebs, number: str) -> None:
    reply = await ask(webs.east.app, "POST", f"/api/decisions/{number}/approve")
    assert (reply.status, reply.json["reason"]) == (404, "unknown_decision")


@pytest.mark.parametrize("path", ["/api/stats", "/api/load"])
async def test_figures_of_other_daemons_stand_beside_ours(webs: TwoWebs, path: str) -> None:
    alone = (await ask(app_over(StubDaemon()), "GET", path)).json
    assert await asked(webs, path) == {**alone, "daemons": {"west": alone}, "silent": []}


async def test_the_one_budget_tells_of_all_bots(webs: TwoWebs) -> None:
    theirs = webs.west.daemon.budget()
    purse = theirs["bots"]["Alice"]
    webs.west.daemon.budget = lambda: {**theirs, "bots": {"Carol": purse}}  # type: ignore[method-assign]
    found = await asked(webs, "/api/budget")
    assert sorted(found["bots"]) == ["Alice", "Carol"]
    assert found["spentUsd"] == theirs["spentUsd"]


async def test_stop_stops_the_bots_of_all_daemons(webs: TwoWebs) -> None:
    webs.east.daemon.outcome = {"success": True, "stopped": {"Alice": True}}
    webs.west.daemon.outcome = {"success": True, "stopped": {"Carol": True}}
    found = await asked(webs, "/api/stop", "POST")
    assert found == {"success": True, "stopped": {"Alice": True, "Carol": True}, "silent": []}


ANSWERED_BY_ALL = ("positions", "talks", "decisions", "stats", "load", "budget")


@pytest.mark.slow
async def test_a_daemon_without_an_answer_is_left_out_and_named(
    webs: TwoWebs, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def deaf(_raw: bytes) -> bytes:
        return await asyncio.Future()

    monkeypatch.setattr(carrier, "SILENT_S", 600.0)
    monkeypatch.setattr(carrier, "ALL_WITHIN_S", 3.0)
    webs.east.members.there["north"] = ("Dora",)
    async with asyncio.timeout(60), webs.bus.answering("http.north", deaf):
        found = await asyncio.gather(*(asked(webs, f"/api/{path}") for path in ANSWERED_BY_ALL))
    assert [one["silent"] for one in found] == [["north"]] * len(ANSWERED_BY_ALL)
