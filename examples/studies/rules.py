"""Who speaks next in these studies, and when their talks end. Each function looks at the talk."""

from bots.talks.machine.state import TalkSoFar


def least_said(talk: TalkSoFar) -> str:
    """Whoever has said the fewest letters so far."""

    def said(name: str) -> int:
        return sum(len(line.text) for line in talk.lines if line.speaker == name)

    return min((name for name in talk.bots if name != talk.last), key=said)


def agreed(talk: TalkSoFar) -> bool:
    """Two lines in a row that say yes."""
    return [line.text.lower().startswith("yes") for line in talk.lines[-2:]] == [True, True]
