'use strict'
// Mode 3: middle click, a full stack on the cursor for a player in creative mode.

const CREATIVE = 1

module.exports = function clone (desk, slot, button, items) {
  const there = slot >= 0 ? desk.read(slot) : null
  if (!there || desk.cursor || desk.player.gameMode !== CREATIVE) return
  desk.cursor = items.portion(there, there.stackSize)
}
