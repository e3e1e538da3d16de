"""The embedded Minecraft server: a child process with survival rules of our own."""
