"""The same scenes on any server: a bot of ours among people who are plain Mineflayer clients."""
