"""Errors of experiments (the root of the tree is in bridge/errors.py).

UserError
├── ScenarioError     the scenario file is wrong; one line for each mistake, with what is right
├── LogError          a folder or log is not one of an experiment, or is damaged
└── ExperimentFailed  the run failed, e.g. because somebody did not join
"""

from __future__ import annotations

from bridge.errors import UserError


class ScenarioError(UserError):
    """The scenario is wrong; the text says where, and what would be right."""


class LogError(UserError):
    """The log of an experiment cannot be read; the text names the line."""


class ExperimentFailed(UserError):
    """The experiment could not be played to its end."""
