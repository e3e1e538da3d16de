"""Records a run as a log of events."""
