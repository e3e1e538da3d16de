"""`!navigation …`: places with names, walking, following, handing over, chests."""
