"""What takes several actions of one job: walking, gathering, crafting, smelting."""
