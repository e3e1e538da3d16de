"""`!primitive …`: single actions in reach, without a plan."""
