"""How the bots of these studies find their words, without a model. Each function answers a turn."""

from collections.abc import Sequence

from bots.experiments.actors import Asked, Heard

ANIMALS = (
    *("ant", "bear", "cat", "dog", "eel", "fox", "goat", "hare", "ibis", "jay", "kite", "lynx"),
    *("mole", "newt", "owl", "pike", "quail", "rat", "seal", "toad", "vole", "wolf", "yak"),
)
SMALL_TALK = ("Nice weather.", "Bread is dear today.", "My feet hurt.", "The cow got out again.")


def pass_on(asked: Asked) -> str:
    """Tell what it heard of the mill in half of its turns."""
    knows = any("mill" in line.text for line in asked.heard)
    if knows and asked.rng.random() < 0.5:
        return "They say that the mill burns."
    return asked.rng.choice(SMALL_TALK)


def favour_one(asked: Asked) -> str:
    """Give the word to a favourite more often than to anybody else."""
    favourite = min(asked.others) if asked.rng.random() < 0.5 else asked.rng.choice(asked.others)
    return f"{asked.rng.choice(SMALL_TALK)} [Next: {favourite}]"


def ask_somebody(asked: Asked) -> str:
    """Ask one of those near."""
    return f"{asked.rng.choice(sorted(asked.near))}, what do you think?"


def _new_animal(asked: Asked, lines: Sequence[Heard]) -> str:
    named = {line.text.rstrip(".") for line in lines}
    return f"{asked.rng.choice([one for one in ANIMALS if one not in named])}."


def forget(asked: Asked) -> str:
    """Name an animal that was not among the last two lines."""
    return _new_animal(asked, asked.heard[-2:])


def remember(asked: Asked) -> str:
    """Name an animal that nobody named."""
    return _new_animal(asked, asked.heard)
