"""The registry that this program's commands are declared in."""

from bots.commands.registry import CommandRegistry

commands = CommandRegistry()
