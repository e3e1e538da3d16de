"""One bot as everything above sees it: actions, jobs, gaze, places."""
