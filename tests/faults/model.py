"""A model that tells everybody all it is shown, and whose API fails as it is told."""

import json
import random
import re
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from faults.schedule import Kind

from llm.engine.prices import DOLLAR, Nanodollars, Rates
from llm.fake_api import Body, Drop, Failure, Reply, Step
from llm.model import Usage

PRICE = "3,15,0.3,3.75"  # dollars a million tokens, of every tier
RATES = Rates(3_000, 15_000, 300, 3_750)
PERIOD_S = 360.0
LIMIT_USD = 0.35  # a period: so little that it is used up now and then
SECRET = re.compile(r"SECRET-[A-Za-z]+-\d+")
TOLD_AT_ONCE = 6  # secrets: a whisper is short
BYTES_PER_TOKEN = 4
SILENT_S = 15.0
WORDS = ("bridge", "roof", "field", "well", "mill", "fence", "oven", "barn", "road", "tower")


class IndiscreetModel:
    """Decides for the fake API. What it charged is kept for a period."""

    def __init__(self, seed: int) -> None:
        self.fault: Kind | None = None
        self.asked = 0
        self.faulty = 0
        self.dearest: Nanodollars = 0
        """The most that any period cost."""
        self._dice = random.Random(seed)
        self._charges: deque[tuple[float, Nanodollars]] = deque()

    def __call__(self, question: Mapping[str, Any]) -> Step:
        self.asked += 1
        shown = json.dumps(question["messages"], ensure_ascii=False) + str(question.get("system"))
        used = Usage(fresh=len(shown) // BYTES_PER_TOKEN, output=60)
        reply = Reply(self._words(question, shown), usage=used)
        if self.fault is not None:
            self.faulty += 1
            return self._failing(self.fault, reply)
        self._charge(RATES.of(used))
        return reply

    def forget_charges(self) -> None:
        """What the daemon cannot remember any more it cannot count."""
        self._charges.clear()

    def _words(self, question: Mapping[str, Any], shown: str) -> str:
        secrets = list(dict.fromkeys(SECRET.findall(shown)))[-TOLD_AT_ONCE:]
        words = " ".join(["The", self._dice.choice(WORDS), str(self.asked), *secrets])
        schema = (question.get("output_config") or {}).get("format", {}).get("schema", {})
        fields = schema.get("properties", {})
        if "says" in fields:
            named = fields.get("next", {}).get("enum") or [""]
            return json.dumps({"says": words, "next": self._dice.choice(named)})
        return words

    def _failing(self, fault: Kind, reply: Reply) -> Step:
        dice = self._dice
        match fault:
            case Kind.API_ERRORS:
                status = dice.choice((400, 401, 429, 500, 529))
                return Failure(status, headers={"retry-after": dice.choice(("1", "soon", "-4"))})
            case Kind.API_SLOW:
                return dice.choice(
                    (replace(reply, slow_s=dice.uniform(1, 9)), replace(reply, drip_s=0.5))
                )
            case Kind.API_SILENT:
                return replace(reply, slow_s=SILENT_S)
            case Kind.API_GARBAGE:
                return dice.choice(
                    (
                        Body("<html>It works!</html>", "text/html"),
                        Body("{", "application/json"),
                        Body('{"type": "message", "content": 7}'),
                        replace(reply, garbage_after=dice.randrange(6)),
                        replace(reply, end_after=dice.randrange(6)),
                    )
                )
            case _:
                return dice.choice((Drop(), replace(reply, cut_after=dice.randrange(6))))

    def _charge(self, cost: Nanodollars) -> None:
        now_s = time.monotonic()
        self._charges.append((now_s, cost))
        while self._charges[0][0] <= now_s - PERIOD_S:
            self._charges.popleft()
        self.dearest = max(self.dearest, sum(cost for _, cost in self._charges))


def limit() -> Nanodollars:
    return int(LIMIT_USD * DOLLAR)
