"""Reads goals as people and programs write them."""
