"""The study of docs/study.md in Concordia, for `benchmarks.study_beside`: needs gdm-concordia.

Five entities retell a story in Concordia's sequential loop; with a reach each hears its neighbours
alone. The game master is a table of rules here, as no model is asked.
"""

import json
import random
import sys
import time
from statistics import mean

from concordia.environment.engines.sequential import Sequential
from concordia.typing.entity import ActionSpec, Entity, OutputType

STORY = "A red cow walked slowly over the long bridge at night."
WRONG = ("green", "pig", "ran", "seven", "under", "noon")
PLACES = {"Ann": 0, "Ben": 10, "Cleo": 20, "Dan": 30, "Eve": 40}


class Reteller(Entity):  # type: ignore[misc]
    def __init__(self, name: str, rng: random.Random) -> None:
        self._name, self._rng, self._heard = name, rng, [STORY] if name == "Ann" else []

    @property
    def name(self) -> str:
        return self._name

    def observe(self, observation: str) -> None:
        if observation:
            self._heard.append(observation)

    def act(self, action_spec: ActionSpec) -> str:
        words = self._heard[0].rstrip(".").split()
        if self._rng.random() < 0.5:
            words[self._rng.randrange(len(words))] = self._rng.choice(WRONG)
        return " ".join(words) + "."


class Round(Entity):  # type: ignore[misc]
    name = "round"

    def __init__(self, reach: float) -> None:
        self._reach, self.said = reach, list[tuple[str, str]]()

    def observe(self, observation: str) -> None:
        kind, _, event = observation.partition("] ")
        speaker, _, text = event.partition(": ")
        if kind == "[putative_event" and speaker in PLACES:
            self.said.append((speaker, text))

    def act(self, action_spec: ActionSpec) -> str:
        match action_spec.output_type:
            case OutputType.MAKE_OBSERVATION if self.said:
                speaker, text = self.said[-1]
                hearer = action_spec.call_to_action
                away = abs(PLACES[hearer] - PLACES[speaker])
                return text if hearer != speaker and away <= self._reach else ""
            case OutputType.NEXT_ACTING:
                return list(PLACES)[len(self.said) % len(PLACES)]
            case OutputType.NEXT_ACTION_SPEC:
                return "prompt: What do you tell?;;type: free"
            case OutputType.TERMINATE:
                return "No"
        return ""


def kept(reach: float, seed: int, turns: int) -> float:
    entities = [Reteller(name, random.Random(f"{seed}:{name}")) for name in PLACES]
    table = Round(reach)
    loop = Sequential(call_to_make_observation="{name}")
    loop.run_loop([table], entities, max_steps=turns)
    last = [text for speaker, text in table.said if speaker == "Eve"][-1].split()
    return mean(word in last for word in STORY.split())


def main(seeds: int, turns: int) -> None:
    began_s = time.process_time()
    found = {reach: mean(kept(reach, seed, turns) for seed in range(seeds)) for reach in (60, 12)}
    print(json.dumps({"seconds": time.process_time() - began_s, "kept": found}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
