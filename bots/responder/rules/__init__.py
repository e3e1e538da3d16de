"""Replies by rules, in English and Japanese: small talk, questions, requests."""
