"""Understanding requests: from a sentence to commands with their fields, or to nothing."""

from bots.answering.requests.ask import Ask, Request, Unclear, Wish, Words
from bots.answering.requests.read import Reading, read

__all__ = ["Ask", "Reading", "Request", "Unclear", "Wish", "Words", "read"]
