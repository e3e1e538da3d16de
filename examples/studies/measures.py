"""The numbers of these studies that the report does not have. Each function takes a run."""

from bots.experiments.runs import Run


def knowers(run: Run) -> float:
    """The share of the bots that heard of the mill, or said it."""
    told = [line for line in run.timeline.lines if "mill" in line.text]
    know = {name for line in told for name in (line.speaker, *line.heard_by)}
    return len(know) / len(run.scenario.cast)


def doubles(run: Run) -> float | None:
    """The share of the lines that were said before."""
    said = [line.text for line in run.timeline.lines]
    return 1 - len(set(said)) / len(said) if said else None


def words_per_line(run: Run) -> float | None:
    """Without the opening, which the scenario gives."""
    said = [len(line.text.split()) for line in run.timeline.lines[1:]]
    return sum(said) / len(said) if said else None
