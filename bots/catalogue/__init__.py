"""What the connected version of Minecraft knows: items, blocks, mobs, recipes, and their names."""
