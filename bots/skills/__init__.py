"""Skills: what a bot does with several actions within one job."""
