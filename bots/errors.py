"""Errors that commands and the parts below them raise; bridge/errors.py draws the root.

UserError
├── CommandError          a command refuses, with a reason code
│   ├── UnknownCommand    reason unknown_command
│   ├── InvalidArguments  reason invalid_format
│   ├── NotPermitted      reason not_permitted
│   ├── ActionFailed      an action of a job failed; something else may be tried
│   ├── JobEnded          a job is over: stopped, replaced, deadline, disconnected
│   ├── GoalRefused, WorldRefused   goals/parsing: a question about a goal is malformed
│   └── StepFailed        goals/runner: a step of a plan failed; the plan is made anew
├── GameDataError         there is no data of a version of Minecraft
├── SpeechRefused         a text cannot be said: rate_limited, too_long, empty, refused
├── SettingsError         the configuration is wrong; names the key and the nearest right one
│   └── HistoryConflict, HomeTooNew   cluster: a home's file and its history do not go together
├── CharacterRefused      characters: a file is no character for a bot
├── NoDaemon, DaemonRunning, DaemonSilent, NothingLogged   daemon, cli: whether a daemon runs
├── BackupRefused         daemon: a backup is not made, or not put back
└── ScenarioError, LogError, ExperimentFailed   experiments: a file is wrong, or a run failed
BotError
├── StoreError            the database cannot be used
│   └── StoreUnwritable   nothing can be written now: disk full, locked, damaged
├── BusError              cluster: the broker, or another daemon, does not answer (bus.py)
└── PackageShadowed       cli: another package takes the place of one of ours
"""

from __future__ import annotations

from typing import Any, Literal

from bridge.errors import BotError, UserError


class CommandError(UserError):
    """A command says no. `data` goes into the result beside `reason` and `message`."""

    def __init__(self, reason: str, message: str, **data: Any) -> None:
        super().__init__(message)
        self.reason, self.message, self.data = reason, message, data


class UnknownCommand(CommandError):
    """No command of this name; the message holds the nearest known one."""


class InvalidArguments(CommandError):
    """The arguments do not fit; `data["usage"]` says what would."""


class NotPermitted(CommandError):
    """The origin's level is too low for the command."""


class ActionFailed(CommandError):
    """One action did not succeed; `reason` is the bridge's, `deadline` or `stuck`, and `data` its
    result."""


class JobEnded(CommandError):
    """The job is over; handlers let this through."""


class GameDataError(UserError):
    """There is no data of a version of Minecraft; the text names the versions there are."""


SpeechReason = Literal["rate_limited", "too_long", "empty", "refused"]


class SpeechRefused(UserError):
    """A text was not said, and why; nothing of it left, or the server refused it."""

    def __init__(self, reason: SpeechReason, message: str) -> None:
        super().__init__(message)
        self.reason: SpeechReason = reason


class SettingsError(UserError):
    """The configuration is wrong; the text says where and what would be right."""


class StoreError(BotError):
    """The database cannot be opened, read or written."""


class StoreUnwritable(StoreError):
    """Nothing can be written now: the disk is full, or another program holds the database."""
