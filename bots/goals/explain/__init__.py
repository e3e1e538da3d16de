"""Why a goal is impossible, and which goal near it is not."""
