"""Whether a person's lines ask to think: such a question gets the dearest model, and its time.

depth = 2·asks to think + 1·asks for reasons, a plan or advice + 1·long + 1·several questions
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from bots.text.language import normal, questions, reading_length

DEEP_FROM = 2
LONG = 120  # Latin letters, or as many as take as long to read
THINK = 2  # the others count 1

_THINK = re.compile(
    r"\bthink(?: \w+)? (?:hard|carefully|deeply|twice|it over|it through|this over|this through)\b"
    r"|\bthink (?:about|through|over) (?:it|this|that)\b|\btake your time\b|\bin depth\b"
    r"|\bstep by step\b|\breason (?:it|this) out\b|\banaly[sz]e\b|\bpros and cons\b"
    r"|(?:よく|じっくり|しっかり|ゆっくり|深く)考え|考え抜|分析して|順を追って"
)
_REASONS = re.compile(
    r"\bwhy\b|\bexplain\b|\bhow (?:should|could|would|can|do) (?:i|we|you)\b"
    r"|\bwhat (?:should|would|could) (?:i|we|you)\b|\bbest way\b|\bstrateg(?:y|ies)\b|\bplan for\b"
    r"|\b(?:advise|advice|suggest|recommend|compare)\b|\bwhat do you think\b|\bopinion\b"
    r"|なぜ|どうして|なんで|理由|説明して|どうすれば|どうしたら|どうやって|作戦|計画を|方針"
    r"|おすすめ|どう思|意見|比べ|アドバイス"
)


def asks_to_think(lines: Sequence[str]) -> bool:
    """Whether these lines of one speaker, together, do."""
    return depth_of(tuple(lines)) >= DEEP_FROM


@lru_cache(maxsize=64)  # a turn is asked several times what it is for
def depth_of(lines: tuple[str, ...]) -> int:
    words = normal(" ".join(lines))
    asked = [one for line in lines for one in questions(line)]
    signs = (_REASONS.search(words), reading_length(words) >= LONG, len(asked) > 1)
    return THINK * bool(_THINK.search(words)) + sum(map(bool, signs))
