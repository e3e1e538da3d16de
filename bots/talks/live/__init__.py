"""Runs the talk machine: timers, models, speech and storage."""
