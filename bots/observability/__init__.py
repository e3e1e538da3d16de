"""Trace, logs and redaction."""
