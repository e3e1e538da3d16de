"""What went otherwise than planned; a new plan may still lead to the goal."""

from __future__ import annotations

from bots.errors import CommandError


class Surprise(CommandError):
    """A step did not do what it was to do, or can no longer be done as planned."""

    @classmethod
    def of(cls, error: CommandError) -> Surprise:
        return cls(error.reason, error.message, **error.data)
