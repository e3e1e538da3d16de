"""`!navigation …`: named places, walking, following, handing over, chests."""
