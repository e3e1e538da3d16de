"""How much bots of several daemons say to each other on one server, and whether they fall silent.

    python -m benchmarks.machines [--minutes 10] [--bots Alice:rules,Carl:model,Dora:rules] [--json]

Each bot lives in a daemon of its own, which knows nothing of the others and is set up as it is
shipped. `rules` answers without a model, `model` with one that has something to say to every line.
Each minute one of them says something to the next one. `lines` counts what they said to each other
in each minute, but for small talk, which wants no answer and has a column of its own; `last after`
is when, in seconds after the remark, the last of the lines was said. Node's packages must be
installed (`townsfolk up` does it once) or TOWNSFOLK_NODE_DIR set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Collection
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.stand import installed
from bots.app import Daemon
from bots.bot.bot import Bot
from bots.chat.message import Message
from bots.clock import utc_now
from bots.settings.settings import Settings
from bridge.server.launcher import HOST, EmbeddedServer
from llm.function_model import FunctionModel
from llm.model import Question

MINUTE_S = 60.0
EARSHOT = 64.0
BOTS = "Alice:rules,Carl:model,Dora:rules"
REMARKS = (
    *("Hello there, how are you?", "I have no answer to that.", "What do you carry?"),
    *(
        "It is a fine day.",
        "こんにちは",
        "Sorry, that is beyond me.",
        "Follow me.",
        "You are right.",
    ),
)
THINKS_S = 1.5


@dataclass(frozen=True, slots=True)
class Minute:
    remark: str
    lines: int
    small_talk: int
    last_after_s: float


def talkative() -> FunctionModel:
    """A model that takes every line for one to be answered."""
    numbers = count(1)

    async def answer(_question: Question) -> str:
        await asyncio.sleep(THINKS_S)
        n = next(numbers)
        return f"That reminds me of the {n} sheep behind the hill. What do you think of them?"

    return FunctionModel(answer)


def daemon_of(name: str, kind: str, folder: Path, port: int) -> Daemon:
    settings = Settings.model_validate(
        {
            "data_dir": folder / name,
            "bots": {"names": [name]},
            "server": {"host": HOST, "port": port},
            "dashboard": {"enabled": False},
            "llm": {"briefing": False} if kind == "model" else {"enabled": "off"},
        }
    )
    return Daemon(settings, model=talkative() if kind == "model" else None)


async def played(minutes: int, kinds: dict[str, str], folder: Path) -> list[Minute]:
    runtime = await installed()
    server = await EmbeddedServer.start(runtime.binary, runtime.packages_dir)
    try:
        async with AsyncExitStack() as stack:
            bots = []
            for name, kind in kinds.items():
                daemon = daemon_of(name, kind, folder, server.port)
                await stack.enter_async_context(daemon)
                assert await daemon.all_joined()
                bots.append(daemon.bot(name))
            remarks, speakers = cycle(REMARKS), cycle(range(len(bots)))
            return [await minute_of(bots, next(speakers), next(remarks)) for _ in range(minutes)]
    finally:
        await server.aclose()


async def minute_of(bots: list[Bot], speaker: int, remark: str) -> Minute:
    """Say something to the next bot, and count what is said in the minute from then on."""
    begun = utc_now()
    told = await bots[speaker].tell(bots[(speaker + 1) % len(bots)].name, remark, EARSHOT)
    assert told.success, told.sentence
    await asyncio.sleep(MINUTE_S)
    names = {bot.name for bot in bots}
    said = [
        one
        for bot in bots
        for one in bot.get_conversation_history()
        if one.speaker == bot.name and one.utterance.said_at >= begun and is_for(one, names)
    ]
    lines = [one for one in said if one.utterance.kind != "small_talk"]
    latest = max((one.utterance.said_at for one in lines), default=begun)
    after = (latest - begun).total_seconds()
    return Minute(remark, len(lines), len(said) - len(lines), round(after, 1))


def is_for(said: Message, names: Collection[str]) -> bool:
    """Whether a bot told this to one of the bots, or to everybody."""
    to = said.utterance.delivery
    if to is None or not (said.was_said or said.utterance.kind == "small_talk"):
        return False
    return said.public or any(to.meant_for(name) for name in names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--bots", default=BOTS, help="NAME:rules or NAME:model, by commas")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    kinds = dict(one.split(":") for one in args.bots.split(","))
    with TemporaryDirectory(prefix="townsfolk-machines-") as folder:
        told = asyncio.run(played(args.minutes, kinds, Path(folder)))
    if args.json:
        print(json.dumps([asdict(one) for one in told], ensure_ascii=False))
        return
    print("minute  lines  small talk  last after  remark")
    for number, one in enumerate(told, 1):
        row = f"{number:6}  {one.lines:5}  {one.small_talk:10}  {one.last_after_s:8.1f} s"
        print(f"{row}  {one.remark}", flush=True)


if __name__ == "__main__":
    main()
