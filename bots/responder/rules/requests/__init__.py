"""Reads requests: from a sentence to commands with their fields, or to nothing."""

from bots.responder.rules.requests.ask import Ask, Request, Unclear, Wish
from bots.responder.rules.requests.read import Reading, read

__all__ = ["Ask", "Reading", "Request", "Unclear", "Wish", "read"]
