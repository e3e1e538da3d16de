"""The talk as a pure state machine: events in, effects out."""
