"""A daemon with Minecraft bots that hear, remember, answer and act."""
